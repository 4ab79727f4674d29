// Few right-hand sides: the triangle is read once, in place, and nothing of it is packed. Strips of columns
// (or of rows, when the rows are contiguous) alternate with their own corner of the triangle.
#if defined(TRIGON_CPU_SIMD_NARROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_NARROW_INL
#undef TRIGON_CPU_SIMD_NARROW_INL
#else
#define TRIGON_CPU_SIMD_NARROW_INL
#endif

#include "core/plan.hpp"
#include "cpu/kernels.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/chain-inl.hpp"
#include "cpu/simd/relay-inl.hpp"
#include "cpu/simd/thin-inl.hpp"
#include "cpu/simd/tiny-inl.hpp"
#include "cpu/simd/unpacked-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// One block of the triangle in dependency order: rows and columns [at, at + size), where the rows before
/// it in that order begin, and where those after it do.
struct Strip {
  index at, before, after;
  int size;
};
template <class T>
Strip strip_of(const Triangle<T*>& t, index done, int width) {
  const int size = static_cast<int>(std::min<index>(width, t.n() - done));
  if (t.uplo == Uplo::Lower) return {done, 0, done + size, size};
  const index at = t.n() - done - size;
  return {at, at + size, 0, size};
}

/// Wide strips load and store right-hand sides seldom; inside them are strips that are solved at once.
inline constexpr int wide = 32;

/// The triangle and right-hand sides of a narrow call, b contiguous by columns.
template <class T>
struct Narrow {
  Triangle<T*> t;
  Matrix<T*> b;

  bool by_columns() const { return t.a.row_stride == 1; }
  Narrow block(const Strip& s) const {
    return {{t.a.block(s.at, s.at, s.size, s.size), t.uplo, t.diag}, b.block(s.at, 0, s.size, b.cols)};
  }

  /// Columns that are read together. Eight of what memory delivers: 1.5 to 2.4 times as fast as 32 (Zen 4, two and four
  /// right-hand sides). In a cache that costs a sixth, because right-hand sides pass more often.
  int streams() const { return core::triangle_bytes(t.n(), sizeof(T)) > core::cached_bytes ? 8 : wide; }

  /// What a strip of columns does to `count` of the rows after it, from the one numbered `from` on.
  void carry(const Strip& s, index from, index count, real_t<T> sign) const {
    if (count == 0) return;
    const index row = s.after + from;
    const int step = streams();
    for (int k = 0; k < s.size; k += step)
      update_columns(t.a.data + row + (s.at + k) * t.a.col_stride, t.a.col_stride, count, std::min(step, s.size - k),
                     b.data + s.at + k, b.col_stride, b.data + row, b.col_stride, b.cols, sign, t.a.conj);
  }
  /// What the `done` rows before it do to `count` rows of a strip, likewise.
  void collect(const Strip& s, index done, index from, index count, real_t<T> sign) const {
    if (done == 0) return;
    const index row = s.at + from;
    update_rows(t.a.data + row * t.a.row_stride + s.before, t.a.row_stride, static_cast<int>(count), done,
                b.data + s.before, b.col_stride, b.data + row, b.col_stride, b.cols, sign, t.a.conj);
  }
};

template <int width, class T>
void solve_strips(const Narrow<T>& p) {
  for (index done = 0; done < p.t.n(); done += width) {
    const Strip s = strip_of(p.t, done, width);
    if (!p.by_columns()) p.collect(s, done, 0, s.size, -1);
    if constexpr (width > corner_order<T>)
      solve_strips<corner_order<T>>(p.block(s));
    else
      apply_corner<true>(p.block(s).t, p.block(s).b);
    if (p.by_columns()) p.carry(s, 0, p.t.n() - done - s.size, -1);
  }
}

template <int width, class T>
void multiply_strips(const Narrow<T>& p) {
  for (index done = (p.t.n() - 1) / width * width; done >= 0; done -= width) {
    const Strip s = strip_of(p.t, done, width);
    if (p.by_columns()) p.carry(s, 0, p.t.n() - done - s.size, 1);
    if constexpr (width > corner_order<T>)
      multiply_strips<corner_order<T>>(p.block(s));
    else
      apply_corner<false>(p.block(s).t, p.block(s).b);
    if (!p.by_columns()) p.collect(s, done, 0, s.size, 1);
  }
}

