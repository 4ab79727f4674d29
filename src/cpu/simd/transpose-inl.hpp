// Square transposes in registers. First the lanes of each block of 16 bytes, then the blocks: shuffles that cross
// blocks with a table, two sources and any lane, run at half the rate of these on some processors.
#if defined(TRIGON_CPU_SIMD_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_TRANSPOSE_INL
#undef TRIGON_CPU_SIMD_TRANSPOSE_INL
#else
#define TRIGON_CPU_SIMD_TRANSPOSE_INL
#endif

#include "cpu/simd/strides-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3
/// The blocks 0 and 2 of a and of b, or 1 and 3.
template <bool odd, class V>
HWY_INLINE V alternate_blocks(V a, V b) {
  constexpr int which = odd ? 0xdd : 0x88;
  if constexpr (sizeof(hn::TFromV<V>) == 4)
    return V{_mm512_shuffle_f32x4(a.raw, b.raw, which)};
  else
    return V{_mm512_shuffle_f64x2(a.raw, b.raw, which)};
}
#endif

/// Transposes the square of blocks of 16 bytes that the vectors a, a + step … hold, as many as each has blocks.
template <int B, class D>
HWY_INLINE void transpose_blocks([[maybe_unused]] D d, hn::Vec<D>* a, [[maybe_unused]] int step = 1) {
  using V = hn::Vec<D>;
  static_assert(B <= 4);
  if constexpr (B == 2) {
    const V low = hn::ConcatLowerLower(d, a[step], a[0]);
    a[step] = hn::ConcatUpperUpper(d, a[step], a[0]), a[0] = low;
  }
#if HWY_TARGET == HWY_AVX3
  if constexpr (B == 4) {
    const V even_low = alternate_blocks<false>(a[0], a[step]), odd_low = alternate_blocks<true>(a[0], a[step]);
    const V even_high = alternate_blocks<false>(a[2 * step], a[3 * step]);
    const V odd_high = alternate_blocks<true>(a[2 * step], a[3 * step]);
    a[0] = alternate_blocks<false>(even_low, even_high), a[2 * step] = alternate_blocks<true>(even_low, even_high);
    a[step] = alternate_blocks<false>(odd_low, odd_high), a[3 * step] = alternate_blocks<true>(odd_low, odd_high);
  }
#else
  static_assert(B <= 2);
#endif
}

/// Transposes the squares of lanes in the blocks of as many vectors as a block has lanes.
template <class D>
HWY_INLINE void transpose_lanes(D d, hn::Vec<D>* a) {
  using V = hn::Vec<D>;
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    const V low = hn::InterleaveLower(d, a[0], a[1]);
    a[1] = hn::InterleaveUpper(d, a[0], a[1]), a[0] = low;
  } else {
    const hn::Repartition<double, D> pairs;
    const auto low = [&](V x, V y) HWY_ATTR { return hn::BitCast(pairs, hn::InterleaveLower(d, x, y)); };
    const auto high = [&](V x, V y) HWY_ATTR { return hn::BitCast(pairs, hn::InterleaveUpper(d, x, y)); };
    const auto first = low(a[0], a[1]), third = high(a[0], a[1]), second = low(a[2], a[3]), fourth = high(a[2], a[3]);
    a[0] = hn::BitCast(d, hn::InterleaveLower(pairs, first, second));
    a[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, first, second));
    a[2] = hn::BitCast(d, hn::InterleaveLower(pairs, third, fourth));
    a[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, third, fourth));
  }
}

/// Transposes the N × N block held in N vectors of N lanes.
template <class D, int N>
HWY_INLINE void transpose(D d, hn::Vec<D> (&r)[N]) {
  constexpr int E = 16 / static_cast<int>(sizeof(hn::TFromD<D>)), B = N / E;
  static_assert(N == static_cast<int>(hn::MaxLanes(D())));
  if constexpr (N == 2 && B == 0) {
    const auto even = hn::ConcatEven(d, r[1], r[0]);
    r[1] = hn::ConcatOdd(d, r[1], r[0]), r[0] = even;
  } else if constexpr (N > 1) {
    unrolled<B>([&](auto g) TRIGON_INLINE_LAMBDA { transpose_lanes(d, r + g * E); });
    // Now r[g E + q] has the lanes q of the blocks of all vectors g E … g E + E.
    unrolled<E>([&](auto q) TRIGON_INLINE_LAMBDA { transpose_blocks<B>(d, r + q, E); });
  }
}

/// Transposes the N × N block of pairs of doubles held in N vectors.
template <class D, int N>
HWY_INLINE void transpose_pairs(D d, hn::Vec<D> (&r)[N]) {
  static_assert(2 * N == static_cast<int>(hn::MaxLanes(D())) && sizeof(hn::TFromD<D>) == 8);
  transpose_blocks<N>(d, r);
}

/// The transpose of N rows in memory, `stride` apart: halves of rows are put together while they are loaded, which
/// saves a third of the shuffles.
template <class D, int N, class R = hn::TFromD<D>>
HWY_INLINE void load_turned(D d, const R* p, index stride, hn::Vec<D> (&r)[N]) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (permutes_pairs<D>) {
    constexpr int H = N / 4, L = lanes_of<R>;  // rows that a block of 16 bytes takes an element from
    const hn::Half<Tag<double>> half;
    const Strides<const R> rows(stride);
    const auto halves = [&](auto i, int upper) TRIGON_INLINE_LAMBDA {
      const auto at = [&](auto line) TRIGON_INLINE_LAMBDA {
        return hn::LoadU(half, reinterpret_cast<const double*>(rows.template of<line>(p) + upper * (L / 2)));
      };
      return hn::Combine(Tag<double>(), at(std::integral_constant<int, i + H>{}), at(i));
    };
    unrolled<2 * H>([&](auto i) TRIGON_INLINE_LAMBDA {
      constexpr int h = i / 2, upper = i % 2;
      const auto a = halves(std::integral_constant<int, h>{}, upper),
                 b = halves(std::integral_constant<int, h + 2 * H>{}, upper);
      r[2 * upper * H + h] = hn::BitCast(d, alternate_blocks<false>(a, b));
      r[(2 * upper + 1) * H + h] = hn::BitCast(d, alternate_blocks<true>(a, b));
    });
    if constexpr (H > 1) unrolled<N / H>([&](auto m) TRIGON_INLINE_LAMBDA { transpose_lanes(d, r + m * H); });
    return;
  }
#endif
  unrolled<N>([&](auto i) TRIGON_INLINE_LAMBDA { r[i] = hn::LoadU(d, p + i * stride); });
  if constexpr (N == static_cast<int>(hn::MaxLanes(D())))
    transpose(d, r);
  else
    transpose_pairs(d, r);
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
