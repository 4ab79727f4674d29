// Products with small triangles and contiguous rows of right-hand sides: lanes run along the rows, a few vectors of
// some of them are summed at a time, from where they lie; elements of the triangle are broadcast, any strides. Every
// entry is rounded as the packed kernels round it. AVX-512 and AVX2.
#if defined(TRIGON_CPU_SIMD_FLAT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_FLAT_INL
#undef TRIGON_CPU_SIMD_FLAT_INL
#else
#define TRIGON_CPU_SIMD_FLAT_INL
#endif

#include "cpu/in_place.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/complex-inl.hpp"
#include "cpu/simd/strides-inl.hpp"
#include "cpu/simd/turn-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

inline constexpr bool has_flat_tiles = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2;

/// Whether rows that far apart stay in a cache while they are summed: up to sixteen fill what a set has, more of them
/// leave room for those that come next.
template <class T>
bool rows_stay(const Matrix<T*>& b) {
  constexpr index few = 16;
  return !crowds<T>(b.row_stride, b.rows <= few ? b.rows : 2 * b.rows);
}

/// Rows of a tile, and vectors of them: as many sums as registers hold.
inline constexpr int flat_rows = registers == 32 ? 8 : 4;
template <class T>
inline constexpr int flat_width = registers == 32 || !is_complex<T> ? 3 : 2;

/// Whether so many right-hand sides fill their vectors well enough: what is left unpacked saves the more of a smaller
/// triangle's time. Larger ones are solved, but not multiplied, so for those few that do not repay packing.
template <bool inverse, class T>
bool suits_flat_tiles(index order, index cols) {
  constexpr index lanes = unit_lanes<T>, band = flat_width<T> * lanes;
  if constexpr (registers == 32) {
    constexpr index few = 40, some = 80, few_columns = sizeof(T) == 16 ? 36 : 64;
    const index most = cols > few_columns ? in_place_most_of_many<T> : inverse ? in_place_solve_most<T> : in_place_most;
    if (order > most) return false;
    if (order <= few) return cols > 1;
    if (order <= some) return (is_complex<T> ? 2 : 4) * cols >= lanes;
    return (sizeof(T) == 16 && order > in_place_most_of_many<T> ? 1 : 2) * cols > lanes;
  } else if constexpr (is_complex<T>) {
    // The parts of each vector are exchanged on the way, which packing saves: those of one band, or of a small
    // triangle.
    constexpr index small = inverse ? 16 : 32, most = 128, some_columns = 32;
    return order <= small ? !inverse || cols <= some_columns : order <= most && cols > lanes && cols <= band;
  } else {
    constexpr index few = 20, small = inverse ? 40 : 64, most = 128;
    if (order <= few) return cols > (inverse ? 2 : 1);
    return order <= small ? (inverse ? cols > lanes : 2 * cols > lanes) : order <= most && cols % lanes == 0;
  }
}

template <bool inverse, class T>
bool is_flat(const Triangle<T*>& t, const Matrix<T*>& b) {
  return has_flat_tiles && b.col_stride == 1 && suits_flat_tiles<inverse, T>(t.n(), b.cols) && rows_stay(b);
}

/// Whether columns of B are transposed rather than rows of the triangle: where vectors hold so many elements that half
/// of what they sum on the diagonal of a small one is not of the triangle.
template <class T>
bool is_turned(const Triangle<T*>& t, const Matrix<T*>& b) {
  constexpr index least = 24, most = 64;
  return HWY_TARGET == HWY_AVX3 && sizeof(T) == 4 && t.a.row_stride != 1 && b.row_stride == 1 && t.n() >= least &&
         t.n() <= most && 2 * b.cols > unit_lanes<T>;
}

/// A lower triangle: an upper one has negative strides. `by_turns`: how tiles load rows that it meets.
template <class T>
struct FlatTriangle {
  const T* data;
  index row, column;
  bool unit, conj, by_turns;
};

/// use(i, load(row i)) for i = 0 … n - 1, constants again, of rows `stride` apart from x on, where two instructions
/// load all of them, which change places each time: of what one instruction loads equally far apart processors fetch
/// the next, and some know that distance modulo 64 KiB. If each row of a tile were loaded by an instruction of its own,
/// whose next load is as many rows away, they would take lines that another thread writes.
template <int n, class T, class Load, class Use>
HWY_INLINE void loaded_by_turns(const T* x, index stride, const Load& load, const Use& use) {
  static_assert(n % 2 == 0);
  x = opaque(x);  // or compilers would load the first row together with where it is loaded another way
  const T* other = x + stride;
  index next = 3 * stride, others = stride;
#pragma GCC unroll 1
  for (int pair = 1; pair <= n / 2; ++pair) {
    const auto a = load(x), b = load(other);
    x += next, other += others;
    std::swap(next, others);
    of_few<n / 2>(pair, [&]<int number>(std::integral_constant<int, number>) TRIGON_INLINE_LAMBDA {
      constexpr int first = 2 * number - 2;
      constexpr bool changed = number % 2 == 0;
      use(std::integral_constant<int, first>{}, changed ? b : a);
      use(std::integral_constant<int, first + 1>{}, changed ? a : b);
    });
  }
}

