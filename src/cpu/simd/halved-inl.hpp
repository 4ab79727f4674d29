// The register tile for complex columns that fill some vectors and half of another one, at the rim of C and across
// its diagonal: in the half the parts share a vector, first the real ones, then the imaginary ones.
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

  Whole whole;
  V half[MR];

  HWY_INLINE void clear() {
    whole.clear();
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) half[r] = hn::Zero(D());
  }

  HWY_INLINE void accumulate(index depth, const R* HWY_RESTRICT a, const R* HWY_RESTRICT x) {
    const D d;
    const hn::Half<D> h;
    for (index k = 0; k < depth; ++k, a += Whole::a_step, x += Whole::x_step) {
      V xr[NV], xi[NV];
      Whole::load_x(x + whole_at, xr, xi);
      const V re_im = hn::Combine(d, hn::Load(h, x + half_at + W), hn::Load(h, x + half_at));
      const V im_re = times_i_halved(d, re_im);
#pragma GCC unroll 8
      for (int r = 0; r < MR; ++r) {
        whole.template add_row<false>(r, a, xr, xi);
        half[r] = hn::MulAdd(hn::Set(d, a[r]), re_im, half[r]);
        half[r] = hn::MulAdd(hn::Set(d, a[Whole::room + r]), im_re, half[r]);
      }
    }
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
};

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
