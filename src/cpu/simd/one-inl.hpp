// One right-hand side and a corner of the triangle. In a solve every row waits for the one before, and the time is that
// of this chain: blocks of four rows are solved as scalars, kept in every lane of a vector, so that from row to row is
// one multiply-add; all that is not in the chain is done beside it. What is not stored does not count; only products by
// dot products read it, within blocks on the diagonal.
#if defined(TRIGON_CPU_SIMD_ONE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_ONE_INL
#undef TRIGON_CPU_SIMD_ONE_INL
#else
#define TRIGON_CPU_SIMD_ONE_INL
#endif

#include "cpu/simd/corner-inl.hpp"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Some rows of X, the same in every lane.
template <class T, int B>
struct Spread {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  V re[B], im[B];  ///< im: complex only

  /// Row i -= a(i, j) other(j), `a` in memory.
  template <int O>
  HWY_INLINE void take_off(int i, const T* a, bool conj, const Spread<T, O>& other, int j) {
    const D d;
    const R* const at = reinterpret_cast<const R*>(a);
    const V ar = hn::Set(d, at[0]);
    re[i] = hn::NegMulAdd(ar, other.re[j], re[i]);
    if constexpr (is_complex<T>) {
      const V ai = hn::Set(d, conj ? -at[1] : at[1]);
      im[i] = hn::NegMulAdd(ar, other.im[j], im[i]);
      re[i] = hn::MulAdd(ai, other.im[j], re[i]);
      im[i] = hn::NegMulAdd(ai, other.re[j], im[i]);
    }
  }
  /// Row i is whole: divided, and written to x.
  HWY_INLINE void finish(int i, const Divisors<T>& by, int k, bool unit, T* x) {
    if (!unit) divide_by<T>(by.value + k * parts_of<T>, by.divide, re[i], im[i]);
    R* const out = reinterpret_cast<R*>(x);
    out[0] = hn::GetLane(re[i]);
    if constexpr (is_complex<T>) out[1] = hn::GetLane(im[i]);
  }
};

/// B rows that are solved as scalars, from lane `at` on if that is known; whether none is left after them.
template <int B, int at, bool ends>
struct Block {};

/// x := t^-1 x, columns contiguous: the rows of a block are solved as scalars, so that from one to the next is one
/// multiply-add, and meanwhile their columns are taken off the rows after them, which stay in registers.
template <class T, int V, bool lower>
HWY_NOINLINE void solve_one_by_columns(const Corner<T>& t, const Divisors<T>& by, T* x) {
  using R = real_t<T>;
  using Vec = hn::Vec<Tag<R>>;
  constexpr int L = lanes_of<R>, P = parts_of<T>, C = P - 1, per = L / P;
  const Tag<R> d;
  const Front<Tag<R>> last(t.n * P - (V - 1) * L);
  Vec u[V];
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) {
    const R* const p = reinterpret_cast<const R*>(x) + v * L;
    u[v] = v + 1 < V ? hn::LoadU(d, p) : last.load(p);
  }
