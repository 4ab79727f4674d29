// The register tile for so few complex columns that half a vector holds them: the parts of x share a vector, first the
// real ones, then the imaginary ones. Half the multiplications of a tile with the parts apart.
#if defined(TRIGON_CPU_SIMD_PAIRED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_PAIRED_INL
#undef TRIGON_CPU_SIMD_PAIRED_INL
#else
#define TRIGON_CPU_SIMD_PAIRED_INL
#endif

#include "cpu/simd/complex-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Used as Tile<T, MR, 1>; panels are packed for L / 2 columns.
template <class T, int MR>
struct PairedTile {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>, rows = MR, room = MR, vectors = 1, steps = 1;
  static constexpr int width = L / 2;
  static constexpr int a_step = 2 * MR;
  static constexpr int x_step = L;

  V re[MR][1];  ///< sums of Re a x, or a finished row
  V im[MR][1];  ///< sums of Im a x

  HWY_INLINE void clear() {
#pragma GCC unroll 16
    for (int r = 0; r < MR; ++r) re[r][0] = im[r][0] = hn::Zero(D());
  }

  template <bool minus>
  HWY_INLINE void add_row(int r, const R* re_a, const R* im_a, const V (&x)[1], const V (&)[1]) {
    const V ar = hn::Set(D(), *re_a), ai = hn::Set(D(), *im_a);
    re[r][0] = minus ? hn::NegMulAdd(ar, x[0], re[r][0]) : hn::MulAdd(ar, x[0], re[r][0]);
    im[r][0] = minus ? hn::NegMulAdd(ai, x[0], im[r][0]) : hn::MulAdd(ai, x[0], im[r][0]);
  }
  template <bool minus>
  HWY_INLINE void add_row(int r, const R* a, const V (&x)[1], const V (&none)[1]) {
    add_row<minus>(r, a + r, a + MR + r, x, none);
  }
  HWY_INLINE void add_x(int r, const V (&x)[1], const V (&)[1]) { re[r][0] = hn::Add(re[r][0], x[0]); }
  static HWY_INLINE void load_x(const R* at, V (&x)[1], V (&)[1]) { x[0] = hn::Load(D(), at); }
  static HWY_INLINE void load_row(int k, const R* panel, V (&x)[1], V (&none)[1]) {
    load_x(panel + k * x_step, x, none);
  }

  HWY_INLINE void load(const R* x) {
#pragma GCC unroll 16
    for (int r = 0; r < MR; ++r) re[r][0] = hn::Load(D(), x + r * x_step), im[r][0] = hn::Zero(D());
  }
  HWY_INLINE void store_row(int r, R* x) const { hn::Store(re[r][0], D(), x); }

  HWY_INLINE void fold() {}
  /// Both sums of a row into one.
  HWY_INLINE void finish_row(int r) { re[r][0] = hn::Add(re[r][0], times_i_halved(D(), im[r][0])); }

  HWY_INLINE void scale_row(int r, R p, R q) {
    const V x = re[r][0];
    re[r][0] = hn::MulAdd(hn::Set(D(), q), times_i_halved(D(), x), hn::Mul(hn::Set(D(), p), x));
  }
  HWY_INLINE void divide_row(int r, R p, R q) {
    const hn::Half<D> d;
    auto x = hn::LowerHalf(d, re[r][0]), y = hn::UpperHalf(d, re[r][0]);
    quotient_by(d, x, y, p, q);
    re[r][0] = hn::Combine(D(), y, x);
  }
};

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
