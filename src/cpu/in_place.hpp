// When operands are better left where they lie than packed.
#pragma once

#include "core/plan.hpp"
#include "core/tuning.hpp"
#include "core/view.hpp"

#include <algorithm>
#include <numeric>

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
  return apart != 0 && count > places * (period / std::gcd(apart, period));
}

/// Whether threads that have parts of contiguous rows of `b`, as long as these, meet in most pages. There lines move
/// between their caches at every visit; most likely the processor fetches them ahead for the one that does not need
/// them.
template <class Ptr>
constexpr bool meets_others(const core::Matrix<Ptr>& b, bool beside) {
  constexpr index near = 8192;
  return beside && b.col_stride == 1 && b.cols * static_cast<index>(sizeof(*b.data)) < near;
}

/// The largest order of a triangle that is applied from where it and the right-hand sides lie. Elements of large double
/// complex ones are no faster broadcast in place than packed.
template <class T>
inline constexpr index in_place_most = sizeof(T) == 16 ? 128 : 256;
/// Solves with larger ones of reals, for a number of right-hand sides that would not repay packing.
template <class T>
inline constexpr index in_place_solve_most = is_complex<T> ? in_place_most<T> : 1024;

/// Where columns of right-hand sides are contiguous, of products and solves: as the tuning table says.
template <class T>
index in_place_product() {
  return std::min(in_place_most<T>, core::tuning().cpu_in_place_product[precision_of<T>]);
}
template <class T>
index in_place_solve() {
  return std::min(in_place_solve_most<T>, core::tuning().cpu_in_place_solve[precision_of<T>]);
}

/// How one right-hand side's triangle, or what it is a part of, is read: two panels of columns together, so that the
/// right-hand side passes half as often, and with the lines that follow asked for. Both change no bit of the result.
struct Reading {
  bool pairs = false, fetches = false;
};
template <class T>
Reading reading_of(index order) {
  const core::Tuning& tuning = core::tuning();
  const index bytes = core::triangle_bytes(order, sizeof(T));
  return {bytes >= tuning.cpu_paired_bytes[precision_of<T>], bytes >= tuning.cpu_fetched_bytes};
}

}  // namespace trigon::cpu
