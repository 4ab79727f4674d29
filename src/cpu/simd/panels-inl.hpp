// Products with one right-hand side, by panels of a few columns, or of a few rows where those are contiguous: a panel
// is read once, and its part on the diagonal is a vector or two that are masked. Panels of columns begin and end with a
// vector: what is written in part keeps who reads it waiting.
#if defined(TRIGON_CPU_SIMD_PANELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_PANELS_INL
#undef TRIGON_CPU_SIMD_PANELS_INL
#else
#define TRIGON_CPU_SIMD_PANELS_INL
#endif

#include "cpu/scratch.hpp"
#include "cpu/simd/corner-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Columns, or rows, of a panel.
template <class T>
inline constexpr int panel_size = registers == 32 ? 8 : 8 / parts_of<T>;

/// Columns of a panel that begins and ends with a vector.
template <class T>
inline constexpr int panel_columns = std::max(panel_size<T>, lanes_of<real_t<T>> / parts_of<T>);

/// x := t x, as far as rows and columns k0 to k0 + C are concerned, which `panel` has.
template <class T, int C, bool lower, bool unit>
HWY_INLINE void multiply_crossing(const ColumnsOfOne<T, C>& panel, bool conj, int k0, T* x) {
  using R = real_t<T>;
  using Vec = hn::Vec<Tag<R>>;
  constexpr int L = lanes_of<R>, P = parts_of<T>;
  const Tag<R> d;
  unrolled<C * P / L>([&](auto w) TRIGON_INLINE_LAMBDA {
    constexpr int row = w * L;
    const R* const from = panel.first + k0 * P + row;
    R* const out = reinterpret_cast<R*>(x + k0) + row;
    Vec p = hn::Zero(d), q = p;
    unrolled<C>([&](auto j) TRIGON_INLINE_LAMBDA {
      // The lanes that are elements of this column.
      constexpr int begin = lower ? (j + unit) * P - row : 0, end = lower ? L : (j + !unit) * P - row;
      if constexpr (begin < L && end > 0) {
        const Vec a = hn::LoadU(d, panel.columns.template of<j>(from));
        if constexpr (begin <= 0 && end >= L) {
          p = hn::MulAdd(a, panel.xr[j], p);
          if constexpr (is_complex<T>) q = hn::MulAdd(a, panel.xi[j], q);
        } else {
          const auto inside = fixed_lanes<begin, end>(d);
          const Vec within = HWY_TARGET == HWY_AVX3 ? a : hn::IfThenElseZero(inside, a);
          p = with_product_in<false>(inside, p, within, panel.xr[j]);
          if constexpr (is_complex<T>) q = with_product_in<false>(inside, q, within, panel.xi[j]);
        }
      }
    });
    if constexpr (is_complex<T>) p = combine(d, p, q, conj);
    hn::StoreU(unit ? hn::Add(hn::LoadU(d, out), p) : p, d, out);
  });
}

/// x := t x, as far as columns k0 to k0 + panel_columns are concerned.
template <class T, bool lower, bool fetch>
HWY_INLINE void multiply_panel(const Corner<T>& t, int k0, T* x) {
  constexpr int C = panel_columns<T>, P = parts_of<T>;
  const ColumnsOfOne<T, C> panel(t.a + k0 * t.lda, t.lda, x + k0, 1);
  panel.template update<false, fetch>(lower ? (k0 + C) * P : 0, (lower ? t.n : k0) * P, reinterpret_cast<real_t<T>*>(x),
                                      t.conj);
  t.unit ? multiply_crossing<T, C, lower, true>(panel, t.conj, k0, x)
         : multiply_crossing<T, C, lower, false>(panel, t.conj, k0, x);
}

/// Some contiguous rows, and the sums of their products with x.
template <class T, int N>
struct RowsOfOne {
  using V = hn::Vec<Tag<T>>;
  static constexpr int L = lanes_of<T>;
  const T* row[N];
  V p[N];

  HWY_INLINE RowsOfOne(const T* a, index lda) {
#pragma GCC unroll 8
    for (int r = 0; r < N; ++r) row[r] = a + r * lda;
  }

