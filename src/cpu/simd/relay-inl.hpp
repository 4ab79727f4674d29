// Solves with one right-hand side and contiguous rows, by panels of eight rows. What the latest panel does to the next
// one is taken off by columns, from a block that was transposed before its x was known: of that, one multiply-add lies
// in the chain. Dot products with all that is older, and the sums of their lanes, are ready before. Parts of complex
// rows are summed in two sums each, which are added last: their chain is two additions shorter. AVX-512 only, whose
// registers hold it all.
#if defined(TRIGON_CPU_SIMD_RELAY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_RELAY_INL
#undef TRIGON_CPU_SIMD_RELAY_INL
#else
#define TRIGON_CPU_SIMD_RELAY_INL
#endif

#include "cpu/simd/one-inl.hpp"
#include "cpu/simd/panels-inl.hpp"
#include "cpu/simd/turn-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3

/// Panels of W rows, in G blocks of B rows: eight reals, a vector that may be half of one.
template <class T>
struct Relay {
  using R = real_t<T>;
  using D = hn::CappedTag<R, 8>;
  using V = hn::Vec<D>;
  using Wide = hn::Vec<Tag<R>>;
  static constexpr int P = parts_of<T>, B = 8 / P, W = 8, G = W / B;

  static HWY_INLINE V load(const T* p) { return hn::LoadU(D(), reinterpret_cast<const R*>(p)); }
  static HWY_INLINE void store(V v, T* p) { hn::StoreU(v, D(), reinterpret_cast<R*>(p)); }
  static HWY_INLINE V narrow(Wide v) {
    if constexpr (lanes_of<R> == 8)
      return v;
    else
      return hn::LowerHalf(v);
  }
  /// Lane i from vector i.
  static HWY_INLINE V assembled(const V (&x)[8]) {
    V pair[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) pair[i] = hn::OddEven(x[2 * i + 1], x[2 * i]);
    return chosen<0x0f>(chosen<0x33>(pair[0], pair[1]), chosen<0x33>(pair[2], pair[3]));
  }
  /// Lanes of `mask` from v, the others from w.
  template <int mask>
  static HWY_INLINE V chosen(V v, V w) {
    if constexpr (sizeof(R) == 8)
      return V{_mm512_mask_blend_pd(static_cast<__mmask8>(mask), w.raw, v.raw)};
    else
      return V{_mm256_blend_ps(w.raw, v.raw, mask)};
  }
};

/// Numbers of lanes, kept in registers: made from constants, they would take a scalar register each time.
template <class R>
struct Lanes {
  using D = Tag<R>;
  using Numbers = decltype(hn::IndicesFromVec(D(), hn::Zero(hn::RebindToSigned<D>())));
  Numbers number[8];

  HWY_INLINE Lanes() {
    const hn::RebindToSigned<D> di;
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i)
      number[i] = hn::IndicesFromVec(D(), kept(hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(i))));
  }
  /// A lane of v everywhere.
  template <class V>
  HWY_INLINE hn::Vec<D> operator()(V v, int lane) const {
    if constexpr (lanes_of<R> == 8)
      return hn::TableLookupLanes(v, number[lane]);
    else
      return hn::TableLookupLanes(hn::Vec<D>{_mm512_castps256_ps512(v.raw)}, number[lane]);
  }
};

/// B rows of B elements, or their conjugates, transposed.
template <class T, bool conj>
HWY_INLINE void turn_beside(const T* a, index lda, real_t<T>* out) {
  constexpr int B = Relay<T>::B;
  using U = Unit<T, B>;
  const typename U::D d;
  typename U::V v[B];
  if constexpr (is_complex<T>) {
    load_turned(d, reinterpret_cast<const typename U::R*>(a), U::lanes * lda, v);
  } else {  // more loads, for which a chain of reals leaves no time
#pragma GCC unroll 8
    for (int i = 0; i < B; ++i) v[i] = hn::LoadU(d, a + i * lda);
    U::turn(v);
  }
#pragma GCC unroll 8
  for (int i = 0; i < B; ++i) {
    if constexpr (conj) v[i] = U::conjugate(v[i]);
    hn::Store(v[i], d, reinterpret_cast<typename U::R*>(out + i * 8));
  }
}

/// The rows of a block, or what is left of them: what is taken off times i is apart.
template <class T>
struct RelayRows {
  using Q = Relay<T>;
  using V = typename Q::V;
  V u, w;

