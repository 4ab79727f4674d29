// What a device is, and with which numbers its kernels are built and launched: the defaults of its class, and over them
// the tuning table. Pure functions, so that every class can be tested on any device.
#pragma once

#include "core/tuning.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace trigon::opencl {

/// In the order of the entry opencl.class, from 1 on.
enum class Class : unsigned char { Cpu = 1, Integrated, Discrete, Mobile };
const char* name(Class);

/// What a driver says of a device, as far as its class and the limits of kernels depend on it.
struct Facts {
  bool is_cpu = true;
  bool host_unified = true;  ///< its memory is the host's
  std::string vendor;        ///< and name
  int compute_units = 1;
  std::size_t work_group = 1;    ///< work-items at most
  std::size_t local_memory = 0;  ///< bytes per work-group
  int native_float = 4, native_double = 2;
  bool orders_memory = false;                    ///< between work-items of a launch, by acquire and release
  std::size_t widest[2] = {SIZE_MAX, SIZE_MAX};  ///< work-items at most of a work-group in one direction
};

Class classify(const Facts&);

/// Which kernels compute: entry opencl.kernels, from 1 on.
enum class Kernels : unsigned char {
  Panels = 1,  ///< packed panels, register tiles, one work-item per work-group, no local memory
  Tiles,       ///< work-groups on tiles of operands as they are stored
};

/// The register tile of Kernels::Panels: `rows` by `vectors` vectors of `width` reals (twice that many if complex).
struct Shape {
  int width = 4, rows = 4, vectors = 1;
  int columns() const { return width * vectors; }
  bool operator==(const Shape&) const = default;
};

/// Kernels::Tiles: a work-group's tile of C, the steps that are staged at a time, a work-item's part.
struct Tile {
  int m = 16, n = 16, k = 8, item_m = 2, item_n = 2;
  bool local = true;  ///< through local memory
  /// Work-items of a work-group, along the rows of its tile, and in all.
  int across() const { return n / item_n; }
  int down() const { return m / item_m; }
  int items() const { return down() * across(); }
  /// Bytes of local memory for elements of `element` bytes.
  std::size_t local_bytes(std::size_t element) const;
  bool operator==(const Tile&) const = default;
};

/// The numbers of one precision on one device.
struct Settings {
  Class device_class = Class::Cpu;
  Kernels kernels = Kernels::Panels;
  Shape shape;
  Tile tile;
  int launches = 2;                  ///< panels: 1 where one packs and computes
  int strip = 16, strip_width = 64;  ///< rows that a work-item of a triangle keeps, right-hand sides of a work-group
  index leaf = 0, leaf_few = 0, gemm_k = 0, gemm_m = 0, gemm_n = 0, solve_whole = 1024, solve_triangle = 256,
        invert = 32, solve_k = 512;
  std::string wrong;  ///< what of the table this device cannot do, in words; then it does no call of this precision
};

/// A value of 0 in the table is the class's. Those of a class that a device's limits rule out give way to smaller ones.
Settings settings(const Facts&, const core::Tuning&, Precision);

/// The parameters in force, for people.
std::string in_words(const Settings&);

}  // namespace trigon::opencl
