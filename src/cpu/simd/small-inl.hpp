// GEMM where one size at most is not small, or sums are short: nothing is packed, lanes run down the columns
// of C, complex numbers stay interleaved. Only factors that are not plain columns in memory are copied.
// Every entry is rounded as the packed kernel rounds it, so that its bits do not depend on the size of C.
#if defined(TRIGON_CPU_SIMD_SMALL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SMALL_INL
#undef TRIGON_CPU_SIMD_SMALL_INL
#else
#define TRIGON_CPU_SIMD_SMALL_INL
#endif

#include "cpu/in_place.hpp"
#include "cpu/kernels.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/sixteen-inl.hpp"
#include "cpu/simd/small_limits-inl.hpp"
#include "cpu/simd/turn-inl.hpp"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Rows of a longer copy: three vectors of floats, or twice three of doubles.
inline constexpr index long_copy = 48;

/// A matrix in place, or copied. `padded`: columns may be read as whole vectors.
template <class T>
struct SmallFactor {
  const T* data;
  index row, column;  ///< strides
  bool conj, padded = false;
};

/// The stored half of a symmetric or Hermitian matrix, as columns: by rows it is its own transpose, or the conjugate of
/// that.
template <class T>
struct StoredHalf {
  const T* data;
  index ld, n;
  bool lower, hermitian, conj;  ///< `conj`: of what is stored the conjugate is meant

  explicit StoredHalf(const Factor<T>& f) {
    const bool by_columns = f.a.row_stride == 1;
    data = f.a.data, ld = by_columns ? f.a.col_stride : f.a.row_stride, n = f.a.rows;
    lower = (f.uplo == Uplo::Lower) == by_columns, hermitian = f.form == Form::Hermitian;
    conj = is_complex<T> && f.a.conj != (hermitian && !by_columns);
  }
  /// The same of what is transposed to the other half, and of all that `complete` writes.
  bool conj_across() const { return conj != hermitian; }

  /// All of the block of an order `size` on the diagonal from row i on, columns `ldo` apart.
  void complete(index i, index size, T* out, index ldo) const {
    const real_t<T> zero = conj_across() ? real_t<T>(-0.0) : real_t<T>(0);
    mirror(data + i * (ld + 1), ld, size, lower, hermitian, zero, out, ldo);
  }
};

/// All of a symmetric or Hermitian matrix, columns `ldo` apart.
template <class T>
SmallFactor<T> complete(const Factor<T>& f, T* out, index ldo) {
  const StoredHalf<T> stored(f);
  stored.complete(0, stored.n, out, ldo);
  return {out, 1, ldo, stored.conj_across()};
}

/// beta old + alpha sum for real or interleaved complex vectors, rounded as the register tile rounds it.
template <class T, class D = Tag<real_t<T>>>
struct InterleavedScaling {
  using V = hn::Vec<D>;
  T alpha, beta;
  bool reads, keeps, plain;
  bool enlarges;  ///< A real sum may be too large for a number until it meets what was there.

  InterleavedScaling(const T& a, const T& b) : alpha(a), beta(b), reads(b != T(0)), keeps(b == T(1)), plain(a == T(1)) {
    enlarges = !is_complex<T> && reads && std::isgreater(std::abs(real_part(a)), real_t<T>(1));
  }

  /// What is left of it when a complex sum was multiplied by alpha, and beta is 0 or 1.
  HWY_INLINE V sum(V scaled, V old) const {
    if constexpr (is_complex<T>)
      return reads ? hn::Add(scaled, old) : scaled;
    else
      return combine(scaled, old);
  }

