// Solves with one right-hand side by panels of a few columns, or of a few rows of reals where those are contiguous. The
// part of a panel on the diagonal is a chain; what is beyond it does not wait for the next chain, nor that for most of
// it.
#if defined(TRIGON_CPU_SIMD_CHAIN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_CHAIN_INL
#undef TRIGON_CPU_SIMD_CHAIN_INL
#else
#define TRIGON_CPU_SIMD_CHAIN_INL
#endif

#include "cpu/simd/one-inl.hpp"
#include "cpu/simd/panels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Rows that are solved before their columns are taken off all that follow, and orders for which that pays.
template <class T>
inline constexpr int chain_rows = std::max(8, lanes_of<real_t<T>> / parts_of<T>);
template <class T>
inline constexpr int short_chain = std::clamp(4 * lanes_of<real_t<T>> / parts_of<T>, chain_rows<T>,
                                              (registers == 32 ? 4 : 2) * chain_rows<T>);
template <class T>
inline constexpr int short_vectors = short_chain<T>* parts_of<T> / lanes_of<real_t<T>>;

/// The rows of a panel, from which all has been taken off that was solved before.
template <class T>
struct ChainRows {
  using D = Tag<real_t<T>>;
  static constexpr int L = lanes_of<real_t<T>>, V = chain_rows<T> * parts_of<T> / L;
  hn::Vec<D> u[V];

  HWY_INLINE void load(const T* x) {
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) u[v] = hn::LoadU(D(), reinterpret_cast<const real_t<T>*>(x) + v * L);
  }
};

/// x := t^-1 x, as far as columns k0 to k0 + chain_rows are concerned, whose rows are `rows`; `by` begins at row
/// `first`. Of reals, each x is taken off the rows of the next panel, if there is one, as soon as it is known, and
/// these take the place of `rows`: they would wait for x to be stored and loaded, and then for one column after the
/// other. (Chains of complex numbers leave no time for that.)
template <class T, bool lower>
HWY_INLINE void solve_panel(const Corner<T>& t, const Divisors<T>& by, bool fetched, int first, int k0, bool goes_on,
                            ChainRows<T>& rows, T* x) {
  using R = real_t<T>;
  using Vec = hn::Vec<Tag<R>>;
  constexpr int L = lanes_of<R>, P = parts_of<T>, per = L / P, W = chain_rows<T>, V = W / per, B = std::min(4, per);
  const Tag<R> d;
  const T* const a = t.a + k0 * (t.lda + 1);
  Vec(&u)[V] = rows.u;
  ChainRows<T> next;
  if (is_complex<T>)
    rows.load(x + k0), goes_on = false;
  else if (goes_on)
    next.load(x + (lower ? k0 + W : k0 - W));
  ColumnsOfOne<T, W> solved(t.a + k0 * t.lda, t.lda);
#pragma GCC unroll 8
  for (int b = 0; b < W; b += B) {
    const auto place = [&](int i) HWY_ATTR { return lower ? b + i : W - 1 - b - i; };
    Spread<T, B> s;
#pragma GCC unroll 4
    for (int i = 0; i < B; ++i) {
      const int k = place(i), lane = k % per * P;
      s.re[i] = spread(d, u[k / per], lane);
      if constexpr (is_complex<T>) s.im[i] = spread(d, u[k / per], lane + 1);
#pragma GCC unroll 4
      for (int j = 0; j < i; ++j) s.take_off(i, a + k + place(j) * t.lda, t.conj, s, j);
      s.finish(i, by, k0 - first + k, t.unit, x + k0 + k);
      solved.xr[k] = s.re[i];
      if constexpr (is_complex<T>) solved.xi[k] = s.im[i];
    }
#pragma GCC unroll 4
    for (int i = 0; i < B; ++i) {
      const R* const column = reinterpret_cast<const R*>(a + place(i) * t.lda);
      // i a x = (a with its parts exchanged) (-x, x)
      const Vec turned = is_complex<T> ? hn::OddEven(s.im[i], hn::Neg(s.im[i])) : s.re[i];
#pragma GCC unroll 4
      for (int w = 0; w < V; ++w) {
        // Lanes of rows that are solved, in an upper triangle of those that are not.
        const int done = (lower ? b + B : W - b - B) * P - w * L;
        if (lower ? done >= L : done <= 0) continue;
        Vec c;
        if (lower ? done <= 0 : done >= L)
          c = hn::LoadU(d, column + w * L);
        else if (masks_slowly)
          c = load_within(d, column + w * L, lower ? done : 0, lower ? L : done);
        else if constexpr (masks_memory<Tag<R>>)
          c = hn::MaskedLoad(lower ? hn::Not(lanes_before(d, done)) : lanes_before(d, done), d, column + w * L);
        else
          c = load_lanes(d, column + w * L, lower ? done : 0, lower ? L : done);
        if constexpr (is_complex<T>) c = kept(t.conj ? conjugated(d, c) : c);
        const bool some = lower ? done > 0 : done < L;
        const auto lanes = lower ? hn::Not(lanes_before(d, done)) : lanes_before(d, done);
        const auto less = [some, lanes](Vec sum, Vec of_c, Vec by) TRIGON_INLINE_LAMBDA {
          return some ? with_product_in<true>(lanes, sum, of_c, by) : hn::NegMulAdd(of_c, by, sum);
        };
        u[w] = less(u[w], c, s.re[i]);
        if constexpr (is_complex<T>) u[w] = less(u[w], hn::Reverse2(d, c), turned);
      }
      if constexpr (!is_complex<T>)
        if (goes_on)
#pragma GCC unroll 4
          for (int w = 0; w < V; ++w)
            next.u[w] = hn::NegMulAdd(hn::LoadU(d, column + (lower ? W : -W) + w * L), s.re[i], next.u[w]);
    }
  }
  const int beside = goes_on ? 2 * W : W;
  if (lower)
    solved.template update_fetching<true>(fetched, (k0 + beside) * P, t.n * P, reinterpret_cast<R*>(x), t.conj);
  else
    solved.template update_fetching<true>(fetched, 0, (k0 + W - beside) * P, reinterpret_cast<R*>(x), t.conj);
  if (goes_on) rows = next;
}