  /// p += A x for the columns from `from` to `to`.
  template <bool fetch>
  HWY_INLINE void add(index from, index to, const T* x) {
    const Tag<T> d;
    const auto step = [&]<int U>(std::integral_constant<int, U>, index k, auto load) HWY_ATTR {
      V xv[U];
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) xv[u] = load(x + k + u * L);
#pragma GCC unroll 8
      for (int r = 0; r < N; ++r)
#pragma GCC unroll 2
        for (int u = 0; u < U; ++u) {
          if constexpr (fetch) fetch_far(row[r] + k + u * L);
          p[r] = hn::MulAdd(load(row[r] + k + u * L), xv[u], p[r]);
        }
    };
    const auto load = [&](const T* at) HWY_ATTR { return hn::LoadU(d, at); };
    index k = from;
    for (; k + 2 * L <= to; k += 2 * L) step(std::integral_constant<int, 2>{}, k, load);
    if (k + L <= to) step(std::integral_constant<int, 1>{}, k, load), k += L;
    const int last = static_cast<int>(to - k);
    if (last <= 0) return;
    constexpr std::integral_constant<int, 1> one;
    if (masks_slowly && to - from >= L) {  // without the lanes before, which are done
      const auto done = lanes_before(d, L - last);
      return step(one, to - L, [&](const T* at) HWY_ATTR { return hn::IfThenZeroElse(done, hn::LoadU(d, at)); });
    }
    step(one, k, [&](const T* at) HWY_ATTR { return load_first(d, at, last); });
  }
  /// The same, `fetched` as a triangle is: by a copy then, so that the others stay in registers.
  HWY_INLINE void add_fetching(bool fetched, index from, index to, const T* x) {
    if (!fetched) return add<false>(from, to, x);
    RowsOfOne far = *this;
    far.add_far(from, to, x);
#pragma GCC unroll 8
    for (int r = 0; r < N; ++r) p[r] = far.p[r];
  }

 private:
  HWY_NOINLINE void add_far(index from, index to, const T* x) {
    RowsOfOne mine = *this;
    mine.template add<true>(from, to, x);
#pragma GCC unroll 8
    for (int r = 0; r < N; ++r) p[r] = mine.p[r];
  }
};

/// y := t x, as far as rows i0 to i0 + N are concerned: reals, rows contiguous.
template <class T, int N, bool lower>
HWY_INLINE void multiply_rows(const Corner<T>& t, bool fetched, int i0, const T* x, T* y) {
  constexpr int L = lanes_of<T>, vectors = std::max(1, N / L);
  const Tag<T> d;
  const hn::RebindToSigned<Tag<T>> numbers;
  using M = hn::TFromD<decltype(numbers)>;
  const int first = i0 / L * L, end = first + vectors * L;
  RowsOfOne<T, N> dots(t.a + i0 * t.lda, t.lda);
#pragma GCC unroll 8
  for (int w = 0; w < vectors; ++w) {
    const int k = first + w * L, off = i0 - k, count = std::min(L, t.n - k);
    // Lanes before the diagonal of row 0 are negative; with that diagonal in a lower triangle.
    const auto lane = hn::Sub(hn::Iota(numbers, M(0)), hn::Set(numbers, M(off + (lower != t.unit))));
    const auto exist = lanes_before(d, count);
    const auto xv = load_first(d, x + k, count);
#pragma GCC unroll 8
    for (int r = 0; r < N; ++r) {
      const auto before = hn::RebindMask(d, hn::Lt(lane, hn::Set(numbers, M(r))));
      const auto inside = lower ? before : hn::AndNot(before, exist);
      const T* const at = dots.row[r] + k;
      hn::Vec<Tag<T>> a;
      if (masks_slowly && t.n - k >= L)
        a = hn::IfThenElseZero(inside, hn::LoadU(d, at));
      else if constexpr (masks_memory<Tag<T>>)
        a = hn::MaskedLoad(inside, d, at);
      else
        a = load_lanes(d, at, lower ? 0 : off + r + t.unit, lower ? off + r + !t.unit : count);
      const auto xi = hn::IfThenElseZero(inside, xv);
      dots.p[r] = w == 0 ? hn::Mul(a, xi) : hn::MulAdd(a, xi, dots.p[r]);
    }
  }
  dots.add_fetching(fetched, lower ? 0 : end, lower ? first : t.n, x);
  add_dots<T>(dots.p, T(1), false, t.unit, y + i0, N);
}