/// use(i, load(row i)) for the rows of a tile. Fewer than all are loaded once for each band of columns, which are next
/// to each other.
template <int rows, class T, class Load, class Use>
HWY_INLINE void load_rows(bool by_turns, const T* x, index ldx, const Load& load, const Use& use) {
  if constexpr (rows == flat_rows)
    if (by_turns) return loaded_by_turns<rows>(x, ldx, load, use);
  unrolled<rows>([&](auto i) TRIGON_INLINE_LAMBDA {
    use(i, load(x));
    x += ldx;
  });
}

/// U vectors of MR rows. Unless `whole`, some lanes of the last vector are missing: they repeat the first one, so that
/// they raise no exception of their own.
template <class T, int MR, int U, bool whole>
struct FlatTile {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>;
  V sum[MR][U], sign;
  Front<D> last;

  HWY_INLINE FlatTile(bool conj, int reals) : last(reals - (U - 1) * L) {
    const D d;
    sign = turning_sign(d, conj);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) sum[r][u] = hn::Zero(d);
  }

  HWY_INLINE V load(const T* x, int u) const {
    const D d;
    const R* const p = reinterpret_cast<const R*>(x) + u * L;
    if (whole || u + 1 < U) return hn::LoadU(d, p);
    const V filler = is_complex<T> ? hn::OddEven(hn::Set(d, p[parts_of<T> - 1]), hn::Set(d, *p)) : hn::Set(d, *p);
    return hn::IfThenElse(last.mask, last.load(p), filler);
  }

  /// All rows from X, or to it, rows `ldx` apart.
  HWY_INLINE void read(const T* x, index ldx, bool by_turns) {
    const auto load = [&](const T* row) TRIGON_INLINE_LAMBDA { return row_at(row); };
    load_rows<MR>(by_turns, x, ldx, load, [&](auto r, const Row& row) TRIGON_INLINE_LAMBDA {
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) sum[r][u] = row.x[u];
    });
  }
  HWY_INLINE void write(T* x, index ldx) const {
    const D d;
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r, x += ldx)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) {
        R* const p = reinterpret_cast<R*>(x) + u * L;
        whole || u + 1 < U ? hn::StoreU(sum[r][u], d, p) : last.store(sum[r][u], p);
      }
  }
  HWY_INLINE void scale(const T& alpha) {
    const D d;
    if (alpha != T(1))
#pragma GCC unroll 8
      for (int r = 0; r < MR; ++r)
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) sum[r][u] = multiplied(d, alpha, sum[r][u]);
  }

  /// A row of X, complex: and i times it.
  struct Row {
    V x[U], turned[U];
  };
  HWY_INLINE Row row_at(const T* x) const {
    Row row;
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u) {
      row.x[u] = load(x, u);
      if constexpr (loads_twice<MR>) row.x[u] = kept(row.x[u]);
    }
    turn(row);
    return row;
  }
  HWY_INLINE void turn(Row& row) const {
    const D d;
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u)
      if constexpr (is_complex<T>) row.turned[u] = hn::Xor(hn::Reverse2(d, row.x[u]), sign);
  }

  /// Rows [first, MR) += a column of the triangle, from row 0 on at a, times a row of X; or -= with `minus`.
  template <int first, bool minus>
  HWY_INLINE void add(const T* a, const Strides<const T>& rows, const Row& x) {
    unrolled<MR - first>([&](auto r)
                             TRIGON_INLINE_LAMBDA { add_row<minus>(first + r, rows.template of<first + r>(a), x); });
  }
  template <bool minus>
  HWY_INLINE void add_row(int r, const T* a, const Row& row) {
    const D d;
    const R* const parts = reinterpret_cast<const R*>(a);
    const V ar = hn::Set(d, parts[0]);
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u) sum[r][u] = with_product<minus>(sum[r][u], ar, row.x[u]);
    if constexpr (is_complex<T>) {
      const V ai = hn::Set(d, parts[1]);
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) sum[r][u] = with_product<minus>(sum[r][u], ai, row.turned[u]);
    }
  }
};

/// The rows from i on of a product of t and X, rows `ldx` apart.
template <class T, int MR, int U, bool whole>
HWY_NOINLINE void flat_tile(const T& alpha, const FlatTriangle<T>& t, index i, T* x, index ldx, int reals) {
  FlatTile<T, MR, U, whole> tile(t.conj, reals);
  const Strides<const T> rows(t.row);
  const T* a = t.data + i * t.row;
  T* const y = x + i * ldx;
#pragma GCC unroll 1
  for (index k = 0; k < i; ++k, a += t.column, x += ldx) tile.template add<0, false>(a, rows, tile.row_at(x));
  const auto load = [&](const T* row) TRIGON_INLINE_LAMBDA { return tile.row_at(row); };
  load_rows<MR>(t.by_turns, static_cast<const T*>(x), ldx, load, [&](auto k, const auto& row) TRIGON_INLINE_LAMBDA {
    if (t.unit)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) tile.sum[k][u] = hn::Add(tile.sum[k][u], row.x[u]);
    else
      tile.template add_row<false>(k, rows.template of<k>(a), row);
    tile.template add<k + 1, false>(a, rows, row);
    a = opaque(a + t.column);
  });
  tile.scale(alpha);
  tile.write(y, ldx);
}