/// Rows of reals: those that are solved at a time, and their latest vectors, zero where nothing is solved.
template <class T>
struct Latest {
  static constexpr int W = 8, L = lanes_of<T>, V = std::max(1, W / L), width = V * L;
  hn::Vec<Tag<T>> lanes[V];
  int at = 0;  ///< the row of lane 0

  HWY_INLINE void clear(int row) {
    at = row;
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) lanes[v] = hn::Zero(Tag<T>());
  }
  HWY_INLINE void note(const Spread<T, W>& s, int k0, bool lower) {
    const Tag<T> d;
    const hn::RebindToSigned<Tag<T>> numbers;
    using N = hn::TFromD<decltype(numbers)>;
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) {
      const auto row = hn::Add(hn::Iota(numbers, N(0)), hn::Set(numbers, N(at + v * L - k0)));
#pragma GCC unroll 8
      for (int i = 0; i < W; ++i)
        lanes[v] = hn::IfThenElse(hn::RebindMask(d, hn::Eq(row, hn::Set(numbers, N(lower ? i : W - 1 - i)))), s.re[i],
                                  lanes[v]);
    }
  }
};

/// Rows k0 to k0 + W, when those before or after them are solved.
template <class T, bool lower>
HWY_INLINE void solve_rows(const Corner<T>& t, const Divisors<T>& by, bool fetched, int first, int k0,
                           Latest<T>& latest, T* x) {
  constexpr int W = Latest<T>::W, L = lanes_of<T>, V = Latest<T>::V, width = Latest<T>::width;
  const Tag<T> d;
  RowsOfOne<T, W> dots(t.a + k0 * t.lda, t.lda);
#pragma GCC unroll 8
  for (int r = 0; r < W; ++r) dots.p[r] = hn::Zero(d);
  if (lower ? k0 > 0 : k0 + W < t.n) {
    dots.add_fetching(fetched, lower ? 0 : latest.at + width, lower ? latest.at : t.n, x);
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) {
      const int row = latest.at + v * L, from = lower ? 0 : k0 + W - row, to = (lower ? k0 : t.n) - row;
      const bool within = masks_slowly && row + L <= t.n;
#pragma GCC unroll 8
      for (int r = 0; r < W; ++r) {
        const T* const at = dots.row[r] + row;
        const auto a = within ? load_within(d, at, from, to) : load_lanes(d, at, from, to);
        dots.p[r] = hn::MulAdd(a, latest.lanes[v], dots.p[r]);
      }
    }
  }
  constexpr int group = std::min(W, L);
  Spread<T, W> s;