#pragma GCC unroll 8
  for (int q = 0; q < V; ++q) {
    const int v = lower ? q : V - 1 - q, rows = std::min(per, t.n - v * per);
    // Rows from lane 0 on, or back from the last one, are known beforehand: `at` is the first of them, or -1. None is
    // beyond them if the block `ends` them all.
    const auto block = [&]<int B, int at, bool ends>(Block<B, at, ends>, int step) TRIGON_INLINE_LAMBDA {
      constexpr bool known = at >= 0;
      const int first = lower ? step : (known ? per : rows) - 1 - step, k0 = v * per + first;
      constexpr int next = lower ? 1 : -1;
      Spread<T, B> s;
#pragma GCC unroll 4
      for (int i = 0; i < B; ++i) {
        s.re[i] = spread(d, u[v], (first + i * next) * P);
        s.im[i] = spread(d, u[v], (first + i * next) * P + C);
      }
#pragma GCC unroll 4
      for (int i = 0; i < B; ++i) {
        const int k = k0 + i * next;
#pragma GCC unroll 4
        for (int j = 0; j < i; ++j) s.take_off(i, t.a + k + (k0 + j * next) * t.lda, t.conj, s, j);
        s.finish(i, by, k, t.unit, x + k);
      }
      if (ends) return;
      // Lanes in which rows are left.
      constexpr int from = lower ? (at + B) * P : 0, to = lower ? L : (per - at - B) * P;
#pragma GCC unroll 4
      for (int i = 0; i < B; ++i) {
        const int k = k0 + i * next;
        const R* const column = reinterpret_cast<const R*>(t.a + k * t.lda);
        // i a x = (a with its parts exchanged) (-x, x)
        const Vec turned = is_complex<T> ? hn::OddEven(s.im[i], hn::Neg(s.im[i])) : s.im[i];
#pragma GCC unroll 8
        for (int w = 0; w < V; ++w) {
          if (lower ? w < v : w > v) continue;
          if (known && w == v && from >= to) continue;
          const auto left = w + 1 < V ? fixed_lanes<from, to>(d) : hn::And(fixed_lanes<from, to>(d), last.mask);
          Vec a;
          if (known && w == v)
            a = masks_memory<Tag<R>> ? hn::MaskedLoad(left, d, column + w * L)
                                     : load_lanes(d, column + w * L, from, w + 1 < V ? to : last.count);
          else if (w == v)
            a = corner_column<T, lower>(t, k, w, true, false);
          else
            a = w + 1 < V ? hn::LoadU(d, column + w * L) : last.load(column + w * L);
          if constexpr (is_complex<T>) {
            a = kept(a);
            if ((known || w != v) && t.conj) a = conjugated(d, a);
          }
          // What other lanes hold meets no infinity.
          const bool some = w == v || w + 1 == V;
          const auto lanes = w != v ? last.mask : known ? left : corner_lanes<T, lower>(t, k, w, false);
          const auto less = [some, lanes](Vec sum, Vec of_a, Vec by) TRIGON_INLINE_LAMBDA {
            return some ? with_product_in<true>(lanes, sum, of_a, by) : hn::NegMulAdd(of_a, by, sum);
          };
          u[w] = less(u[w], a, s.re[i]);
          if constexpr (is_complex<T>) u[w] = less(u[w], hn::Reverse2(d, a), turned);
        }
      }
    };
    constexpr int size = std::min(4, per);
    if (lower || v + 1 < V) {
      const auto rest = [&]<int at>(std::integral_constant<int, at>) TRIGON_INLINE_LAMBDA {
        const int left = rows - at;
        if (v + 1 < V || left > size) return block(Block<size, at, false>{}, at);
        if (left == 4) block(Block<size, at, true>{}, at);
        if (left == 3) block(Block<std::min(3, size), at, true>{}, at);
        if (left == 2) block(Block<std::min(2, size), at, true>{}, at);
        if (left == 1) block(Block<1, at, true>{}, at);
      };
      [&]<int... b>(std::integer_sequence<int, b...>) TRIGON_INLINE_LAMBDA {
        (rest(std::integral_constant<int, b * size>{}), ...);
      }
      (std::make_integer_sequence<int, per / size>{});
      continue;
    }
    int step = 0;
#pragma GCC unroll 1
    for (; step + 4 <= rows; step += 4) block(Block<4, -1, false>{}, step);
#pragma GCC unroll 1
    for (; step < rows; ++step) block(Block<1, -1, false>{}, step);
  }
}

/// A row of X by itself: a real number in every lane, a complex one in every pair of them.
template <class T>
struct Element {
  using R = real_t<T>;
  using D = hn::CappedTag<R, 16 / sizeof(R)>;
  using Pairs = hn::Repartition<double, D>;
  using V = hn::Vec<D>;
  V value, turned;  ///< turned: times i, or -i where conjugates of the triangle are meant; complex only

  static HWY_INLINE V load(const T* p) {
    if constexpr (sizeof(T) == 16) {
      return hn::LoadU(D(), reinterpret_cast<const R*>(p));
    } else if constexpr (is_complex<T>) {
      double both;
      std::memcpy(&both, p, sizeof(both));
      return hn::BitCast(D(), hn::Set(Pairs(), both));
    } else {
      return hn::Set(D(), *p);
    }
  }
  HWY_INLINE void take_off(const T* a, const Element& x) {
    const R* const parts = reinterpret_cast<const R*>(a);
    value = hn::NegMulAdd(hn::Set(D(), parts[0]), x.value, value);
    if constexpr (is_complex<T>) value = hn::NegMulAdd(hn::Set(D(), parts[1]), x.turned, value);
  }
  /// The row is whole: divided, and written to x.
  HWY_INLINE void finish(const Divisors<T>& by, int k, const Corner<T>& t, T* x) {
    const D d;
    const R* const p = by.value + parts_of<T> * k;
    if constexpr (!is_complex<T>) {
      if (!t.unit) divide_by<T>(p, by.divide, value, value);
      *x = hn::GetLane(value);
    } else {
      if (!t.unit) {
        V re = hn::DupEven(value), im = hn::DupOdd(value);
        divide_by<T>(p, by.divide, re, im);
        value = hn::OddEven(im, re);
      }
      const V minus = hn::OddEven(hn::Set(d, t.conj ? R(-0.0) : R(0)), hn::Set(d, t.conj ? R(0) : R(-0.0)));
      turned = hn::Xor(hn::Reverse2(d, value), minus);
      if constexpr (sizeof(T) == 16) {
        hn::StoreU(value, d, reinterpret_cast<R*>(x));
      } else {
        const double both = hn::GetLane(hn::BitCast(Pairs(), value));
        std::memcpy(x, &both, sizeof(both));
      }
    }
  }
};

