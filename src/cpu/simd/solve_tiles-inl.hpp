// The tiles of solves with contiguous columns of right-hand sides (short_solve-inl.hpp): sums with lanes down the rows,
// blocks of them transposed in registers and solved. AVX-512 only.
#if defined(TRIGON_CPU_SIMD_SOLVE_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SOLVE_TILES_INL
#undef TRIGON_CPU_SIMD_SOLVE_TILES_INL
#else
#define TRIGON_CPU_SIMD_SOLVE_TILES_INL
#endif

#include "cpu/simd/short-inl.hpp"
#include "cpu/simd/turn-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Columns are solved in groups of as many as a vector has elements, two groups at a time because rows wait for each
/// other. Of so many groups registers hold the sums at once, down blocks of so many rows.
template <class T>
inline constexpr int solve_groups = is_complex<T> ? 2 : 1;
template <class T>
inline constexpr int solve_height = 16 / solve_groups<T> / unit_lanes<T>* unit_lanes<T>;

#if HWY_TARGET == HWY_AVX3
/// A block of rows of the triangle.
template <class T>
struct SolveRows {
  const T* a;           ///< the column that is met first, contiguous
  index column;         ///< to the next one, negative in an upper triangle
  index before;         ///< columns that meet rows which are known
  const T* corner;      ///< on the diagonal, columns |column| apart
  const real_t<T>* by;  ///< reciprocals of the diagonal, null if it is a unit one
  int rows;
  bool conj;
};

/// C columns. If all exist, by four pointers and three distances: addresses that instructions can form by themselves.
/// Those from `count` on repeat the last one.
template <class T, int C, bool all>
struct SolveColumns {
  T* at[all ? (C + 3) / 4 : C];
  index ldb, row = 0;

  HWY_INLINE SolveColumns(T* x, index stride, int count) : ldb(stride) {
#pragma GCC unroll 16
    for (int i = 0; i < (all ? (C + 3) / 4 : C); ++i) at[i] = x + (all ? 4 * i : std::min(i, count - 1)) * ldb;
  }
  HWY_INLINE T* operator[](int c) const { return all ? at[c / 4] + c % 4 * ldb : at[c] + row; }
  HWY_INLINE void advance(index rows) {
    if constexpr (all)
#pragma GCC unroll 4
      for (T*& x : at) x += rows;
    else
      row += rows;
  }
};

/// U vectors of L reals down C columns, of which some rows may be missing unless they are `whole`.
template <class T, int L, int C, int U, bool whole, bool all>
struct SolveSums {
  using R = real_t<T>;
  using D = hn::CappedTag<R, L>;
  using V = hn::Vec<D>;
  using Columns = SolveColumns<T, C, all>;
  static constexpr int P = parts_of<T>;
  V sum[C][U];

  HWY_INLINE void load(const T& alpha, const Columns& y, int rows) {
    const D d;
#pragma GCC unroll 16
    for (int c = 0; c < C; ++c)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) {
        const R* const p = reinterpret_cast<const R*>(y[c]) + u * L;
        sum[c][u] = whole ? hn::LoadU(d, p) : Front<D>(P * rows - u * L).load(p);
      }
    if (alpha != T(1)) scale(alpha);
  }
  HWY_INLINE void scale(const T& alpha) {
    const D d;
#pragma GCC unroll 16
    for (int c = 0; c < C; ++c)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) sum[c][u] = multiplied(d, alpha, sum[c][u]);
  }
  HWY_INLINE void store(const Columns& y, int rows, int count) const {
    const D d;
#pragma GCC unroll 16
    for (int c = 0; c < C; ++c)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) {
        R* const p = reinterpret_cast<R*>(y[c]) + u * L;
        if (!all && c >= count) continue;
        whole ? hn::StoreU(sum[c][u], d, p) : Front<D>(P * rows - u * L).store(sum[c][u], p);
      }
  }

  /// What the column at a does to the rows, its factors beginning at x.
  HWY_INLINE void take_off(const T* a, V sign, const Columns& x) {
    const D d;
    V re[U], im[U];
#pragma GCC unroll 2
    for (int u = 0; u < U; ++u) {
      const V av = hn::LoadU(d, reinterpret_cast<const R*>(a) + u * L);
      if constexpr (is_complex<T>)
        re[u] = hn::DupEven(av), im[u] = hn::Xor(hn::DupOdd(av), sign);
      else
        re[u] = av;
    }
#pragma GCC unroll 16
    for (int c = 0; c < C; ++c) {
      const V factor = broadcast(d, x[c]);
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) sum[c][u] = hn::NegMulAdd(re[u], factor, sum[c][u]);
      if constexpr (is_complex<T>) {
        const V swapped = hn::Reverse2(d, factor);
#pragma GCC unroll 2
        for (int u = 0; u < U; ++u) sum[c][u] = hn::NegMulAdd(im[u], swapped, sum[c][u]);
      }
    }
  }

  /// What all columns do whose rows are known. `x`: the first of these rows.
  HWY_INLINE void meet(const SolveRows<T>& t, V sign, T* x, index ldb, int count) {
    const T* a = t.a;
    const index next = t.column > 0 ? 1 : -1;
    Columns known(x, ldb, count);
#pragma GCC unroll 1
    for (index k = 0; k < t.before; ++k, a += t.column, known.advance(next)) take_off(a, sign, known);
  }
};

