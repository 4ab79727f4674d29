// Arithmetic on interleaved complex vectors: sums of products are kept apart and put together once.
#if defined(TRIGON_CPU_SIMD_COMPLEX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_COMPLEX_INL
#undef TRIGON_CPU_SIMD_COMPLEX_INL
#else
#define TRIGON_CPU_SIMD_COMPLEX_INL
#endif

#include "cpu/simd/vec-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Combines p = Σ a·Re x and q = Σ a·Im x, a interleaved, into Σ a x (or Σ conj(a) x).
template <class D> HWY_INLINE hn::Vec<D> combine(D d, hn::Vec<D> p, hn::Vec<D> q, bool conj) {
  // i·q = (-Im q, Re q); conj: conj(p) + i·conj(q) = (Re p + Im q, -Im p + Re q).
  const auto swapped = hn::Reverse2(d, q);
  if (conj) return hn::OddEven(hn::Sub(swapped, p), hn::Add(p, swapped));
  return hn::OddEven(hn::Add(p, swapped), hn::Sub(p, swapped));
}

/// i x, x interleaved.
template <class D> HWY_INLINE hn::Vec<D> times_i(D d, hn::Vec<D> x) {
  const auto swapped = hn::Reverse2(d, x);
  return hn::OddEven(swapped, hn::Neg(swapped));
}

/// The conjugate of x, interleaved.
template <class D> HWY_INLINE hn::Vec<D> conjugated(D, hn::Vec<D> x) { return hn::OddEven(hn::Neg(x), x); }

/// s x for a real vector or an interleaved complex one, rounded as the register tile rounds it.
template <class D, class T> HWY_INLINE hn::Vec<D> scaled(D d, T s, hn::Vec<D> x) {
  if constexpr (is_complex<T>)
    return hn::MulAdd(times_i(d, x), hn::Set(d, s.imag()), hn::Mul(x, hn::Set(d, s.real())));
  else return hn::Mul(x, hn::Set(d, s));
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
