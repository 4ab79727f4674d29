// Updates y += s A x: A is read in place, once for eight right-hand sides. Right-hand sides are contiguous;
// complex elements stay interleaved: a x is kept as two real products, a·Re x and a·Im x, which are
// combined once.
#if defined(TRIGON_CPU_SIMD_UPDATE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_UPDATE_INL
#undef TRIGON_CPU_SIMD_UPDATE_INL
#else
#define TRIGON_CPU_SIMD_UPDATE_INL
#endif

#include "cpu/in_place.hpp"
#include "cpu/simd/complex-inl.hpp"
#include "cpu/simd/strides-inl.hpp"

#include <algorithm>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// How far ahead a line of A is asked for, in reals, with several right-hand sides. With one, asking takes room in
/// which loads themselves would run ahead.
template <class R>
inline constexpr int ahead = 384 / static_cast<int>(sizeof(R));

/// How far ahead the second cache is asked for what only memory holds, in reals, with so few right-hand sides that it
/// is memory they wait for.
template <class R>
inline constexpr int far_ahead = 768 / static_cast<int>(sizeof(R));
template <class T>
inline constexpr int few_to_fetch = 2 / parts_of<T>;
template <class R>
HWY_INLINE void fetch_far(const R* at) {
  __builtin_prefetch(at + far_ahead<R>, 0, 2);
}

/// y += sign · A x for `RHS` right-hand sides: A has contiguous columns (lda apart) of `rows` elements,
/// `cols` of them. x and y: right-hand sides ldx and ldy apart.
template <class T, int RHS, int U, bool whole, bool far>
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
  const Front<Tag<R>> front(last);
  const auto add = [&](V sum, V av, V xv, int u) TRIGON_INLINE_LAMBDA {
    return whole || u + 1 < U ? hn::MulAdd(av, xv, sum) : front.add(sum, av, xv);
  };
  for (int k = 0; k < cols; ++k) {
    const R* column = reinterpret_cast<const R*>(a + k * lda);
    V av[U];
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) {
      const R* const at = column + u * L;
      if (whole || u + 1 < U)
        av[u] = hn::LoadU(d, at);
      else
        av[u] = front.template factor<P>(at);
      if constexpr (loads_twice<RHS * P>) av[u] = kept(av[u]);
    }
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u)
      if constexpr (far)
        fetch_far(column + u * L);
      else
        hwy::Prefetch(column + ahead<R> + u * L);
#pragma GCC unroll 8
    for (int s = 0; s < RHS; ++s) {
      const R* xs = reinterpret_cast<const R*>(x + k + s * ldx);
      const V xr = hn::Set(d, xs[0]);
#pragma GCC unroll 8
      for (int u = 0; u < U; ++u) p[s][u] = add(p[s][u], av[u], xr, u);
      if constexpr (is_complex<T>) {
        const V xi = hn::Set(d, xs[P - 1]);
#pragma GCC unroll 8
        for (int u = 0; u < U; ++u) q[s][u] = add(q[s][u], av[u], xi, u);
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
      if (whole || u + 1 < U)
        hn::StoreU(hn::MulAdd(factor, sum, hn::LoadU(d, out)), d, out);
      else
        front.store(hn::MulAdd(factor, sum, front.load(out)), out);
    }
}

template <class T, int RHS>
void columns_update(const T* a, index lda, index rows, int cols, const T* x, index ldx, T* y, index ldy, real_t<T> sign,
                    bool conj, bool fetched) {
  constexpr int P = parts_of<T>, L = lanes_of<real_t<T>>;
  constexpr int budget = registers * 3 / 4, U = std::max(1, std::min(4, budget / (RHS * P)));
  const index reals = rows * P;
  const auto run = [&]<bool far>(std::bool_constant<far>) HWY_ATTR {
    index i = 0;
    for (; i + U * L <= reals; i += U * L)
      columns_block<T, RHS, U, true, far>(a + i / P, lda, cols, x, ldx, y + i / P, ldy, sign, conj, L);
    for (; i + L <= reals; i += L)
      columns_block<T, RHS, 1, true, far>(a + i / P, lda, cols, x, ldx, y + i / P, ldy, sign, conj, L);
    if (i < reals)
      columns_block<T, RHS, 1, false, far>(a + i / P, lda, cols, x, ldx, y + i / P, ldy, sign, conj,
                                           static_cast<int>(reals - i));
  };
  if constexpr (RHS <= few_to_fetch<T>)
    if (fetched) return run(std::true_type{});
  run(std::false_type{});
}