#pragma GCC unroll 8
  for (int g = 0; g < W; g += group) {
    hn::Vec<Tag<T>> some[group];
#pragma GCC unroll 8
    for (int i = 0; i < group; ++i) some[i] = dots.p[g + i];
    const auto left = hn::Sub(load_first(d, x + k0 + g, group), sums(d, some));
#pragma GCC unroll 8
    for (int i = 0; i < group; ++i) s.re[lower ? g + i : W - 1 - g - i] = spread(d, left, i);
  }
  const auto place = [&](int i) HWY_ATTR { return k0 + (lower ? i : W - 1 - i); };
#pragma GCC unroll 8
  for (int i = 0; i < W; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < i; ++j) s.take_off(i, t.a + place(i) * t.lda + place(j), false, s, j);
    s.finish(i, by, place(i) - first, t.unit, x + place(i));
  }
  if (lower ? k0 % width == 0 : (k0 + W) % width == 0) latest.clear(k0 / width * width);
  latest.note(s, k0, lower);
}

/// x := t^-1 x, columns contiguous. Loops are written out: through a function for each panel, compilers made worse of
/// it.
template <class T, bool lower>
HWY_NOINLINE void solve_by_columns(const Corner<T>& t, T* x) {
  constexpr int W = chain_rows<T>, chunk = most_divisors;
  const int rest = t.n % W, whole = t.n - rest;
  Divisors<T> by;
  const auto few = [&](int at, int size)
                       HWY_ATTR { solve_few<short_vectors<T>, lower>(block_of(t, at, size), by, x + at); };
  if (t.n <= short_chain<T>) return solve_few<short_vectors<T>, lower>(t, by, x);
  const bool fetched = is_fetched<T>(t.n);
  if (!lower && rest > 0) {
    few(whole, rest);
    update_columns_of_one(t.a + whole * t.lda, t.lda, whole, rest, x + whole, x, real_t<T>(-1), t.conj, fetched);
  }
  ChainRows<T> rows;
  rows.load(x + (lower ? 0 : whole - W));
  const int chunks = (whole + chunk - 1) / chunk;
  for (int q = 0; q < chunks; ++q) {
    const int first = (lower ? q : chunks - 1 - q) * chunk, end = std::min(first + chunk, whole);
    if (!t.unit) collect(block_of(t, first, end - first), by);
    if (lower)
      for (int k = first; k < end; k += W) solve_panel<T, lower>(t, by, fetched, first, k, k + W < whole, rows, x);
    else
      for (int k = end - W; k >= first; k -= W) solve_panel<T, lower>(t, by, fetched, first, k, k > 0, rows, x);
  }
  if (lower && rest > 0) few(whole, rest);
}

/// x := t^-1 x for reals, rows contiguous.
template <class T, bool lower>
HWY_NOINLINE void solve_by_rows(const Corner<T>& t, T* x) {
  constexpr int W = Latest<T>::W, L = lanes_of<T>, width = Latest<T>::width, chunk = most_divisors;
  const Tag<T> d;
  const int rest = t.n % W, whole = t.n - rest;
  Divisors<T> by;
  const auto few = [&](int at, int size) HWY_ATTR { solve_few_rows<lower>(block_of(t, at, size), by, x + at); };
  if (t.n <= short_rows) return solve_few_rows<lower>(t, by, x);
  const bool fetched = is_fetched<T>(t.n);
  Latest<T> latest;
  latest.clear(lower ? 0 : whole / width * width);
  if (!lower && rest) {
    few(whole, rest);
#pragma GCC unroll 8
    for (int v = 0; v < Latest<T>::V; ++v)
      latest.lanes[v] = load_lanes(d, x + latest.at + v * L, whole - latest.at - v * L, t.n - latest.at - v * L);
  }
  const int chunks = (whole + chunk - 1) / chunk;
  for (int q = 0; q < chunks; ++q) {
    const int first = (lower ? q : chunks - 1 - q) * chunk, end = std::min(first + chunk, whole);
    if (!t.unit) collect(block_of(t, first, end - first), by);
    if (lower)
      for (int k = first; k < end; k += W) solve_rows<T, lower>(t, by, fetched, first, k, latest, x);
    else
      for (int k = end - W; k >= first; k -= W) solve_rows<T, lower>(t, by, fetched, first, k, latest, x);
  }
  if (lower && rest) {
    update_rows(t.a + whole * t.lda, t.lda, rest, index{whole}, x, 0, x + whole, 0, 1, T(-1), false, fetched);
    few(whole, rest);
  }
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
