// Products with few lines of C where the steps of a sum lie next to each other in the longer factor: squares of it are
// transposed in registers and meet all lines at once, so that nothing is copied. (A dot product for each entry would
// round in another order.) Every entry is rounded as the packed kernel rounds it.
#if defined(TRIGON_CPU_SIMD_DOTTED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_DOTTED_INL
#undef TRIGON_CPU_SIMD_DOTTED_INL
#else
#define TRIGON_CPU_SIMD_DOTTED_INL
#endif

#include "cpu/simd/small_limits-inl.hpp"
#include "cpu/simd/turn-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// The most lines of C: what they take from a square is broadcast to as many sums. Squares of eight fill registers; of
/// complex numbers each vector is shuffled for each step.
template <class T>
inline constexpr int dotted_lines = sizeof(T) == 4   ? 2
                                    : !is_complex<T> ? 4
                                    : sizeof(T) == 8 ? 1
                                                     : 2;

/// c(i, j) becomes beta c(i, j) + alpha times the sum of a(i, k) x(j, k).
template <class T>
struct Dotted {
  Matrix<T*> a, x, c;  ///< the steps of a are next to each other

  /// Whether `down`, of which rows run along those of c, meets few enough lines, with rows and steps to repay turning
  /// it, `kc` of them at a time. Measured with sixteen registers alone.
  static bool serves(const Factor<T>& down, const Factor<T>& across, const Matrix<T*>& c, index kc) {
    constexpr index steps = 16, rows = unit_lanes<T>;
    const bool general = down.form == Form::General && across.form == Form::General;
    return registers == 16 && general && c.cols <= dotted_lines<T> && c.rows >= (c.cols == 1 ? rows : 2 * rows) &&
           down.a.col_stride == 1 && down.a.row_stride != 1 && down.a.cols >= steps && kc >= unit_lanes<T>;
  }
};

/// G vectors of rows of all X lines of C, from row i on but for the first `done` rows: sums of `depth` steps from k on.
template <class T, int X, int G>
HWY_NOINLINE void dotted_rows(const Dotted<T>& f, index i, int done, index k, index depth, const T& alpha,
                              const T& beta) {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  const D d;
  constexpr int P = parts_of<T>, N = unit_lanes<T>, L = N * P;
  using U = Unit<T, N>;
  const index lda = f.a.row_stride;
  const T* const a = f.a.data + i * lda + k;
  const R* x[X];
  unrolled<X>([&](auto j) TRIGON_INLINE_LAMBDA {
    x[j] = reinterpret_cast<const R*>(f.x.data + j * f.x.row_stride + k * f.x.col_stride);
  });
  const index step = f.x.col_stride * P;
  const ProductSigns<D> sign(f.a.conj, f.x.conj);
  V sum[G][X];
  unrolled<G>([&](auto g)
                  TRIGON_INLINE_LAMBDA { unrolled<X>([&](auto j) TRIGON_INLINE_LAMBDA { sum[g][j] = hn::Zero(d); }); });
  // The steps [at, at + N), but for the first of them.
  const auto steps = [&](index at, int first) TRIGON_INLINE_LAMBDA {
    unrolled<G>([&](auto g) TRIGON_INLINE_LAMBDA {
      typename U::V turned[N];
      V v[N];
      load_turned(typename U::D(), reinterpret_cast<const typename U::R*>(a + g * N * lda + at), lda * U::lanes,
                  turned);
      unrolled<N>([&](auto r) TRIGON_INLINE_LAMBDA { v[r] = hn::BitCast(d, turned[r]); });
      unrolled<N>([&](auto q) TRIGON_INLINE_LAMBDA {
        if (q < first) return;
        unrolled<X>([&](auto j) TRIGON_INLINE_LAMBDA {
          const R* const p = x[j] + (at + q) * step;
          if constexpr (is_complex<T>) {
            sum[g][j] = hn::MulAdd(v[q], hn::Xor(hn::Set(d, p[0]), sign.re), sum[g][j]);
            sum[g][j] = hn::MulAdd(hn::Reverse2(d, v[q]), hn::Xor(hn::Set(d, p[1]), sign.im), sum[g][j]);
          } else {
            sum[g][j] = hn::MulAdd(v[q], hn::Set(d, *p), sum[g][j]);
          }
        });
      });
    });
  };
  index q = 0;
  for (; q + N <= depth; q += N) steps(q, 0);
  // A last block that is shorter than a square goes on from the one before.
  if (q < depth) steps(depth - N, static_cast<int>(q + N - depth));
  const InterleavedScaling<T> scaling(alpha, beta);
  unrolled<G>([&](auto g) TRIGON_INLINE_LAMBDA {
    const int from = g == 0 ? done : 0;
    unrolled<X>([&](auto j) TRIGON_INLINE_LAMBDA {
      T* const c = f.c.data + (i + g * N) * f.c.row_stride + j * f.c.col_stride;
      V s = sum[g][j];
      HWY_ALIGN R room[L];
      T* const entry = reinterpret_cast<T*>(room);
      const bool lies = f.c.row_stride == 1;
      if (!lies && scaling.reads)
        for (int r = 0; r < N; ++r) entry[r] = c[r * f.c.row_stride];
      R* const p = lies ? reinterpret_cast<R*>(c) : room;
      V old = scaling.reads ? hn::LoadU(d, p) : hn::Zero(d);
      if (HWY_UNLIKELY(from > 0)) {  // what is done raises no flag once more
        const auto mask = lanes_between(d, from * P, L);
        s = hn::IfThenElseZero(mask, s), old = hn::IfThenElseZero(mask, old);
      }
      store_lanes(scaling.combine(s, old), d, p, from * P, L);
      if (!lies)
        for (int r = from; r < N; ++r) c[r * f.c.row_stride] = entry[r];
    });
  });
}

/// All of C, of X lines.
template <class T, int X>
void dotted_product(const Dotted<T>& f, const T& alpha, const T& beta, index kc) {
  constexpr int N = unit_lanes<T>, most = X == 1 ? 4 : 2;
  const T one(1);
  // Rows that meet in a set of the first cache push each other out of it.
  const bool together = falls_together<T>(f.a.row_stride);
  const index rows = f.c.rows;
  for (index k = 0, depth = 0; k < f.a.cols; k += depth) {
    depth = std::min(kc, f.a.cols - k);
    const T& old = k == 0 ? beta : one;
    index i = 0;
    const auto some = [&]<int G>(std::integral_constant<int, G>) {
      for (; i + G * N <= rows; i += G * N) dotted_rows<T, X, G>(f, i, 0, k, depth, alpha, old);
    };
    if (!together) some(std::integral_constant<int, most>{});
    if (most > 2 && !together) some(std::integral_constant<int, 2>{});
    some(std::integral_constant<int, 1>{});
    if (i < rows) dotted_rows<T, X, 1>(f, rows - N, static_cast<int>(N - (rows - i)), k, depth, alpha, old);
  }
}

template <class T>
void gemm_dotted(const Dotted<T>& f, const T& alpha, const T& beta, index kc) {
  of_few<dotted_lines<T>>(
      f.c.cols, [&]<int X>(std::integral_constant<int, X>) HWY_ATTR { dotted_product<T, X>(f, alpha, beta, kc); });
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