/// Vectors that are taken side by side with one right-hand side: columns and rows begin anywhere, and a load across two
/// cache lines leaves the second one to the next load.
template <class T>
inline constexpr int neighbours = (registers == 32 ? 4 : 2) / parts_of<T>;

/// Some columns, and the elements of one right-hand side that they are multiplied by, which stay in registers.
template <class T, int C>
struct ColumnsOfOne {
  using R = real_t<T>;
  using V = hn::Vec<Tag<R>>;
  static constexpr int L = lanes_of<R>, P = parts_of<T>;
  const R* first;
  Strides<const R> columns;
  V xr[C], xi[is_complex<T> ? C : 1];

  HWY_INLINE ColumnsOfOne(const T* a, index lda) : first(reinterpret_cast<const R*>(a)), columns(lda * P) {}
  HWY_INLINE ColumnsOfOne(const T* a, index lda, const T* x, R sign) : ColumnsOfOne(a, lda) {
    const Tag<R> d;
#pragma GCC unroll 16
    for (int k = 0; k < C; ++k) {
      const R* const xk = reinterpret_cast<const R*>(x + k);
      xr[k] = hn::Set(d, sign * xk[0]);
      if constexpr (is_complex<T>) xi[k] = hn::Set(d, sign * xk[1]);
    }
  }

  /// The reals from `from` to `to` of y += A x, or y -= A x.
  template <bool minus, bool fetch = false>
  HWY_INLINE void update(index from, index to, R* y, bool conj) const {
    const Tag<R> d;
    const auto step = [&]<int U>(std::integral_constant<int, U>, index i, auto load, auto store, auto fresh,
                                 auto product, auto add) TRIGON_INLINE_LAMBDA {
      V p[U], q[U];
      const R* const from = first + i;
      unrolled<C>([&](auto k) TRIGON_INLINE_LAMBDA {
        const R* const column = columns.template of<k>(from);
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) {
          const R* const at = column + u * L;
          if constexpr (fetch) fetch_far(at);
          V a = load(at);
          if constexpr (is_complex<T>) a = kept(a);
          p[u] = k ? add(p[u], a, xr[k]) : product(a, xr[k]);
          if constexpr (is_complex<T>) q[u] = k ? add(q[u], a, xi[k]) : product(a, xi[k]);
        }
      });
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) {
        if constexpr (is_complex<T>) p[u] = combine(d, p[u], q[u], conj);
        const V old = load(y + i + u * L), sum = fresh(p[u]);
        store(minus ? hn::Sub(old, sum) : hn::Add(old, sum), y + i + u * L);
      }
    };
    const auto load = [&](const R* at) HWY_ATTR { return hn::LoadU(d, at); };
    const auto store = [&](V v, R* at) HWY_ATTR { hn::StoreU(v, d, at); };
    const auto all = [](V v) HWY_ATTR { return v; };
    const auto product = [](V a, V x) HWY_ATTR { return hn::Mul(a, x); };
    const auto add = [](V sum, V a, V x) HWY_ATTR { return hn::MulAdd(a, x, sum); };
    const auto vectors = [&](auto some, index i)
                             TRIGON_INLINE_LAMBDA { step(some, i, load, store, all, product, add); };
    constexpr int U = C > 8 ? 2 : neighbours<T>;  // more columns have sums enough
    constexpr std::integral_constant<int, 1> one;
    index i = from;
    for (; i + U * L <= to; i += U * L) vectors(std::integral_constant<int, U>{}, i);
    if constexpr (U == 4)
      if (i + 2 * L <= to) vectors(std::integral_constant<int, 2>{}, i), i += 2 * L;
    if (i + L <= to) vectors(one, i), i += L;
    const int last = static_cast<int>(to - i);
    if (last <= 0) return;
    if (masks_slowly && to - from >= L) {  // with lanes before that are done: to those is added what changes nothing
      const auto done = lanes_before(d, L - last);
      const V none = hn::Set(d, minus ? -nothing_added<R>() : nothing_added<R>());
      return step(
          one, to - L, load, store, [&](V v) HWY_ATTR { return hn::IfThenElse(done, none, v); }, product, add);
    }
    const Front<Tag<R>> front(last);
    step(
        one, i, [&](const R* at) HWY_ATTR { return front.load(at); }, [&](V v, R* at) HWY_ATTR { front.store(v, at); },
        all, [&](V a, V x) HWY_ATTR { return hn::Mul(a, front.only(x)); },
        [&](V sum, V a, V x) HWY_ATTR { return with_product_in<false>(front.mask, sum, a, x); });
  }
  /// The same, `fetched` as a triangle is. Many columns, and those that memory delivers, are used from a copy, which
  /// stays in registers beside what is stored.
  template <bool minus>
  HWY_INLINE void update_fetching(bool fetched, index from, index to, R* y, bool conj) const {
    if (fetched)
      update_copy<minus, true>(*this, from, to, y, conj);
    else if constexpr (C > 8)
      update_copy<minus, false>(*this, from, to, y, conj);
    else
      update<minus>(from, to, y, conj);
  }

 private:
  template <bool minus, bool fetch>
  static HWY_NOINLINE void update_copy(const ColumnsOfOne& columns, index from, index to, R* y, bool conj) {
    const ColumnsOfOne mine = columns;
    mine.update<minus, fetch>(from, to, y, conj);
  }
};