  /// In the lanes that `only` makes zero the sum and what was there are zeros: they meet no infinite alpha or beta.
  template <class Only = AllLanes>
  HWY_INLINE V combine(V sum, V old, const Only& only = {}) const {
    const D d;
    const V kept = HWY_LIKELY(keeps || !reads) ? old : scaled(d, beta, old, only);
    if constexpr (is_complex<T>) {
      const V fresh = HWY_LIKELY(plain) ? sum : scaled(d, alpha, sum, only);  // 1 x is x
      return reads ? hn::Add(fresh, kept) : fresh;
    } else {
      return reads ? hn::MulAdd(only(hn::Set(d, alpha)), sum, kept) : hn::Mul(only(hn::Set(d, alpha)), sum);
    }
  }
};

/// The last of U vectors down some rows. Where lanes are missing they are masked, or the vector begins before its
/// place, with rows that belong to the one before.
template <class D, int U>
struct LastVector {
  using R = hn::TFromD<D>;
  static constexpr int L = static_cast<int>(hn::MaxLanes(D()));
  int offset, from, to;  ///< reals before it, and its lanes [from, to)

  /// `reals`: as many as exist from the first vector on; before it others can be read, `before`.
  LastVector(int reals, index before) : offset((U - 1) * L), from(0), to(reals - offset) {
    if (masks_slowly && to < L && before + reals >= L) offset = reals - L, from = L - to, to = L;
  }
  HWY_INLINE bool begins_early() const { return masks_slowly && from > 0; }
  /// Made where it is asked for: a mask that waits takes one of sixteen registers.
  HWY_INLINE Front<D> front() const { return Front<D>(to); }
  /// Of a factor with elements of P parts: other lanes are those before, or as Front has them.
  template <int P>
  HWY_INLINE hn::Vec<D> factor(const R* p) const {
    return begins_early() ? hn::LoadU(D(), p + offset) : front().template factor<P>(p + (U - 1) * L);
  }
  HWY_INLINE hn::Vec<D> load(const R* p) const {
    return begins_early() ? load_lanes(D(), p + offset, from, to) : front().load(p + (U - 1) * L);
  }
  HWY_INLINE void store(hn::Vec<D> v, R* p) const {
    begins_early() ? store_lanes(v, D(), p + offset, from, to) : front().store(v, p + (U - 1) * L);
  }
};

/// U vectors down CC columns of C: sums of a(:, k) x(k, j). Unless `whole`, some lanes of the last vector are missing.
template <class T, int CC, int U, bool whole>
struct SmallTile {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>;
  /// All vectors of a factor are read whole: the last one of several begins early rather than being masked.
  static constexpr bool all_read = whole || (masks_slowly && U > 1);
  LastVector<D, U> last;
  V sum[CC][U];

