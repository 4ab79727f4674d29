// Triangles of a few vectors against few right-hand sides, which stay in registers: lanes are rows, column
// after column is applied to them. Nothing outside the triangle is read.
#if defined(TRIGON_CPU_SIMD_CORNER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_CORNER_INL
#undef TRIGON_CPU_SIMD_CORNER_INL
#else
#define TRIGON_CPU_SIMD_CORNER_INL
#endif

#include "cpu/simd/divisors-inl.hpp"
#include "cpu/simd/turn-inl.hpp"
#include "cpu/simd/update-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

using core::Matrix;
using core::Triangle;

/// The largest order of a corner: four vectors of rows.
template <class T>
inline constexpr int corner_order = std::min(32, 4 * lanes_of<real_t<T>> / parts_of<T>);
template <class T>
inline constexpr int corner_vectors = corner_order<T>* parts_of<T> / lanes_of<real_t<T>>;

/// Right-hand sides that share the columns: enough to hide the latency of a solve.
inline constexpr int corner_group = registers == 32 ? 4 : 2;

/// A corner with contiguous columns, in place or copied.
template <class T>
struct Corner {
  const T* a;
  index lda;
  int n;
  bool lower, unit, conj;
  bool whole = false;  ///< every vector that meets the triangle may be read as a whole
};

/// Rows and columns [at, at + size) of a triangle. One by one: what was just written in pieces could not be copied as a
/// whole before these have left for the cache.
template <class T>
Corner<T> block_of(const Corner<T>& t, int at, int size) {
  return {t.a + at * (t.lda + 1), t.lda, size, t.lower, t.unit, t.conj, t.whole};
}

template <class T>
HWY_INLINE void collect(const Corner<T>& t, Divisors<T>& out) {
  using R = real_t<T>;
  constexpr int L = lanes_of<R>, P = parts_of<T>;
  const Tag<R> d;
  const int padded = (t.n * P + P * L - 1) / (P * L) * L;  // elements
  for (int i = 0; i < t.n; ++i) {
    const R* const x = reinterpret_cast<const R*>(t.a + i * (t.lda + 1));
    out.value[P * i] = x[0];
    if constexpr (is_complex<T>) out.value[P * i + 1] = t.conj ? -x[1] : x[1];
  }
  for (int i = t.n; i < padded; ++i) {
    out.value[P * i] = 1;
    if constexpr (is_complex<T>) out.value[P * i + 1] = 0;
  }
  bool safe = true;
  for (int i = 0; i < padded * P; i += P * L) {
    if constexpr (is_complex<T>) {
      hn::Vec<decltype(d)> re, im;
      load_interleaved(d, out.value + i, re, im);
      safe &= safe_to_invert(d, re, im);
    } else {
      safe &= safe_to_invert(d, hn::Load(d, out.value + i));
    }
  }
  out.divide = !safe;
  if (!safe) return;
  for (int i = 0; i < padded * P; i += P * L) {
    if constexpr (is_complex<T>) {
      hn::Vec<decltype(d)> re, im;
      load_interleaved(d, out.value + i, re, im);
      reciprocal(d, re, im);
      store_interleaved(re, im, d, out.value + i);
    } else {
      hn::Store(hn::Div(hn::Set(d, 1), hn::Load(d, out.value + i)), d, out.value + i);
    }
  }
}

/// The same where nothing else hides the wait for what was stored.
template <class T>
HWY_NOINLINE void collect_few(const Corner<T>& t, Divisors<T>& out) {
#if HWY_TARGET == HWY_AVX3
  if (t.n <= 32) {
    out.divide = !invert(t.a, t.lda + 1, t.n, t.conj, out.value);
    if (HWY_LIKELY(!out.divide)) return;
  }
#endif
  collect(t, out);
}

/// Lane `lane` of x in every lane.
template <class D>
HWY_INLINE hn::Vec<D> spread(D d, hn::Vec<D> x, int lane) {
  const hn::RebindToSigned<D> di;
  return hn::TableLookupLanes(x, hn::IndicesFromVec(d, hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(lane))));
}