/// y += sign · A x for any number of columns and one right-hand side.
template <class T>
void update_columns_of_one(const T* a, index lda, index rows, int cols, const T* x, T* y, real_t<T> sign, bool conj,
                           bool fetched) {
  int k = 0;
  const auto take = [&]<int C>(std::integral_constant<int, C>) HWY_ATTR {
    const ColumnsOfOne<T, C> columns(a + k * lda, lda, x + k, sign);
    columns.template update_fetching<false>(fetched, 0, rows * parts_of<T>, reinterpret_cast<real_t<T>*>(y), conj);
    k += C;
  };
  while (k + 8 <= cols) take(std::integral_constant<int, 8>{});
  if (k + 4 <= cols) take(std::integral_constant<int, 4>{});
  if (k + 2 <= cols) take(std::integral_constant<int, 2>{});
  if (k < cols) take(std::integral_constant<int, 1>{});
}

/// One step towards the sums of the lanes of a and of those of b: lanes whose numbers differ in `bit` are added, and
/// that bit then says whose they are.
template <int bit, class D>
HWY_INLINE hn::Vec<D> added(D d, hn::Vec<D> a, hn::Vec<D> b) {
  constexpr int block = 16 / sizeof(hn::TFromD<D>);
  if constexpr (bit == 1) {
    return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  } else if constexpr (bit < block) {
    const hn::Repartition<double, D> pairs;
    const auto p = hn::BitCast(pairs, a), q = hn::BitCast(pairs, b);
    return hn::Add(hn::BitCast(d, hn::InterleaveLower(pairs, p, q)), hn::BitCast(d, hn::InterleaveUpper(pairs, p, q)));
  } else if constexpr (2 * bit == static_cast<int>(hn::MaxLanes(D()))) {
    return hn::Add(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a));
  } else {
    return hn::Add(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a), hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a)));
  }
}

/// The sums of the lanes of N vectors, in the first N lanes of one. Within blocks of 16 bytes first: across them
/// instructions take longer.
template <class D, int N>
HWY_INLINE hn::Vec<D> sums(D d, hn::Vec<D> (&v)[N]) {
  static_assert(std::has_single_bit(static_cast<unsigned>(N)));
  constexpr int L = static_cast<int>(hn::MaxLanes(D())), block = std::min<int>(L, 16 / sizeof(hn::TFromD<D>));
  const auto step = [&]<int bit>(std::integral_constant<int, bit>) HWY_ATTR {
    constexpr int left = std::max(1, N / bit), halves = std::max(1, left / 2);
#pragma GCC unroll 8
    for (int i = 0; i < halves; ++i) v[i] = added<bit>(d, v[left > 1 ? 2 * i : 0], v[left > 1 ? 2 * i + 1 : 0]);
  };
  if constexpr (block >= 2) step(std::integral_constant<int, 1>{});
  if constexpr (block == 4) step(std::integral_constant<int, 2>{});
  if constexpr (L == 4 * block && N == L) {  // the other way round, which is shorter
    v[0] = added<L / 2>(d, v[0], v[2]), v[1] = added<L / 2>(d, v[1], v[3]);
    v[0] = added<L / 4>(d, v[0], v[1]);
  } else {
    if constexpr (L == 4 * block) step(std::integral_constant<int, L / 4>{});
    if constexpr (L > block) step(std::integral_constant<int, L / 2>{});
  }
  return v[0];
}

