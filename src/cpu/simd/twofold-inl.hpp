// The register tile for so few real columns that half a vector holds them, where rows of the triangle are contiguous:
// two steps of a sum at once. Rows 2 k and 2 k + 1 of a packed panel lie element by element next to each other, as two
// elements of a row of the triangle do, which one instruction broadcasts.
#if defined(TRIGON_CPU_SIMD_TWOFOLD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_TWOFOLD_INL
#undef TRIGON_CPU_SIMD_TWOFOLD_INL
#else
#define TRIGON_CPU_SIMD_TWOFOLD_INL
#endif

#include "cpu/simd/vec-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Used as Tile<T, MR, 1> with an even MR, for even numbers of steps; panels are packed for L / 2 columns and then
/// interleaved. `backward`: the elements of a row lie one before the other in memory, so the row 2 k + 1 comes first.
template <class T, int MR, bool backward>
struct TwofoldTile {
  using R = T;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>, rows = MR, room = MR, vectors = 1, steps = 2;
  static constexpr int width = L / 2;
  static constexpr int a_step = MR;
  static constexpr int x_step = L / 2;

  V re[MR][1];  ///< sums of even and of odd steps; from `fold` on, each lane twice
  V im[MR][1];  ///< not used

  HWY_INLINE void clear() {
#pragma GCC unroll 16
    for (int r = 0; r < MR; ++r) re[r][0] = hn::Zero(D());
  }

  /// Two steps in place, a at the first.
  template <bool minus>
  HWY_INLINE void add_row(int r, const R* a, const R*, const V (&x)[1], const V (&)[1]) {
    add<minus>(r, everywhere<2>(D(), a - backward), x[0]);  // two elements, alternating
  }
  static HWY_INLINE void load_x(const R* at, V (&x)[1], V (&)[1]) { x[0] = hn::Load(D(), at); }

  HWY_INLINE void fold() {
#pragma GCC unroll 16
    for (int r = 0; r < MR; ++r) re[r][0] = hn::Add(re[r][0], hn::Reverse2(D(), re[r][0]));
  }

  /// One step of a packed corner, with each lane twice.
  template <bool minus>
  HWY_INLINE void add_row(int r, const R* a, const V (&x)[1], const V (&)[1]) {
    add<minus>(r, hn::Set(D(), a[r]), x[0]);
  }
  static HWY_INLINE void load_row(int k, const R* panel, V (&x)[1], V (&)[1]) { x[0] = row(k, panel); }

  HWY_INLINE void load(const R* panel) {
    const V none = hn::Set(D(), nothing_added<R>());
#pragma GCC unroll 16
    for (int r = 0; r < MR; ++r) re[r][0] = hn::OddEven(none, row(r, panel));
  }
  HWY_INLINE void finish_row(int) {}
  HWY_INLINE void store_row(int r, R* x) const {
    V both = re[r][0];
    if (r % 2) both = backward ? hn::OddEven(re[r - 1][0], both) : hn::OddEven(both, re[r - 1][0]);
    hn::Store(both, D(), x - r % 2 * x_step);
  }
  HWY_INLINE void scale_row(int r, R s, R) { re[r][0] = hn::Mul(re[r][0], hn::Set(D(), s)); }
  HWY_INLINE void divide_row(int r, R s, R) { re[r][0] = hn::Div(re[r][0], hn::Set(D(), s)); }

  /// `rows` (even) packed rows of L / 2 elements to rows in pairs, and back.
  static void interleave(R* x, index rows) {
    permute(x, rows, [](int lane) { return lane / 2 + (lane % 2 == backward ? 0 : L / 2); });
  }
  static void separate(R* x, index rows) {
    permute(x, rows, [](int lane) { return lane % (L / 2) * 2 + (lane < L / 2 ? backward : !backward); });
  }

 private:
  template <bool minus>
  HWY_INLINE void add(int r, V a, V x) {
    re[r][0] = minus ? hn::NegMulAdd(a, x, re[r][0]) : hn::MulAdd(a, x, re[r][0]);
  }

  /// Row r, each lane twice.
  static HWY_INLINE V row(int r, const R* panel) {
    const V both = hn::Load(D(), panel + r / 2 * L);
    return r % 2 == backward ? hn::DupEven(both) : hn::DupOdd(both);
  }

  template <class From>
  static HWY_INLINE void permute(R* x, index rows, const From& from) {
    using I = hn::TFromD<hn::RebindToSigned<D>>;
    HWY_ALIGN I lanes[L];
    for (int i = 0; i < L; ++i) lanes[i] = static_cast<I>(from(i));
    const auto order = hn::SetTableIndices(D(), lanes);
    for (index k = 0; k < rows; k += 2, x += L) hn::Store(hn::TableLookupLanes(hn::Load(D(), x), order), D(), x);
  }
};

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