  /// `reals`: how many of the U·L lanes exist; `before`: how many more can be read before them.
  HWY_INLINE SmallTile(int reals, index before) : last(reals, before) {
    const V none = zeros_here(D());
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) sum[j][u] = none;
  }

  HWY_INLINE V load(const R* p, int u) const { return whole || u + 1 < U ? hn::LoadU(D(), p + u * L) : last.load(p); }
  HWY_INLINE V factor(const R* p, int u) const {
    return all_read || u + 1 < U ? hn::LoadU(D(), p + offset(u)) : last.template factor<parts_of<T>>(p);
  }
  HWY_INLINE void add(V a, V x, int j, int u) {
    sum[j][u] = all_read || u + 1 < U ? with_product<false>(sum[j][u], a, x) : last.front().add(sum[j][u], a, x);
  }
  HWY_INLINE void store(V v, R* p, int u) const {
    if (whole || u + 1 < U)
      hn::StoreU(v, D(), p + u * L);
    else
      last.store(v, p);
  }

  /// Row j of x belongs to column j of C.
  HWY_INLINE void add(const SmallFactor<T>& a, const SmallFactor<T>& x, index depth) {
    if constexpr (is_complex<T>)
      a.conj ? steps<true>(a, x, depth) : steps<false>(a, x, depth);
    else
      steps<false>(a, x, depth);
  }
  template <bool conj>
  HWY_INLINE void steps(const SmallFactor<T>& a, const SmallFactor<T>& x, index depth) {
    const D d;
    const V turned = turning_sign(d, x.conj), conjugating = conjugated(d, hn::Zero(d));  // signs
    const R* column = reinterpret_cast<const R*>(a.data);
    const R* row = reinterpret_cast<const R*>(x.data);
    const index next_column = a.column * parts_of<T>, next_row = x.column * parts_of<T>, step = x.row * parts_of<T>;
    if constexpr (fills_sixteen_interleaved<T, CC, U>) {
      HWY_ALIGN R signs[2 * L];
      hn::Store(turned, d, signs), hn::Store(conjugating, d, signs + L);
      for (index k = 0; k < depth; ++k, column += next_column, row += next_row)
        add_interleaved_step_of_sixteen<conj>(sum, column, offset(U - 1), row, step, signs);
      return;
    }
    // Of few registers none are left for the exchanged parts of all vectors.
    constexpr bool in_place = (CC + 2) * U + 2 > registers;
    for (index k = 0; k < depth; ++k, column += next_column, row += next_row) {
      V av[U], exchanged[U];
      const auto exchange = [&](V(&to)[U]) HWY_ATTR {
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) to[u] = hn::Xor(hn::Reverse2(d, av[u]), turned);
      };
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) {
        av[u] = factor(column, u);
        if constexpr (registers == 16) av[u] = kept(av[u]);
        // What flips nothing takes its time too. Of sixteen registers none is left for the signs.
        if constexpr (conj) av[u] = registers == 16 ? conjugated(d, av[u]) : hn::Xor(av[u], conjugating);
      }
      if constexpr (is_complex<T> && !in_place) exchange(exchanged);
#pragma GCC unroll 8
      for (int j = 0; j < CC; ++j) {
        add_product(av, row + j * step, j);
        if constexpr (is_complex<T> && !in_place) add_product(exchanged, row + j * step + 1, j);
      }
      if constexpr (is_complex<T> && in_place) {
        exchange(av);
#pragma GCC unroll 8
        for (int j = 0; j < CC; ++j) add_product(av, row + j * step + 1, j);
      }
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) {
        kept_until_here(av[u]);
        if constexpr (is_complex<T> && !in_place) kept_until_here(exchanged[u]);
      }
    }
  }
  /// Column j += a x.
  HWY_INLINE void add_product(const V (&a)[U], const R* x, int j) {
    const V xj = hn::Set(D(), *x);
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u) add(a[u], xj, j, u);
  }

  /// Reals before vector u.
  HWY_INLINE int offset(int u) const { return whole || u + 1 < U ? u * L : last.offset; }

  /// Of column j only the lanes [from(j), to(j)) remain.
  template <class From, class To>
  HWY_INLINE void keep_lanes(const From& from, const To& to) {
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) {
        const auto own = lanes_between(D(), std::max(from(j), u * L) - offset(u), to(j) - offset(u));
        sum[j][u] = hn::IfThenElseZero(own, sum[j][u]);
      }
  }

  HWY_INLINE void scale(const T& alpha) {
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) sum[j][u] = scaled(D(), alpha, sum[j][u]);
  }

  /// All columns, `ldc` reals apart: scaling.sum(sum, old). They are read before any of them is written: a load after a
  /// store to the same place of another page is held up.
  HWY_INLINE void write(const InterleavedScaling<T>& scaling, R* c, index ldc) {
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u)
        sum[j][u] = scaling.sum(sum[j][u], scaling.reads ? load(c + j * ldc, u) : hn::Zero(D()));
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) store(sum[j][u], c + j * ldc, u);
  }
  /// Vector u of them.
  HWY_INLINE void write(int u, const InterleavedScaling<T>& scaling, R* c, index ldc) const {
    V old[CC];
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j) old[j] = scaling.reads ? load(c + j * ldc, u) : hn::Zero(D());
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j) store(scaling.sum(sum[j][u], old[j]), c + j * ldc, u);
  }
  /// Of column j only the lanes [from(j), to(j)).
  template <class From, class To>
  HWY_INLINE void write_some(int u, const InterleavedScaling<T>& scaling, R* c, index ldc, const From& from,
                             const To& to) const {
    const D d;
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j) {
      const int at = offset(u), begin = std::max(from(j), u * L) - at, end = to(j) - at;
      R* const p = c + j * ldc + at;
      const V old = scaling.reads ? load_lanes(d, p, begin, end) : hn::Zero(d);
      store_lanes(scaling.sum(sum[j][u], old), d, p, begin, end);
    }
  }
};

