#include "opencl/settings.hpp"

#include <algorithm>

namespace trigon::opencl {
namespace {

bool contains(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

bool is_double(Precision p) { return p == Precision::Double || p == Precision::ComplexDouble; }
bool is_complex(Precision p) { return p == Precision::ComplexSingle || p == Precision::ComplexDouble; }
std::size_t element(Precision p) { return (is_double(p) ? 8u : 4u) * (is_complex(p) ? 2u : 1u); }

/// Sums are kept in registers: thirty-two of 512 bits, or sixteen of less. A complex sum takes two.
Shape shape_for(const Facts& f, Precision p) {
  const int least = is_double(p) ? 2 : 4, most = is_double(p) ? 8 : 16;
  const int width = std::clamp(is_double(p) ? f.native_double : f.native_float, least, most);
  if (width == most) return {width, is_complex(p) ? 4 : 8, 3};
  return is_complex(p) ? Shape{width, 2, 2} : Shape{width, 4, 3};
}

// Not measured: what is published to suit such devices, within 17 KB of local memory and 64 sums in registers.
constexpr Tile discrete[] = {
    {128, 128, 16, 8, 8, true}, {64, 64, 16, 4, 4, true}, {64, 64, 16, 4, 4, true}, {64, 64, 8, 4, 4, true}};
constexpr Tile integrated[] = {
    {64, 64, 16, 4, 4, true}, {32, 32, 16, 4, 4, true}, {32, 32, 16, 4, 4, true}, {32, 32, 8, 2, 2, true}};
constexpr Tile mobile[] = {
    {32, 32, 1, 4, 4, false}, {32, 32, 1, 4, 4, false}, {32, 32, 1, 4, 4, false}, {16, 16, 1, 2, 2, false}};
constexpr Tile smallest{16, 16, 8, 2, 2, true};

Tile tile_for(Class c, Precision p) {
  const Tile* const list = c == Class::Discrete ? discrete : c == Class::Mobile ? mobile : integrated;
  return list[core::index_of(p)];
}

/// What a tile asks for that the device lacks, or "".
std::string excess(const Tile& t, const Facts& f, Precision p) {
  if (static_cast<std::size_t>(t.items()) > f.work_group)
    return std::to_string(t.items()) + " work-items, where a work-group has " + std::to_string(f.work_group) +
           " at most";
  const auto across = static_cast<std::size_t>(t.across()), down = static_cast<std::size_t>(t.down());
  if (across > f.widest[0] || down > f.widest[1])
    return "work-groups of " + std::to_string(across) + " by " + std::to_string(down) + ", where they are " +
           std::to_string(f.widest[0]) + " by " + std::to_string(f.widest[1]) + " at most";
  if (t.local && t.local_bytes(element(p)) > f.local_memory)
    return std::to_string(t.local_bytes(element(p))) + " bytes of local memory, of which there are " +
           std::to_string(f.local_memory);
  return {};
}

/// Takes the table's values, or leaves the class's where they are 0; the first that is wrong is kept in words.
class Reader {
 public:
  Reader(Precision p, std::string& wrong) : p_(p), wrong_(wrong) {}

  /// One of `allowed`, or any number up to the largest of two.
  template <class Value>
  void take(const char* entry, const core::PerPrecision& table, Value& value, std::initializer_list<index> allowed) {
    const index v = table[p_];
    if (v == 0) return;
    if (std::find(allowed.begin(), allowed.end(), v) == allowed.end()) {
      std::string list;
      for (const index a : allowed) list += " " + std::to_string(a);
      return fail(entry, v, "is none of" + list);
    }
    value = static_cast<Value>(v);
  }
  template <class Value>
  void up_to(const char* entry, const core::PerPrecision& table, Value& value, index most) {
    const index v = table[p_];
    if (v == 0) return;
    if (v > most) return fail(entry, v, "is above " + std::to_string(most));
    value = static_cast<Value>(v);
  }
  void any(const core::PerPrecision& table, index& value) {
    if (table[p_] != 0) value = table[p_];
  }
  void fail(const std::string& entry, index v, const std::string& why) {
    if (wrong_.empty()) wrong_ = entry + "." + "sdcz"[core::index_of(p_)] + " " + std::to_string(v) + " " + why;
  }

 private:
  Precision p_;
  std::string& wrong_;
};

void read_tile(const core::Tuning& t, const Facts& f, Precision p, Reader& read, Settings& s) {
  const Tile usual = s.tile;
  read.up_to("opencl.tile_m", t.opencl_tile_m, s.tile.m, 256);
  read.up_to("opencl.tile_n", t.opencl_tile_n, s.tile.n, 256);
  read.up_to("opencl.tile_k", t.opencl_tile_k, s.tile.k, 64);
  read.up_to("opencl.item_m", t.opencl_item_m, s.tile.item_m, 16);
  read.up_to("opencl.item_n", t.opencl_item_n, s.tile.item_n, 16);
  int local = s.tile.local ? 1 : 2;
  read.take("opencl.tile_local", t.opencl_tile_local, local, {1, 2});
  s.tile.local = local == 1;
  if (s.tile == usual || !s.wrong.empty()) return;
  if (s.tile.m % s.tile.item_m != 0)
    return read.fail("opencl.tile_m", s.tile.m, "is no multiple of opencl.item_m " + std::to_string(s.tile.item_m));
  if (s.tile.n % s.tile.item_n != 0)
    return read.fail("opencl.tile_n", s.tile.n, "is no multiple of opencl.item_n " + std::to_string(s.tile.item_n));
  if (const std::string more = excess(s.tile, f, p); !more.empty())
    read.fail("opencl.tile_m", s.tile.m, "and the entries beside it take " + more);
}

}  // namespace

const char* name(Class c) {
  switch (c) {
    case Class::Cpu: return "cpu";
    case Class::Integrated: return "integrated";
    case Class::Discrete: return "discrete";
    case Class::Mobile: break;
  }
  return "mobile";
}

Class classify(const Facts& f) {
  if (f.is_cpu) return Class::Cpu;
  if (contains(f.vendor, {"ARM", "Arm", "Mali", "QUALCOMM", "Qualcomm", "Adreno", "Imagination", "PowerVR", "VideoCore",
                          "Vivante"}))
    return Class::Mobile;
  // Processors with a large GPU and one memory are more like cards. (Intel counts its compute units smaller.)
  const bool large = f.compute_units >= 64 && !contains(f.vendor, {"Intel"});
  return f.host_unified && !large ? Class::Integrated : Class::Discrete;
}

std::size_t Tile::local_bytes(std::size_t element) const {
  return static_cast<std::size_t>(k) * static_cast<std::size_t>(m + 1 + n + 1) * element;
}

Settings settings(const Facts& f, const core::Tuning& t, Precision p) {
  Settings s;
  Reader read(p, s.wrong);
  s.device_class = classify(f);
  if (t.opencl_class > 4) s.wrong = "opencl.class " + std::to_string(t.opencl_class) + " is above 4";
  if (t.opencl_class > 0 && t.opencl_class <= 4) s.device_class = static_cast<Class>(t.opencl_class);
  const bool cpu = s.device_class == Class::Cpu;

  s.tile = tile_for(s.device_class, p);
  if (!excess(s.tile, f, p).empty()) s.tile = smallest;
  // Work-groups of one work-item only (Apple's processors) have no tiles.
  s.kernels = cpu || !excess(s.tile, f, p).empty() ? Kernels::Panels : Kernels::Tiles;
  read.take("opencl.kernels", t.opencl_kernels, s.kernels, {1, 2});
  read_tile(t, f, p, read, s);
  if (const std::string more = excess(s.tile, f, p); s.kernels == Kernels::Tiles && !more.empty())
    read.fail("opencl.kernels", 2, "takes " + more);
  s.strip = is_double(p) && is_complex(p) ? 8 : 16;
  read.take("opencl.strip", t.opencl_strip, s.strip, {4, 8, 16, 32});
  const std::size_t widest = std::min(f.work_group, f.widest[0]);
  while (s.strip_width > 1 && static_cast<std::size_t>(s.strip_width) > widest) s.strip_width /= 2;

  s.shape = shape_for(f, p);
  read.take("opencl.vector", t.opencl_vector, s.shape.width, {2, 4, 8, 16});
  read.take("opencl.rows", t.opencl_rows, s.shape.rows, {2, 4, 8, 16});
  read.take("opencl.vectors", t.opencl_vectors, s.shape.vectors, {1, 2, 3, 4});

  // A work-item that has been started ends, whichever others wait for it: so it is with threads of a processor.
  const bool one = f.is_cpu && f.orders_memory;
  s.launches = one ? 1 : 2;
  read.take("opencl.launches", t.opencl_launches, s.launches, {1, 2});
  if (s.launches == 1 && !one)
    read.fail("opencl.launches", 1, "takes a processor that orders memory between work-items");

  // Panels are packed whole up to large orders; strips of a triangle are read as they lie.
  const bool tiles = s.kernels == Kernels::Tiles;
  s.leaf = tiles ? 256 : 2048, s.leaf_few = tiles ? 128 : 256;
  constexpr index rows[] = {96, 96, 96, 48}, columns[] = {3072, 3072, 1536, 1536};
  s.gemm_k = 512, s.gemm_m = rows[core::index_of(p)], s.gemm_n = columns[core::index_of(p)];
  read.any(t.opencl_leaf, s.leaf), read.any(t.opencl_leaf_few, s.leaf_few);
  read.any(t.opencl_gemm_k, s.gemm_k), read.any(t.opencl_gemm_m, s.gemm_m);
  read.up_to("opencl.gemm_n", t.opencl_gemm_n, s.gemm_n, index{1} << 30);  // kernels count its panels in 31 bits
  s.solve_k = is_complex(p) ? 256 : 512;
  read.any(t.opencl_invert, s.invert), read.any(t.opencl_solve_k, s.solve_k);
  read.any(t.opencl_solve_whole, s.solve_whole), read.any(t.opencl_solve_triangle, s.solve_triangle);
  return s;
}

std::string in_words(const Settings& s) {
  const auto by = [](int a, int b) { return std::to_string(a) + " by " + std::to_string(b); };
  if (s.kernels == Kernels::Panels)
    return "packed panels, register tile: " + by(s.shape.rows, s.shape.columns()) + ", vectors of " +
           std::to_string(s.shape.width);
  const Tile& t = s.tile;
  return "tiles of " + by(t.m, t.n) + ", " + by(t.item_m, t.item_n) + " per work-item, work-groups of " +
         std::to_string(t.items()) +
         (t.local ? ", " + std::to_string(t.k) + " steps at a time in local memory" : ", without local memory") +
         "; triangles by strips of " + by(s.strip, s.strip_width);
}

}  // namespace trigon::opencl