/// What complex sums still need before their lanes are added: even vectors sum (Re a Re x, Im a Im x), odd ones (Re a
/// Im x, Im a Re x); which lanes are subtracted depends on `conj`.
template <class T, class D, int N>
HWY_INLINE void set_signs(D d, hn::Vec<D> (&p)[N], bool conj) {
  if constexpr (is_complex<T>) {
    const auto odd = hn::OddEven(hn::Set(d, hn::TFromD<D>(-0.0)), hn::Zero(d));
#pragma GCC unroll 8
    for (int r = 0; r < N / 2; ++r)
      if (conj)
        p[2 * r + 1] = hn::Xor(p[2 * r + 1], odd);
      else
        p[2 * r] = hn::Xor(p[2 * r], odd);
  }
}

/// y += sign · the dot products of N / P rows, `exist` reals of them; without `keep` y is not read.
template <class T, int N>
HWY_INLINE void add_dots(hn::Vec<Tag<real_t<T>>> (&p)[N], real_t<T> sign, bool conj, bool keep, real_t<T>* y,
                         int exist) {
  using R = real_t<T>;
  constexpr int group = std::min(lanes_of<R>, N);
  const Tag<R> d;
  set_signs<T>(d, p, conj);
#pragma GCC unroll 4
  for (int g = 0; g < N && g < exist; g += group) {
    hn::Vec<Tag<R>> some[group];
#pragma GCC unroll 16
    for (int i = 0; i < group; ++i) some[i] = p[g + i];
    const auto old = keep ? load_first(d, y + g, exist - g) : hn::Zero(d);
    store_first(hn::MulAdd(hn::Set(d, sign), sums(d, some), old), d, y + g, exist - g);
  }
}

/// y += sign · A x for RHS right-hand sides and ROWS rows, of which those from `rows` on repeat the last one:
/// A has contiguous rows (lda apart) of `cols`. What is `fetch` reals further on is needed soon; with
/// several right-hand sides it is asked for, unless A is `far`. The first `late` elements of x, whole vectors, are
/// known last.
template <class T, int RHS, int ROWS, bool far = false>
HWY_INLINE void rows_block(const T* a, index lda, int rows, index cols, const T* x, index ldx, T* y, index ldy,
                           real_t<T> sign, bool conj, index fetch, int late = 0) {
  using R = real_t<T>;
  constexpr int L = lanes_of<R>, P = parts_of<T>;
  const Tag<R> d;
  using V = hn::Vec<Tag<R>>;
  V p[RHS][ROWS * P];
  const R* row[ROWS];
  row[0] = reinterpret_cast<const R*>(a);
#pragma GCC unroll 8
  for (int r = 1; r < ROWS; ++r) row[r] = row[r - 1] + (r < rows ? lda * P : 0);
#pragma GCC unroll 8
  for (int s = 0; s < RHS; ++s)
#pragma GCC unroll 16
    for (int r = 0; r < ROWS * P; ++r) p[s][r] = hn::Zero(d);
  const auto step = [&]<int U>(std::integral_constant<int, U>, index k, auto load) HWY_ATTR {
    V xv[U][RHS], xw[U][is_complex<T> ? RHS : 1];
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u)
#pragma GCC unroll 8
      for (int s = 0; s < RHS; ++s) {
        xv[u][s] = load(reinterpret_cast<const R*>(x + s * ldx) + k + u * L);
        if constexpr (loads_twice<ROWS>) xv[u][s] = kept(xv[u][s]);
        if constexpr (is_complex<T>) xw[u][s] = hn::Reverse2(d, xv[u][s]);
      }
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; ++r)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) {
        V av = load(row[r] + k + u * L);
        if constexpr (RHS > 1 || is_complex<T>) av = kept(av);
        if constexpr (far)
          fetch_far(row[r] + k + u * L);
        else if constexpr (RHS > 1)
          hwy::Prefetch(row[r] + k + u * L + fetch);
#pragma GCC unroll 8
        for (int s = 0; s < RHS; ++s) {
          p[s][r * P] = hn::MulAdd(av, xv[u][s], p[s][r * P]);
          if constexpr (is_complex<T>) p[s][r * P + 1] = hn::MulAdd(av, xw[u][s], p[s][r * P + 1]);
        }
      }
  };
  const auto load = [&](const R* at) HWY_ATTR { return hn::LoadU(d, at); };
  constexpr int U = RHS == 1 ? 2 : 1;
  const index reals = cols * P;
  index k = late * P;
  for (; k + U * L <= reals; k += U * L) step(std::integral_constant<int, U>{}, k, load);
  for (; k + L <= reals; k += L) step(std::integral_constant<int, 1>{}, k, load);
  const int last = static_cast<int>(reals - k);
  if (last > 0)
    step(std::integral_constant<int, 1>{}, k, [&](const R* at) HWY_ATTR { return load_first(d, at, last); });
  for (k = 0; k < late * P; k += L) step(std::integral_constant<int, 1>{}, k, load);