/// x / d or, without `divide`, x·d for d given in every lane; the parts of a complex number apart.
template <class T, class V = hn::Vec<Tag<real_t<T>>>>
HWY_INLINE void divide_by(const real_t<T>* value, bool divide, V& re, V& im) {
  const hn::DFromV<V> d;
  if constexpr (!is_complex<T>) {
    const V by = hn::Set(d, value[0]);
    re = HWY_UNLIKELY(divide) ? hn::Div(re, by) : hn::Mul(re, by);
  } else if (HWY_UNLIKELY(divide)) {
    quotient_by(d, re, im, value[0], value[1]);
  } else {
    product_by(d, re, im, value[0], value[1]);
  }
}

/// Vector w of column k, as far as it lies in the triangle, with its diagonal or without. `crossing`: the
/// vector in which the diagonal lies.
template <class T, bool lower>
HWY_INLINE hn::Vec<Tag<real_t<T>>> corner_column(const Corner<T>& t, int k, int w, bool crossing, bool diagonal) {
  constexpr int L = lanes_of<real_t<T>>, P = parts_of<T>;
  const Tag<real_t<T>> d;
  const real_t<T>* const at = reinterpret_cast<const real_t<T>*>(t.a + k * t.lda) + w * L;
  hn::Vec<Tag<real_t<T>>> a;
  if (t.whole) {
    a = hn::LoadU(d, at);
  } else if (crossing) {
    const int from = lower ? (k + !diagonal) * P : 0, to = lower ? t.n * P : (k + diagonal) * P;
    a = load_lanes(d, at, from - w * L, to - w * L);
  } else {
    a = lower ? load_first(d, at, t.n * P - w * L) : hn::LoadU(d, at);
  }
  if constexpr (is_complex<T>)
    if (t.conj) a = conjugated(d, a);
  return a;
}

/// The lanes of that vector that are in the triangle: what others hold meets no x, which may be infinite.
template <class T, bool lower>
HWY_INLINE hn::Mask<Tag<real_t<T>>> corner_lanes(const Corner<T>& t, int k, int w, bool diagonal) {
  constexpr int L = lanes_of<real_t<T>>, P = parts_of<T>;
  const Tag<real_t<T>> d;
  return lower ? lanes_between(d, (k + !diagonal) * P - w * L, t.n * P - w * L)
               : lanes_before(d, (k + diagonal) * P - w * L);
}

/// Where S columns begin, of which those from `count` on repeat the last one. More than four are all there: two
/// pointers and three distances make addresses that instructions can form by themselves.
template <class T, int S>
struct Columns {
  T* at[S];

  HWY_INLINE Columns(T* x, index ldx, int count) {
#pragma GCC unroll 8
    for (int s = 0; s < S; ++s)
      at[s] = S > 4 ? (s < 4 ? x : x + 4 * ldx) + s % 4 * ldx : x + std::min(s, count - 1) * ldx;
  }
};