/// Where a tile of C lies: `first` is the row, in the tile, of its first column's diagonal element.
template <class T>
struct SmallPlace {
  real_t<T>* c;
  index ldc;                              ///< reals
  int cols, vectors, reals, first, last;  ///< `last`: reals before the last vector
  Mask mask;

  /// The lanes [begin(j), end(j)) of column j exist.
  int begin(int j) const { return mask != Mask::All && lower(mask) ? (first + j) * parts_of<T> : 0; }
  int end(int j) const {
    return mask == Mask::All || lower(mask) ? reals : std::min(reals, (first + j + 1) * parts_of<T>);
  }
};

/// C := beta C + sums for complex numbers, once for tiles of all sizes: these products, unrolled, would be most of the
/// code of each. The sums lie in `room`, vectors of a column together.
template <class T, class R = real_t<T>>
HWY_NOINLINE void write_small(R* room, const T& beta, const SmallPlace<T>& at) {
  const hn::ScalableTag<R> d;
  constexpr int L = lanes_of<R>;
  const auto each = [&](const auto& f) HWY_ATTR {
    R* sums = room;
#pragma GCC unroll 1
    for (int j = 0; j < at.cols; ++j) {
      const int begin = at.begin(j), end = at.end(j);
#pragma GCC unroll 1
      for (int lane = 0; lane < at.vectors * L; lane += L, sums += L) {
        const int offset = lane < (at.vectors - 1) * L ? lane : at.last;
        f(sums, at.c + j * at.ldc + offset, std::max(begin, lane) - offset, end - offset);
      }
    }
  };
  each([&](R* sum, const R* p, int begin, int end) HWY_ATTR {
    const auto old = load_lanes(d, p, begin, end);
    hn::Store(hn::Add(hn::Load(d, sum), scaled(d, beta, old)), d, sum);
  });
  each([&](const R* sum, R* p, int begin, int end) HWY_ATTR { store_lanes(hn::Load(d, sum), d, p, begin, end); });
}

/// The steps of one sum: those of one pair of factors, or of two (a rank-2k update may go on from a to b).
template <class T>
struct SmallFactors {
  SmallFactor<T> a[2], x[2];
  index depth[2];
  int count;
};

template <class T, int CC, int U, bool whole>
HWY_INLINE void small_block(const SmallFactors<T>& f, index i0, index j0, index base, int reals,
                            const InterleavedScaling<T>& scaling, const Matrix<T*>& c, Mask mask) {
  constexpr int P = parts_of<T>, L = lanes_of<real_t<T>>;
  SmallTile<T, CC, U, whole> tile(reals, P * i0);
  real_t<T>* const here = reinterpret_cast<real_t<T>*>(c.data + i0 + j0 * c.col_stride);
  const index ldc = P * c.col_stride;
  if constexpr (whole)
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) hwy::Prefetch(here + j * ldc + u * L);
  for (int s = 0; s < f.count; ++s) {
    SmallFactor<T> a = f.a[s], x = f.x[s];
    a.data += i0, x.data += j0 * x.row;
    tile.add(a, x, f.depth[s]);
  }
  const int first = static_cast<int>(std::clamp<index>(j0 - base - i0, -CC, U * L));  // the diagonal's row, from i0 on
  const SmallPlace<T> place{here, ldc, CC, U, reals, first, tile.offset(U - 1), mask};
  if constexpr (is_complex<T>) {
    if (!scaling.plain) tile.scale(scaling.alpha);
    if (scaling.reads && !scaling.keeps) {
      HWY_ALIGN real_t<T> room[CC * U * L];
#pragma GCC unroll 8
      for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) hn::Store(tile.sum[j][u], hn::ScalableTag<real_t<T>>(), room + (j * U + u) * L);
      return write_small<T>(room, scaling.beta, place);
    }
  } else if (HWY_UNLIKELY(scaling.enlarges) && (!whole || mask != Mask::All)) {
    // Other lanes have no old entries to bring such a sum back, and would raise an exception of their own.
    tile.keep_lanes([&](int j) HWY_ATTR { return place.begin(j); }, [&](int j) HWY_ATTR { return place.end(j); });
  }
  if (mask == Mask::All) return tile.write(scaling, here, ldc);
  const auto diagonal = [&](int j) HWY_ATTR { return (first + j) * P; };