  HWY_INLINE void load(const T* x) { u = Q::load(x), w = hn::Zero(typename Q::D()); }
  /// Minus a column times x.
  HWY_INLINE void take_off(const real_t<T>* column, typename Q::Wide re, typename Q::Wide im) {
    const V c = hn::Load(typename Q::D(), column);
    u = hn::NegMulAdd(c, Q::narrow(re), u);
    if constexpr (is_complex<T>) w = hn::MulAdd(c, Q::narrow(im), w);
  }
};

/// A block on the diagonal: x, everywhere, and put together in one vector.
template <class T, bool lower, bool unit, bool conj>
HWY_INLINE typename Relay<T>::V solve_block(const T* a, index lda, const real_t<T>* by, bool divide,
                                            const Lanes<real_t<T>>& lane_of, const RelayRows<T>& rows,
                                            typename Relay<T>::Wide* re, typename Relay<T>::Wide* im) {
  using Q = Relay<T>;
  using R = real_t<T>;
  using Wide = typename Q::Wide;
  constexpr int P = Q::P, B = Q::B;
  const Tag<R> d;
  const R* row[B];
  Wide more_re[B], more_im[B];
#pragma GCC unroll 8
  for (int r = 0; r < B; ++r) {
    row[r] = reinterpret_cast<const R*>(a + r * lda);
    asm("" : "+r"(row[r]));  // one register each, not one for each element
    re[r] = lane_of(rows.u, r * P);
    if constexpr (is_complex<T>) {
      im[r] = lane_of(rows.u, r * P + 1);
      more_re[r] = lane_of(rows.w, r * P + 1);
      more_im[r] = lane_of(rows.w, r * P);
    }
  }
  typename Q::V parts[8];
#pragma GCC unroll 8
  for (int j = 0; j < B; ++j) {
    const int c = lower ? j : B - 1 - j;
    if constexpr (is_complex<T>) re[c] = hn::Add(re[c], more_re[c]), im[c] = hn::Sub(im[c], more_im[c]);
    if constexpr (!unit) divide_by<T>(by + c * P, divide, re[c], im[c]);
    parts[c * P] = Q::narrow(re[c]);
    if constexpr (is_complex<T>) parts[c * P + 1] = Q::narrow(im[c]);
#pragma GCC unroll 8
    for (int i = j + 1; i < B; ++i) {
      const int r = lower ? i : B - 1 - i;
      const Wide ar = hn::Set(d, row[r][c * P]);
      re[r] = hn::NegMulAdd(ar, re[c], re[r]);
      if constexpr (is_complex<T>) {
        const Wide ai = hn::Set(d, row[r][c * P + 1]);
        im[r] = hn::NegMulAdd(ar, im[c], im[r]);
        more_re[r] = conj ? hn::NegMulAdd(ai, im[c], more_re[r]) : hn::MulAdd(ai, im[c], more_re[r]);
        more_im[r] = conj ? hn::NegMulAdd(ai, re[c], more_im[r]) : hn::MulAdd(ai, re[c], more_im[r]);
      }
    }
  }
  return Q::assembled(parts);
}

/// y -= A x for the W rows at a and `cols` columns. Of an upper triangle the first W are known last.
template <class T, bool lower>
HWY_INLINE void take_off_older(const T* a, index lda, index cols, bool conj, const T* x, T* y) {
  constexpr int W = Relay<T>::W;
  const int late = lower || cols < W ? 0 : W;
  if constexpr (is_complex<T>) {
    rows_block<T, 1, W>(a, lda, W, cols, x, 0, y, 0, real_t<T>(-1), conj, 0, late);
  } else {
    RowsOfOne<T, W> dots(a, lda);
#pragma GCC unroll 8
    for (int r = 0; r < W; ++r) dots.p[r] = hn::Zero(Tag<T>());
    dots.template add<false>(late, cols, x);
    if (late > 0) dots.template add<false>(0, late, x);
    add_dots<T>(dots.p, T(-1), conj, true, y, W);
  }
}

