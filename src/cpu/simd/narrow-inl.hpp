// Few right-hand sides: the triangle is read once, in place, and nothing of it is packed. Strips of eight
// columns (or rows, when the rows are contiguous) alternate with their own small triangle.
//
// Right-hand sides live in a contiguous buffer, column by column. Complex elements stay interleaved:
// a x is kept as two real products, a·Re x and a·Im x, which are combined once per strip.
#if defined(TRIGON_CPU_SIMD_NARROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_NARROW_INL
#undef TRIGON_CPU_SIMD_NARROW_INL
#else
#define TRIGON_CPU_SIMD_NARROW_INL
#endif

#include "cpu/kernels.hpp"
#include "cpu/reciprocal.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/complex-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

inline constexpr int strip = 8;

/// y += sign · A x for `RHS` right-hand sides: A has contiguous columns (lda apart) of `rows` elements,
/// `cols` <= strip of them. x and y: right-hand sides ldx and ldy apart.
template <class T, int RHS, int U, bool whole>
HWY_INLINE void columns_block(const T* a, index lda, int cols, const T* x, index ldx, T* y, index ldy, real_t<T> sign,
                              bool conj, int last) {
  using R = real_t<T>;
  constexpr int L = lanes_of<R>, P = parts_of<T>;
  const Tag<R> d;
  using V = hn::Vec<Tag<R>>;
  V p[RHS][U], q[RHS][is_complex<T> ? U : 1];
#pragma GCC unroll 8
  for (int s = 0; s < RHS; ++s)
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) {
      p[s][u] = hn::Zero(d);
      if constexpr (is_complex<T>) q[s][u] = hn::Zero(d);
    }
  for (int k = 0; k < cols; ++k) {
    const R* column = reinterpret_cast<const R*>(a + k * lda);
    V av[U];
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u)
      av[u] = whole || u + 1 < U ? hn::LoadU(d, column + u * L) : load_first(d, column + u * L, last);
#pragma GCC unroll 8
    for (int s = 0; s < RHS; ++s) {
      const R* xs = reinterpret_cast<const R*>(x + k + s * ldx);
      const V xr = hn::Set(d, xs[0]);
#pragma GCC unroll 8
      for (int u = 0; u < U; ++u) p[s][u] = hn::MulAdd(av[u], xr, p[s][u]);
      if constexpr (is_complex<T>) {
        const V xi = hn::Set(d, xs[P - 1]);
#pragma GCC unroll 8
        for (int u = 0; u < U; ++u) q[s][u] = hn::MulAdd(av[u], xi, q[s][u]);
      }
    }
  }
  const V factor = hn::Set(d, sign);
#pragma GCC unroll 8
  for (int s = 0; s < RHS; ++s)
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) {
      V sum = p[s][u];
      if constexpr (is_complex<T>) sum = combine(d, p[s][u], q[s][u], conj);
      R* out = reinterpret_cast<R*>(y + s * ldy) + u * L;
      if (whole || u + 1 < U) hn::StoreU(hn::MulAdd(factor, sum, hn::LoadU(d, out)), d, out);
      else store_first(hn::MulAdd(factor, sum, load_first(d, out, last)), d, out, last);
    }
}

template <class T, int RHS>
void columns_update(const T* a, index lda, index rows, int cols, const T* x, index ldx, T* y, index ldy, real_t<T> sign,
                    bool conj) {
  constexpr int P = parts_of<T>, L = lanes_of<real_t<T>>;
  constexpr int budget = registers / 2, U = std::max(1, std::min(4, budget / (RHS * P)));
  index i = 0;
  const index reals = rows * P;
  for (; i + U * L <= reals; i += U * L)
    columns_block<T, RHS, U, true>(a + i / P, lda, cols, x, ldx, y + i / P, ldy, sign, conj, L);
  for (; i + L <= reals; i += L)
    columns_block<T, RHS, 1, true>(a + i / P, lda, cols, x, ldx, y + i / P, ldy, sign, conj, L);
  if (i < reals)
    columns_block<T, RHS, 1, false>(a + i / P, lda, cols, x, ldx, y + i / P, ldy, sign, conj,
                                    static_cast<int>(reals - i));
}