/// x := t^-1 x for S right-hand sides, of which those from `count` on repeat the last one.
template <class T, int S, int V, bool lower>
HWY_NOINLINE void solve_in_registers(const Corner<T>& t, const Divisors<T>& by, T* x, index ldx, int count) {
  using R = real_t<T>;
  using Vec = hn::Vec<Tag<R>>;
  constexpr int L = lanes_of<R>, P = parts_of<T>, per = L / P;
  const Tag<R> d;
  const Columns<T, S> columns(x, ldx, count);
  T* const(&at)[S] = columns.at;
  const Front<Tag<R>> last(t.n * P - (V - 1) * L);
  Vec u[S][V];
#pragma GCC unroll 8
  for (int s = 0; s < S; ++s)
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) u[s][v] = load_first(d, reinterpret_cast<const R*>(at[s]) + v * L, t.n * P - v * L);
#pragma GCC unroll 4
  for (int q = 0; q < V; ++q) {
    const int v = lower ? q : V - 1 - q, rows = std::min(per, t.n - v * per);
    for (int step = 0; step < rows; ++step) {
      const int lane = lower ? step : rows - 1 - step, k = v * per + lane;
      Vec re[S], im[is_complex<T> ? S : 1];
#pragma GCC unroll 8
      for (int s = 0; s < S; ++s) {
        Vec none = hn::Zero(d);
        re[s] = spread(d, u[s][v], lane * P);
        if constexpr (is_complex<T>) im[s] = spread(d, u[s][v], lane * P + 1);
        if (!t.unit) divide_by<T>(by.value + k * P, by.divide, re[s], is_complex<T> ? im[is_complex<T> ? s : 0] : none);
        R* const out = reinterpret_cast<R*>(at[s] + k);
        out[0] = hn::GetLane(re[s]);
        if constexpr (is_complex<T>) {
          out[1] = hn::GetLane(im[s]);
          im[s] = hn::OddEven(im[s], hn::Neg(im[s]));  // i a x = (a with its parts exchanged) (-x, x)
        }
      }
#pragma GCC unroll 4
      for (int w = 0; w < V; ++w) {
        if (lower ? w < v : w > v) continue;
        const bool some = w == v || w + 1 == V;
        const auto lanes = w == v ? corner_lanes<T, lower>(t, k, w, false) : last.mask;
        Vec a = corner_column<T, lower>(t, k, w, w == v, false);
        if (some && t.whole) a = hn::IfThenElseZero(lanes, a);
        const auto less = [some, lanes](Vec sum, Vec of_a, Vec by) TRIGON_INLINE_LAMBDA {
          return some ? with_product_in<true>(lanes, sum, of_a, by) : hn::NegMulAdd(of_a, by, sum);
        };
#pragma GCC unroll 8
        for (int s = 0; s < S; ++s) {
          u[s][w] = less(u[s][w], a, re[s]);
          if constexpr (is_complex<T>) u[s][w] = less(u[s][w], hn::Reverse2(d, a), im[s]);
        }
      }
    }
  }
}

/// x := t x, likewise.
template <class T, int S, int V, bool lower>
HWY_NOINLINE void multiply_in_registers(const Corner<T>& t, T* x, index ldx, int count) {
  using R = real_t<T>;
  using Vec = hn::Vec<Tag<R>>;
  constexpr int L = lanes_of<R>, P = parts_of<T>, per = L / P;
  const Tag<R> d;
  const Columns<T, S> columns(x, ldx, count);
  T* const(&at)[S] = columns.at;
  const Front<Tag<R>> last(t.n * P - (V - 1) * L);
  Vec y[S][V];
#pragma GCC unroll 8
  for (int s = 0; s < S; ++s)
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) y[s][v] = hn::Zero(d);
  if (t.unit)
#pragma GCC unroll 8
    for (int s = 0; s < S; ++s)
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        const R* const p = reinterpret_cast<const R*>(at[s]) + v * L;
        y[s][v] = v + 1 < V ? hn::LoadU(d, p) : last.load(p);
      }
  const Vec minus_i = hn::OddEven(hn::Zero(d), hn::Set(d, R(-0.0)));
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) {
    const int rows = std::min(per, t.n - v * per);
#pragma GCC unroll 1
    for (int lane = 0; lane < rows; ++lane) {
      const int k = v * per + lane;
      const auto crossing = corner_lanes<T, lower>(t, k, v, !t.unit);
      const auto beyond = [&](int column, int w) HWY_ATTR {
        const R* const at = reinterpret_cast<const R*>(t.a + column * t.lda) + w * L;
        const Vec a = w + 1 < V || t.whole ? hn::LoadU(d, at) : last.load(at);
        if constexpr (is_complex<T>) return kept(t.conj ? conjugated(d, a) : a);
        return a;
      };
#pragma GCC unroll 8
      for (int w = 0; w < V; ++w) {
        if (lower ? w < v : w > v) continue;
        const bool some = w == v || w + 1 == V;
        const auto lanes = w == v ? crossing : last.mask;
        const Vec a =
            w == v ? hn::IfThenElseZero(lanes, corner_column<T, lower>(t, k, w, true, !t.unit)) : beyond(k, w);
        // i a x = (a with its parts exchanged) (-x, x)
        const Vec exchanged = is_complex<T> ? hn::Xor(hn::Reverse2(d, a), minus_i) : a;
        const auto add = [some, lanes](Vec sum, Vec of_a, Vec by) TRIGON_INLINE_LAMBDA {
          return some ? with_product_in<false>(lanes, sum, of_a, by) : hn::MulAdd(of_a, by, sum);
        };
#pragma GCC unroll 8
        for (int s = 0; s < S; ++s) {
          const R* const xs = reinterpret_cast<const R*>(at[s] + k);
          y[s][w] = add(y[s][w], a, hn::Set(d, xs[0]));
          if constexpr (is_complex<T>) y[s][w] = add(y[s][w], exchanged, hn::Set(d, xs[1]));
        }
      }
    }
  }