/// `count` elements from number `from` on in one vector, in their order or, of an upper triangle, the last one first.
template <bool lower, int from, int count, class T, int B>
HWY_INLINE auto side_by_side(const Element<T> (&x)[B]) {
  using D = typename Element<T>::D;
  constexpr int half = count / 2, bytes = count * sizeof(T), i = lower ? from : B - 1 - from;
  if constexpr (count == 1) {
    return x[i].value;
  } else if constexpr (bytes > 16) {
    const hn::CappedTag<real_t<T>, bytes / sizeof(real_t<T>)> d;
    return hn::Combine(d, side_by_side<lower, from + half, half>(x), side_by_side<lower, from, half>(x));
  } else if constexpr (bytes == 16) {
    const typename Element<T>::Pairs d;
    return hn::BitCast(D(), hn::InterleaveLower(d, hn::BitCast(d, side_by_side<lower, from, half>(x)),
                                                hn::BitCast(d, side_by_side<lower, from + half, half>(x))));
  } else {
    return hn::InterleaveLower(D(), x[i].value, x[lower ? i + 1 : i - 1].value);
  }
}

/// The same, rows contiguous. A row's dot product with what was solved earlier than the block before is ready when that
/// block is; elements that meet that block and this one are taken off one by one. Only the triangle is read.
template <class T, bool lower>
HWY_NOINLINE void solve_one_by_rows(const Corner<T>& t, const Divisors<T>& by, T* x) {
  using R = real_t<T>;
  constexpr int P = parts_of<T>, B = std::min(4, lanes_of<R> / P);
  const hn::CappedTag<R, P * B> d;  // the elements that a row has in a block
  using V = hn::Vec<decltype(d)>;
  HWY_ALIGN R solved[P * most_divisors], sum[P * B];
  const auto place = [&](int p) HWY_ATTR { return lower ? p : t.n - 1 - p; };
  Element<T> before[B] = {};
  for (int p0 = 0; p0 < t.n; p0 += B) {
    const int count = std::min(B, t.n - p0);
    const T* row[B];  // those beyond the last repeat it
    Element<T> s[B];
#pragma GCC unroll 4
    for (int i = 0; i < B; ++i) {
      const int k = place(p0 + std::min(i, count - 1));
      row[i] = t.a + k * t.lda;
      s[i].value = Element<T>::load(x + k);
    }
    if (p0 > B) {
      V dots[P * B];
#pragma GCC unroll 8
      for (int i = 0; i < P * B; ++i) dots[i] = hn::Zero(d);
#pragma GCC unroll 1
      for (int q = 0; q < p0 - B; q += B) {
        const V xv = hn::Load(d, solved + P * q);
        const int at = lower ? q : t.n - B - q;
#pragma GCC unroll 4
        for (int i = 0; i < B; ++i) {
          V a = hn::LoadU(d, reinterpret_cast<const R*>(row[i] + at));
          if constexpr (is_complex<T>) {
            a = kept(a);
            dots[P * i + 1] = hn::MulAdd(a, hn::Reverse2(d, xv), dots[P * i + 1]);
          }
          dots[P * i] = hn::MulAdd(a, xv, dots[P * i]);
        }
      }
      set_signs<T>(d, dots, t.conj);
      hn::Store(sums(d, dots), d, sum);
    }
    if (p0 > 0)
#pragma GCC unroll 4
      for (int j = 0; j < B; ++j) {
        if (j + 1 == B && p0 > B)  // sums are ready late, but the last row before is even later
#pragma GCC unroll 4
          for (int i = 0; i < B; ++i)
            s[i].value = hn::Sub(s[i].value, Element<T>::load(reinterpret_cast<const T*>(sum) + i));
#pragma GCC unroll 4
        for (int i = 0; i < B; ++i) s[i].take_off(row[i] + place(p0 - B + j), before[j]);
      }
#pragma GCC unroll 4
    for (int i = 0; i < B; ++i) {
      if (i >= count) break;
      const int k = place(p0 + i);
#pragma GCC unroll 4
      for (int j = 0; j < i; ++j) s[i].take_off(row[i] + place(p0 + j), s[j]);
      s[i].finish(by, k, t, x + k);
    }
    if (p0 + B < t.n) hn::Store(side_by_side<lower, 0, B>(s), d, solved + P * p0);
#pragma GCC unroll 4
    for (int i = 0; i < B; ++i) before[i] = s[i];
  }
}