#pragma GCC unroll 8
  for (int s = 0; s < RHS; ++s) add_dots<T>(p[s], sign, conj, true, reinterpret_cast<R*>(y + s * ldy), rows * P);
}

/// `chunk`: the next rows are needed before these rows go on.
template <class T, int RHS>
void rows_update(const T* a, index lda, int rows, index cols, const T* x, index ldx, T* y, index ldy, real_t<T> sign,
                 bool conj, bool chunk, bool fetched) {
  constexpr int P = parts_of<T>;
  constexpr unsigned budget = registers / 2 / (RHS * P);
  constexpr int ROWS = static_cast<int>(std::bit_floor(std::clamp(budget, 1u, 8u)));
  for (int r = 0; r < rows; r += ROWS) {
    const bool last = r + ROWS >= rows;
    const index next = !chunk ? ahead<real_t<T>> : P * (last ? cols - r * lda : ROWS * lda);
    constexpr bool may = RHS <= few_to_fetch<T>;
    const auto block = may && fetched ? rows_block<T, RHS, ROWS, may> : rows_block<T, RHS, ROWS>;
    block(a + r * lda, lda, std::min(ROWS, rows - r), cols, x, ldx, y + r, ldy, sign, conj, next, 0);
  }
}

/// y += sign · A x for any number of right-hand sides, eight at a time.
template <class T>
void update_columns(const T* a, index lda, index rows, int cols, const T* x, index ldx, T* y, index ldy, index rhs,
                    real_t<T> sign, bool conj, bool fetched) {
  if (rhs == 1) return update_columns_of_one(a, lda, rows, cols, x, y, sign, conj, fetched);
  for (index s = 0; s < rhs; s += most_by_name)
    of_few(std::min<index>(most_by_name, rhs - s), [&]<int n>(std::integral_constant<int, n>) HWY_ATTR {
      columns_update<T, n>(a, lda, rows, cols, x + s * ldx, ldx, y + s * ldy, ldy, sign, conj, fetched);
    });
}
template <class T>
void update_rows(const T* a, index lda, int rows, index cols, const T* x, index ldx, T* y, index ldy, index rhs,
                 real_t<T> sign, bool conj, bool fetched) {
  for (index s = 0; s < rhs; s += most_by_name) {
    const index some = std::min<index>(most_by_name, rhs - s);
    // Several right-hand sides stay in the first cache for all rows.
    const index chunk = rhs == 1 ? cols : index{16384} / (static_cast<index>(sizeof(T)) * some);
    of_few(some, [&]<int n>(std::integral_constant<int, n>) HWY_ATTR {
      for (index k = 0; k < cols; k += chunk)
        rows_update<T, n>(a + k, lda, rows, std::min(chunk, cols - k), x + s * ldx + k, ldx, y + s * ldy, ldy, sign,
                          conj, chunk < cols, fetched);
    });
  }
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
