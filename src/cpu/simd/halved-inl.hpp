// The register tile for complex columns that fill some vectors and half of another one: at the rim of C and across its
// diagonal, and the last right-hand sides of a packed triangle. In the half the parts share a vector, first the real
// ones, then the imaginary ones.
#if defined(TRIGON_CPU_SIMD_HALVED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_HALVED_INL
#undef TRIGON_CPU_SIMD_HALVED_INL
#else
#define TRIGON_CPU_SIMD_HALVED_INL
#endif

#include "cpu/simd/small-inl.hpp"
#include "cpu/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Whether tiles are cut to half vectors. Sixteen registers hold too few rows of one to hide the latency of its sums.
template <class T>
inline constexpr bool cuts_vectors = is_complex<T>&& registers == 32 && lanes_of<real_t<T>> > 2;

/// NV vectors of columns and half a vector: it follows them or, if it `leads`, comes before. Every entry is summed and
/// rounded as in Tile.
template <class T, int MR, int NV, int W, bool leads>
struct HalvedTile {
  using Whole = Tile<T, MR, NV, W>;
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>, H = L / 2;
  static constexpr int whole_at = leads ? H : 0, half_at = leads ? 0 : NV * L;

  static constexpr int rows = MR, room = Whole::room, vectors = NV + 1, steps = 1;
  static constexpr int width = W;  ///< of the panel
  static constexpr int a_step = Whole::a_step, x_step = Whole::x_step;

  Whole whole;
  V half[MR];

  HWY_INLINE void clear() {
    whole.clear();
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) half[r] = hn::Zero(D());
  }

  /// The last of the vectors are the parts in one, and the same times i.
  static HWY_INLINE void load_x(const R* x, V (&xr)[NV + 1], V (&xi)[NV + 1]) {
    Whole::load_x(x + whole_at, xr, xi);
    xr[NV] = load_half(x), xi[NV] = times_i_halved(D(), xr[NV]);
  }
  static HWY_INLINE void load_row(int k, const R* panel, V (&xr)[NV + 1], V (&xi)[NV + 1]) {
    load_x(panel + k * x_step, xr, xi);
  }
  template <bool minus>
  HWY_INLINE void add_row(int r, const R* re_a, const R* im_a, const V (&xr)[NV + 1], const V (&xi)[NV + 1]) {
    whole.template add_row<minus>(r, re_a, im_a, xr, xi);
    add_half<minus>(r, re_a, im_a, xr[NV], xi[NV]);
  }
  /// The same for a packed step of A.
  template <bool minus>
  HWY_INLINE void add_row(int r, const R* a, const V (&xr)[NV + 1], const V (&xi)[NV + 1]) {
    add_row<minus>(r, a + r, a + room + r, xr, xi);
  }
  HWY_INLINE void add_x(int r, const V (&xr)[NV + 1], const V (&xi)[NV + 1]) {
    whole.add_x(r, xr, xi);
    half[r] = hn::Add(half[r], xr[NV]);
  }
  /// Row r of a solve loses what row k, which is known, does to it.
  HWY_INLINE void lose(int r, const R* a, int k) {
    whole.template add_row<true>(r, a, whole.re[k], whole.im[k]);
    add_half<true>(r, a + r, a + room + r, half[k], times_i_halved(D(), half[k]));
  }

  /// As in Tile. With each step a line comes closer.
  template <bool minus, class E>
  HWY_INLINE void accumulate(index depth, const R* HWY_RESTRICT a, const R* HWY_RESTRICT x, const E* next,
                             index apart) {
    for (index k = 0; k < depth; ++k, a += a_step, x += x_step, next += apart) {
      Whole::fetch_step(a, x);
      __builtin_prefetch(next, 0, 2);
      V xr[NV + 1], xi[NV + 1];
      load_x(x, xr, xi);
#pragma GCC unroll 8
      for (int r = 0; r < MR; ++r) add_row<minus>(r, a, xr, xi);
    }
  }
  template <bool minus>
  HWY_INLINE void accumulate(index depth, const R* HWY_RESTRICT a, const R* HWY_RESTRICT x) {
    accumulate<minus>(depth, a, x, a, 0);
  }

  HWY_INLINE void load(const R* x) {
    whole.load(x + whole_at);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) half[r] = load_half(x + r * x_step);
  }
  HWY_INLINE void store_row(int r, R* x) const {
    const hn::Half<D> h;
    whole.store_row(r, x + whole_at);
    hn::Store(hn::LowerHalf(h, half[r]), h, x + half_at);
    hn::Store(hn::UpperHalf(h, half[r]), h, x + half_at + W);
  }
  HWY_INLINE void fold() {}
  HWY_INLINE void finish_row(int) {}
  HWY_INLINE void scale_row(int r, R p, R q) {
    const D d;
    whole.scale_row(r, p, q);
    half[r] = hn::MulAdd(hn::Set(d, q), times_i_halved(d, half[r]), hn::Mul(hn::Set(d, p), half[r]));
  }
  HWY_INLINE void divide_row(int r, R p, R q) {
    const hn::Half<D> h;
    whole.divide_row(r, p, q);
    auto re = hn::LowerHalf(h, half[r]), im = hn::UpperHalf(h, half[r]);
    quotient_by(h, re, im, p, q);
    half[r] = hn::Combine(D(), im, re);
  }

  template <class From, class To>
  HWY_INLINE void write_some(const T& alpha, const T& beta, T* c, index ldc, int rows, const From& from,
                             const To& to) const {
    whole.write_some(
        alpha, beta, c + whole_at, ldc, rows, [&](int r) HWY_ATTR { return from(r) - whole_at; },
        [&](int r) HWY_ATTR { return to(r) - whole_at; });
    const D d;
    const InterleavedScaling<T, D> scaling(alpha, beta);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) {
      if (r >= rows) break;
      const int begin = 2 * (from(r) - half_at), end = 2 * (to(r) - half_at);
      if (end <= 0 || begin >= L) continue;
      R* const p = reinterpret_cast<R*>(c + r * ldc + half_at);
      const V old = scaling.reads ? load_lanes(d, p, begin, end) : hn::Zero(d);
      const auto only = [&](V v) HWY_ATTR { return hn::IfThenElseZero(lanes_between(d, begin, end), v); };
      store_lanes(scaling.combine(only(halves_together(d, half[r])), old, only), d, p, begin, end);
    }
  }

 private:
  static HWY_INLINE V load_half(const R* x) {
    const hn::Half<D> h;
    return hn::Combine(D(), hn::Load(h, x + half_at + W), hn::Load(h, x + half_at));
  }
  template <bool minus>
  HWY_INLINE void add_half(int r, const R* re_a, const R* im_a, V x, V turned) {
    const V ar = hn::Set(D(), *re_a), ai = hn::Set(D(), *im_a);
    half[r] = minus ? hn::NegMulAdd(ar, x, half[r]) : hn::MulAdd(ar, x, half[r]);
    half[r] = minus ? hn::NegMulAdd(ai, turned, half[r]) : hn::MulAdd(ai, turned, half[r]);
  }
};

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
