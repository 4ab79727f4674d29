#include "core/tuning.hpp"

#include "core/environment.hpp"
#include "core/once.hpp"
#include "core/processors.hpp"

#include <trigon/error.hpp>

#include <sys/stat.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <system_error>
#include <vector>

namespace trigon::core {
namespace {

constexpr index largest = index{1} << 40;

/// What an entry may be, in each precision.
struct Range {
  std::array<index, 4> least, most{largest, largest, largest, largest};
  bool power_of_two = false;

  Range(index least) : least{least, least, least, least} {}
  Range(std::array<index, 4> least, std::array<index, 4> most, bool power_of_two = false)
      : least(least), most(most), power_of_two(power_of_two) {}

  bool holds(index value, std::size_t precision) const {
    return value >= least[precision] && value <= most[precision] && !(power_of_two && (value & (value - 1)));
  }
};

/// The one list of entries: calls `f(name, meaning, field, range)` for each.
template <class Table, class F>
void visit(Table& t, F&& f) {
  constexpr bool powers = true;
  f("cpu.leaf", "order at which the TRSM and TRMM recursions stop", t.cpu_leaf, 1);
  f("cpu.narrow_rhs", "at most so many right-hand sides are solved without packing", t.cpu_narrow_rhs, 0);
  f("cpu.narrow_rhs_large", "the same for orders above cpu.leaf or 512 (z 256)", t.cpu_narrow_rhs_large, 0);
  f("cpu.narrow_rhs_huge", "the same for orders above 1024", t.cpu_narrow_rhs_huge, 0);
  f("cpu.narrow_order", "least order for that", t.cpu_narrow_order, 1);
  f("cpu.shared_order", "threads share the rows of narrow products from this order on, of solves from a third more",
    t.cpu_shared_order, 1);
  f("cpu.small_order", "products of sizes up to this are not packed", t.cpu_small_order, 0);
  f("cpu.in_place_product", "AVX-512, AVX2: triangles up to this order multiply contiguous columns unpacked",
    t.cpu_in_place_product, 0);
  f("cpu.in_place_product_many", "the same of more right-hand sides than cpu.narrow_rhs", t.cpu_in_place_product_many,
    0);
  f("cpu.in_place_solve", "AVX-512: triangles up to this order solve contiguous columns (above 256 few) unpacked",
    t.cpu_in_place_solve, 0);
  f("cpu.solve_blocks", "AVX-512: blocks of rows of such a solve that are brought up to date together (s and c)",
    t.cpu_solve_blocks, Range{{1, 1, 1, 1}, {2, 1, 2, 1}});
  f("cpu.fetched_bytes", "triangles of so many bytes are asked for ahead of few right-hand sides", t.cpu_fetched_bytes,
    0);
  f("cpu.slender_rhs", "symmetric matrices times at most so many columns are not packed", t.cpu_slender_rhs, 0);
  f("cpu.slender_rhs_small", "the same for orders up to 160 (c, z 256), and complex ones times contiguous rows",
    t.cpu_slender_rhs_small, 0);
  f("cpu.gemm_k", "depth of a packed GEMM block", t.cpu_gemm_k, 1);
  f("cpu.gemm_m", "rows of a packed GEMM block", t.cpu_gemm_m, 1);
  f("cpu.gemm_n", "columns of a packed GEMM block", t.cpu_gemm_n, 1);
  f("cpu.provider_work", "m n k from which a GEMM block goes to the provider, 0 never", t.cpu_provider_work, 0);
  f("cpu.thread_flops", "least work per thread", t.cpu_thread_flops, 1);
  f("cpu.thread_rhs_flops", "the same of right-hand sides of a triangle that are contiguous", t.cpu_thread_rhs_flops,
    1);
  f("cpu.spin_microseconds", "how long an idle worker stays awake", t.cpu_spin_microseconds, 0);
  f("cuda.leaf", "order at which the TRSM and TRMM recursions stop on a CUDA device", t.cuda_leaf, 1);
  f("cuda.narrow_rhs", "at most so many right-hand sides are done in one launch", t.cuda_narrow_rhs, 0);
  f("cuda.large_tiles", "products that have so many large tiles get them", t.cuda_large_tiles, 0);
  f("cuda.provider_work", "m n k from which a GEMM block goes to cuBLAS, 0 never", t.cuda_provider_work, 0);
  f("cuda.tensor_units", "1: products on FP64 tensor units where a device has them", t.cuda_tensor_units,
    Range{{0, 0, 0, 0}, {0, 1, 0, 1}});
  f("cuda.tile_n", "columns of a large tile of a general product", t.cuda_tile_n,
    Range{{64, 64, 32, 32}, {128, 128, 64, 64}, powers});
  f("cuda.panel_warps", "warps of a block that does a leaf, four right-hand sides each", t.cuda_panel_warps,
    Range{{2, 2, 2, 2}, {8, 8, 8, 8}, powers});
  f("cuda.chain_warps", "warps of a block that does few right-hand sides", t.cuda_chain_warps,
    Range{{4, 4, 4, 4}, {8, 8, 8, 8}, powers});
  f("cuda.chain_blocks", "at most so many of these blocks per multiprocessor", t.cuda_chain_blocks,
    Range{{1, 1, 1, 1}, {32, 32, 32, 32}});
  // 0: as the device's class says; `trigon explain --backend opencl` says what is in force.
  f("opencl.class", "1 cpu, 2 integrated, 3 discrete, 4 mobile, 0 as the device seems", t.opencl_class, 0);
  f("opencl.kernels", "1 packed panels, 2 tiles", t.opencl_kernels, 0);
  f("opencl.launches", "panels: 1 one packs and computes, 2 one packs, the other computes", t.opencl_launches, 0);
  f("opencl.leaf", "order up to which a triangle or symmetric matrix is done whole", t.opencl_leaf, 0);
  f("opencl.leaf_few", "the same for solves with few right-hand sides", t.opencl_leaf_few, 0);
  f("opencl.gemm_k", "panels: depth of a block that a work-item sums at a time", t.opencl_gemm_k, 0);
  f("opencl.gemm_m", "panels: rows of C that a work-item takes at most", t.opencl_gemm_m, 0);
  f("opencl.gemm_n", "panels: columns of C that a work-item takes at most", t.opencl_gemm_n, 0);
  f("opencl.vector", "panels: reals in a vector", t.opencl_vector, 0);
  f("opencl.rows", "panels: rows of the register tile", t.opencl_rows, 0);
  f("opencl.vectors", "panels: vectors in each of them", t.opencl_vectors, 0);
  f("opencl.tile_m", "tiles: rows of C that a work-group takes", t.opencl_tile_m, 0);
  f("opencl.tile_n", "tiles: columns of C that a work-group takes", t.opencl_tile_n, 0);
  f("opencl.tile_k", "tiles: steps in local memory at a time", t.opencl_tile_k, 0);
  f("opencl.item_m", "tiles: rows of C that a work-item takes", t.opencl_item_m, 0);
  f("opencl.item_n", "tiles: columns of C that a work-item takes", t.opencl_item_n, 0);
  f("opencl.tile_local", "tiles: 1 through local memory, 2 without", t.opencl_tile_local, 0);
  f("opencl.strip", "tiles: rows of a right-hand side that a work-item keeps", t.opencl_strip, 0);
  f("opencl.invert", "panels: order of the diagonal blocks that are inverted on request", t.opencl_invert, 0);
  f("opencl.solve_k", "panels: order of the triangle that a panel of B is solved through at a time", t.opencl_solve_k,
    0);
  f("opencl.solve_whole", "vectors up to this length are solved in one launch", t.opencl_solve_whole, 0);
  f("opencl.solve_triangle", "order of the triangle that each launch solves for longer ones", t.opencl_solve_triangle,
    0);
}

std::span<index> values(index& field) { return {&field, 1}; }
std::span<index> values(PerPrecision& field) { return field.value; }

/// Throws what is wrong with it.
index value_of(const std::string& word, const std::string& key, const Range& range, std::size_t precision) {
  index value = 0;
  const char* const last = word.data() + word.size();
  const auto [end, failed] = std::from_chars(word.data(), last, value);
  if (end != last || failed == std::errc::invalid_argument)
    throw error("'" + key + "': '" + word + "' is not a whole number");
  if (failed != std::errc() || !range.holds(value, precision)) throw error("'" + key + "' is out of range");
  return value;
}

/// A pipe might never say anything, and a device never end.
std::string text_of(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) throw error("is no ordinary file");
  std::ifstream file(path);
  if (!file) throw error("cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

Tuning load() {
  const std::string& path = environment().tuning;
  if (path.empty()) return built_in_tuning();
  try {
    return parse_tuning(text_of(path), path);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "trigon: tuning table %s: %s; the built-in one is used\n", path.c_str(), e.what());
    return built_in_tuning();
  }
}

}  // namespace

Tuning built_in_tuning() {
  // Where sums are rounded depends on it: the same on every processor.
  return environment().reproducible ? Tuning() : tuning_of(this_processor());
}

Tuning parse_tuning(std::string_view text, std::string source) {
  Tuning table = built_in_tuning();
  table.source = std::move(source);
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto fail = [&](const std::string& why) { throw error("line " + std::to_string(number) + ": " + why); };
    constexpr std::string_view mark = "# provenance:";
    if (line.starts_with(mark)) table.provenance = line.substr(std::min(line.size(), mark.size() + 1));
    std::istringstream words(line.substr(0, line.find('#')));
    std::string key;
    if (!(words >> key)) continue;
    bool known = false;
    const auto take = [&](auto& field, const Range& range, std::size_t precision = 0) {
      known = true;
      const std::span<index> list = values(field);
      const std::vector<std::string> given(std::istream_iterator<std::string>(words), {});
      if (given.size() != list.size()) fail("'" + key + "' has the wrong number of values");
      try {
        for (std::size_t i = 0; i < given.size(); ++i) list[i] = value_of(given[i], key, range, precision + i);
      } catch (const error& e) {
        fail(e.what());
      }
    };
    visit(table, [&](std::string_view name, std::string_view, auto& field, const Range& range) {
      if (name == key) return take(field, range);
      if constexpr (std::is_same_v<std::decay_t<decltype(field)>, PerPrecision>)
        for (std::size_t p = 0; p < 4; ++p)
          if (key == std::string(name) + "." + "sdcz"[p]) take(field.value[p], range, p);
    });
    if (!known) fail("unknown entry '" + key + "'");
  }
  return table;
}

std::vector<TuningEntry> entries(const Tuning& table) {
  std::vector<TuningEntry> list;
  const auto add = [&](std::string name, const auto& field, std::string_view meaning) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, PerPrecision>)
      for (int p = 0; p < 4; ++p) list.push_back({name + "." + "sdcz"[p], field.value[p], std::string(meaning)});
    else
      list.push_back({name, field, std::string(meaning)});
  };
  visit(table, [&](std::string_view name, std::string_view meaning, const auto& field, const Range&) {
    add(std::string(name), field, meaning);
  });
  return list;
}

const Tuning& tuning() {
  return once([] { return load(); });
}

}  // namespace trigon::core
