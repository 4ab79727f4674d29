// Products with small triangles and contiguous rows of right-hand sides: lanes run along the rows, a few vectors of
// eight of them are summed at a time, from where they lie; elements of the triangle are broadcast, any strides. Every
// entry is rounded as the packed kernels round it. AVX-512 only.
#if defined(TRIGON_CPU_SIMD_FLAT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_FLAT_INL
#undef TRIGON_CPU_SIMD_FLAT_INL
#else
#define TRIGON_CPU_SIMD_FLAT_INL
#endif

#include "cpu/in_place.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/complex-inl.hpp"
#include "cpu/simd/turn-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Whether rows that far apart stay in a cache while they are summed: up to sixteen fill what a set has, more of them
/// leave room for those that come next.
template <class T>
bool rows_stay(const Matrix<T*>& b) {
  constexpr index few = 16;
  return !crowds<T>(b.row_stride, b.rows <= few ? b.rows : 2 * b.rows);
}

/// Whether so many right-hand sides fill their vectors well enough: those that are left unpacked save the more of a
/// smaller triangle's time.
template <class T>
bool are_enough(index order, index cols) {
  constexpr index few = 40, some = 80, lanes = unit_lanes<T>;
  if (order <= few) return cols > 1;
  return order <= some ? (is_complex<T> ? 2 : 4) * cols >= lanes : 2 * cols > lanes;
}

template <class T>
bool is_flat(const Triangle<T*>& t, const Matrix<T*>& b) {
  return HWY_TARGET == HWY_AVX3 && b.col_stride == 1 && t.n() <= in_place_most<T> && rows_stay(b) &&
         are_enough<T>(t.n(), b.cols);
}

/// Whether columns of B are transposed rather than rows of the triangle: where vectors hold so many elements that half
/// of what they sum on the diagonal of a small one is not of the triangle.
template <class T>
bool is_turned(const Triangle<T*>& t, const Matrix<T*>& b) {
  constexpr index least = 24, most = 64;
  return HWY_TARGET == HWY_AVX3 && sizeof(T) == 4 && t.a.row_stride != 1 && b.row_stride == 1 && t.n() >= least &&
         t.n() <= most && 2 * b.cols > unit_lanes<T>;
}

/// A lower triangle: an upper one has negative strides.
template <class T>
struct FlatTriangle {
  const T* data;
  index row, column;
  bool unit, conj;
};

/// U vectors of MR rows. Unless `whole`, some lanes of the last vector are missing: they repeat the first one, so that
/// they raise no exception of their own.
template <class T, int MR, int U, bool whole>
struct FlatTile {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>;
  V sum[MR][U], sign;
  Front<D> last;

  HWY_INLINE FlatTile(bool conj, int reals) : last(reals - (U - 1) * L) {
    const D d;
    sign = turning_sign(d, conj);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) sum[r][u] = hn::Zero(d);
  }

  HWY_INLINE V load(const T* x, int u) const {
    const D d;
    const R* const p = reinterpret_cast<const R*>(x) + u * L;
    if (whole || u + 1 < U) return hn::LoadU(d, p);
    const V filler = is_complex<T> ? hn::OddEven(hn::Set(d, p[parts_of<T> - 1]), hn::Set(d, *p)) : hn::Set(d, *p);
    return hn::IfThenElse(last.mask, last.load(p), filler);
  }

  /// Rows [first, MR) += a column of the triangle times a row of X; with `diagonal` row first - 1 is that one.
  template <int first, bool diagonal>
  HWY_INLINE void step(const T* a, index row, bool unit, const T* x) {
    const D d;
    V xv[U], turned[U];
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u) {
      xv[u] = load(x, u);
      if constexpr (is_complex<T>) turned[u] = hn::Xor(hn::Reverse2(d, xv[u]), sign);
    }
    if (diagonal && unit)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) sum[first - diagonal][u] = hn::Add(sum[first - diagonal][u], xv[u]);
    else if (diagonal)
      add(first - diagonal, a + (first - diagonal) * row, xv, turned);
#pragma GCC unroll 8
    for (int r = first; r < MR; ++r) add(r, a + r * row, xv, turned);
  }
  HWY_INLINE void add(int r, const T* a, const V (&xv)[U], const V (&turned)[U]) {
    const D d;
    const R* const parts = reinterpret_cast<const R*>(a);
    const V ar = hn::Set(d, parts[0]);
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u) sum[r][u] = hn::MulAdd(ar, xv[u], sum[r][u]);
    if constexpr (is_complex<T>) {
      const V ai = hn::Set(d, parts[1]);
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) sum[r][u] = hn::MulAdd(ai, turned[u], sum[r][u]);
    }
  }

  template <int k>
  HWY_INLINE void corner(const T* a, const FlatTriangle<T>& t, const T* x, index ldx) {
    if constexpr (k < MR) {
      step<k + 1, true>(a, t.row, t.unit, x);
      corner<k + 1>(a + t.column, t, x + ldx, ldx);
    }
  }

  /// The rows from i on, of X, rows `ldx` apart.
  HWY_INLINE void multiply(const T& alpha, const FlatTriangle<T>& t, index i, T* x, index ldx) {
    const D d;
    const T* a = t.data + i * t.row;
    const T* xk = x;
#pragma GCC unroll 1
    for (index k = 0; k < i; ++k, a += t.column, xk += ldx) step<0, false>(a, t.row, false, xk);
    corner<0>(a, t, xk, ldx);
    if (alpha != T(1))
#pragma GCC unroll 8
      for (int r = 0; r < MR; ++r)
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) sum[r][u] = multiplied(d, alpha, sum[r][u]);
    T* y = x + i * ldx;
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r, y += ldx)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) {
        R* const p = reinterpret_cast<R*>(y) + u * L;
        whole || u + 1 < U ? hn::StoreU(sum[r][u], d, p) : last.store(sum[r][u], p);
      }
  }
};

