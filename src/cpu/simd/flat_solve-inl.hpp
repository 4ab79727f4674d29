// Solves with small triangles and contiguous rows of right-hand sides: as the products of flat-inl.hpp, from where
// they lie. Rows that are solved are read back from memory, those of a tile stay in registers. Every entry is rounded
// as the packed kernels round it. AVX-512 and AVX2.
#if defined(TRIGON_CPU_SIMD_FLAT_SOLVE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_FLAT_SOLVE_INL
#undef TRIGON_CPU_SIMD_FLAT_SOLVE_INL
#else
#define TRIGON_CPU_SIMD_FLAT_SOLVE_INL
#endif

#include "cpu/simd/divisors-inl.hpp"
#include "cpu/simd/flat-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Whether contiguous columns are transposed for that: if they are one band, and rows of the triangle contiguous, which
/// the other ways would have to transpose.
template <class T>
bool is_turned_solve(const Triangle<T*>& t, const Matrix<T*>& b) {
  constexpr index least = 48, most = registers == 32 ? in_place_solve_most<T> : 128, lanes = unit_lanes<T>;
  constexpr index few = is_complex<T> && registers == 16 ? lanes : lanes / 2;
  return has_flat_tiles && b.row_stride == 1 && t.a.row_stride != 1 && b.cols > few &&
         b.cols <= flat_width<T> * lanes && t.n() >= least && t.n() <= most;
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
/// The rows from i on of X, the ones before which are known. `by`: reciprocals of the diagonal, null for a unit one.
template <class T, int MR, int U, bool whole>
HWY_NOINLINE void flat_solve_tile(const T& alpha, const FlatTriangle<T>& t, const real_t<T>* by, index i, T* x,
                                  index ldx, int reals) {
  using Tile_ = FlatTile<T, MR, U, whole>;
  const typename Tile_::D d;
  Tile_ tile(t.conj, reals);
  const Strides<const T> rows(t.row);
  const T* a = t.data + i * t.row;
  T* const y = x + i * ldx;
  tile.read(y, ldx, t.by_turns);
  tile.scale(alpha);
#pragma GCC unroll 1
  for (index k = 0; k < i; ++k, a += t.column, x += ldx) tile.template add<0, true>(a, rows, tile.row_at(x));
  if (by) by += parts_of<T> * i;
  unrolled<MR>([&](auto k) TRIGON_INLINE_LAMBDA {
    typename Tile_::Row row;
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u) {
      auto& v = tile.sum[k][u];
      if (by) v = multiplied_by<T>(d, by + parts_of<T> * k, v);
      row.x[u] = v;
    }
    tile.turn(row);
    tile.template add<k + 1, true>(a, rows, row);
    a = opaque(a + t.column);
  });
  tile.write(y, ldx);
}

/// All rows of `reals` lanes of X. The fewer rows than a tile's that remain come first, where they meet no others.
template <class T, int U, bool whole>
void flat_solve_band(const T& alpha, const FlatTriangle<T>& t, const real_t<T>* by, index n, T* x, index ldx,
                     int reals) {
  index i = n % flat_rows;
  of_few<flat_rows - 1>(i, [&]<int MR>(std::integral_constant<int, MR>)
                               HWY_ATTR { flat_solve_tile<T, MR, U, whole>(alpha, t, by, 0, x, ldx, reals); });
  for (; i < n; i += flat_rows) flat_solve_tile<T, flat_rows, U, whole>(alpha, t, by, i, x, ldx, reals);
}

/// f(lower, by) for the triangle read from its first row on, and the reciprocals of its diagonal. False if they are not
/// safe.
template <class T, class F>
bool with_reciprocals(const Triangle<T*>& t, bool by_turns, const F& f) {
  const FlatTriangle<T> lower = flat_triangle(t, by_turns);
  HWY_ALIGN real_t<T> by[parts_of<T> * in_place_solve_most<T>];
  if (!lower.unit && !invert(lower.data, lower.row + lower.column, t.n(), lower.conj, by)) return false;
  f(lower, lower.unit ? nullptr : by);
  return true;
}
#endif

/// b := alpha t^-1 b. False, with nothing written, if reciprocals of the diagonal are not safe. `beside`: other threads
/// have other parts of the same rows.
template <class T>
bool solve_flat([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                [[maybe_unused]] const Matrix<T*>& b, [[maybe_unused]] bool beside) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  const bool down = t.uplo == Uplo::Lower;
  T* const x = down ? b.data : b.data + (t.n() - 1) * b.row_stride;
  const index ldx = down ? b.row_stride : -b.row_stride;
  const bool by_turns = reaches_others(b, flat_rows, beside);
  return with_reciprocals(t, by_turns, [&](const FlatTriangle<T>& lower, const real_t<T>* by) HWY_ATTR {
    flat_bands<T>(b.cols, [&]<int U>(std::integral_constant<int, U>, index j, index end) HWY_ATTR {
      const int reals = static_cast<int>(end - j) * parts_of<T>;
      if (end - j == U * unit_lanes<T>)
        flat_solve_band<T, U, true>(alpha, lower, by, t.n(), x + j, ldx, reals);
      else
        flat_solve_band<T, U, false>(alpha, lower, by, t.n(), x + j, ldx, reals);
    });
  });
#else
  return false;
#endif
}

/// The same for contiguous columns, each band of which is transposed on its way to a cache and back. False if there is
/// no memory for a band, too.
template <class T>
bool solve_turned([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                  [[maybe_unused]] const Matrix<T*>& b) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  T* const room = room_for_turned(t);
  return room && with_reciprocals(t, false, [&](const FlatTriangle<T>& lower, const real_t<T>* by) HWY_ATTR {
           each_turned_band(t, b, room, [&]<int U>(std::integral_constant<int, U>, T* x, index ldx) HWY_ATTR {
             flat_solve_band<T, U, true>(alpha, lower, by, t.n(), x, ldx, U * lanes_of<real_t<T>>);
           });
         });
#else
  return false;
#endif
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