/// x := t^-1 x for the first `whole` rows; what follows is solved if the triangle is an upper one.
template <class T, bool lower, bool unit, bool conj>
HWY_NOINLINE void solve_panels(const Corner<T>& t, int whole, T* x) {
  using Q = Relay<T>;
  using R = real_t<T>;
  constexpr int P = Q::P, B = Q::B, W = Q::W, G = Q::G, step = lower ? W : -W;
  const index lda = t.lda;
  const Lanes<R> lane_of;
  HWY_ALIGN R inside[B * 8];     // of complex numbers: the block between the two on the diagonal
  HWY_ALIGN R beside[G][W * 8];  // the block between the panel and the next one
  HWY_ALIGN R by[2][P * W];      // of this panel and the next one
  bool divide[2] = {};
  RelayRows<T> now[G], next[G];
  int k0 = lower ? 0 : whole - W;
  const auto prepare_panel = [&](int k, int slot) HWY_ATTR {
    divide[slot] = !invert_some<true>(t.a + k * (lda + 1), lda + 1, W, conj, by[slot]);
  };
  if constexpr (!unit) prepare_panel(k0, 0);
  if (!lower && whole < t.n)
    take_off_older<T, lower>(t.a + k0 * lda + whole, lda, t.n - whole, conj, x + whole, x + k0);
#pragma GCC unroll 2
  for (int g = 0; g < G; ++g) now[g].load(x + k0 + g * B);
  for (int done = 0, slot = 0; done < whole; done += W, slot ^= 1, k0 += step) {
    const int kn = k0 + step;
    const bool last = done + W == whole;
    if (!last) {
      if constexpr (!unit) prepare_panel(kn, slot ^ 1);
      if (const int from = lower ? 0 : k0 + W, to = lower ? k0 : t.n; to > from)
        take_off_older<T, lower>(t.a + kn * lda + from, lda, to - from, conj, x + from, x + kn);
#pragma GCC unroll 2
      for (int g = 0; g < G; ++g) {
#pragma GCC unroll 2
        for (int c = 0; c < W; c += B) turn_beside<T, conj>(t.a + (kn + g * B) * lda + k0 + c, lda, beside[g] + c * 8);
        next[g].load(x + kn + g * B);
      }
    }
    if constexpr (G > 1) turn_beside<T, conj>(t.a + (k0 + (lower ? B : 0)) * lda + k0 + (lower ? 0 : B), lda, inside);
    typename Q::Wide re[W], im[W];
#pragma GCC unroll 2
    for (int q = 0; q < G; ++q) {
      const int g = lower ? q : G - 1 - q, k = k0 + g * B;
      Q::store(solve_block<T, lower, unit, conj>(t.a + k * (lda + 1), lda, by[slot] + g * 8, divide[slot], lane_of,
                                                 now[g], re + g * B, im + g * B),
               x + k);
#pragma GCC unroll 8
      for (int j = 0; j < B; ++j) {
        const int c = lower ? j : B - 1 - j;
        if (q + 1 < G) now[G - 1 - g].take_off(inside + c * 8, re[g * B + c], im[g * B + c]);
        if (!last)
#pragma GCC unroll 2
          for (int h = 0; h < G; ++h) next[h].take_off(beside[h] + (g * B + c) * 8, re[g * B + c], im[g * B + c]);
      }
    }
#pragma GCC unroll 2
    for (int g = 0; g < G; ++g) now[g] = next[g];
  }
}

/// Whether this is the faster way (Zen 5): rows that are left over wait for each other, and where the triangle does not
/// fit a cache, loads take longer than the chain.
template <class T>
bool relays(int n, bool unit) {
  if (n < 64 && (n % Relay<T>::W != 0 || n < 8 * parts_of<T>)) return false;
  if constexpr (is_complex<T>) return n <= 512 && (sizeof(T) == 8 || !unit || n >= 80);
  return n <= (unit ? 72 : 1024 / static_cast<int>(sizeof(T)));
}

/// x := t^-1 x.
template <class T, bool lower>
HWY_NOINLINE void solve_relay(const Corner<T>& t, T* x) {
  const int rest = t.n % Relay<T>::W, whole = t.n - rest;
  const auto few = [&] {
    Divisors<T> by;
    solve_few_rows<lower>({t.a + whole * (t.lda + 1), t.lda, rest, t.lower, t.unit, t.conj}, by, x + whole);
  };
  if (!lower && rest) few();
  if (is_complex<T> && t.conj)
    t.unit ? solve_panels<T, lower, true, is_complex<T>>(t, whole, x)
           : solve_panels<T, lower, false, is_complex<T>>(t, whole, x);
  else
    t.unit ? solve_panels<T, lower, true, false>(t, whole, x) : solve_panels<T, lower, false, false>(t, whole, x);
  if (lower && rest) {
    update_rows(t.a + whole * t.lda, t.lda, rest, index{whole}, x, 0, x + whole, 0, 1, real_t<T>(-1), t.conj, false);
    few();
  }
}
#endif

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