/// x := t x by dot products, rows contiguous: as many rows at a time as
/// a vector has elements, so that the vector of each that the diagonal crosses is cut at a place known beforehand.
template <bool lower, bool unit, class T>
HWY_NOINLINE void multiply_one_by_rows(const Corner<T>& t, T* x) {
  using R = real_t<T>;
  using V = hn::Vec<Tag<R>>;
  constexpr int L = lanes_of<R>, P = parts_of<T>, N = L / P;
  const Tag<R> d;
  const int last = (t.n - 1) / N * N;
  for (int g = 0; g <= last; g += N) {
    const int i0 = lower ? last - g : g, exist = std::min(N, t.n - i0);
    const R* const rows = reinterpret_cast<const R*>(t.a + i0 * t.lda);
    const R* const xs = reinterpret_cast<const R*>(x);
    V p[N * P];
    const auto step = [&](int k, auto load, auto add) HWY_ATTR {
      const V xv = load(xs + k * P);
      const R* row = rows + k * P;
#pragma GCC unroll 16
      for (int r = 0; r < N; ++r) {  // rows beyond the last one repeat it
        add(r, load(row), xv);
        row += r + 1 < exist ? t.lda * P : 0;
      }
    };
    const Front<Tag<R>> here(exist * P), rest((t.n - last) * P);
    // What x and t hold beyond the diagonal must not count, even if it is no number.
    step(
        i0, [&](const R* at) HWY_ATTR { return here.load(at); },
        [&](int r, V a, V xv) HWY_ATTR {
          const int end = std::min(r, exist - 1) + !unit;  // a repeated row raises no flag of its own
          const auto inside = lanes_between(d, lower ? 0 : (r + unit) * P, lower ? end * P : L);
          const V av = hn::IfThenElseZero(inside, a), xi = hn::IfThenElseZero(inside, xv);
          p[r * P] = hn::Mul(av, xi);
          if constexpr (is_complex<T>) p[r * P + 1] = hn::Mul(av, hn::Reverse2(d, xi));
        });
    const auto add = [&](int r, V a, V xv) HWY_ATTR {
      if constexpr (is_complex<T>) a = kept(a);
      p[r * P] = hn::MulAdd(a, xv, p[r * P]);
      if constexpr (is_complex<T>) p[r * P + 1] = hn::MulAdd(a, hn::Reverse2(d, xv), p[r * P + 1]);
    };
    const int end = lower ? i0 : last;
    for (int k = lower ? 0 : i0 + N; k < end; k += N)
      step(
          k, [&](const R* at) HWY_ATTR { return hn::LoadU(d, at); }, add);
    if (!lower && i0 < last)
      step(
          last, [&](const R* at) HWY_ATTR { return rest.load(at); }, add);
    add_dots<T>(p, R(1), t.conj, unit, reinterpret_cast<R*>(x + i0), exist * P);
  }
}

/// Rows or columns of t as a corner's columns.
template <class T>
Corner<T> corner_of(const Triangle<T*>& t) {
  return {t.a.data,
          t.a.row_stride == 1 ? t.a.col_stride : t.a.row_stride,
          static_cast<int>(t.n()),
          t.uplo == Uplo::Lower,
          t.diag == Diag::Unit,
          t.a.conj};
}

/// x := t^-1 x for so few rows that they take `most` vectors, columns contiguous.
template <int most, bool lower, class T>
HWY_NOINLINE void solve_few(const Corner<T>& t, Divisors<T>& by, T* x) {
  constexpr int L = lanes_of<real_t<T>>, P = parts_of<T>;
  if (!t.unit) collect_few(t, by);
  of_few<most>((t.n * P + L - 1) / L,
               [&]<int V>(std::integral_constant<int, V>) HWY_ATTR { solve_one_by_columns<T, V, lower>(t, by, x); });
}

/// The largest order that is solved or multiplied in one piece where rows are contiguous.
inline constexpr int short_rows = most_divisors;

/// x := t^-1 x, rows contiguous, for an order of short_rows at most.
template <bool lower, class T>
HWY_NOINLINE void solve_few_rows(const Corner<T>& t, Divisors<T>& by, T* x) {
  if (!t.unit) collect_few(t, by);
  solve_one_by_rows<T, lower>(t, by, x);
}

/// x := t^-1 x or t x, complex rows, likewise.
template <bool inverse, class T>
void apply_few_rows(const Triangle<T*>& t, T* x) {
  const Corner<T> c = corner_of(t);
  if constexpr (inverse) {
    Divisors<T> by;
    c.lower ? solve_few_rows<true>(c, by, x) : solve_few_rows<false>(c, by, x);
  } else {
    if (c.lower) return c.unit ? multiply_one_by_rows<true, true>(c, x) : multiply_one_by_rows<true, false>(c, x);
    return c.unit ? multiply_one_by_rows<false, true>(c, x) : multiply_one_by_rows<false, false>(c, x);
  }
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
