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
#include "cpu/simd/unpacked-inl.hpp"

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

/// What a row of a tile meets on the diagonal: a factor (in a solve a reciprocal), a divisor, or nothing. 1 is no
/// factor: (1, 0) times an infinity is a NaN.
enum class Pivots : unsigned char { Factors, Divisors, None };

/// For t^-1 with `inverse`, else for t.
template <bool inverse, class T>
Pivots pivots_of(const Matrix<T*>& a, Diag diag) {
  if (diag == Diag::Unit) return Pivots::None;
  return inverse && !reciprocals_are_safe(a) ? Pivots::Divisors : Pivots::Factors;
}

/// Over the diagonal of a packed corner goes what a tile shall scale by, `diagonal(d)` for the elements d at a,
/// `step` apart.
template <class T, class Diagonal>
HWY_INLINE void put_diagonal(real_t<T>* corner, const T* a, index step, int rows, bool conj, Pivots pivots,
                             Diagonal diagonal) {
  constexpr int MR = Shape<T>::rows;
  for (int k = 0; k < rows; ++k, corner += MR * parts_of<T>) {
    T x = pivots == Pivots::None ? T(1) : a[k * step];
    if constexpr (is_complex<T>)
      if (conj) x = std::conj(x);
    put<MR>(corner, k, diagonal(x), false);
  }
}

/// Packs the lower triangle in slivers; `diagonal(d)` is what is stored for a diagonal element. A corner is
/// packed as a square, of which the kernels use the lower triangle.
template <class T, class Diagonal>
void pack_triangle(real_t<T>* dst, Matrix<T*> a, Pivots pivots, Diagonal diagonal) {
  constexpr int MR = Shape<T>::rows, step = MR * parts_of<T>;
  for (index i0 = 0; i0 < a.rows; i0 += MR) {
    const int rows = static_cast<int>(std::min<index>(MR, a.rows - i0));
    pack<MR>(dst, a.data + i0 * a.row_stride, a.row_stride, a.col_stride, rows, i0 + rows, a.conj);
    dst += i0 * step;
    put_diagonal(dst, a.data + i0 * (a.row_stride + a.col_stride), a.row_stride + a.col_stride, rows, a.conj, pivots,
                 diagonal);
    dst += MR * step;
  }
}

/// The corner of a tile: its own MR × MR triangle. Only a whole one may ignore `rows`: what is padded must
/// not raise an exception flag either.
template <bool whole, class T, class Tile_>
HWY_INLINE void solve_corner(Tile_& tile, const real_t<T>* a, real_t<T>* x, int rows, Pivots pivots) {
  using R = real_t<T>;
  constexpr int MR = Shape<T>::rows;
#pragma GCC unroll 8
  for (int k = 0; k < MR; ++k, a += Tile_::a_step) {
    if (!whole && k >= rows) break;
    tile.finish_row(k);
    if (HWY_UNLIKELY(pivots == Pivots::Divisors))
      tile.divide_row(k, a[k], is_complex<T> ? a[MR + k] : R(0));
    else if (pivots == Pivots::Factors)
      tile.scale_row(k, a[k], is_complex<T> ? a[MR + k] : R(0));
    tile.store_row(k, x + k * Tile_::x_step);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r)
      if (r > k && (whole || r < rows)) tile.template add_row<true>(r, a, tile.re[k], tile.im[k]);
  }
}

template <bool whole, class T, class Tile_>
HWY_INLINE void multiply_corner(Tile_& tile, const real_t<T>* a, const real_t<T>* x, int rows,
                                [[maybe_unused]] Pivots pivots) {
  constexpr int MR = Shape<T>::rows;
#pragma GCC unroll 8
  for (int k = 0; k < MR; ++k, a += Tile_::a_step) {
    if (!whole && k >= rows) break;
    typename Tile_::V xr[Tile_::vectors], xi[Tile_::vectors];
    Tile_::load_row(k, x, xr, xi);
    if constexpr (is_complex<T>) {  // of reals the sum is the same
      if (pivots == Pivots::None)
        tile.add_x(k, xr, xi);
      else
        tile.template add_row<false>(k, a, xr, xi);
    }
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r)
      if (r >= k + is_complex<T> && (whole || r < rows)) tile.template add_row<false>(r, a, xr, xi);
  }
}

