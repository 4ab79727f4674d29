// Packing: panels of W lines, step by step along k, real and imaginary parts apart:
//   for each k:  W real parts [, W imaginary parts]
// A-slivers (W = rows of the register tile) and B-panels (W = its columns) have the same form, so that
// transposition, conjugation, reversal, symmetry and bad leading dimensions all end here.
// Lines beyond the last one repeat it: padding then adds no NaN and no exception flag of its own.
#if defined(TRIGON_CPU_SIMD_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_PACK_INL
#undef TRIGON_CPU_SIMD_PACK_INL
#else
#define TRIGON_CPU_SIMD_PACK_INL
#endif

#include "cpu/simd/vec-inl.hpp"

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

using core::Matrix;

template <class T> HWY_INLINE real_t<T> real_part(T x) {
  if constexpr (is_complex<T>) return x.real();
  else return x;
}
template <class T> HWY_INLINE real_t<T> imag_part(T x) {
  if constexpr (is_complex<T>) return x.imag();
  else return 0;
}

/// N elements that lie one after the other (step 1) or one before the other (step -1).
template <int N, class T> struct Run {
  using R = real_t<T>;
  using D = hn::CappedTag<R, N>;
  using V = hn::Vec<D>;
  V re, im;

  HWY_INLINE void load(const T* p, index step, bool conj) {
    const D d;
    const R* q = reinterpret_cast<const R*>(step == 1 ? p : p - (N - 1));
    if constexpr (is_complex<T>) {
      hn::LoadInterleaved2(d, q, re, im);
      if (conj) im = hn::Neg(im);
      if (step != 1) re = hn::Reverse(d, re), im = hn::Reverse(d, im);
    } else {
      re = hn::LoadU(d, q);
      if (step != 1) re = hn::Reverse(d, re);
    }
  }

  HWY_INLINE void store(T* p, index step) const {
    const D d;
    R* q = reinterpret_cast<R*>(step == 1 ? p : p - (N - 1));
    if constexpr (is_complex<T>) {
      hn::StoreInterleaved2(step == 1 ? re : hn::Reverse(d, re), step == 1 ? im : hn::Reverse(d, im), d, q);
    } else {
      hn::StoreU(step == 1 ? re : hn::Reverse(d, re), d, q);
    }
  }
};

template <int W, class T> HWY_INLINE void put(real_t<T>* dst, int w, T x, bool conj) {
  dst[w] = real_part(x);
  if constexpr (is_complex<T>) dst[W + w] = conj ? -x.imag() : x.imag();
}

/// One step k of a panel, any strides: `lines` elements `step` apart, the last one repeated up to W.
template <int W, class T>
HWY_INLINE void pack_step(real_t<T>* dst, const T* p, index step, int lines, bool conj) {
  int w = 0;
  for (; w < lines; ++w) put<W>(dst, w, p[w * step], conj);
  for (; w < W; ++w) put<W>(dst, w, p[(lines - 1) * step], conj);
}

/// Packs element (w, k) = src[w * ws + k * ks], w < lines (1 <= lines <= W), k < depth.
template <int W, class T>
void pack(real_t<T>* HWY_RESTRICT dst, const T* src, index ws, index ks, int lines, index depth, bool conj) {
  using R = real_t<T>;
  constexpr int N = W < lanes_of<R> ? W : lanes_of<R>;
  constexpr int step = parts_of<T> * W;
  static_assert(W % N == 0);
  const typename Run<N, T>::D d;

  if ((ws == 1 || ws == -1) && lines == W) {
    for (index k = 0; k < depth; ++k, dst += step, src += ks)
#pragma GCC unroll 4
      for (int w = 0; w < W; w += N) {
        Run<N, T> run;
        run.load(src + w * ws, ws, conj);
        hn::StoreU(run.re, d, dst + w);
        if constexpr (is_complex<T>) hn::StoreU(run.im, d, dst + W + w);
      }
    return;
  }
  index k = 0;
  if (N > 1 && (ks == 1 || ks == -1)) {
    for (; k + N <= depth; k += N)
      for (int w0 = 0; w0 < W; w0 += N) {
        hn::Vec<decltype(d)> re[N], im[N];
#pragma GCC unroll 16
        for (int w = 0; w < N; ++w) {
          Run<N, T> run;
          run.load(src + std::min(w0 + w, lines - 1) * ws + k * ks, ks, conj);
          re[w] = run.re;
          if constexpr (is_complex<T>) im[w] = run.im;
        }
        transpose(d, re);
        if constexpr (is_complex<T>) transpose(d, im);
#pragma GCC unroll 16
        for (int q = 0; q < N; ++q) {
          hn::StoreU(re[q], d, dst + (k + q) * step + w0);
          if constexpr (is_complex<T>) hn::StoreU(im[q], d, dst + (k + q) * step + W + w0);
        }
      }
  }
  for (; k < depth; ++k) pack_step<W>(dst + k * step, src + k * ks, ws, lines, conj);
}

/// The way back: writes `lines` of the W lines of a packed panel.
template <int W, class T>
void unpack(const real_t<T>* HWY_RESTRICT src, T* dst, index ws, index ks, int lines, index depth) {
  using R = real_t<T>;
  constexpr int N = W < lanes_of<R> ? W : lanes_of<R>;
  constexpr int step = parts_of<T> * W;
  const typename Run<N, T>::D d;

  if ((ws == 1 || ws == -1) && lines == W) {
    for (index k = 0; k < depth; ++k, src += step, dst += ks)
#pragma GCC unroll 4
      for (int w = 0; w < W; w += N) {
        Run<N, T> run;
        run.re = hn::LoadU(d, src + w);
        if constexpr (is_complex<T>) run.im = hn::LoadU(d, src + W + w);
        run.store(dst + w * ws, ws);
      }
    return;
  }
  index k = 0;
  if (N > 1 && (ks == 1 || ks == -1)) {
    for (; k + N <= depth; k += N)
      for (int w0 = 0; w0 < lines; w0 += N) {
        hn::Vec<decltype(d)> re[N], im[N];
#pragma GCC unroll 16
        for (int q = 0; q < N; ++q) {
          re[q] = hn::LoadU(d, src + (k + q) * step + w0);
          if constexpr (is_complex<T>) im[q] = hn::LoadU(d, src + (k + q) * step + W + w0);
        }
        transpose(d, re);
        if constexpr (is_complex<T>) transpose(d, im);
        const int count = std::min(N, lines - w0);
#pragma GCC unroll 16
        for (int w = 0; w < N; ++w) {
          if (w >= count) break;
          Run<N, T> run;
          run.re = re[w];
          if constexpr (is_complex<T>) run.im = im[w];
          run.store(dst + (w0 + w) * ws + k * ks, ks);
        }
      }
  }
  for (; k < depth; ++k)
    for (int w = 0; w < lines; ++w) {
      const R* p = src + k * step + w;
      if constexpr (is_complex<T>) dst[w * ws + k * ks] = T(p[0], p[W]);
      else dst[w * ws + k * ks] = *p;
    }
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
