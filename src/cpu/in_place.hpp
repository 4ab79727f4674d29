// When operands are better left where they lie than packed.
#pragma once

#include "core/plan.hpp"
#include "core/tuning.hpp"
#include "core/view.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace trigon::cpu {

/// Whether lines so far apart fall on each other in the first cache.
template <class T>
constexpr bool falls_together(index stride) {
  constexpr index period = 2048;
  return stride * static_cast<index>(sizeof(T)) % period == 0;
}

/// Whether `count` lines so far apart push each other out of a second cache of `places` ways of `period` bytes.
template <class T>
constexpr bool crowds(index stride, index count) {
  constexpr index period = 65536, places = 16;
  const index apart = stride * static_cast<index>(sizeof(T));
  const index common = std::min(apart & -apart, period);  // their greatest common divisor
  return count * common > places * period;
}

/// Whether threads that multiply parts of contiguous rows of `b`, as long as these, meet in a line of each row: rows do
/// not begin with one, and are short. There lines move between their caches at every visit. A solve does better if it
/// goes on all the same.
template <class T>
bool meets_others(const core::Matrix<T*>& b, bool beside) {
  constexpr index near = 8192, line = 64;
  const index bytes = sizeof(T);
  return beside && b.col_stride == 1 && b.cols * bytes < near &&
         (reinterpret_cast<std::uintptr_t>(b.data) % line != 0 || b.row_stride * bytes % line != 0);
}

/// Whether what is fetched ahead of loads so many rows apart may be lines of such a thread: processors know distances
/// up to 32 KiB, and take longer ones for others.
template <class T>
bool reaches_others(const core::Matrix<T*>& b, index rows, bool beside) {
  constexpr index known = 32768;
  return beside && b.col_stride == 1 && std::abs(b.row_stride) * rows * static_cast<index>(sizeof(T)) >= known;
}

/// Whether a product reads panels of a factor where they lie, which so many rows of the other factor meet: their lines,
/// rows of `b`, are next to each other, and come as fast as they are summed, once or twice.
template <class T>
constexpr bool panels_lie(const core::Matrix<T*>& b, index rows) {
  constexpr index once = 96, twice = 192;
  const index most = index{rows <= once ? 16 : 8} << 20;
  return rows <= twice && b.row_stride == 1 && !falls_together<T>(b.col_stride) &&
         b.rows * b.cols * static_cast<index>(sizeof(T)) <= most;
}
/// The same of slivers of the other factor, which `panels` panels meet: of more, packing takes little of the time.
/// Their steps are next to each other; or their lines, if a cache keeps them.
template <class T>
constexpr bool slivers_lie(const core::Matrix<T*>& a, index panels) {
  constexpr index few = 8, kept = index{4} << 20;
  if (panels > few || falls_together<T>(a.row_stride * a.col_stride)) return false;
  return a.col_stride == 1 || (a.row_stride == 1 && a.rows * a.cols * static_cast<index>(sizeof(T)) <= kept);
}

/// The largest order of a triangle that is applied from where it and the right-hand sides lie.
inline constexpr index in_place_most = 256;
/// The same for many right-hand sides: packing a complex one is repaid sooner.
template <class T>
inline constexpr index in_place_most_of_many = !is_complex<T>   ? in_place_most
                                               : sizeof(T) == 8 ? 192
                                                                : 128;
/// Solves with larger ones of reals, for a number of right-hand sides that would not repay packing.
template <class T>
inline constexpr index in_place_solve_most = is_complex<T> ? in_place_most : 1024;

/// Where columns of right-hand sides are contiguous, of products with so many and of solves: as the tuning table says.
template <class T>
index in_place_product(index cols) {
  constexpr Precision p = precision_of<T>;
  const core::Tuning& t = core::tuning();
  return std::min(in_place_most,
                  cols > t.cpu_narrow_rhs[p] ? t.cpu_in_place_product_many[p] : t.cpu_in_place_product[p]);
}
template <class T>
index in_place_solve() {
  return std::min(in_place_solve_most<T>, core::tuning().cpu_in_place_solve[precision_of<T>]);
}

/// Whether blocks of rows of such a solve meet the rows before them in pairs.
template <class T>
bool solves_in_bands() {
  return core::tuning().cpu_solve_blocks[precision_of<T>] > 1;
}

/// Whether what few right-hand sides meet of a triangle of this order, or of the one it is a part of, is asked for in
/// time: memory has to deliver it. No bit of the result depends on it.
template <class T>
bool is_fetched(index order) {
  return core::triangle_bytes(order, sizeof(T)) >= core::tuning().cpu_fetched_bytes;
}

}  // namespace trigon::cpu