#pragma GCC unroll 4
  for (int u = 0; u < U; ++u) {
    const bool whole_there = lower(mask) ? u * L >= diagonal(CC - 1) : std::min(reals, (u + 1) * L) <= diagonal(1);
    if (whole_there)
      tile.write(u, scaling, here, ldc);
    else if (lower(mask))
      tile.write_some(u, scaling, here, ldc, diagonal, [=](int) HWY_ATTR { return reals; });
    else
      tile.write_some(
          u, scaling, here, ldc, [](int) HWY_ATTR { return 0; },
          [&](int j) HWY_ATTR { return std::min(reals, diagonal(j + 1)); });
  }
}

/// Columns of a to `out`, `ldo` apart there: `rows` rows of them, and what fills up the last vector. (A call of memcpy
/// for each would take as long as a tile's sums.)
template <class T>
HWY_NOINLINE void copy_columns(const T* a, index lda, index rows, index cols, T* out, index ldo) {
  using R = real_t<T>;
  const Tag<R> d;
  constexpr int L = lanes_of<R>;
  const index reals = rows * parts_of<T>, whole = (reals - 1) / L * L;
  const Front<Tag<R>> front(static_cast<int>(reals - whole));
  for (index k = 0; k < cols; ++k) {
    const R* const from = reinterpret_cast<const R*>(a + k * lda);
    R* const to = reinterpret_cast<R*>(out + k * ldo);
    for (index i = 0; i < whole; i += L) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    hn::StoreU(front.load(from + whole), d, to + whole);
  }
}

/// The most columns that are summed at a time, and vectors down CC of them. With thirty-two registers eight by three,
/// so that a factor is read half as often as with four by four; by two if complex, because each vector is shuffled.
/// Four vectors of reals go well four by four. With sixteen four by three, which fill them.
inline constexpr int small_width = 8;
template <class T, int CC>
inline constexpr int small_height = CC <= 4         ? (sums_widely || CC == 1 ? 4 : 3)
                                    : !sums_widely  ? 1
                                    : is_complex<T> ? 2
                                                    : 3;

