// Few right-hand sides: the triangle is read once, in place, and nothing of it is packed. Strips of columns
// (or of rows, when the rows are contiguous) alternate with their own corner of the triangle.
#if defined(TRIGON_CPU_SIMD_STRIPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_STRIPS_INL
#undef TRIGON_CPU_SIMD_STRIPS_INL
#else
#define TRIGON_CPU_SIMD_STRIPS_INL
#endif

#include "core/plan.hpp"
#include "cpu/simd/chain-inl.hpp"
#include "cpu/simd/relay-inl.hpp"

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
  bool fetched() const { return is_fetched<T>(t.n()); }

  /// y := y + sign A x for the columns [at, at + size) and `rows` rows from `row` on, contiguous columns.
  void add_columns(index at, index size, index row, index rows, T* y, index ldy, real_t<T> sign) const {
    if (rows == 0) return;
    const index step = streams();
    for (index k = at; k < at + size; k += step)
      update_columns(t.a.data + row + k * t.a.col_stride, t.a.col_stride, rows,
                     static_cast<int>(std::min(step, at + size - k)), b.data + k, b.col_stride, y, ldy, b.cols, sign,
                     t.a.conj, fetched());
  }
  /// What a strip of columns does to the `count` rows after it.
  void carry(const Strip& s, index count, real_t<T> sign) const {
    add_columns(s.at, s.size, s.after, count, b.data + s.after, b.col_stride, sign);
  }
  /// x := x + sign A x for the `rows` rows from `row` on and columns [at, at + size), contiguous rows.
  void add_rows(index at, index size, index row, index rows, real_t<T> sign) const {
    if (rows == 0 || size == 0) return;
    update_rows(t.a.data + row * t.a.row_stride + at, t.a.row_stride, static_cast<int>(rows), size, b.data + at,
                b.col_stride, b.data + row, b.col_stride, b.cols, sign, t.a.conj, fetched());
  }
  /// What the `done` rows before it do to a strip, likewise.
  void collect(const Strip& s, index done, real_t<T> sign) const { add_rows(s.before, done, s.at, s.size, sign); }
};

template <int width, class T>
void solve_strips(const Narrow<T>& p) {
  for (index done = 0; done < p.t.n(); done += width) {
    const Strip s = strip_of(p.t, done, width);
    if (!p.by_columns()) p.collect(s, done, -1);
    if constexpr (width > corner_order<T>)
      solve_strips<corner_order<T>>(p.block(s));
    else
      apply_corner<true>(p.block(s).t, p.block(s).b);
    if (p.by_columns()) p.carry(s, p.t.n() - done - s.size, -1);
  }
}

template <int width, class T>
void multiply_strips(const Narrow<T>& p) {
  for (index done = (p.t.n() - 1) / width * width; done >= 0; done -= width) {
    const Strip s = strip_of(p.t, done, width);
    if (p.by_columns()) p.carry(s, p.t.n() - done - s.size, 1);
    if constexpr (width > corner_order<T>)
      multiply_strips<corner_order<T>>(p.block(s));
    else
      apply_corner<false>(p.block(s).t, p.block(s).b);
    if (!p.by_columns()) p.collect(s, done, 1);
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
    if (inverse) p.collect(s, before, -1);
    apply_few_rows<inverse>(corner.t, corner.b.data);
    if (!inverse) p.collect(s, before, 1);
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
void by_strips(const Triangle<T*>& t, const Matrix<T*>& b) {
  if (b.cols == 1) return apply_to_one<inverse>(t, b);
  if (t.n() <= corner_order<T>) return apply_corner<inverse>(t, b);
  if constexpr (inverse)
    solve_strips<wide>(Narrow<T>{t, b});
  else
    multiply_strips<wide>(Narrow<T>{t, b});
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