/// All rows of `reals` lanes of X, the last ones first. The fewer rows than a tile's that remain have the least to sum.
template <class T, int U, bool whole>
void flat_band(const T& alpha, const FlatTriangle<T>& t, index n, T* x, index ldx, int reals) {
  index i = n;
  for (; i >= flat_rows; i -= flat_rows) flat_tile<T, flat_rows, U, whole>(alpha, t, i - flat_rows, x, ldx, reals);
  of_few<flat_rows - 1>(i, [&]<int MR>(std::integral_constant<int, MR>)
                               HWY_ATTR { flat_tile<T, MR, U, whole>(alpha, t, 0, x, ldx, reals); });
}

/// f(number, first, end) for some vectors at a time, about as many each, of `cols` columns.
template <class T, class F>
HWY_INLINE void flat_bands(index cols, const F& f) {
  constexpr index lines = unit_lanes<T>, most = flat_width<T>;
  of_each<most>((cols + lines - 1) / lines, [&]<int U>(std::integral_constant<int, U> number, index done) HWY_ATTR {
    f(number, done * lines, std::min(cols, (done + U) * lines));
  });
}

/// `by_turns`: where what they meet is not this thread's alone.
template <class T>
FlatTriangle<T> flat_triangle(const Triangle<T*>& t, bool by_turns) {
  const index n = t.n(), turn = t.uplo == Uplo::Lower ? 1 : -1, last = t.uplo == Uplo::Lower ? 0 : n - 1;
  return {t.a.data + last * (t.a.row_stride + t.a.col_stride),
          turn * t.a.row_stride,
          turn * t.a.col_stride,
          t.diag == Diag::Unit,
          is_complex<T> && t.a.conj,
          by_turns};
}

/// b := alpha t b. `beside`: other threads have other parts of the same rows.
template <class T>
void multiply_flat([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                   [[maybe_unused]] const Matrix<T*>& b, [[maybe_unused]] bool beside) {
  if constexpr (has_flat_tiles) {
    const FlatTriangle<T> lower = flat_triangle(t, reaches_others(b, flat_rows, beside));
    const index n = t.n();
    T* const x = t.uplo == Uplo::Lower ? b.data : b.data + (n - 1) * b.row_stride;
    const index ldx = t.uplo == Uplo::Lower ? b.row_stride : -b.row_stride;
    flat_bands<T>(b.cols, [&]<int U>(std::integral_constant<int, U>, index j, index end) HWY_ATTR {
      const int reals = static_cast<int>(end - j) * parts_of<T>;
      if (end - j == U * unit_lanes<T>)
        flat_band<T, U, true>(alpha, lower, n, x + j, ldx, reals);
      else
        flat_band<T, U, false>(alpha, lower, n, x + j, ldx, reals);
    });
  }
}

/// Room for a band of right-hand sides by rows; null if there is no memory.
template <class T>
T* room_for_turned(const Triangle<T*>& t) {
  constexpr index lines = unit_lanes<T>;
  return reinterpret_cast<T*>(
      scratch<real_t<T>>(1, static_cast<std::size_t>(parts_of<T> * flat_width<T> * lines * round_up(t.n(), lines))));
}

/// f(vectors, x, ldx) for contiguous columns of b, a band of them at a time, which is transposed on its way to x, where
/// rows are `ldx` apart in the order of a lower triangle, and back. Lanes that do not exist repeat one that does.
template <class T, class F>
HWY_INLINE void each_turned_band(const Triangle<T*>& t, const Matrix<T*>& b, T* room, const F& f) {
  constexpr int lines = unit_lanes<T>;
  const index n = t.n(), ldb = b.col_stride;
  const bool down = t.uplo == Uplo::Lower;
  flat_bands<T>(b.cols, [&]<int U>(std::integral_constant<int, U> number, index j, index end) HWY_ATTR {
    constexpr index ldx = U * lines;
    turn_blocks<lines, Part::Whole>(b.data + j * ldb, ldb, end - j, n, room, ldx);
    f(number, down ? room : room + (n - 1) * ldx, down ? ldx : -ldx);
    turn_blocks<lines, Part::Whole, true>(room, ldx, n, end - j, b.data + j * ldb, ldb);
  });
}

/// The same for contiguous columns. False if there is no memory for a band.
template <class T>
bool multiply_turned([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                     [[maybe_unused]] const Matrix<T*>& b) {
  if constexpr (HWY_TARGET == HWY_AVX3 && sizeof(T) == 4) {
    const FlatTriangle<T> lower = flat_triangle(t, false);
    T* const room = room_for_turned(t);
    if (!room) return false;
    each_turned_band(t, b, room, [&]<int U>(std::integral_constant<int, U>, T* x, index ldx) HWY_ATTR {
      flat_band<T, U, true>(alpha, lower, t.n(), x, ldx, U * lanes_of<real_t<T>>);
    });
  }
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
