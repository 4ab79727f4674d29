// The sums of the lanes of several vectors, side by side in one: a tree that adds them while it transposes.
#if defined(TRIGON_CPU_SIMD_LANE_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_LANE_SUMS_INL
#undef TRIGON_CPU_SIMD_LANE_SUMS_INL
#else
#define TRIGON_CPU_SIMD_LANE_SUMS_INL
#endif

#include "cpu/simd/vec-inl.hpp"

#include <algorithm>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Units of `unit` lanes by turns of v and w, each the sum of two of v or of w.
template <int unit, class D, class V = hn::Vec<D>>
HWY_INLINE V half_sums(D d, V v, V w) {
  using R = hn::TFromD<D>;
  constexpr int L = static_cast<int>(hn::MaxLanes(D())), bytes = unit * sizeof(R);
  if constexpr (bytes == 4 || bytes == 8) {
    const hn::Repartition<std::conditional_t<bytes == 4, float, double>, D> units;
    const auto a = hn::BitCast(units, v), b = hn::BitCast(units, w);
    return hn::Add(hn::BitCast(d, hn::InterleaveLower(units, a, b)), hn::BitCast(d, hn::InterleaveUpper(units, a, b)));
  } else if constexpr (2 * unit == L) {
    return hn::Add(hn::ConcatLowerLower(d, w, v), hn::ConcatUpperUpper(d, w, v));
  } else {
#if HWY_TARGET == HWY_AVX3
    return hn::Add(
        permuted(v, w, [](int i) { return i / unit % 2 * L + i / (2 * unit) * 2 * unit + i % unit; }),
        permuted(v, w, [](int i) { return i / unit % 2 * L + i / (2 * unit) * 2 * unit + i % unit + unit; }));
#endif
  }
}

/// v[0] becomes the sums of the lanes of the `count` vectors from v on, a power of two and no more than lanes: lane i
/// that of v[i]. Lanes after them repeat them.
template <int count, int unit, class D, class V = hn::Vec<D>>
HWY_INLINE void sum_lanes(D d, V* v) {
  constexpr int L = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (unit < L) {
    constexpr int half = std::max(1, count / 2);
    unrolled<half>([&](auto i) TRIGON_INLINE_LAMBDA {
      v[i] = half_sums<unit>(d, v[count > 1 ? 2 * i : 0], v[count > 1 ? 2 * i + 1 : 0]);
    });
    sum_lanes<half, 2 * unit>(d, v);
  }
}

/// The sums of the lanes of `count` vectors to `out`, which has room for them and a vector more.
template <int count, class D, class V = hn::Vec<D>, class R = hn::TFromD<D>>
HWY_INLINE void store_lane_sums(D d, V* v, R* out) {
  constexpr int L = static_cast<int>(hn::MaxLanes(D()));
  constexpr int some = count >= L ? L : count >= 8 ? 8 : count >= 4 ? 4 : count >= 2 ? 2 : 1;
  sum_lanes<some, 1>(d, v);
  hn::StoreU(v[0], d, out);
  if constexpr (count > some) store_lane_sums<count - some>(d, v + some, out + some);
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