/// CC columns of C from column j on: the rows [i, rows) that exist there. `c` begins with row `base` of all.
template <class T, int CC>
HWY_NOINLINE void small_columns(const SmallFactors<T>& f, index base, index j, index i, index rows,
                                const InterleavedScaling<T>& scaling, const Matrix<T*>& c, Mask mask) {
  constexpr int P = parts_of<T>, L = lanes_of<real_t<T>>, U = small_height<T, CC>, N = L / P;
  const auto whole = [&]<int vectors>(std::integral_constant<int, vectors>) TRIGON_INLINE_LAMBDA {
    small_block<T, CC, vectors, true>(f, i, j, base, vectors * L, scaling, c, mask);
    i += vectors * N;
  };
  // One vector left alone would wait for its few sums: after threes, four are twice two.
  constexpr bool shares = !sums_widely && U == 3;
  const auto between = [&](int begin, int end) HWY_ATTR { return rows - i > begin * N && rows - i <= end * N; };
  while (rows - i >= U * N && !(shares && between(3, 4))) whole(std::integral_constant<int, U>{});
  if constexpr (shares)
    while (rows - i >= 2 * N && !between(2, 3)) whole(std::integral_constant<int, 2>{});
  const int reals = static_cast<int>((rows - i) * P);
  const auto rest = [&]<int vectors>(std::integral_constant<int, vectors>) TRIGON_INLINE_LAMBDA {
    small_block<T, CC, std::min(vectors, U), false>(f, i, j, base, reals, scaling, c, mask);
  };
  if (reals > 3 * L && U > 3) return rest(std::integral_constant<int, 4>{});
  if (reals > 2 * L && U > 2) return rest(std::integral_constant<int, 3>{});
  if (reals > L && U > 1) return rest(std::integral_constant<int, 2>{});
  if (reals > 0) return rest(std::integral_constant<int, 1>{});
}

/// All columns of C, a few at a time and about as many each time.
template <class T>
void small_block_of_rows(const SmallFactors<T>& f, index base, const InterleavedScaling<T>& scaling,
                         const Matrix<T*>& c, Mask mask) {
  constexpr int N = unit_lanes<T>;
  // Eight columns that meet in a set of the cache push each other out of it before they are written, C being most of
  // the traffic of short sums.
  constexpr index few_steps = 16;
  const bool meet = falls_together<T>(c.col_stride) && (!sums_widely || f.depth[0] <= few_steps);
  const bool all = mask == Mask::All;
  for (index j = 0, width = 0; j < c.cols; j += width) {
    const index diagonal = j - base, left = c.cols - j;
    const index first = all || !lower(mask) ? 0 : std::max<index>(0, diagonal / N * N);
    const auto end = [&](index columns) { return all || lower(mask) ? c.rows : std::min(c.rows, diagonal + columns); };
    const index vectors = (end(small_width) - first + N - 1) / N;
    // A single vector has too few sums to hide their latency in four columns.
    const bool wide = !meet && (sums_widely ? is_complex<T> || vectors != 4 : vectors == 1);
    const index most = wide ? small_width : 4;
    // Of a triangle as many as possible: then they begin where vectors do.
    width = all ? (left + (left + most - 1) / most - 1) / ((left + most - 1) / most) : std::min(left, most);
    of_few<small_width>(width, [&]<int CC>(std::integral_constant<int, CC>)
                                   HWY_ATTR { small_columns<T, CC>(f, base, j, first, end(width), scaling, c, mask); });
  }
}

/// Scratch for a copied factor: the stack where that is small, or slot `slot`.
template <class T, int slot>
class SmallCopy {
 public:
  T* of(index elements) {
    // Of reals, because complex elements would be cleared.
    return elements <= small_order * small_order ? reinterpret_cast<T*>(room_)
                                                 : scratch<T>(slot, static_cast<std::size_t>(elements));
  }

 private:
  HWY_ALIGN real_t<T> room_[parts_of<T> * small_order * small_order];
};

