// Arithmetic on interleaved complex vectors: sums of products are kept apart and put together once.
#if defined(TRIGON_CPU_SIMD_COMPLEX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_COMPLEX_INL
#undef TRIGON_CPU_SIMD_COMPLEX_INL
#else
#define TRIGON_CPU_SIMD_COMPLEX_INL
#endif

#include "cpu/reciprocal.hpp"
#include "cpu/simd/vec-inl.hpp"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Combines p = Σ a·Re x and q = Σ a·Im x, a interleaved, into Σ a x (or Σ conj(a) x).
template <class D>
HWY_INLINE hn::Vec<D> combine(D d, hn::Vec<D> p, hn::Vec<D> q, bool conj) {
  // i·q = (-Im q, Re q); conj: conj(p) + i·conj(q) = (Re p + Im q, -Im p + Re q).
  const auto swapped = hn::Reverse2(d, q);
  if (conj) return hn::OddEven(hn::Sub(swapped, p), hn::Add(p, swapped));
  return hn::OddEven(hn::Add(p, swapped), hn::Sub(p, swapped));
}

/// i x, x interleaved.
template <class D>
HWY_INLINE hn::Vec<D> times_i(D d, hn::Vec<D> x) {
  const auto swapped = hn::Reverse2(d, x);
  return hn::OddEven(swapped, hn::Neg(swapped));
}

/// The signs that make i x of a number with its parts exchanged, or with `conj` -i x.
template <class D>
HWY_INLINE hn::Vec<D> turning_sign(D d, bool conj) {
  using R = hn::TFromD<D>;
  const auto plus = hn::Zero(d), minus = hn::Set(d, R(-0.0));
  return conj ? hn::OddEven(minus, plus) : hn::OddEven(plus, minus);
}

/// i x, the real parts in the first half of x and the imaginary ones in the second.
template <class D>
HWY_INLINE hn::Vec<D> times_i_halved(D d, hn::Vec<D> x) {
  using R = hn::TFromD<D>;
  const auto first = hn::FirstN(d, hn::MaxLanes(D()) / 2);
  return hn::Xor(hn::ConcatLowerUpper(d, x, x), hn::IfThenElseZero(first, hn::Set(d, R(-0.0))));
}

/// The conjugate of x, interleaved.
template <class D>
HWY_INLINE hn::Vec<D> conjugated(D, hn::Vec<D> x) {
  return hn::OddEven(hn::Neg(x), x);
}

/// What flips the signs of even lanes, of odd ones.
template <class D>
HWY_INLINE hn::Vec<D> signs(D d, bool even, bool odd) {
  const auto sign = [&](bool minus) HWY_ATTR { return hn::Set(d, minus ? hn::TFromD<D>(-0.0) : hn::TFromD<D>(0)); };
  return hn::OddEven(sign(odd), sign(even));
}

/// What to flip the signs of a and of b, a with its parts exchanged, with, so that a Re x + b Im x is a product of a
/// and x, each conjugated or not.
template <class D>
struct ProductSigns {
  hn::Vec<D> re, im;
  HWY_INLINE ProductSigns(bool a_conj, bool x_conj)
      : re(signs(D(), false, a_conj)), im(signs(D(), a_conj == x_conj, x_conj)) {}
};

/// Which lanes of a vector count: all of them.
struct AllLanes {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return v;
  }
};

/// s x for a real vector or an interleaved complex one, rounded as the register tile rounds it. In the lanes that
/// `only` makes zero, where x is zero too, s may be infinite.
template <class D, class T, class Only = AllLanes>
HWY_INLINE hn::Vec<D> multiplied(D d, T s, hn::Vec<D> x, const Only& only = {}) {
  if constexpr (is_complex<T>)
    return hn::MulAdd(times_i(d, x), only(hn::Set(d, s.imag())), hn::Mul(x, only(hn::Set(d, s.real()))));
  else
    return hn::Mul(x, only(hn::Set(d, s)));
}
/// The same, but that a real s scales both parts alone.
template <class D, class T, class Only = AllLanes>
HWY_INLINE hn::Vec<D> scaled(D d, T s, hn::Vec<D> x, const Only& only = {}) {
  return imag_part(s) == 0 ? hn::Mul(x, only(hn::Set(d, real_part(s)))) : multiplied(d, s, x, only);
}

