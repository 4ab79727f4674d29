// Tiles of products that are not packed: lanes run down the columns of C, complex numbers stay interleaved.
// Every entry is rounded as the packed kernel rounds it.
#if defined(TRIGON_CPU_SIMD_SMALL_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SMALL_TILE_INL
#undef TRIGON_CPU_SIMD_SMALL_TILE_INL
#else
#define TRIGON_CPU_SIMD_SMALL_TILE_INL
#endif

#include "cpu/in_place.hpp"
#include "cpu/kernels.hpp"
#include "cpu/simd/sixteen-inl.hpp"
#include "cpu/simd/strides-inl.hpp"
#include "cpu/simd/turn-inl.hpp"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// A matrix in place, or copied. `padded`: columns may be read as whole vectors.
template <class T>
struct SmallFactor {
  const T* data;
  index row, column;  ///< strides
  bool conj, padded = false;
};

/// The steps of one sum: those of one pair of factors, or of two (a rank-2k update may go on from a to b).
template <class T>
struct SmallFactors {
  SmallFactor<T> a[2], x[2];
  index depth[2];
  int count;
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
/// place, with rows that belong to the one before: of several always.
template <class D, int U>
struct LastVector {
  using R = hn::TFromD<D>;
  static constexpr int L = static_cast<int>(hn::MaxLanes(D()));
  int offset, from, to;  ///< reals before it, and its lanes [from, to)

  /// `reals`: as many as exist from the first vector on; before it others can be read, `before`.
  LastVector(int reals, index before) : offset((U - 1) * L), from(0), to(reals - offset) {
    if ((masks_slowly || U > 1) && to < L && before + reals >= L) offset = reals - L, from = L - to, to = L;
  }
  HWY_INLINE bool begins_early() const { return (masks_slowly || U > 1) && from > 0; }
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

/// Whether tiles write each vector of C as soon as it is read.
template <class T>
inline constexpr bool writes_at_once = registers == 32 && !is_complex<T>;

/// U vectors down CC columns of C: sums of a(:, k) x(k, j). Unless `whole`, some lanes of the last vector are missing.
template <class T, int CC, int U, bool whole>
struct SmallTile {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>;
  /// All vectors of a factor are read whole: the last one of several begins early rather than being masked.
  static constexpr bool all_read = whole || U > 1;
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
  /// The same of columns whose old entries are all read before the first is written: what a vector that begins early
  /// has twice becomes the same twice. Loads wait for stores with masks that they overlap.
  static constexpr bool twice = all_read && !masks_slowly;
  HWY_INLINE V load_all(const R* p, int u) const { return twice ? hn::LoadU(D(), p + offset(u)) : load(p, u); }
  HWY_INLINE void store_all(V v, R* p, int u) const { twice ? hn::StoreU(v, D(), p + offset(u)) : store(v, p, u); }

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
    constexpr int uses = is_complex<T> ? CC + 1 : CC;  // of a vector of a
    // Of few registers none are left for the exchanged parts of all vectors.
    constexpr bool in_place = (CC + 2) * U + 2 > registers;
    const Strides<const R> rows(step);
    for (index k = 0; k < depth; ++k, column += next_column, row += next_row) {
      V av[U], exchanged[U];
      const auto exchange = [&](V(&to)[U]) HWY_ATTR {
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) to[u] = hn::Xor(hn::Reverse2(d, av[u]), turned);
      };
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) {
        av[u] = factor(column, u);
        if constexpr (registers == 16 || loads_twice<uses>) av[u] = kept(av[u]);
        // What flips nothing takes its time too. Of sixteen registers none is left for the signs.
        if constexpr (conj) av[u] = registers == 16 ? conjugated(d, av[u]) : hn::Xor(av[u], conjugating);
      }
      if constexpr (is_complex<T> && !in_place) exchange(exchanged);
      unrolled<CC>([&](auto j) TRIGON_INLINE_LAMBDA {
        const R* const x = rows.template of<j>(row);
        add_product(av, x, j);
        if constexpr (is_complex<T> && !in_place) add_product(exchanged, x + 1, j);
      });
      if constexpr (is_complex<T> && in_place) {
        exchange(av);
        unrolled<CC>([&](auto j) TRIGON_INLINE_LAMBDA { add_product(av, rows.template of<j>(row) + 1, j); });
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

  /// All columns, `ldc` reals apart: scaling.sum(sum, old). Where a load after a store to the same place of another
  /// page would be held up, they are read before any of them is written.
  HWY_INLINE void write(const InterleavedScaling<T>& scaling, R* c, index ldc) {
    if constexpr (writes_at_once<T> && whole)
      if (scaling.reads && !falls_together<R>(ldc)) {
        const InterleavedScaling<T> own = scaling;
#pragma GCC unroll 8
        for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
          for (int u = 0; u < U; ++u) store(own.sum(sum[j][u], load(c + j * ldc, u)), c + j * ldc, u);
        return;
      }
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u)
        sum[j][u] = scaling.sum(sum[j][u], scaling.reads ? load_all(c + j * ldc, u) : hn::Zero(D()));
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) store_all(sum[j][u], c + j * ldc, u);
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

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