/// Rows that are brought up to date before they are solved: with twice as many of them a column is read half as often.
template <class T, int C, bool all>
HWY_NOINLINE void update_tile(const T& alpha, const SolveRows<T>& t, T* x, T* y, index ldb, int count) {
  using Sums = SolveSums<T, lanes_of<real_t<T>>, C, 2, true, all>;
  const typename Sums::Columns here(y, ldb, count);
  Sums sums;
  sums.load(alpha, here, t.rows);
  sums.meet(t, turning_sign(typename Sums::D(), t.conj), x, ldb, count);
  sums.store(here, t.rows, count);
}

/// A square of N vectors, transposed: `to` takes what `from` gives.
template <class T, int N, class V, class From, class To>
HWY_INLINE void turn_square(const From& from, const To& to) {
  using Square = Unit<T, N>;
  const typename Square::D units;
  typename Square::V square[N];
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) square[i] = hn::BitCast(units, from(i));
  Square::turn(square);
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) to(i, hn::BitCast(hn::DFromV<V>(), square[i]));
}

/// A part of the corner, Q <= 16 columns of it.
template <class T, int Q>
class CornerColumns {
 public:
  HWY_INLINE CornerColumns(const T* first, index apart) : columns_(apart) {
    unrolled<(Q + 7) / 8>([&](auto e) TRIGON_INLINE_LAMBDA { eight_[e] = first + e * 8 * apart; });
  }
  /// Row i of column k.
  template <int k>
  HWY_INLINE const real_t<T>* of(int i) const {
    return reinterpret_cast<const real_t<T>*>(columns_.template of<k % 8>(eight_[k / 8]) + i);
  }

 private:
  const T* eight_[(Q + 7) / 8];
  Strides<const T> columns_;
};

/// Q rows of a block from row `first` on, G vectors of L reals along each.
template <class T, int L, int G, int Q, int first, bool lower, bool whole>
struct SolveSome {
  using R = real_t<T>;
  using D = hn::CappedTag<R, L>;
  using V = hn::Vec<D>;
  static constexpr int P = parts_of<T>;
  V row[Q][G];