/// Some right-hand sides of B, and x, where they are packed.
template <class T, int NV>
struct Panel {
  using R = real_t<T>;
  static constexpr int L = lanes_of<R>, W = NV * L, step = W * parts_of<T>;
  static constexpr index chunk = std::max(L, Shape<T>::rows);  ///< rows that go back at once
  R* x;
  T* b;
  index n, ws, ks;  ///< rows; from a right-hand side of B to the next, from a row to the next
  int cols;
  bool at_once;  ///< all of it is taken before any of it goes back

  /// Packs `rows` rows from `begin` on. What fills up the last tile repeats the last one.
  void take(index begin, index rows) const {
    constexpr int MR = Shape<T>::rows;
    pack<W>(x + begin * step, b + begin * ks, ws, ks, cols, rows, false);
    if (begin + rows == n)
      for (index k = n; k < round_up(n, MR); ++k) std::memcpy(x + k * step, x + (n - 1) * step, step * sizeof(*x));
  }
  /// The chunk that begins there. The next one comes closer.
  HWY_INLINE void take(index begin) const {
    take(begin, std::min(chunk, n - begin));
    if (begin + chunk < n) fetch(b + (begin + chunk) * ks, std::min(chunk, n - begin - chunk));
  }
  /// Brings `rows` rows that begin there closer.
  HWY_INLINE void fetch(const T* from, index rows) const {
    constexpr index line = 64 / sizeof(T);
    if (ws == 1) {
#pragma GCC unroll 1
      for (index k = 0; k < rows; ++k, from += ks)
#pragma GCC unroll 8
        for (index w = 0; w < W; w += line) hwy::Prefetch(from + w);
    } else {
#pragma GCC unroll 1
      for (int w = 0; w < cols; ++w, from += ws) {
        hwy::Prefetch(from);
        hwy::Prefetch(from + (rows - 1) * ks);
      }
    }
  }
  /// Whether rows are whole vectors of B.
  HWY_INLINE bool contiguous() const { return ws == 1 && cols == W; }
  /// The chunk that begins there. Each goes back as soon as it is whole: lines of B come and go while the next rows
  /// are computed.
  HWY_INLINE void put_back(index begin) const {
    unpack<W>(x + begin * step, b + begin * ks, ws, ks, cols, std::min(chunk, n - begin));
  }
};

/// X := alpha L^-1 X for one packed panel of X.
template <class T, int NV>
HWY_NOINLINE void solve_panel(const real_t<T>* a, const Panel<T, NV>& p, const T& alpha, Pivots pivots) {
  constexpr int MR = Shape<T>::rows;
  using Tile_ = Tile<T, MR, NV>;
  constexpr int step = Tile_::a_step;
  if (p.at_once) p.take(0, p.n);
  for (index i0 = 0; i0 < p.n; i0 += MR) {
    const int rows = static_cast<int>(std::min<index>(MR, p.n - i0));
    real_t<T>* const here = p.x + i0 * Tile_::x_step;
    Tile_ tile;
    if (p.at_once) {
      tile.load(here);
    } else if (rows == MR && p.contiguous()) {
      if (i0 + MR < p.n) p.fetch(p.b + (i0 + MR) * p.ks, MR);
      tile.read(p.b + i0 * p.ks, p.ks);
    } else {
      if (p.contiguous() || i0 % p.chunk == 0) p.take(i0);
      tile.load(here);
    }
    if (alpha != T(1)) tile.scale(real_part(alpha), imag_part(alpha));
    tile.template accumulate<true>(i0, a, p.x);
    a += i0 * step;
    if (rows == MR)
      solve_corner<true, T>(tile, a, here, rows, pivots);
    else
      solve_corner<false, T>(tile, a, here, rows, pivots);
    a += MR * step;
    if (const index end = i0 + rows, chunk = p.chunk; end % chunk == 0 || end == p.n)
      p.put_back((end - 1) / chunk * chunk);
  }
}

