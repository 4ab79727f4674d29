// The tuning table: numbers that were measured, as data with provenance.
#pragma once

#include <trigon/inspect.hpp>
#include <trigon/types.hpp>

#include <array>
#include <string>

namespace trigon::core {

/// The place of a precision in the order s d c z.
constexpr std::size_t index_of(Precision p) {
  switch (p) {
    case Precision::Single: return 0;
    case Precision::Double: return 1;
    case Precision::ComplexSingle: return 2;
    case Precision::ComplexDouble: break;
  }
  return 3;
}

/// One value per precision, in the order s d c z.
struct PerPrecision {
  std::array<index, 4> value;
  index operator[](Precision p) const { return value[index_of(p)]; }
};

struct Tuning {
  std::string source = "built-in defaults";
  std::string provenance;

  PerPrecision cpu_leaf{{256, 256, 256, 128}};          ///< order at which TRSM and TRMM recursions stop
  PerPrecision cpu_narrow_rhs{{64, 64, 64, 64}};        ///< at most so many right-hand sides: no packing
  PerPrecision cpu_narrow_rhs_large{{96, 96, 96, 96}};  ///< … or so many, where the recursion would be the other way
  PerPrecision cpu_narrow_rhs_huge{{96, 96, 96, 96}};   ///< … or so many, above order 1024
  PerPrecision cpu_narrow_order{{9, 9, 9, 9}};          ///< … from this order on
  PerPrecision cpu_shared_order{{512, 384, 320, 256}};  ///< threads share rows of narrow products from this order on
  PerPrecision cpu_small_order{{64, 64, 64, 48}};       ///< products of sizes up to this are not packed
  PerPrecision cpu_in_place_product{{256, 256, 256, 128}};       ///< triangles up to this order are not packed
  PerPrecision cpu_in_place_product_many{{256, 256, 256, 128}};  ///< … of more right-hand sides than cpu.narrow_rhs
  PerPrecision cpu_in_place_solve{{256, 256, 256, 128}};         ///< … in solves
  PerPrecision cpu_solve_blocks{{2, 1, 2, 1}};     ///< … whose blocks meet earlier rows so many at a time
  index cpu_fetched_bytes = index{1} << 40;        ///< triangles that are asked for ahead of few right-hand sides
  PerPrecision cpu_slender_rhs{{48, 48, 48, 48}};  ///< symmetric matrices times at most so many columns are not packed
  PerPrecision cpu_slender_rhs_small{{48, 48, 48, 48}};  ///< … if they are small
  PerPrecision cpu_gemm_k{{384, 256, 256, 192}};         ///< depth of a packed block, about
  PerPrecision cpu_gemm_m{{96, 96, 96, 96}};             ///< rows of a packed block
  PerPrecision cpu_gemm_n{{3072, 3072, 1536, 1536}};     ///< columns of a packed block
  PerPrecision cpu_provider_work{{0, 0, 0, 0}};          ///< m·n·k from which GEMM goes to the provider; 0: never
  PerPrecision cpu_thread_flops{{125'000, 125'000, 125'000, 125'000}};  ///< less than this per thread starts none
  PerPrecision cpu_thread_rhs_flops{
      {62'500, 62'500, 62'500, 62'500}};           ///< … of contiguous right-hand sides of a triangle
  index cpu_spin_microseconds = 1000;              ///< how long an idle worker stays awake
  PerPrecision cuda_leaf{{128, 128, 128, 64}};     ///< order at which TRSM and TRMM recursions stop
  PerPrecision cuda_narrow_rhs{{64, 64, 64, 64}};  ///< at most so many right-hand sides: one launch
  index cuda_large_tiles = 128;                    ///< products of so many large tiles get them
  PerPrecision cuda_provider_work{{0, 0, 0, 0}};   ///< m·n·k from which GEMM goes to cuBLAS; 0: never
  PerPrecision cuda_tensor_units{{0, 1, 0, 1}};    ///< 1: products on FP64 tensor units where a device has them
  PerPrecision cuda_tile_n{{128, 128, 64, 64}};    ///< columns of a large tile of a product: half of them or all
  PerPrecision cuda_panel_warps{{8, 8, 8, 8}};     ///< of a block of the panel kernel, four right-hand sides each
  PerPrecision cuda_chain_warps{{8, 8, 8, 8}};     ///< of a block that does few right-hand sides in one launch
  PerPrecision cuda_chain_blocks{{4, 4, 4, 4}};    ///< … of which a multiprocessor gets so many at most

  // 0: as the class of the device says (src/opencl/settings.hpp).
  index opencl_class = 0;                ///< of the device: 1 cpu, 2 integrated, 3 discrete, 4 mobile; 0: as it seems
  PerPrecision opencl_kernels{};         ///< 1: packed panels, 2: tiles
  PerPrecision opencl_launches{};        ///< 1: one packs and computes, 2: one packs, the other computes
  PerPrecision opencl_leaf{};            ///< triangles of at most this order are done whole
  PerPrecision opencl_leaf_few{};        ///< … in solves with few right-hand sides
  PerPrecision opencl_gemm_k{};          ///< depth of a block that a work-item sums at a time
  PerPrecision opencl_gemm_m{};          ///< rows of C that a work-item takes at most
  PerPrecision opencl_gemm_n{};          ///< … and columns
  PerPrecision opencl_vector{};          ///< reals in a vector of packed panels
  PerPrecision opencl_rows{};            ///< rows of their register tile
  PerPrecision opencl_vectors{};         ///< … and vectors in each
  PerPrecision opencl_tile_m{};          ///< rows of C that a work-group takes
  PerPrecision opencl_tile_n{};          ///< … and columns
  PerPrecision opencl_tile_k{};          ///< steps in local memory at a time
  PerPrecision opencl_item_m{};          ///< rows of C that a work-item takes
  PerPrecision opencl_item_n{};          ///< … and columns
  PerPrecision opencl_tile_local{};      ///< 1: through local memory, 2: without
  PerPrecision opencl_strip{};           ///< rows of a right-hand side that a work-item keeps
  PerPrecision opencl_invert{};          ///< order of the blocks that are inverted on request
  PerPrecision opencl_solve_k{};         ///< order of the triangle that a panel is solved through at a time
  PerPrecision opencl_solve_whole{};     ///< vectors up to this length are solved in one launch
  PerPrecision opencl_solve_triangle{};  ///< order of the triangle that a launch of others solves
};

/// The defaults on this machine. Where the second cache has 2 MiB, panels of order 1024 stay in it while the triangle
/// streams by, which is faster than a recursion whose products read and write B again: there cpu.leaf is 1024, but not
/// with TRIGON_REPRODUCIBLE, because the order of sums depends on it.
Tuning built_in_tuning();

/// The table in force: TRIGON_TUNING's file over the built-in defaults. A file that cannot be read or
/// has a bad line is reported once on stderr and ignored as a whole.
const Tuning& tuning();

/// Lines of `name value` (or four values, s d c z; or one as `name.d value`), '#' comments; `# provenance: …`
/// is kept.
/// Throws trigon::error naming the line.
Tuning parse_tuning(std::string_view text, std::string source);
std::vector<TuningEntry> entries(const Tuning&);

}  // namespace trigon::core