/// c := alpha a bt^T + beta c where is_small says so; c contiguous in one direction.
/// `kc`: how many steps the packed kernel sums before it rounds. False if there is no memory for a copy.
template <class T>
bool gemm_small(const T& alpha, const Factor<T>& rows_of_c, const Factor<T>& columns_of_c, const T& beta,
                const Matrix<T*>& result, Mask mask, index kc) {
  const bool turned = result.row_stride != 1;
  const Factor<T>& a = turned ? columns_of_c : rows_of_c;
  const Factor<T>& bt = turned ? rows_of_c : columns_of_c;
  const Matrix<T*> c = turned ? core::transpose(result) : result;
  if (turned) mask = transposed(mask);

  const index depth = a.depth(), first = a.a.cols;
  const bool a_whole = a.mirrored();
  const bool x_whole = bt.mirrored();
  // Columns that share sets of the cache push each other out: they are copied too, if they are used often enough.
  const bool apart = !is_complex<T> && is_aliased(a) && std::min(c.cols, depth) > small_order;
  const bool copies = !a_whole && (apart || a.a.row_stride != 1 || (a.form == Form::Pair && a.b.row_stride != 1));
  SmallCopy<T, 0> completed;
  SmallCopy<T, 1> turned_rows;
  SmallFactor<T> whole{};
  if (a_whole || x_whole) {
    const index ld = (depth + small_order - 1) / small_order * small_order;
    T* const out = completed.of(ld * depth);
    if (!out) return false;
    whole = complete(a_whole ? a : bt, out, ld);
  }
  // Rows at a time: a stays in the first cache or near it, a copy of few steps on the stack, a longer one is as high as
  // tiles are; and columns of C are followed.
  constexpr index most = 8;
  const index steps = std::min(kc, depth);
  index height = small_order * most;
  if (copies && !is_complex<T> && sums_widely && steps > small_order) {
    // The few rows of a rest would be copied and multiplied by themselves, where all of them fit half of the first
    // cache.
    constexpr index few_rows = 64, half = 24 << 10;
    height = c.rows <= few_rows && few_rows * steps * static_cast<index>(sizeof(T)) <= half ? few_rows : long_copy;
  } else if (copies) {
    height = small_order * std::clamp<index>(small_order / steps, 1, most);
  }
  T* const copy = copies ? turned_rows.of(height * steps) : nullptr;
  if (copies && !copy) return false;

  const auto make_diagonal_real = [&]() HWY_ATTR {
    if constexpr (is_complex<T>)
      for (index i = 0; i < c.rows && hermitian(mask); ++i) c.data[i * (1 + c.col_stride)].imag(0);
  };
  if (beta != T(0)) make_diagonal_real();
  for (index i0 = 0; i0 < c.rows; i0 += height) {
    const Matrix<T*> block = c.block(i0, 0, std::min(height, c.rows - i0), c.cols);
    for (index k0 = 0; k0 < depth; k0 += kc) {
      // The steps [k0, k1), in a and in the second matrix of a pair.
      const index k1 = std::min(depth, k0 + kc);
      SmallFactors<T> f;
      f.count = 0;
      index copied = 0;
      const auto take = [&](const Matrix<T*>& am, const Matrix<T*>& xm, index begin, index end) HWY_ATTR {
        if (begin >= end) return;
        SmallFactor<T>& fa = f.a[f.count];
        if (a_whole) {
          fa = whole;
          fa.data += i0 + begin * whole.column;
        } else if (apart || am.row_stride != 1) {
          fa = {copy + copied * height, 1, height, am.conj};
          const T* const from = am.data + i0 * am.row_stride + begin * am.col_stride;
          if (am.row_stride != 1)
            turn(from, am.row_stride, block.rows, end - begin, Part::Whole, copy + copied * height, height);
          else
            copy_columns(from, am.col_stride, block.rows, end - begin, copy + copied * height, height);
          copied += end - begin;
        } else {
          fa = {am.data + i0 + begin * am.col_stride, 1, am.col_stride, am.conj};
        }
        SmallFactor<T>& fx = f.x[f.count];
        fx = x_whole ? whole : SmallFactor<T>{xm.data, xm.row_stride, xm.col_stride, xm.conj};
        fx.data += begin * fx.column;
        f.depth[f.count++] = end - begin;
      };
      take(a.a, bt.a, k0, std::min(k1, first));
      if (a.form == Form::Pair) take(a.b, bt.b, std::max<index>(0, k0 - first), k1 - first);

      const InterleavedScaling<T> scaling(alpha, k0 == 0 ? beta : T(1));
      small_block_of_rows(f, i0, scaling, block, mask);
    }
  }
  make_diagonal_real();
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