/// X := alpha L X for one packed panel of X, last rows first.
template <class T, int NV>
HWY_NOINLINE void multiply_panel(const real_t<T>* a, const Panel<T, NV>& p, const T& alpha, Pivots pivots) {
  constexpr int MR = Shape<T>::rows;
  using Tile_ = Tile<T, MR, NV>;
  constexpr int step = Tile_::a_step;
  const index last = (p.n - 1) / MR;
  // The first tile sums all rows: it packs those before its own. Sixteen registers hold too little for that.
  const bool packs = p.contiguous() && !(is_complex<T> && registers == 16);
  if (packs)
    p.take(last * MR, p.n - last * MR);
  else
    p.take(0, p.n);
  for (index b = last; b >= 0; --b) {
    const index i0 = b * MR;
    const int rows = static_cast<int>(std::min<index>(MR, p.n - i0));
    const real_t<T>* sliver = a + sliver_offset<T>(b);
    real_t<T>* const here = p.x + i0 * Tile_::x_step;
    Tile_ tile;
    tile.clear();
    if (HWY_UNLIKELY(packs && b == last))
      tile.accumulate_from(i0, sliver, p.b, p.ks, p.x);
    else
      tile.template accumulate<false>(i0, sliver, p.x);
    sliver += i0 * step;
    if (rows == MR)
      multiply_corner<true, T>(tile, sliver, here, rows, pivots);
    else
      multiply_corner<false, T>(tile, sliver, here, rows, pivots);
    if (alpha != T(1)) tile.scale(real_part(alpha), imag_part(alpha));
    // No row that is still to come needs these.
    if (p.contiguous()) {
      tile.put(p.b + i0 * p.ks, p.ks, rows);
      continue;
    }
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) tile.store_row(r, here + r * Tile_::x_step);
    if (i0 % p.chunk == 0) p.put_back(i0);
  }
}

template <bool inverse, class T, int NV>
void run_panel(const real_t<T>* a, const Panel<T, NV>& panel, const T& alpha, Pivots pivots) {
  if constexpr (inverse)
    solve_panel(a, panel, alpha, pivots);
  else
    multiply_panel(a, panel, alpha, pivots);
}

template <bool inverse, class T>
bool triangular(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& result, bool beside) {
  using R = real_t<T>;
  const bool meets = meets_others(result, beside);
  if (is_tiny(t, result)) return tiny<inverse>(alpha, t, result), true;
  if (apply_unpacked<inverse>(alpha, t, result, meets)) return true;
  constexpr int MR = Shape<T>::rows, NR = Shape<T>::columns, L = lanes_of<R>;
  const index n = t.n(), slivers = (n + MR - 1) / MR;
  const Matrix<T*> a = t.uplo == Uplo::Lower ? t.a : reversed(t.a);
  const Matrix<T*> b = t.uplo == Uplo::Lower ? result : reversed_rows(result);
  R* const packed = scratch<R>(0, static_cast<std::size_t>(sliver_offset<T>(slivers)));
  R* const x = scratch<R>(1, static_cast<std::size_t>(parts_of<T> * NR * slivers * MR));
  if (!packed || !x) return false;

  const Pivots pivots = pivots_of<inverse>(a, t.diag);
  if (inverse && pivots == Pivots::Factors)
    pack_triangle(packed, a, pivots, Reciprocal{});
  else
    pack_triangle(packed, a, pivots, Itself{});
  // Two panels of about two vectors take less time than one of three and one of one.
  Panels<T>(b.cols, false, L).each([&](index j, int cols) HWY_ATTR {
    T* const panel = b.data + j * b.col_stride;
    const auto run = [&]<int NV>(std::integral_constant<int, NV>) HWY_ATTR {
      run_panel<inverse>(packed, Panel<T, NV>{x, panel, n, b.col_stride, b.row_stride, cols, meets}, alpha, pivots);
    };
    switch (vectors_for<T>(cols)) {
      case 1: run(std::integral_constant<int, 1>{}); break;
      case 2: run(std::integral_constant<int, 2>{}); break;
      default: run(std::integral_constant<int, Shape<T>::vectors>{});
    }
  });
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