/// One right-hand side and rows of complex numbers: strips begin at multiples of their width.
template <bool inverse, class T>
void strips_of_one(const Narrow<T>& p) {
  constexpr index width = short_rows;
  const index n = p.t.n(), strips = (n + width - 1) / width;
  const bool lower = p.t.uplo == Uplo::Lower;
  for (index q = 0; q < strips; ++q) {
    const index at = (inverse == lower ? q : strips - 1 - q) * width, end = std::min(n, at + width);
    const Strip s{at, lower ? 0 : end, 0, static_cast<int>(end - at)};
    const index before = lower ? at : n - end;
    const Narrow<T> corner = p.block(s);
    if (inverse) p.collect(s, before, 0, s.size, -1);
    apply_few_rows<inverse>(corner.t, corner.b.data);
    if (!inverse) p.collect(s, before, 0, s.size, 1);
  }
}

template <bool inverse, class T>
void apply_to_one(const Triangle<T*>& t, const Matrix<T*>& b) {
  T* const x = b.data;
#if HWY_TARGET == HWY_AVX3
  if constexpr (inverse)
    if (t.a.row_stride != 1 && relays<T>(static_cast<int>(t.n()), t.diag == Diag::Unit)) {
      const Corner<T> rows = corner_of(t);
      return rows.lower ? solve_relay<T, true>(rows, x) : solve_relay<T, false>(rows, x);
    }
#endif
  if constexpr (is_complex<T>)
    if (t.a.row_stride != 1 && t.n() <= short_rows) return apply_few_rows<inverse>(t, x);
  const Corner<T> c = corner_of(t);
  if (t.a.row_stride == 1) {
    if constexpr (inverse)
      return c.lower ? solve_by_columns<T, true>(c, x) : solve_by_columns<T, false>(c, x);
    else
      return c.lower ? multiply_by_columns<T, true>(c, x) : multiply_by_columns<T, false>(c, x);
  }
  if constexpr (is_complex<T>)
    strips_of_one<inverse>(Narrow<T>{t, b});
  else if constexpr (inverse)
    c.lower ? solve_by_rows<T, true>(c, x) : solve_by_rows<T, false>(c, x);
  else
    c.lower ? multiply_by_rows<T, true>(c, x) : multiply_by_rows<T, false>(c, x);
}

template <bool inverse, class T>
void by_strips(const Triangle<T*>& t, const Matrix<T*>& b, int threads);

/// A solve whose corners are left to one thread; the rows of the strips beside them are shared.
template <class T>
void solve_shared(const Narrow<T>& p, int threads) {
  const index n = p.t.n();
  constexpr int width = shared_width<T>;
  const bool by_columns = p.by_columns();
  for (index done = 0; done < n; done += width) {
    const Strip s = strip_of(p.t, done, width);
    if (!by_columns)
      in_shares(threads, done > 0 ? s.size : 0, 8,
                [&](index from, index count) HWY_ATTR { p.collect(s, done, from, count, -1); });
    const Narrow<T> corner = p.block(s);
    by_strips<true>(corner.t, corner.b, 1);
    if (by_columns)
      in_shares(threads, n - done - s.size, 64, [&](index from, index count) HWY_ATTR { p.carry(s, from, count, -1); });
  }
}

/// A product shared by rows, as much of the triangle to each thread: what they multiply by is copied first, so that
/// they need not wait for each other. Without memory for that, one thread.
template <class T>
void multiply_shared(const Narrow<T>& p, int threads) {
  const index n = p.t.n(), cols = p.b.cols;
  const bool lower = p.t.uplo == Uplo::Lower;
  const index ldx = n + 8;  // columns of a power of two would meet in one set of the cache
  T* const x = scratch<T>(0, static_cast<std::size_t>(ldx * cols));
  if (!x) return by_strips<false>(p.t, p.b, 1);
  for (index j = 0; j < cols; ++j) std::copy_n(p.b.data + j * p.b.col_stride, n, x + j * ldx);
  parallel(threads, [&](int part) HWY_ATTR {
    const auto [from, to] = equal_band(n, threads, part);
    const index size = to - from, at = lower ? from : n - to;
    if (size == 0) return;
    const Strip s{at, lower ? 0 : at + size, 0, static_cast<int>(size)};
    const Narrow<T> mine = p.block(s);
    by_strips<false>(mine.t, mine.b, 1);
    const T* const a = p.t.a.data + at * p.t.a.row_stride + s.before * p.t.a.col_stride;
    if (from > 0 && p.by_columns())
      for (index k = 0; k < from; k += p.streams())
        update_columns(a + k * p.t.a.col_stride, p.t.a.col_stride, size,
                       static_cast<int>(std::min<index>(p.streams(), from - k)), x + s.before + k, ldx, mine.b.data,
                       p.b.col_stride, cols, real_t<T>(1), p.t.a.conj);
    else if (from > 0)
      update_rows(a, p.t.a.row_stride, static_cast<int>(size), from, x + s.before, ldx, mine.b.data, p.b.col_stride,
                  cols, real_t<T>(1), p.t.a.conj);
  });
}