  /// Their columns of the corner, or those of Q rows from `column` on.
  static HWY_INLINE CornerColumns<T, Q> corner(const SolveRows<T>& t, int column = first) {
    const index apart = lower ? t.column : -t.column;
    return {t.corner + column * apart + first, apart};
  }
  /// What x, the row of column k, does to row i of these.
  template <int k>
  HWY_INLINE void take_off(const CornerColumns<T, Q>& t, int i, int g, V x, V turned) {
    const D d;
    const R* const a = t.template of<k>(i);
    row[i][g] = hn::NegMulAdd(hn::Set(d, a[0]), x, row[i][g]);
    if constexpr (is_complex<T>) row[i][g] = hn::NegMulAdd(hn::Set(d, a[1]), turned, row[i][g]);
  }
  /// Row r is known but for its divisor; those after it lose what it does to them.
  template <int r, bool unit>
  HWY_INLINE void eliminate(const SolveRows<T>& t, const CornerColumns<T, Q>& corner, V sign) {
    const D d;
#pragma GCC unroll 2
    for (int g = 0; g < G; ++g) {
      V& x = row[r][g];
      if constexpr (!unit) {
        const R* const by = t.by + P * (first + r);
        const V y = x;
        x = hn::Mul(hn::Set(d, by[0]), y);
        if constexpr (is_complex<T>) x = hn::MulAdd(hn::Set(d, by[1]), times_i(d, y), x);
      }
      const V turned = is_complex<T> ? hn::Xor(hn::Reverse2(d, x), sign) : x;
#pragma GCC unroll 16
      for (int q = 1; q < Q; ++q) {
        const int i = lower ? r + q : r - q;
        if (i < 0 || i >= Q || (!whole && first + i >= t.rows)) continue;
        take_off<r>(corner, i, g, x, turned);
      }
    }
  }
  HWY_INLINE void solve(const SolveRows<T>& t, V sign) { t.by ? solve_as<false>(t, sign) : solve_as<true>(t, sign); }

 private:
  template <bool unit>
  HWY_INLINE void solve_as(const SolveRows<T>& t, V sign) {
    const CornerColumns<T, Q> here = corner(t);
    unrolled<Q>([&](auto q) TRIGON_INLINE_LAMBDA {
      constexpr int r = lower ? q : Q - 1 - q;
      if (whole || first + r < t.rows) eliminate<r, unit>(t, here, sign);
    });
  }
};

/// G groups of N columns, which registers hold at once. Only the first C of them, if not all, are summed; the others
/// repeat the last of these, so that nothing is computed that would not be.
template <class T, int N, int G, int C, int U, bool lower, bool whole, bool all>
struct SolveTile : SolveSums<T, N * parts_of<T>, C, U, whole, all> {
  using Sums = SolveSums<T, N * parts_of<T>, C, U, whole, all>;
  using Sums::P, Sums::sum;
  using typename Sums::Columns, typename Sums::D, typename Sums::V;

  /// `x`: the row of the right-hand sides that is met first, `y`: the first of the block. A block that is not whole is
  /// the first one and meets none.
  HWY_INLINE void run(const T& alpha, const SolveRows<T>& t, T* x, T* y, index ldb, int count) {
    const V sign = turning_sign(D(), t.conj);
    const Columns here(y, ldb, count);
    this->load(alpha, here, t.rows);
    if constexpr (whole) this->meet(t, sign, x, ldb, count);
    SolveSome<T, N * P, G, U * N, 0, lower, whole> block;
#pragma GCC unroll 2
    for (int g = 0; g < G; ++g)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u)
        turn_square<T, N, V>([&](int i) HWY_ATTR { return sum[std::min(g * N + i, C - 1)][u]; },
                             [&](int i, V v) HWY_ATTR { block.row[u * N + i][g] = v; });
    block.solve(t, sign);
#pragma GCC unroll 2
    for (int g = 0; g < G; ++g)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u)
        turn_square<T, N, V>([&](int i) HWY_ATTR { return block.row[u * N + i][g]; },
                             [&](int i, V v) HWY_ATTR {
                               if (g * N + i < C) sum[g * N + i][u] = v;
                             });
    this->store(here, t.rows, count);
  }
};

/// Two groups of N columns of reals, all of them there, U vectors down each. The rows of one group would wait for each
/// other longer than they take; registers hold half of the rows of both. The other half waits in memory, and no row is
/// stored that need not be: a store takes as long as two sums.
template <class T, int N, int U, bool lower>
struct SolvePair {
  static_assert(!is_complex<T>);
  static constexpr int G = 2, H = U * N, Q = H / 2, early = lower ? 0 : Q, late = Q - early;
  using Sums = SolveSums<T, N, N, U, true, true>;
  using D = typename Sums::D;
  using V = typename Sums::V;
  HWY_ALIGN T room[H][G][N];

  /// turn_square, but that `from` and `to` know the place when they are compiled.
  template <class From, class To>
  static HWY_INLINE void turn(const From& from, const To& to) {
    V square[N];
    unrolled<N>([&](auto i) TRIGON_INLINE_LAMBDA { square[i] = from(i); });
    transpose(D(), square);
    unrolled<N>([&](auto i) TRIGON_INLINE_LAMBDA { to(i, square[i]); });
  }

