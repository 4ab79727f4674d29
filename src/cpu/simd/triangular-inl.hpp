// Packed TRSM and TRMM: the triangle becomes slivers of MR rows that end on the diagonal, B a panel of a
// few vectors; each tile first meets the rows before it, then its own corner of the triangle.
// An upper triangle is a lower one read backwards, so there is one direction only. Inside the corner k is
// bounded per row: nothing that was padded ever meets a NaN.
#if defined(TRIGON_CPU_SIMD_TRIANGULAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_TRIANGULAR_INL
#undef TRIGON_CPU_SIMD_TRIANGULAR_INL
#else
#define TRIGON_CPU_SIMD_TRIANGULAR_INL
#endif

#include "cpu/reciprocal.hpp"
#include "cpu/simd/gemm-inl.hpp"
#include "cpu/simd/tiny-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Rows and columns in opposite order: turns an upper triangle into a lower one.
template <class T>
Matrix<T*> reversed_rows(Matrix<T*> b) {
  b.data += (b.rows - 1) * b.row_stride;
  b.row_stride = -b.row_stride;
  return b;
}
template <class T>
Matrix<T*> reversed(Matrix<T*> a) {
  return core::transpose(reversed_rows(core::transpose(reversed_rows(a))));
}

/// Elements before sliver b: slivers 0 … b-1 have 1 … b square corners each.
template <class T>
constexpr index sliver_offset(index b) {
  constexpr index corner = Shape<T>::rows * Shape<T>::rows * parts_of<T>;
  return b * (b + 1) / 2 * corner;
}

/// Over the diagonal of a packed corner goes what a tile shall scale by, `diagonal(d)` for the elements d at a,
/// `step` apart.
template <class T, class Diagonal>
HWY_INLINE void put_diagonal(real_t<T>* corner, const T* a, index step, int rows, bool conj, Diag diag,
                             Diagonal diagonal) {
  constexpr int MR = Shape<T>::rows;
  for (int k = 0; k < rows; ++k, corner += MR * parts_of<T>) {
    T x = diag == Diag::Unit ? T(1) : a[k * step];
    if constexpr (is_complex<T>)
      if (conj) x = std::conj(x);
    put<MR>(corner, k, diagonal(x), false);
  }
}

/// Packs the lower triangle in slivers; `diagonal(d)` is what is stored for a diagonal element. A corner is
/// packed as a square, of which the kernels use the lower triangle.
template <class T, class Diagonal>
void pack_triangle(real_t<T>* dst, Matrix<T*> a, Diag diag, Diagonal diagonal) {
  constexpr int MR = Shape<T>::rows, step = MR * parts_of<T>;
  for (index i0 = 0; i0 < a.rows; i0 += MR) {
    const int rows = static_cast<int>(std::min<index>(MR, a.rows - i0));
    pack<MR>(dst, a.data + i0 * a.row_stride, a.row_stride, a.col_stride, rows, i0 + rows, a.conj);
    dst += i0 * step;
    put_diagonal(dst, a.data + i0 * (a.row_stride + a.col_stride), a.row_stride + a.col_stride, rows, a.conj, diag,
                 diagonal);
    dst += MR * step;
  }
}

/// The corner of a tile: its own MR × MR triangle. Only a whole one may ignore `rows`: what is padded must
/// not raise an exception flag either.
template <bool whole, class T, class Tile_>
HWY_INLINE void solve_corner(Tile_& tile, const real_t<T>* a, real_t<T>* x, int rows, bool divide) {
  using R = real_t<T>;
  constexpr int MR = Shape<T>::rows;
#pragma GCC unroll 8
  for (int k = 0; k < MR; ++k, a += Tile_::a_step) {
    if (!whole && k >= rows) break;
    tile.finish_row(k);
    if (HWY_UNLIKELY(divide))
      tile.divide_row(k, a[k], is_complex<T> ? a[MR + k] : R(0));
    else
      tile.scale_row(k, a[k], is_complex<T> ? a[MR + k] : R(0));
    tile.store_row(k, x + k * Tile_::x_step);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r)
      if (r > k && (whole || r < rows)) tile.template add_row<true>(r, a, tile.re[k], tile.im[k]);
  }
}

template <bool whole, class T, class Tile_>
HWY_INLINE void multiply_corner(Tile_& tile, const real_t<T>* a, const real_t<T>* x, int rows) {
  constexpr int MR = Shape<T>::rows;
#pragma GCC unroll 8
  for (int k = 0; k < MR; ++k, a += Tile_::a_step) {
    if (!whole && k >= rows) break;
    typename Tile_::V xr[Tile_::vectors], xi[Tile_::vectors];
    Tile_::load_row(k, x, xr, xi);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r)
      if (r >= k && (whole || r < rows)) tile.template add_row<false>(r, a, xr, xi);
  }
}