/// The same by the number whose parts are at s, rounded as product_by rounds it.
template <class T, class D>
HWY_INLINE hn::Vec<D> multiplied_by(D d, const hn::TFromD<D>* s, hn::Vec<D> x) {
  const auto product = hn::Mul(hn::Set(d, s[0]), x);
  if constexpr (is_complex<T>)
    return hn::MulAdd(hn::Set(d, s[1]), times_i(d, x), product);
  else
    return product;
}

/// 1 / x for a vector of each part, with the roundings of Reciprocal.
template <class D>
HWY_INLINE void reciprocal(D d, hn::Vec<D>& re, hn::Vec<D>& im) {
  const auto one = hn::Set(d, 1), p = re, q = im;
  const auto swap = hn::Lt(hn::Abs(p), hn::Abs(q));
  const auto large = hn::IfThenElse(swap, q, p), small = hn::IfThenElse(swap, p, q);
  const auto ratio = hn::Div(small, large), den = hn::Add(large, hn::Mul(small, ratio));
  // Signs first: a quotient may be rounded to one side.
  re = hn::Div(hn::IfThenElse(swap, ratio, one), den);
  im = hn::Div(hn::Neg(hn::IfThenElse(swap, one, ratio)), den);
}

/// x (p + i q), the parts apart.
template <class V>
HWY_INLINE void product_by(V& re, V& im, V p, V q) {
  const V x = re;
  re = hn::NegMulAdd(q, im, hn::Mul(p, x));
  im = hn::MulAdd(q, x, hn::Mul(p, im));
}
template <class D, class R = hn::TFromD<D>>
HWY_INLINE void product_by(D d, hn::Vec<D>& re, hn::Vec<D>& im, R p, R q) {
  product_by(re, im, hn::Set(d, p), hn::Set(d, q));
}

/// x / (p + i q), the parts apart, with the roundings of `quotient`.
template <class D, class R = hn::TFromD<D>>
HWY_INLINE void quotient_by(D d, hn::Vec<D>& re, hn::Vec<D>& im, R p, R q) {
  if constexpr (hn::MaxLanes(D()) == 1) {
    // Sums of one lane are formed in all four, with what a product of one lane has left in the others.
    const auto one = quotient(std::complex<R>(hn::GetLane(re), hn::GetLane(im)), std::complex<R>(p, q));
    re = hn::Set(d, one.real()), im = hn::Set(d, one.imag());
    return;
  }
  const bool real_larger = std::isgreaterequal(std::abs(p), std::abs(q));
  if (!real_larger) std::swap(p, q);
  const DivisionScale<R> by(std::abs(p), q);
  p *= by.scale, q *= by.scale;
  const R ratio = q / p;
  const auto t = hn::Set(d, ratio), den = hn::Set(d, p + q * ratio);
  // Sizes are compared as whole numbers: of a NaN Highway asks aloud in half a register (AVX2).
  const hn::RebindToSigned<D> bits;
  const auto size = [&](hn::Vec<D> v) HWY_ATTR { return hn::BitCast(bits, hn::Abs(v)); };
  const auto small = size(hn::Set(d, by.small)), most = size(hn::Set(d, by.large));
  const auto raised = hn::RebindMask(d, hn::And(hn::Lt(size(re), small), hn::Lt(size(im), small)));
  const auto lowered = hn::RebindMask(d, hn::Or(hn::Gt(size(re), most), hn::Gt(size(im), most)));
  const auto chosen = [&](R up, R down, R otherwise) HWY_ATTR {
    return hn::IfThenElse(raised, hn::Set(d, up), hn::IfThenElse(lowered, hn::Set(d, down), hn::Set(d, otherwise)));
  };
  const auto scale = chosen(by.up, by.down, R(1));
  const auto after = chosen(by.scale / by.up, by.scale / by.down, by.scale);
  const auto x = hn::Mul(re, scale), y = hn::Mul(im, scale);
  re = hn::Mul(hn::Div(real_larger ? hn::MulAdd(y, t, x) : hn::MulAdd(x, t, y), den), after);
  im = hn::Mul(hn::Div(real_larger ? hn::NegMulAdd(x, t, y) : hn::MulSub(y, t, x), den), after);
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
