// Packing: panels of W lines, step by step along k, real and imaginary parts apart:
//   for each k:  W real parts [, W imaginary parts]
// A-slivers (W = room for the rows of the register tile) and B-panels (W = its columns) have the same form, so that
// transposition, conjugation, reversal, symmetry and bad leading dimensions all end here.
// Lines beyond the last one repeat it: padding then adds no NaN and no exception flag of its own.
#if defined(TRIGON_CPU_SIMD_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_PACK_INL
#undef TRIGON_CPU_SIMD_PACK_INL
#else
#define TRIGON_CPU_SIMD_PACK_INL
#endif

#include "cpu/simd/transpose-inl.hpp"

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

using core::Matrix;

/// Up to N elements that lie one after the other (step 1) or one before the other (step -1).
template <int N, class T>
struct Run {
  using R = real_t<T>;
  using D = hn::CappedTag<R, N>;
  using V = hn::Vec<D>;
  V re, im;

  HWY_INLINE void load(const T* p, index step, bool conj) {
    const D d;
    const R* q = reinterpret_cast<const R*>(step == 1 ? p : p - (N - 1));
    if constexpr (is_complex<T>)
      load_interleaved(d, q, re, im);
    else
      re = hn::LoadU(d, q);
    arrange(step, conj);
  }

  /// Only `count` of them, the others zero.
  HWY_INLINE void load_some(const T* p, index step, bool conj, int count) {
    const D d;
    const R* q = reinterpret_cast<const R*>(step == 1 ? p : p - (N - 1));
    const int from = parts_of<T> * (step == 1 ? 0 : N - count), to = parts_of<T> * (step == 1 ? count : N);
    const V low = load_lanes(d, q, from, to);
    if constexpr (is_complex<T>) {
      const V high = load_lanes(d, q + N, from - N, to - N);
      take_apart(d, low, high, re, im);
    } else {
      re = low;
    }
    arrange(step, conj);
  }

  HWY_INLINE void store(T* p, index step) {
    const D d;
    R* q = reinterpret_cast<R*>(step == 1 ? p : p - (N - 1));
    arrange(step, false);
    if constexpr (is_complex<T>)
      store_interleaved(re, im, d, q);
    else
      hn::StoreU(re, d, q);
  }

  HWY_INLINE void store_some(T* p, index step, int count) {
    const D d;
    R* q = reinterpret_cast<R*>(step == 1 ? p : p - (N - 1));
    const int from = parts_of<T> * (step == 1 ? 0 : N - count), to = parts_of<T> * (step == 1 ? count : N);
    arrange(step, false);
    if constexpr (is_complex<T>) {
      V low, high;
      put_together(d, re, im, low, high);
      store_lanes(low, d, q, from, to);
      store_lanes(high, d, q + N, from - N, to - N);
    } else {
      store_lanes(re, d, q, from, to);
    }
  }

  /// The same of contiguous ones.
  HWY_INLINE void load_up_to(const T* p, int count) {
    if (HWY_LIKELY(count == N))
      load(p, 1, false);
    else
      load_some(p, 1, false, count);
  }
  HWY_INLINE void store_up_to(T* p, int count) {
    if (HWY_LIKELY(count == N))
      store(p, 1);
    else
      store_some(p, 1, count);
  }

  /// Lanes beyond `count` repeat an element, the `last` or another one.
  HWY_INLINE void repeat(int count, T last, bool conj) {
    const D d;
    const auto valid = hn::FirstN(d, static_cast<std::size_t>(count));
    re = hn::IfThenElse(valid, re, hn::Set(d, real_part(last)));
    if constexpr (is_complex<T>) im = hn::IfThenElse(valid, im, hn::Set(d, conj ? -last.imag() : last.imag()));
  }

 private:
  HWY_INLINE void arrange(index step, bool conj) {
    const D d;
    if (step != 1) re = hn::Reverse(d, re);
    if constexpr (is_complex<T>) {
      if (conj) im = hn::Neg(im);
      if (step != 1) im = hn::Reverse(d, im);
    }
  }
};

