// What solves multiply by: the reciprocals of a diagonal, some at a time in a vector.
#if defined(TRIGON_CPU_SIMD_DIVISORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_DIVISORS_INL
#undef TRIGON_CPU_SIMD_DIVISORS_INL
#else
#define TRIGON_CPU_SIMD_DIVISORS_INL
#endif

#include "cpu/reciprocal.hpp"
#include "cpu/simd/complex-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Elements of a diagonal that are prepared at a time; no order that is solved in one piece is larger.
inline constexpr int most_divisors = 64;

/// What a solve divides by: reciprocals, or with `divide` the diagonal itself. Interleaved.
template <class T>
struct Divisors {
  HWY_ALIGN real_t<T> value[parts_of<T> * most_divisors];
  bool divide = false;
};

/// Whether these, or the complex numbers of these parts, have reciprocals as safe as reciprocal_is_safe asks for.
template <class D>
HWY_INLINE bool safe_to_invert(D d, hn::Vec<D> v) {
  using R = hn::TFromD<D>;
  const auto size = hn::Abs(v);
  return hn::AllTrue(
      d, hn::And(hn::Ge(size, hn::Set(d, reciprocal_least<R>)), hn::Le(size, hn::Set(d, reciprocal_most<R>))));
}
template <class D>
HWY_INLINE bool safe_to_invert(D d, hn::Vec<D> re, hn::Vec<D> im) {
  // Of a number and NaN the maximum may be either: NaN is asked for by itself.
  return hn::AllFalse(d, hn::Or(hn::IsNaN(re), hn::IsNaN(im))) && safe_to_invert(d, hn::Max(hn::Abs(re), hn::Abs(im)));
}

#if HWY_TARGET == HWY_AVX3
/// The reciprocals of `count` <= 8 elements, `step` apart, or of their conjugates (with `back` the conjugates of these:
/// not the same number where it is rounded to one side), with the last one repeated up to eight, or if that is not safe
/// these themselves: then false. They meet in registers: stored one by one, a vector of them could not be loaded before
/// they have left for the cache.
template <bool whole, class T>
HWY_INLINE bool invert_some(const T* a, index step, int count, bool conj, real_t<T>* out, bool back = false) {
  using R = real_t<T>;
  using D = hn::CappedTag<R, 8>;
  using V = hn::Vec<D>;
  const D d;
  const auto at = [&](int i) HWY_ATTR { return a + (whole ? i : std::min(i, count - 1)) * step; };
  if constexpr (is_complex<T>) {
    const auto parts = [&](int i) HWY_ATTR { return reinterpret_cast<const R*>(at(i)); };
    V re, im;
    if constexpr (sizeof(R) == 8) {
      const auto four = [&](int i) HWY_ATTR {
        const auto two = [&](int k) HWY_ATTR {
          return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(parts(k))), _mm_loadu_pd(parts(k + 1)), 1);
        };
        return V{_mm512_insertf64x4(_mm512_castpd256_pd512(two(i)), two(i + 2), 1)};
      };
      take_apart(d, four(0), four(4), re, im);
    } else {
      const auto both = [&](int i) HWY_ATTR { return as_double(parts(i)); };
      const hn::Vec<Tag<R>> all{
          _mm512_castpd_ps(_mm512_set_pd(both(7), both(6), both(5), both(4), both(3), both(2), both(1), both(0)))};
      const auto halves = permuted(all, all, [](int i) { return i % 8 * 2 + i / 8; });
      re = hn::LowerHalf(halves), im = hn::UpperHalf(d, halves);
    }
    if (conj) im = hn::Neg(im);
    const bool all_safe = safe_to_invert(d, re, im);
    if (HWY_LIKELY(all_safe)) reciprocal(d, re, im);
    if (conj && back) im = hn::Neg(im);
    if constexpr (sizeof(R) == 8) {
      store_interleaved(re, im, d, out);
    } else {
      const Tag<R> both;
      hn::StoreU(halves_together(both, hn::Combine(both, im, re)), both, out);
    }
    return all_safe;
  } else {
    V v;
    if constexpr (sizeof(R) == 8)
      v.raw = _mm512_set_pd(*at(7), *at(6), *at(5), *at(4), *at(3), *at(2), *at(1), *at(0));
    else
      v.raw = _mm256_set_ps(*at(7), *at(6), *at(5), *at(4), *at(3), *at(2), *at(1), *at(0));
    const bool all_safe = safe_to_invert(d, v);
    if (HWY_LIKELY(all_safe)) v = hn::Div(hn::Set(d, R(1)), v);
    hn::StoreU(v, d, out);
    return all_safe;
  }
}

/// The same of `count` elements, in place of which there must be room for a multiple of eight.
template <class T>
HWY_INLINE bool invert(const T* a, index step, index count, bool conj, real_t<T>* out) {
  bool safe = true;
  for (; count >= 8; count -= 8, a += 8 * step, out += 8 * parts_of<T>)
    safe &= invert_some<true>(a, step, 8, conj, out);
  if (count > 0) safe &= invert_some<false>(a, step, static_cast<int>(count), conj, out);
  return safe;
}
#else
template <class T>
HWY_INLINE bool invert(const T* a, index step, index count, bool conj, real_t<T>* out) {
  T* const to = reinterpret_cast<T*>(out);
  bool safe = true;
  for (index i = 0; i < count; ++i) {
    if constexpr (is_complex<T>)
      to[i] = T(a[i * step].real(), conj ? -a[i * step].imag() : a[i * step].imag());
    else
      to[i] = a[i * step];
    safe &= reciprocal_is_safe(to[i]);
  }
  if (safe)
    for (index i = 0; i < count; ++i) to[i] = Reciprocal{}(to[i]);
  return safe;
}
#endif

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