#pragma GCC unroll 8
  for (int s = 0; s < S; ++s)
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) {
      R* const p = reinterpret_cast<R*>(at[s]) + v * L;
      v + 1 < V ? hn::StoreU(y[s][v], d, p) : last.store(y[s][v], p);
    }
}

/// All right-hand sides against a corner of V vectors, in groups.
template <bool inverse, int V, class T>
void apply_columns(const Corner<T>& t, const Divisors<T>& by, T* x, index ldx, index rhs) {
  const auto some = [&]<int S>(std::integral_constant<int, S>, T* at, int count) HWY_ATTR {
    if constexpr (inverse)
      t.lower ? solve_in_registers<T, S, V, true>(t, by, at, ldx, count)
              : solve_in_registers<T, S, V, false>(t, by, at, ldx, count);
    else
      t.lower ? multiply_in_registers<T, S, V, true>(t, at, ldx, count)
              : multiply_in_registers<T, S, V, false>(t, at, ldx, count);
  };
  constexpr int most = V <= 2 ? 2 * corner_group : corner_group;
  index s = 0;
  for (; rhs - s >= most; s += most) some(std::integral_constant<int, most>{}, x + s * ldx, most);
  for (; s < rhs; s += corner_group)
    some(std::integral_constant<int, corner_group>{}, x + s * ldx,
         static_cast<int>(std::min<index>(corner_group, rhs - s)));
}

/// Copies the triangle, with zeros beside it: from now on every vector may be read as a whole.
template <class T>
void copy_columns(Corner<T>& t, T* copy, index order) {
  using R = real_t<T>;
  constexpr int L = lanes_of<R>, P = parts_of<T>;
  const Tag<R> d;
  for (int k = 0; k < t.n; ++k) {
    const R* const from = reinterpret_cast<const R*>(t.a + k * t.lda);
    R* const to = reinterpret_cast<R*>(copy + k * order);
    const int begin = t.lower ? k * P : 0, end = t.lower ? t.n * P : (k + 1) * P;
    for (int i = 0; i < t.n * P; i += L) hn::StoreU(load_lanes(d, from + i, begin - i, end - i), d, to + i);
  }
  t.a = copy, t.lda = order, t.whole = true;
}

/// b := t^-1 b or t b for a corner with contiguous columns or rows; b contiguous by columns, two or more of them.
template <bool inverse, class T>
void apply_corner(const Triangle<T*>& t, const Matrix<T*>& b) {
  constexpr int L = lanes_of<real_t<T>>, P = parts_of<T>, order = corner_order<T>;
  Corner<T> c{t.a.data, t.a.col_stride, static_cast<int>(t.n()), t.uplo == Uplo::Lower, t.diag == Diag::Unit, t.a.conj};
  // Of reals, because complex elements would be cleared.
  HWY_ALIGN real_t<T> room[P * order * order];
  if (t.a.row_stride != 1) {
    T* const copy = reinterpret_cast<T*>(room);
    const int height = turn(t.a.data, t.a.row_stride, c.n, c.n, c.lower ? Part::Lower : Part::Upper, copy, order);
    c.whole = height == unit_lanes<T>;
    c.a = copy, c.lda = order;
  } else if (b.cols > 2 * corner_group) {
    copy_columns(c, reinterpret_cast<T*>(room), order);
  }
  Divisors<T> by;
  if (inverse && !c.unit) collect(c, by);
  switch ((c.n * P + L - 1) / L) {
    case 1: return apply_columns<inverse, 1>(c, by, b.data, b.col_stride, b.cols);
    case 2: return apply_columns<inverse, std::min(2, corner_vectors<T>)>(c, by, b.data, b.col_stride, b.cols);
    case 3: return apply_columns<inverse, std::min(3, corner_vectors<T>)>(c, by, b.data, b.col_stride, b.cols);
    default: return apply_columns<inverse, corner_vectors<T>>(c, by, b.data, b.col_stride, b.cols);
  }
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