/// X := alpha L^-1 X for one packed panel of X.
template <class T, int NV>
HWY_NOINLINE void solve_panel(index n, const real_t<T>* a, real_t<T>* x, const T& alpha, bool divide) {
  using R = real_t<T>;
  constexpr int MR = Shape<T>::rows;
  using Tile_ = Tile<T, MR, NV>;
  constexpr int step = Tile_::a_step;
  for (index i0 = 0; i0 < n; i0 += MR) {
    const int rows = static_cast<int>(std::min<index>(MR, n - i0));
    R* const here = x + i0 * Tile_::x_step;
    Tile_ tile;
    tile.load(here);
    if (alpha != T(1)) tile.scale(real_part(alpha), imag_part(alpha));
    tile.template accumulate<true>(i0, a, x);
    a += i0 * step;
    if (rows == MR)
      solve_corner<true, T>(tile, a, here, rows, divide);
    else
      solve_corner<false, T>(tile, a, here, rows, divide);
    a += MR * step;
  }
}

/// X := alpha L X for one packed panel of X, last rows first.
template <class T, int NV>
HWY_NOINLINE void multiply_panel(index n, const real_t<T>* a, real_t<T>* x, const T& alpha) {
  using R = real_t<T>;
  constexpr int MR = Shape<T>::rows;
  using Tile_ = Tile<T, MR, NV>;
  constexpr int step = Tile_::a_step;
  for (index b = (n - 1) / MR; b >= 0; --b) {
    const index i0 = b * MR;
    const int rows = static_cast<int>(std::min<index>(MR, n - i0));
    const R* sliver = a + sliver_offset<T>(b);
    R* const here = x + i0 * Tile_::x_step;
    Tile_ tile;
    tile.clear();
    tile.template accumulate<false>(i0, sliver, x);
    sliver += i0 * step;
    if (rows == MR)
      multiply_corner<true, T>(tile, sliver, here, rows);
    else
      multiply_corner<false, T>(tile, sliver, here, rows);
    if (alpha != T(1)) tile.scale(real_part(alpha), imag_part(alpha));
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) tile.store_row(r, here + r * Tile_::x_step);
  }
}

template <bool inverse, class T, int NV>
void run_panel(index n, const real_t<T>* a, real_t<T>* x, const T& alpha, bool divide, T* b, index ws, index ks,
               int cols) {
  constexpr int MR = Shape<T>::rows, W = NV * lanes_of<real_t<T>>, step = W * parts_of<T>;
  pack<W>(x, b, ws, ks, cols, n, false);
  for (index k = n; k < round_up(n, MR); ++k) std::memcpy(x + k * step, x + (n - 1) * step, step * sizeof(*x));
  if constexpr (inverse)
    solve_panel<T, NV>(n, a, x, alpha, divide);
  else
    multiply_panel<T, NV>(n, a, x, alpha);
  unpack<W>(x, b, ws, ks, cols, n);
}

template <bool inverse, class T>
bool triangular(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& result) {
  using R = real_t<T>;
  if (is_tiny(t, result)) return tiny<inverse>(alpha, t, result), true;
  constexpr int MR = Shape<T>::rows, NR = Shape<T>::columns;
  const index n = t.n(), slivers = (n + MR - 1) / MR;
  const Matrix<T*> a = t.uplo == Uplo::Lower ? t.a : reversed(t.a);
  const Matrix<T*> b = t.uplo == Uplo::Lower ? result : reversed_rows(result);
  R* const packed = scratch<R>(0, static_cast<std::size_t>(sliver_offset<T>(slivers)));
  R* const x = scratch<R>(1, static_cast<std::size_t>(parts_of<T> * NR * slivers * MR));
  if (!packed || !x) return false;

  bool divide = false;
  if constexpr (inverse) {
    divide = t.diag == Diag::NonUnit && !reciprocals_are_safe(a);
    if (divide)
      pack_triangle(packed, a, t.diag, Itself{});
    else
      pack_triangle(packed, a, t.diag, Reciprocal{});
  } else {
    pack_triangle(packed, a, t.diag, Itself{});
  }
  for (index j = 0; j < b.cols; j += NR) {
    const int cols = static_cast<int>(std::min<index>(NR, b.cols - j));
    T* const panel = b.data + j * b.col_stride;
    switch (vectors_for<T>(cols)) {
      case 1: run_panel<inverse, T, 1>(n, packed, x, alpha, divide, panel, b.col_stride, b.row_stride, cols); break;
      case 2: run_panel<inverse, T, 2>(n, packed, x, alpha, divide, panel, b.col_stride, b.row_stride, cols); break;
      default:
        run_panel<inverse, T, Shape<T>::vectors>(n, packed, x, alpha, divide, panel, b.col_stride, b.row_stride, cols);
    }
  }
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