  /// What the early rows, which have been solved, do to the late ones.
  HWY_INLINE void meet(const SolveRows<T>& t, SolveSome<T, N, G, Q, late, lower, true>& rows) const {
    const D d;
    const V none = hn::Zero(d);
    const CornerColumns<T, Q> corner = rows.corner(t, early);
    unrolled<Q>([&](auto q) TRIGON_INLINE_LAMBDA {
      constexpr int k = lower ? q : Q - 1 - q;
#pragma GCC unroll 2
      for (int g = 0; g < G; ++g) {
        const V x = hn::Load(d, room[early + k][g]);
#pragma GCC unroll 16
        for (int i = 0; i < Q; ++i) rows.template take_off<k>(corner, i, g, x, none);
      }
    });
  }

  HWY_INLINE void run(const T& alpha, const SolveRows<T>& t, T* x, T* y, index ldb) {
    const D d;
    const V none = hn::Zero(d);
    SolveSome<T, N, G, Q, early, lower, true> first;
    unrolled<G>([&](auto g) TRIGON_INLINE_LAMBDA {
      const index at = g * N * ldb;
      const Strides<const T> columns(ldb);
      Sums sums;
      unrolled<N>([&](auto i) TRIGON_INLINE_LAMBDA {
        unrolled<U>([&](auto u) TRIGON_INLINE_LAMBDA {
          sums.sum[i][u] = hn::LoadU(d, columns.template of<i>(y + at) + u * N);
        });
      });
      if (alpha != T(1)) sums.scale(alpha);
      if (t.before > 0) sums.meet(t, none, x + at, ldb, N);
      unrolled<U>([&](auto u) TRIGON_INLINE_LAMBDA {
        turn([&](auto i) TRIGON_INLINE_LAMBDA { return sums.sum[i][u]; },
             [&](auto i, V v) TRIGON_INLINE_LAMBDA {
               constexpr int r = u * N + i;
               if constexpr (r / Q == early / Q)
                 first.row[r - early][g] = v;
               else
                 hn::Store(v, d, room[r][g]);
             });
      });
    });
    first.solve(t, none);
#pragma GCC unroll 16
    for (int i = 0; i < Q; ++i)
#pragma GCC unroll 2
      for (int g = 0; g < G; ++g) hn::Store(first.row[i][g], d, room[early + i][g]);
    SolveSome<T, N, G, Q, late, lower, true> last;
#pragma GCC unroll 16
    for (int i = 0; i < Q; ++i)
#pragma GCC unroll 2
      for (int g = 0; g < G; ++g) last.row[i][g] = hn::Load(d, room[late + i][g]);
    meet(t, last);
    last.solve(t, none);
    const Strides<T> columns(ldb);
    unrolled<G>([&](auto g) TRIGON_INLINE_LAMBDA {
      T* const out = y + g * N * ldb;
      unrolled<U>([&](auto u) TRIGON_INLINE_LAMBDA {
        turn(
            [&](auto i) TRIGON_INLINE_LAMBDA {
              constexpr int r = u * N + i;
              if constexpr (r / Q == early / Q)
                return hn::Load(d, room[r][g]);
              else
                return last.row[r - late][g];
            },
            [&](auto i, V v) TRIGON_INLINE_LAMBDA { hn::StoreU(v, d, columns.template of<i>(out) + u * N); });
      });
    });
  }
};

template <class T, int N, int U, bool lower>
HWY_NOINLINE void solve_pair(const T& alpha, const SolveRows<T>& t, T* x, T* y, index ldb) {
  SolvePair<T, N, U, lower> pair;
  pair.run(alpha, t, x, y, ldb);
}

template <class T, int N, int G, int C, int U, bool lower, bool whole, bool all>
HWY_NOINLINE void solve_tile(const T& alpha, const SolveRows<T>& t, T* x, T* y, index ldb, int count) {
  SolveTile<T, N, G, C, U, lower, whole, all> tile;
  tile.run(alpha, t, x, y, ldb, count);
}
#endif

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