/// f(size, k) for every panel in the order in which x is replaced: from the last one for a lower triangle.
template <class T, bool lower, class F>
HWY_INLINE void for_panels(int n, const F& f) {
  constexpr int C = panel_size<T>;
  const int whole = n / C * C;
  const auto rest = [&]<int size>(std::integral_constant<int, size> number) HWY_ATTR {
    if (n & size & (C - 1)) f(number, n / (2 * size) * (2 * size));
  };
  if constexpr (lower) {
    rest(std::integral_constant<int, 1>{});
    rest(std::integral_constant<int, 2>{});
    rest(std::integral_constant<int, 4>{});
    for (int k = whole - C; k >= 0; k -= C) f(std::integral_constant<int, C>{}, k);
  } else {
    for (int k = 0; k < whole; k += C) f(std::integral_constant<int, C>{}, k);
    rest(std::integral_constant<int, 4>{});
    rest(std::integral_constant<int, 2>{});
    rest(std::integral_constant<int, 1>{});
  }
}

/// x := t x by columns. Few rows stay in registers.
template <class T, bool lower>
HWY_NOINLINE void multiply_by_columns(const Corner<T>& t, T* x) {
  constexpr int per = lanes_of<real_t<T>> / parts_of<T>, most = sizeof(real_t<T>) == 4 ? 2 : 3;
  if constexpr (registers == 32)
    if (t.n <= most * per && (panel_size<T> < per || t.n % panel_size<T> != 0))
      return of_few<most>((t.n + per - 1) / per, [&]<int V>(std::integral_constant<int, V>)
                                                     HWY_ATTR { multiply_in_registers<T, 1, V, lower>(t, x, 0, 1); });
  constexpr int C = panel_columns<T>;
  const bool fetched = is_fetched<T>(t.n);
  // Vectors end where the triangle does: rows that do not fill one are the first of a lower triangle.
  const int rest = t.n % C, whole = t.n - rest, at = lower ? 0 : whole;
  const auto panels = [&]<bool fetch>(std::bool_constant<fetch>) HWY_ATTR {
    for (int done = 0; done < whole; done += C) multiply_panel<T, lower, fetch>(t, lower ? t.n - C - done : done, x);
  };
  fetched ? panels(std::true_type{}) : panels(std::false_type{});
  if (rest == 0) return;
  const int beside = lower ? rest : 0;
  update_columns_of_one(t.a + at * t.lda + beside, t.lda, whole, rest, x + at, x + beside, real_t<T>(1), t.conj,
                        fetched);
  of_few<C / per>((rest + per - 1) / per, [&]<int V>(std::integral_constant<int, V>) HWY_ATTR {
    multiply_in_registers<T, 1, V, lower>(block_of(t, at, rest), x + at, 0, 1);
  });
}

/// x := t x by rows, of reals. Rows read a copy of x: parts of vectors that were just written would have to be waited
/// for.
template <class T, bool lower>
HWY_NOINLINE void multiply_by_rows(const Corner<T>& t, T* x) {
  constexpr int L = lanes_of<T>, room = 512;
  const Tag<T> d;
  HWY_ALIGN T here[room];
  T* const copy = t.n <= room ? here : scratch<T>(1, static_cast<std::size_t>(t.n + L));
  const T* const from = copy ? copy : x;
  if (copy) {
    int i = 0;
    for (; i + L <= t.n; i += L) hn::StoreU(hn::LoadU(d, x + i), d, copy + i);
    if (i < t.n) hn::StoreU(load_first(d, x + i, t.n - i), d, copy + i);
  }
  const bool fetched = is_fetched<T>(t.n);
  for_panels<T, lower>(t.n, [&]<int size>(std::integral_constant<int, size>, int k)
                                HWY_ATTR { multiply_rows<T, size, lower>(t, fetched, k, from, x); });
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