template <int W, class T>
HWY_INLINE void put(real_t<T>* dst, int w, T x, bool conj) {
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

/// Lines next to each other in memory: one vector per step and N lines. What is only partly there is a loop of its own,
/// for which masks are made once.
template <int W, class T>
void pack_lines(real_t<T>* HWY_RESTRICT dst, const T* src, index ws, index ks, int lines, index depth, bool conj) {
  constexpr int N = std::min(W, lanes_of<real_t<T>>), step = parts_of<T> * W;
  const typename Run<N, T>::D d;
  const auto store = [&](const Run<N, T>& run, real_t<T>* at) HWY_ATTR {
    hn::StoreU(run.re, d, at);
    if constexpr (is_complex<T>) hn::StoreU(run.im, d, at + W);
  };
  const int whole = lines / N * N;
  for (index k = 0; k < depth && whole > 0; ++k)
#pragma GCC unroll 4
    for (int w = 0; w < W; w += N) {
      if (w >= whole) break;
      Run<N, T> run;
      run.load(src + k * ks + w * ws, ws, conj);
      store(run, dst + k * step + w);
    }
  for (int w = whole; w < W; w += N) {
    const int count = std::max(0, lines - w);
    for (index k = 0; k < depth; ++k) {
      Run<N, T> run;
      run.load_some(src + k * ks + w * ws, ws, conj, count);
      run.repeat(count, src[k * ks + (lines - 1) * ws], conj);
      store(run, dst + k * step + w);
    }
  }
}

/// Lines from `lines` on repeat the last one.
template <int W, class T>
HWY_INLINE void repeat_last(real_t<T>* dst, int lines, index depth) {
  for (index k = 0; k < depth; ++k, dst += parts_of<T> * W)
    for (int w = lines; w < W; ++w) {
      dst[w] = dst[lines - 1];
      if constexpr (is_complex<T>) dst[W + w] = dst[W + lines - 1];
    }
}

/// Whether the last `count` steps, which fill no square of `steps`, are transposed together with those before them:
/// once more, without masks.
template <int N>
constexpr bool goes_back(int count, int steps, index depth) {
  return masks_slowly && count > 1 && count < steps && depth >= steps && (N <= 4 || 2 * count != steps);
}

/// Lines along which memory runs: squares of N lines and N reals are transposed in registers, smaller ones where few
/// steps are left.
template <int W, int N, class T>
void pack_transposed(real_t<T>* HWY_RESTRICT dst, const T* src, index ws, index ks, int lines, index depth, bool conj) {
  using R = real_t<T>;
  constexpr int P = parts_of<T>, step = P * W, steps = N / P;
  const hn::CappedTag<R, N> d;
  const bool back = ks != 1;
  const auto sign = hn::Set(d, conj ? R(-0.0) : R(0));
  for (index k = 0; k < depth; k += steps, dst += steps * step) {
    int count = static_cast<int>(std::min<index>(steps, depth - k));
    if (goes_back<N>(count, steps, depth)) k -= steps - count, dst -= (steps - count) * step, count = steps;
    if (count == 1 && steps > 1) return pack_step<W>(dst, src + k * ks, ws, lines, conj);
    if constexpr (N > 4)
      if (count <= steps / 2) return pack_transposed<W, N / 2>(dst, src + k * ks, ws, ks, lines, count, conj);
    const T* const first = src + k * ks - (back ? steps - 1 : 0);
    const auto square = [&]<bool whole>(std::bool_constant<whole>, int w0) HWY_ATTR {
      hn::Vec<decltype(d)> row[N];
      const T* line = first + w0 * ws;
      if constexpr (whole) {
        load_turned(d, reinterpret_cast<const R*>(line), P * ws, row);
      } else {
#pragma GCC unroll 16
        for (int w = 0; w < N; ++w) {
          const R* const from = reinterpret_cast<const R*>(line);
          row[w] = count == steps ? hn::LoadU(d, from)
                                  : load_lanes(d, from, back ? P * (steps - count) : 0, back ? N : P * count);
          if (w0 + w + 1 < lines) line += ws;
        }
        transpose(d, row);
      }
#pragma GCC unroll 16
      for (int i = 0; i < steps; ++i) {
        const int q = back ? steps - 1 - i : i;
        if (!whole && q >= count) continue;
        hn::StoreU(row[P * i], d, dst + q * step + w0);
        if constexpr (is_complex<T>) hn::StoreU(hn::Xor(row[P * i + 1], sign), d, dst + q * step + W + w0);
      }
    };
    int w = 0;
    for (; count == steps && w + N <= lines; w += N) square(std::true_type{}, w);
    for (; w < lines; w += N) square(std::false_type{}, w);
    if (lines <= W - N) repeat_last<W, T>(dst, (lines + N - 1) / N * N, count);
  }
}

#if HWY_TARGET == HWY_AVX3
/// Result lane i of the exchange of one bit: of the number of a vector, a or b, with the highest bit of a step's
/// number, which is `high` in the result. `t` bits of lines were exchanged before and are the lowest of a lane's
/// number.
template <int L, int t, int high>
struct ExchangedLane {
  constexpr int operator()(int i) const {
    return ((i >> t) & 1) * L + high * L / 2 + ((i >> (t + 1)) << t) + (i & ((1 << t) - 1));
  }
};
template <class V, int W, int t = 0>
HWY_INLINE void exchange_lines(V (&v)[W]) {
  constexpr int L = static_cast<int>(hn::MaxLanes(hn::DFromV<V>()));
  if constexpr ((1 << t) < W) {
    V out[W];
#pragma GCC unroll 8
    for (int i = 0; i < W / 2; ++i) {
      // The vectors that stand for one high part of the steps follow each other, by what is left of the lines.
      constexpr int rest = W >> (t + 1);
      const int a = i / rest * 2 * rest + i % rest * 2, low = i / rest * 2 * rest + i % rest;
      out[low] = permuted(v[a], v[a + 1], ExchangedLane<L, t, 0>());
      out[low + rest] = permuted(v[a], v[a + 1], ExchangedLane<L, t, 1>());
    }
#pragma GCC unroll 8
    for (int i = 0; i < W; ++i) v[i] = out[i];
    exchange_lines<V, W, t + 1>(v);
  }
}

/// W lines along which memory runs, as many steps at a time as a vector holds: a line of the panel's reals in each
/// vector afterwards, in order. The next W lines come closer, which may be far apart from these.
template <int W, class T>
void pack_across(real_t<T>* HWY_RESTRICT dst, const T* src, index ws, int lines, index depth, bool conj) {
  using R = real_t<T>;
  const Tag<R> d;
  constexpr int L = lanes_of<R>, P = parts_of<T>, steps = L / P;
  HWY_ALIGN R signs[L];
  for (int i = 0; i < L; ++i) signs[i] = is_complex<T> && conj && (i / W) % 2 != 0 ? R(-0.0) : R(0);
  const auto negated = hn::Load(d, signs);
  for (index k = 0; k < depth; k += steps, src += steps) {
    const int count = static_cast<int>(std::min<index>(steps, depth - k)) * P;
    const Front<Tag<R>> front(count);
    hn::Vec<Tag<R>> v[W];
#pragma GCC unroll 8
    for (int w = 0; w < W; ++w) v[w] = front.load(reinterpret_cast<const R*>(src + std::min(w, lines - 1) * ws));
#pragma GCC unroll 8
    for (int w = 0; w < W; ++w) hwy::Prefetch(src + (W + w) * ws);
    if constexpr (W == L)
      transpose(d, v);
    else
      exchange_lines(v);
#pragma GCC unroll 8
    for (int w = 0; w < W; ++w, dst += L) {
      if constexpr (is_complex<T>) v[w] = hn::Xor(v[w], negated);
      if (HWY_LIKELY(count == L))
        hn::StoreU(v[w], d, dst);
      else
        store_first(v[w], d, dst, count * W - w * L);
    }
  }
}
#endif

#if HWY_TARGET == HWY_AVX2
/// W lines along which memory runs, onwards or backwards, as many steps at a time as a vector holds, of which there
/// are that many: the last ones are packed together with those before them, once more, without masks. A block of 16
/// bytes takes an element of each line, or the same part of it.
template <int W, class T>
void pack_across(real_t<T>* HWY_RESTRICT dst, const T* src, index ws, index ks, int lines, index depth, bool conj) {
  using R = real_t<T>;
  const Tag<R> d;
  constexpr int L = lanes_of<R>, P = parts_of<T>, steps = L / P;
  const bool back = ks != 1;
  HWY_ALIGN R signs[L];
  constexpr bool parts_alternate = is_complex<T> && W == L;  // a vector is one part of a step
  for (int i = 0; i < L; ++i) {
    const bool imaginary = is_complex<T> && (parts_alternate || (i / W) % 2 != 0);
    signs[i] = conj && imaginary ? R(-0.0) : R(0);
  }
  const auto negated = hn::Load(d, signs);
  for (index k = 0;; k += steps) {
    k = std::min(k, depth - steps);
    hn::Vec<Tag<R>> v[W], out[W];
#pragma GCC unroll 8
    for (int w = 0; w < W; ++w) {
      const T* const line = src + std::min(w, lines - 1) * ws + (back ? -k - (steps - 1) : k);
      v[w] = hn::LoadU(d, reinterpret_cast<const R*>(line));
    }
    if constexpr (W == L) {
      transpose(d, v);
      std::copy(v, v + W, out);
    } else {
      if constexpr (is_complex<T> && W == 2) {
        const auto low = hn::InterleaveLower(d, v[0], v[1]);
        v[1] = hn::InterleaveUpper(d, v[0], v[1]), v[0] = low;
      } else {
        transpose_lanes(d, v);
      }
      // Two blocks follow each other; where each is a step, backwards the other way round.
      const bool turns = back && P * W < L;
#pragma GCC unroll 4
      for (int h = 0; h < W / 2; ++h) {
        const auto first = v[turns ? 2 * h + 1 : 2 * h], second = v[turns ? 2 * h : 2 * h + 1];
        out[h] = hn::ConcatLowerLower(d, second, first);
        out[W / 2 + h] = hn::ConcatUpperUpper(d, second, first);
      }
    }
    R* const at = dst + k * P * W;
#pragma GCC unroll 8
    for (int w = 0; w < W; ++w) {
      if (is_complex<T> && (!parts_alternate || w % 2 != 0)) out[w] = hn::Xor(out[w], negated);
      const int parts = parts_alternate ? 2 : 1, to = back ? (W - parts - w / parts * parts) + w % parts : w;
      hn::StoreU(out[w], d, at + to * L);
    }
    if (k + steps == depth) return;
  }
}
#endif

/// Packs element (w, k) = src[w * ws + k * ks], w < lines (1 <= lines <= W), k < depth.
template <int W, class T>
void pack(real_t<T>* HWY_RESTRICT dst, const T* src, index ws, index ks, int lines, index depth, bool conj) {
  if (ws == 1 || ws == -1) return pack_lines<W>(dst, src, ws, ks, lines, depth, conj);
#if HWY_TARGET == HWY_AVX3
  if constexpr (W <= 8 && (W & (W - 1)) == 0 && parts_of<T> * W <= lanes_of<real_t<T>>)
    if (ks == 1) return pack_across<W>(dst, src, ws, lines, depth, conj);
#elif HWY_TARGET == HWY_AVX2
  constexpr int L = lanes_of<real_t<T>>;
  if constexpr ((W == L && !is_complex<T>) || (W * sizeof(T) == 16 && W > 1) || ((W == 2 || W == 4) && is_complex<T>))
    if ((ks == 1 || ks == -1) && depth >= L / parts_of<T>) return pack_across<W>(dst, src, ws, ks, lines, depth, conj);
#endif
  if (ks == 1 || ks == -1) {
    constexpr int N = std::min(W, lanes_of<real_t<T>>);
    return pack_transposed<W, N>(dst, src, ws, ks, lines, depth, conj);
  }
  for (index k = 0; k < depth; ++k) pack_step<W>(dst + k * parts_of<T> * W, src + k * ks, ws, lines, conj);
}

/// W elements next to each other, their parts apart: loaded at once where a vector holds them.
template <int W, class T>
struct Apart {
  using R = real_t<T>;
  using D = hn::CappedTag<R, 2 * W>;
  static constexpr bool at_once = is_complex<T> && 2 * W <= lanes_of<R>;
  hn::Vec<D> negated;  ///< the signs that `conj` changes
  decltype(hn::SetTableIndices(D(), static_cast<const hwy::MakeSigned<R>*>(nullptr))) order;

  HWY_INLINE explicit Apart(bool conj) {
    const D d;
    constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
    HWY_ALIGN hwy::MakeSigned<R> from[lanes];
    HWY_ALIGN R signs[lanes];
    for (int i = 0; i < lanes; ++i) {
      const bool imaginary = i >= lanes / 2;
      from[i] = 2 * (i % (lanes / 2)) + imaginary;
      signs[i] = conj && imaginary ? R(-0.0) : R(0);
    }
    order = hn::SetTableIndices(d, from);
    negated = hn::Load(d, signs);
  }
  HWY_INLINE void copy(const T* src, R* dst) const {
    const D d;
    hn::StoreU(hn::Xor(hn::TableLookupLanes(hn::LoadU(d, reinterpret_cast<const R*>(src)), order), negated), d, dst);
  }
};

/// Panels that `pack_panels` packs of `lines` lines: after the last one of fewer lines than it has room for there is a
/// line to be read in their place.
template <int W, int each>
constexpr index whole_panels(index lines) {
  return (each == W ? lines : lines - (lines > 0)) / each;
}

/// Packs panels of `each` lines that are next to each other in memory, `panel` reals apart, four at a time: as memory
/// lies, and each line of a cache once. More of them would meet in one set of the cache. `lines` is a multiple of
/// `each`; where panels have room for more, the next lines fill it.
template <int W, int each, class T>
void pack_panels(real_t<T>* HWY_RESTRICT dst, index panel, const T* src, index ks, index lines, index depth,
                 bool conj) {
  using R = real_t<T>;
  constexpr int N = std::min(W, lanes_of<R>), step = parts_of<T> * W;
  const auto pass = [&](const auto& copy) HWY_ATTR {
    const auto several = [&]<int count>(std::integral_constant<int, count>) HWY_ATTR {
      for (index k = 0; k < depth; ++k)
#pragma GCC unroll 4
        for (int p = 0; p < count; ++p) copy(src + k * ks + p * each, dst + p * panel + k * step);
      src += count * each, dst += count * panel, lines -= count * each;
    };
    while (lines >= 4 * each) several(std::integral_constant<int, 4>{});
    while (lines > 0) several(std::integral_constant<int, 1>{});
  };
  if constexpr (Apart<W, T>::at_once) {
    const Apart<W, T> apart(conj);
    pass([&](const T* from, R* to) HWY_ATTR { apart.copy(from, to); });
  } else {
    const typename Run<N, T>::D d;
    pass([&](const T* from, R* to) HWY_ATTR {
#pragma GCC unroll 4
      for (int w = 0; w < W; w += N) {
        Run<N, T> run;
        run.load(from + w, 1, conj);
        hn::StoreU(run.re, d, to + w);
        if constexpr (is_complex<T>) hn::StoreU(run.im, d, to + W + w);
      }
    });
  }
}

/// The way back: writes `lines` of the W lines of a packed panel.
template <int W, class T>
void unpack_lines(const real_t<T>* HWY_RESTRICT src, T* dst, index ws, index ks, int lines, index depth) {
  constexpr int N = std::min(W, lanes_of<real_t<T>>), step = parts_of<T> * W;
  const typename Run<N, T>::D d;
  const auto load = [&](const real_t<T>* at) HWY_ATTR {
    Run<N, T> run;
    run.re = hn::LoadU(d, at);
    if constexpr (is_complex<T>) run.im = hn::LoadU(d, at + W);
    return run;
  };
  const int whole = lines / N * N;
  for (index k = 0; k < depth && whole > 0; ++k)
#pragma GCC unroll 4
    for (int w = 0; w < W; w += N) {
      if (w >= whole) break;
      load(src + k * step + w).store(dst + k * ks + w * ws, ws);
    }
  for (index k = 0; k < depth && whole < lines; ++k)
    load(src + k * step + whole).store_some(dst + k * ks + whole * ws, ws, lines - whole);
}

template <int W, class T>
HWY_INLINE void unpack_step(const real_t<T>* src, T* p, index step, int lines) {
  for (int w = 0; w < lines; ++w) {
    if constexpr (is_complex<T>)
      p[w * step] = T(src[w], src[W + w]);
    else
      p[w * step] = src[w];
  }
}

template <int W, int N, class T>
void unpack_transposed(const real_t<T>* HWY_RESTRICT src, T* dst, index ws, index ks, int lines, index depth) {
  using R = real_t<T>;
  constexpr int P = parts_of<T>, step = P * W, steps = N / P;
  const hn::CappedTag<R, N> d;
  const bool back = ks != 1;
  for (index k = 0; k < depth; k += steps, src += steps * step) {
    int count = static_cast<int>(std::min<index>(steps, depth - k));
    if (goes_back<N>(count, steps, depth)) k -= steps - count, src -= (steps - count) * step, count = steps;
    if (count == 1 && steps > 1) return unpack_step<W>(src, dst + k * ks, ws, lines);
    if constexpr (N > 4)
      if (count <= steps / 2) return unpack_transposed<W, N / 2>(src, dst + k * ks, ws, ks, lines, count);
    T* const first = dst + k * ks - (back ? steps - 1 : 0);
    for (int w0 = 0; w0 < lines; w0 += N) {
      hn::Vec<decltype(d)> row[N];
#pragma GCC unroll 16
      for (int i = 0; i < steps; ++i) {
        const R* const from = src + std::min(back ? steps - 1 - i : i, count - 1) * step + w0;
        row[P * i] = hn::LoadU(d, from);
        if constexpr (is_complex<T>) row[P * i + 1] = hn::LoadU(d, from + W);
      }
      transpose(d, row);
#pragma GCC unroll 16
      for (int w = 0; w < N; ++w) {
        if (w0 + w >= lines) break;
        R* const line = reinterpret_cast<R*>(first + (w0 + w) * ws);
        if (HWY_LIKELY(count == steps))
          hn::StoreU(row[w], d, line);
        else
          store_lanes(row[w], d, line, back ? P * (steps - count) : 0, back ? N : P * count);
      }
    }
  }
}

template <int W, class T>
void unpack(const real_t<T>* HWY_RESTRICT src, T* dst, index ws, index ks, int lines, index depth) {
  if (ws == 1 || ws == -1) return unpack_lines<W>(src, dst, ws, ks, lines, depth);
  if (ks == 1 || ks == -1) {
    constexpr int N = std::min(W, lanes_of<real_t<T>>);
    return unpack_transposed<W, N>(src, dst, ws, ks, lines, depth);
  }
  for (index k = 0; k < depth; ++k) unpack_step<W>(src + k * parts_of<T> * W, dst + k * ks, ws, lines);
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