template <class T, int MR, int U, bool whole>
HWY_NOINLINE void flat_tile(const T& alpha, const FlatTriangle<T>& t, index i, T* x, index ldx, int reals) {
  FlatTile<T, MR, U, whole> tile(t.conj, reals);
  tile.multiply(alpha, t, i, x, ldx);
}

/// Rows of a tile, and vectors of them: as many sums as registers hold.
inline constexpr int flat_rows = 8;
template <class T>
inline constexpr int flat_width = is_complex<T> ? 2 : 3;

/// All rows of `reals` lanes of X, the last ones first. The fewer rows than a tile's that remain have the least to sum.
template <class T, int U, bool whole>
void flat_band(const T& alpha, const FlatTriangle<T>& t, index n, T* x, index ldx, int reals) {
  index i = n;
  for (; i >= flat_rows; i -= flat_rows) flat_tile<T, flat_rows, U, whole>(alpha, t, i - flat_rows, x, ldx, reals);
  of_few<flat_rows - 1>(i, [&]<int MR>(std::integral_constant<int, MR>)
                               HWY_ATTR { flat_tile<T, MR, U, whole>(alpha, t, 0, x, ldx, reals); });
}

/// f(number, first, end) for some vectors at a time, about as many each, of `cols` columns.
template <class T, class F>
HWY_INLINE void flat_bands(index cols, const F& f) {
  constexpr index lines = unit_lanes<T>, most = flat_width<T>;
  of_each<most>((cols + lines - 1) / lines, [&]<int U>(std::integral_constant<int, U> number, index done) HWY_ATTR {
    f(number, done * lines, std::min(cols, (done + U) * lines));
  });
}

template <class T>
FlatTriangle<T> flat_triangle(const Triangle<T*>& t) {
  const index n = t.n(), turn = t.uplo == Uplo::Lower ? 1 : -1, last = t.uplo == Uplo::Lower ? 0 : n - 1;
  return {t.a.data + last * (t.a.row_stride + t.a.col_stride), turn * t.a.row_stride, turn * t.a.col_stride,
          t.diag == Diag::Unit, is_complex<T> && t.a.conj};
}

/// b := alpha t b.
template <class T>
void multiply_flat([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                   [[maybe_unused]] const Matrix<T*>& b) {
  if constexpr (HWY_TARGET == HWY_AVX3) {
    const FlatTriangle<T> lower = flat_triangle(t);
    const index n = t.n();
    T* const x = t.uplo == Uplo::Lower ? b.data : b.data + (n - 1) * b.row_stride;
    const index ldx = t.uplo == Uplo::Lower ? b.row_stride : -b.row_stride;
    flat_bands<T>(b.cols, [&]<int U>(std::integral_constant<int, U>, index j, index end) HWY_ATTR {
      const int reals = static_cast<int>(end - j) * parts_of<T>;
      if (end - j == U * unit_lanes<T>)
        flat_band<T, U, true>(alpha, lower, n, x + j, ldx, reals);
      else
        flat_band<T, U, false>(alpha, lower, n, x + j, ldx, reals);
    });
  }
}

/// The same for contiguous columns, each band of which is transposed on its way to the first cache and back. Lanes that
/// do not exist repeat one that does. False if there is no memory for a band.
template <class T>
bool multiply_turned([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                     [[maybe_unused]] const Matrix<T*>& b) {
  if constexpr (HWY_TARGET == HWY_AVX3 && sizeof(T) == 4) {
    constexpr int lines = unit_lanes<T>;
    const FlatTriangle<T> lower = flat_triangle(t);
    const index n = t.n(), ldb = b.col_stride;
    T* const x = reinterpret_cast<T*>(
        scratch<real_t<T>>(1, static_cast<std::size_t>(parts_of<T> * flat_width<T> * lines * round_up(n, lines))));
    if (!x) return false;
    flat_bands<T>(b.cols, [&]<int U>(std::integral_constant<int, U>, index j, index end) HWY_ATTR {
      constexpr index ldx = U * lines;
      turn_blocks<lines, Part::Whole>(b.data + j * ldb, ldb, end - j, n, x, ldx);
      const bool down = t.uplo == Uplo::Lower;
      flat_band<T, U, true>(alpha, lower, n, down ? x : x + (n - 1) * ldx, down ? ldx : -ldx, ldx * parts_of<T>);
      turn_blocks<lines, Part::Whole, true>(x, ldx, n, end - j, b.data + j * ldb, ldb);
    });
  }
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