/// y += sign · A x for RHS right-hand sides and ROWS rows: A has contiguous rows (lda apart) of `cols`.
template <class T, int RHS, int ROWS>
HWY_INLINE void rows_block(const T* a, index lda, index cols, const T* x, index ldx, T* y, index ldy, real_t<T> sign,
                           bool conj) {
  using R = real_t<T>;
  constexpr int L = lanes_of<R>, P = parts_of<T>;
  const Tag<R> d;
  using V = hn::Vec<Tag<R>>;
  // Complex: p sums (Re a Re x, Im a Im x), q sums (Re a Im x, Im a Re x).
  V p[ROWS][RHS], q[ROWS][is_complex<T> ? RHS : 1];
#pragma GCC unroll 8
  for (int r = 0; r < ROWS; ++r)
#pragma GCC unroll 8
    for (int s = 0; s < RHS; ++s) {
      p[r][s] = hn::Zero(d);
      if constexpr (is_complex<T>) q[r][s] = hn::Zero(d);
    }
  const index reals = cols * P;
  for (index k = 0; k < reals; k += L) {
    const bool whole = k + L <= reals;
    const int last = static_cast<int>(reals - k);
    V xv[RHS], xw[is_complex<T> ? RHS : 1];
#pragma GCC unroll 8
    for (int s = 0; s < RHS; ++s) {
      const R* xs = reinterpret_cast<const R*>(x + s * ldx) + k;
      xv[s] = HWY_LIKELY(whole) ? hn::LoadU(d, xs) : load_first(d, xs, last);
      if constexpr (is_complex<T>) xw[s] = hn::Reverse2(d, xv[s]);
    }
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; ++r) {
      const R* row = reinterpret_cast<const R*>(a + r * lda) + k;
      const V av = HWY_LIKELY(whole) ? hn::LoadU(d, row) : load_first(d, row, last);
#pragma GCC unroll 8
      for (int s = 0; s < RHS; ++s) {
        p[r][s] = hn::MulAdd(av, xv[s], p[r][s]);
        if constexpr (is_complex<T>) q[r][s] = hn::MulAdd(av, xw[s], q[r][s]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < ROWS; ++r)
#pragma GCC unroll 8
    for (int s = 0; s < RHS; ++s) {
      T* out = y + r + s * ldy;
      if constexpr (is_complex<T>) {
        const V zero = hn::Zero(d);
        const R pe = hn::GetLane(hn::SumOfLanes(d, hn::OddEven(zero, p[r][s])));
        const R po = hn::GetLane(hn::SumOfLanes(d, hn::OddEven(p[r][s], zero)));
        const R qe = hn::GetLane(hn::SumOfLanes(d, hn::OddEven(zero, q[r][s])));
        const R qo = hn::GetLane(hn::SumOfLanes(d, hn::OddEven(q[r][s], zero)));
        const R re = conj ? pe + po : pe - po, im = conj ? qe - qo : qe + qo;
        *out = T(out->real() + sign * re, out->imag() + sign * im);
      } else {
        *out += sign * hn::GetLane(hn::SumOfLanes(d, p[r][s]));
      }
    }
}

template <class T, int RHS>
void rows_update(const T* a, index lda, int rows, index cols, const T* x, index ldx, T* y, index ldy, real_t<T> sign,
                 bool conj) {
  constexpr int budget = registers / 2, ROWS = std::max(1, std::min(strip, budget / (RHS * parts_of<T>)));
  int r = 0;
  for (; r + ROWS <= rows; r += ROWS) rows_block<T, RHS, ROWS>(a + r * lda, lda, cols, x, ldx, y + r, ldy, sign, conj);
  for (; r < rows; ++r) rows_block<T, RHS, 1>(a + r * lda, lda, cols, x, ldx, y + r, ldy, sign, conj);
}

/// How much of the long direction is taken at a time: with many right-hand sides A must stay in the first
/// cache between their groups, so that it comes from memory once.
template <class T> index chunk_of(index length, index width, index rhs) {
  constexpr index bytes = 16384, least = 32;
  return rhs <= 4 ? length : std::max(least, bytes / (static_cast<index>(sizeof(T)) * width));
}

/// y += sign · A x for any number of right-hand sides, in groups of four.
template <class T>
void update_columns(const T* a, index lda, index rows, int cols, const T* x, T* y, index ld, index rhs, real_t<T> sign,
                    bool conj) {
  const index chunk = chunk_of<T>(rows, cols, rhs);
  for (index i = 0; i < rows; i += chunk) {
    const index count = std::min(chunk, rows - i);
    index s = 0;
    for (; s + 4 <= rhs; s += 4)
      columns_update<T, 4>(a + i, lda, count, cols, x + s * ld, ld, y + i + s * ld, ld, sign, conj);
    if (rhs - s == 3) columns_update<T, 3>(a + i, lda, count, cols, x + s * ld, ld, y + i + s * ld, ld, sign, conj);
    if (rhs - s == 2) columns_update<T, 2>(a + i, lda, count, cols, x + s * ld, ld, y + i + s * ld, ld, sign, conj);
    if (rhs - s == 1) columns_update<T, 1>(a + i, lda, count, cols, x + s * ld, ld, y + i + s * ld, ld, sign, conj);
  }
}

template <class T>
void update_rows(const T* a, index lda, int rows, index cols, const T* x, T* y, index ld, index rhs, real_t<T> sign,
                 bool conj) {
  const int group = rhs <= 4 ? rows : 4;  // rows that stay in the cache for all right-hand sides
  const index chunk = chunk_of<T>(cols, group, rhs);
  for (int r = 0; r < rows; r += group)
    for (index k = 0; k < cols; k += chunk) {
      const T* const part = a + r * lda + k;
      const int height = std::min(group, rows - r);
      const index count = std::min(chunk, cols - k);
      index s = 0;
      for (; s + 4 <= rhs; s += 4)
        rows_update<T, 4>(part, lda, height, count, x + k + s * ld, ld, y + r + s * ld, ld, sign, conj);
      if (rhs - s == 3) rows_update<T, 3>(part, lda, height, count, x + k + s * ld, ld, y + r + s * ld, ld, sign, conj);
      if (rhs - s == 2) rows_update<T, 2>(part, lda, height, count, x + k + s * ld, ld, y + r + s * ld, ld, sign, conj);
      if (rhs - s == 1) rows_update<T, 1>(part, lda, height, count, x + k + s * ld, ld, y + r + s * ld, ld, sign, conj);
    }
}

/// One block of the triangle in dependency order: rows and columns [at, at + size), where the rows before
/// it in that order begin, and where those after it do.
struct Strip {
  index at, before, after;
  int size;
};
template <class T> Strip strip_of(const Triangle<T*>& t, index done, int width) {
  const int size = static_cast<int>(std::min<index>(width, t.n() - done));
  if (t.uplo == Uplo::Lower) return {done, 0, done + size, size};
  const index at = t.n() - done - size;
  return {at, at + size, 0, size};
}

template <class T> Triangle<T*> corner(const Triangle<T*>& t, const Strip& s) {
  return {t.a.block(s.at, s.at, s.size, s.size), t.uplo, t.diag};
}

/// Complex products as BLAS means them: no recovery of infinities.
template <class T> HWY_INLINE T times(T a, T x) {
  if constexpr (is_complex<T>)
    return {a.real() * x.real() - a.imag() * x.imag(), a.real() * x.imag() + a.imag() * x.real()};
  else return a * x;
}

/// The small triangle of a strip, its elements gathered once in dependency order.
template <class T> struct Corner {
  T a[strip][strip];
  T diagonal[strip];
  bool unit, divide;
  int size;
  index step;

  HWY_INLINE Corner(const Triangle<T*>& t, bool inverse) : unit(t.diag == Diag::Unit), divide(false), size(int(t.n())) {
    const Matrix<T*>& m = t.a;
    step = t.uplo == Uplo::Lower ? 1 : -1;
    const index first = step == 1 ? 0 : size - 1;
    for (int i = 0; i < size; ++i)
      for (int k = 0; k <= i; ++k) {
        if (unit && k == i) continue;
        T x = m.data[(first + step * i) * m.row_stride + (first + step * k) * m.col_stride];
        if constexpr (is_complex<T>)
          if (m.conj) x = std::conj(x);
        a[i][k] = x;
      }
    for (int i = 0; i < size && !unit; ++i) divide |= !reciprocal_is_safe(a[i][i]);
    for (int i = 0; i < size && !unit; ++i) diagonal[i] = inverse && !divide ? Reciprocal{}(a[i][i]) : a[i][i];
  }

  HWY_INLINE void solve(T* x) const {  // x points at the first row in dependency order
    for (int i = 0; i < size; ++i) {
      T value = x[i * step];
      for (int k = 0; k < i; ++k) value -= times(a[i][k], x[k * step]);
      if (!unit) value = divide ? quotient(value, diagonal[i]) : times(diagonal[i], value);
      x[i * step] = value;
    }
  }
  HWY_INLINE void multiply(T* x) const {
    for (int i = size - 1; i >= 0; --i) {
      T value = unit ? x[i * step] : times(diagonal[i], x[i * step]);
      for (int k = 0; k < i; ++k) value += times(a[i][k], x[k * step]);
      x[i * step] = value;
    }
  }
};

template <bool inverse, class T> void apply_corner(const Triangle<T*>& t, Matrix<T*> b) {
  const Corner<T> corner(t, inverse);
  T* const first = b.data + (corner.step == 1 ? 0 : corner.size - 1);
  for (index j = 0; j < b.cols; ++j) {
    if constexpr (inverse) corner.solve(first + j * b.col_stride);
    else corner.multiply(first + j * b.col_stride);
  }
}

/// Wide blocks carry far, so that right-hand sides are loaded and stored seldom; narrow ones, of an order that
/// is solved at once, carry within a wide one.
inline constexpr int wide = 32;

/// b is contiguous by columns. Columns of T contiguous: each block is carried on to the rows that depend
/// on it. Rows contiguous: each block first collects what it depends on.
template <int width, class T> void solve_strips(const Triangle<T*>& t, const Matrix<T*>& b) {
  const bool by_columns = t.a.row_stride == 1;
  const index lda = by_columns ? t.a.col_stride : t.a.row_stride;
  for (index done = 0; done < t.n(); done += width) {
    const Strip s = strip_of(t, done, width);
    const Matrix<T*> here = b.block(s.at, 0, s.size, b.cols);
    if (!by_columns && done > 0)
      update_rows(t.a.data + s.at * lda + s.before, lda, s.size, done, b.data + s.before, here.data, b.col_stride, b.cols,
                  real_t<T>(-1), t.a.conj);
    if constexpr (width == strip) apply_corner<true>(corner(t, s), here);
    else solve_strips<strip>(corner(t, s), here);
    if (by_columns)
      update_columns(t.a.data + s.after + s.at * lda, lda, t.n() - done - s.size, s.size, here.data, b.data + s.after,
                     b.col_stride, b.cols, real_t<T>(-1), t.a.conj);
  }
}

template <int width, class T> void multiply_strips(const Triangle<T*>& t, const Matrix<T*>& b) {
  const bool by_columns = t.a.row_stride == 1;
  const index lda = by_columns ? t.a.col_stride : t.a.row_stride;
  for (index done = (t.n() - 1) / width * width; done >= 0; done -= width) {
    const Strip s = strip_of(t, done, width);
    const Matrix<T*> here = b.block(s.at, 0, s.size, b.cols);
    if (by_columns)
      update_columns(t.a.data + s.after + s.at * lda, lda, t.n() - done - s.size, s.size, here.data, b.data + s.after,
                     b.col_stride, b.cols, real_t<T>(1), t.a.conj);
    if constexpr (width == strip) apply_corner<false>(corner(t, s), here);
    else multiply_strips<strip>(corner(t, s), here);
    if (!by_columns && done > 0)
      update_rows(t.a.data + s.at * lda + s.before, lda, s.size, done, b.data + s.before, here.data, b.col_stride, b.cols,
                  real_t<T>(1), t.a.conj);
  }
}

/// Small triangles are not worth a second level.
template <bool inverse, class T> void by_strips(const Triangle<T*>& t, const Matrix<T*>& b) {
  const bool two_levels = t.n() > 2 * wide;
  if constexpr (inverse) two_levels ? solve_strips<wide>(t, b) : solve_strips<strip>(t, b);
  else two_levels ? multiply_strips<wide>(t, b) : multiply_strips<strip>(t, b);
}

template <bool inverse, class T> bool narrow(T alpha, const Triangle<T*>& t, const Matrix<T*>& b) {
  if (b.row_stride == 1) {
    if (alpha != T(1))
      for (index j = 0; j < b.cols; ++j)
        for (index i = 0; i < b.rows; ++i) b.data[i + j * b.col_stride] = times(alpha, b.data[i + j * b.col_stride]);
    by_strips<inverse>(t, b);
    return true;
  }
  T* const copy = scratch<T>(2, static_cast<std::size_t>(b.rows * b.cols));
  if (!copy) return false;
  const Matrix<T*> x{copy, b.rows, b.cols, 1, b.rows};
  for (index j = 0; j < b.cols; ++j)
    for (index i = 0; i < b.rows; ++i) {
      const T value = b.data[i * b.row_stride + j * b.col_stride];
      copy[i + j * b.rows] = alpha == T(1) ? value : times(alpha, value);
    }
  by_strips<inverse>(t, x);
  for (index j = 0; j < b.cols; ++j)
    for (index i = 0; i < b.rows; ++i) b.data[i * b.row_stride + j * b.col_stride] = copy[i + j * b.rows];
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