template <bool inverse, class T>
void by_strips(const Triangle<T*>& t, const Matrix<T*>& b, int threads) {
  if constexpr (inverse) {
    if (threads > 1 && t.n() > shared_width<T>) return solve_shared(Narrow<T>{t, b}, threads);
  } else {
    if (threads > 1) return multiply_shared(Narrow<T>{t, b}, threads);
  }
  if (b.cols == 1) return apply_to_one<inverse>(t, b);
  if (t.n() <= corner_order<T>) return apply_corner<inverse>(t, b);
  if constexpr (inverse)
    solve_strips<wide>(Narrow<T>{t, b});
  else
    multiply_strips<wide>(Narrow<T>{t, b});
}

/// Complex products as BLAS means them: no recovery of infinities.
template <class T>
HWY_INLINE T times(T a, T x) {
  if constexpr (is_complex<T>)
    return {a.real() * x.real() - a.imag() * x.imag(), a.real() * x.imag() + a.imag() * x.real()};
  else
    return a * x;
}

/// Dot products with rows in place, where an element is so large that a broadcast of each costs more.
template <class T>
bool dots_are_better(const Triangle<T*>& t, const Matrix<T*>& b) {
  return sizeof(T) == 16 && t.a.row_stride != 1 && b.cols == 1 && t.n() > 6;
}

/// Products of a small triangle and contiguous columns need not be transposed; a solve would wait for each of its rows.
template <bool inverse, class T>
bool stays_in_registers(const Triangle<T*>& t, const Matrix<T*>& b) {
  return !inverse && b.row_stride == 1 && t.n() <= corner_order<T>;
}

template <bool inverse, class T>
bool narrow(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, int threads) {
  if (is_tiny(t, b) && !(!inverse && dots_are_better(t, b))) return tiny<inverse>(alpha, t, b), true;
  if (threads == 1 && apply_unpacked<inverse>(alpha, t, b)) return true;
  if (is_thin(t, b.cols) && !stays_in_registers<inverse>(t, b)) return thin<inverse>(alpha, t, b, threads);
  if (b.row_stride == 1) {
    if (alpha != T(1))
      for (index j = 0; j < b.cols; ++j)
        for (index i = 0; i < b.rows; ++i) b.data[i + j * b.col_stride] = times(alpha, b.data[i + j * b.col_stride]);
    by_strips<inverse>(t, b, threads);
    return true;
  }
  // Of reals, because complex elements would be cleared.
  HWY_ALIGN real_t<T> room[parts_of<T> * 64];
  T* const copy =
      b.rows * b.cols <= 64 ? reinterpret_cast<T*>(room) : scratch<T>(2, static_cast<std::size_t>(b.rows * b.cols));
  if (!copy) return false;
  const Matrix<T*> x{copy, b.rows, b.cols, 1, b.rows};
  if (b.cols == 1) {  // a vector with an increment
    for (index i = 0; i < b.rows; ++i) copy[i] = b.data[i * b.row_stride];
    if (alpha != T(1))
      for (index i = 0; i < b.rows; ++i) copy[i] = times(alpha, copy[i]);
    by_strips<inverse>(t, x, threads);
    for (index i = 0; i < b.rows; ++i) b.data[i * b.row_stride] = copy[i];
    return true;
  }
  // Row after row: they are contiguous, and columns of rows far apart would meet in one set of a cache.
  for (index i = 0; i < b.rows; ++i)
    for (index j = 0; j < b.cols; ++j) {
      const T value = b.data[i * b.row_stride + j * b.col_stride];
      copy[i + j * b.rows] = alpha == T(1) ? value : times(alpha, value);
    }
  by_strips<inverse>(t, x, threads);
  for (index i = 0; i < b.rows; ++i)
    for (index j = 0; j < b.cols; ++j) b.data[i * b.row_stride + j * b.col_stride] = copy[i + j * b.rows];
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
