// Products of reals whose factors are read where they lie, but for what does not fill tiles: where a factor meets so
// little of the other one that packing it would take a large part of the time.
#if defined(TRIGON_CPU_SIMD_LYING_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_LYING_INL
#undef TRIGON_CPU_SIMD_LYING_INL
#else
#define TRIGON_CPU_SIMD_LYING_INL
#endif

#include "cpu/in_place.hpp"
#include "cpu/kernels.hpp"
#include "cpu/simd/tile-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Whether there are tiles for that. With sixteen registers loads across lines of a cache are not beside sums; the
/// parts of complex numbers would have to be taken apart at each step.
template <class T>
inline constexpr bool reads_lying = !is_complex<T> && registers == 32;

/// Shorter sums end before lines from far apart have begun to come in time.
inline constexpr index lying_sum = 128;

/// Lines of a factor from some step on, as they lie in memory or packed.
template <class T>
struct Lines {
  const T* at = nullptr;
  index line = 0, step = 0;  ///< from one to the next
};

/// The lines of a factor from line i0 and step k0 on; or none, for it shall be packed.
template <class T>
Lines<T> lines_of(const Factor<T>& f, index i0, index k0, bool lies) {
  const Matrix<T*>& m = f.a;
  return lies ? Lines<T>{m.data + i0 * m.row_stride + k0 * m.col_stride, m.row_stride, m.col_stride} : Lines<T>{};
}

/// c := beta c + alpha a x for `rows` by `cols` entries. `a` has as many lines as a tile rows, next to each other
/// unless they are `apart`, x as many as it has columns, next to each other: packed or, if cols are all of them, as
/// they lie.
template <class T, int NV, bool apart>
HWY_NOINLINE void gemm_tile_lying(index depth, Lines<T> a, Lines<T> x, const T& alpha, const T& beta, T* c, index ldc,
                                  int rows, int cols) {
  constexpr int MR = Shape<T>::rows;
  Tile<T, MR, NV> tile;
  const bool whole = rows == MR && cols == tile.width;
  tile.clear();
  const auto add = [&](index steps, const auto& beside) HWY_ATTR {
    tile.template accumulate_lying<apart>(steps, a.at, a.line, a.step, x.at, x.step, beside);
    a.at += steps * a.step, x.at += steps * x.step;
  };
  constexpr index lines = MR * (tile.width * sizeof(T) / 64 + 1);  // of C: rows begin anywhere
  if (whole && depth > lines) {
    Coming<T> coming(c, ldc, MR);
    add(lines, [&] HWY_ATTR { coming.fetch(); });
    depth -= lines;
  }
  add(depth, [] HWY_ATTR {});
  if (whole)
    tile.write({alpha, beta}, c, ldc);
  else
    tile.write_some(
        alpha, beta, c, ldc, rows, [](int) HWY_ATTR { return 0; }, [=](int) HWY_ATTR { return cols; });
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
