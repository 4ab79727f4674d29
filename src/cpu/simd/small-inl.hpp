// GEMM where one size at most is not small, or sums are short: nothing is packed, lanes run down the columns
// of C, complex numbers stay interleaved. Only factors that are not plain columns in memory are copied.
// Every entry is rounded as the packed kernel rounds it, so that its bits do not depend on the size of C.
#if defined(TRIGON_CPU_SIMD_SMALL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SMALL_INL
#undef TRIGON_CPU_SIMD_SMALL_INL
#else
#define TRIGON_CPU_SIMD_SMALL_INL
#endif

#include "cpu/in_place.hpp"
#include "cpu/kernels.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/held-inl.hpp"
#include "cpu/simd/small_limits-inl.hpp"
#include "cpu/simd/small_tile-inl.hpp"
#include "cpu/simd/turn-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Rows of C that are followed at a time.
inline constexpr index rows_at_a_time = 8 * small_order;
/// Rows of a longer copy: three vectors of floats, or twice three of doubles.
inline constexpr index long_copy = 48;

/// Where a tile of C lies: `first` is the row, in the tile, of its first column's diagonal element.
template <class T>
struct SmallPlace {
  real_t<T>* c;
  index ldc;                              ///< reals
  int cols, vectors, reals, first, last;  ///< `last`: reals before the last vector
  Mask mask;

  /// The lanes [begin(j), end(j)) of column j exist.
  int begin(int j) const { return mask != Mask::All && lower(mask) ? (first + j) * parts_of<T> : 0; }
  int end(int j) const {
    return mask == Mask::All || lower(mask) ? reals : std::min(reals, (first + j + 1) * parts_of<T>);
  }
};

/// C := beta C + sums for complex numbers, once for tiles of all sizes: these products, unrolled, would be most of the
/// code of each. The sums lie in `room`, vectors of a column together.
template <class T, class R = real_t<T>>
HWY_NOINLINE void write_small(R* room, const T& beta, const SmallPlace<T>& at) {
  const hn::ScalableTag<R> d;
  constexpr int L = lanes_of<R>;
  const auto each = [&](const auto& f) HWY_ATTR {
    R* sums = room;
#pragma GCC unroll 1
    for (int j = 0; j < at.cols; ++j) {
      const int begin = at.begin(j), end = at.end(j);
#pragma GCC unroll 1
      for (int lane = 0; lane < at.vectors * L; lane += L, sums += L) {
        const int offset = lane < (at.vectors - 1) * L ? lane : at.last;
        f(sums, at.c + j * at.ldc + offset, std::max(begin, lane) - offset, end - offset);
      }
    }
  };
  each([&](R* sum, const R* p, int begin, int end) HWY_ATTR {
    const auto old = load_lanes(d, p, begin, end);
    hn::Store(hn::Add(hn::Load(d, sum), scaled(d, beta, old)), d, sum);
  });
  each([&](const R* sum, R* p, int begin, int end) HWY_ATTR { store_lanes(hn::Load(d, sum), d, p, begin, end); });
}

template <class T, int CC, int U, bool whole>
HWY_INLINE void small_block(const SmallFactors<T>& f, index i0, index j0, index base, int reals,
                            const InterleavedScaling<T>& scaling, const Matrix<T*>& c, Mask mask) {
  constexpr int P = parts_of<T>, L = lanes_of<real_t<T>>;
  SmallTile<T, CC, U, whole> tile(reals, P * i0);
  real_t<T>* const here = reinterpret_cast<real_t<T>*>(c.data + i0 + j0 * c.col_stride);
  const index ldc = P * c.col_stride;
  if constexpr (whole)
#pragma GCC unroll 8
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) hwy::Prefetch(here + j * ldc + u * L);
  for (int s = 0; s < f.count; ++s) {
    SmallFactor<T> a = f.a[s], x = f.x[s];
    a.data += i0, x.data += j0 * x.row;
    tile.add(a, x, f.depth[s]);
  }
  const int first = static_cast<int>(std::clamp<index>(j0 - base - i0, -CC, U * L));  // the diagonal's row, from i0 on
  const SmallPlace<T> place{here, ldc, CC, U, reals, first, tile.offset(U - 1), mask};
  if constexpr (is_complex<T>) {
    if (!scaling.plain) tile.scale(scaling.alpha);
    if (scaling.reads && !scaling.keeps) {
      HWY_ALIGN real_t<T> room[CC * U * L];
#pragma GCC unroll 8
      for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) hn::Store(tile.sum[j][u], hn::ScalableTag<real_t<T>>(), room + (j * U + u) * L);
      return write_small<T>(room, scaling.beta, place);
    }
  } else if (HWY_UNLIKELY(scaling.enlarges) && ((!whole && !tile.twice) || mask != Mask::All)) {
    // Other lanes have no old entries to bring such a sum back, and would raise an exception of their own.
    tile.keep_lanes([&](int j) HWY_ATTR { return place.begin(j); }, [&](int j) HWY_ATTR { return place.end(j); });
  }
  if (mask == Mask::All) return tile.write(scaling, here, ldc);
  const auto diagonal = [&](int j) HWY_ATTR { return (first + j) * P; };
#pragma GCC unroll 4
  for (int u = 0; u < U; ++u) {
    const bool whole_there = lower(mask) ? u * L >= diagonal(CC - 1) : std::min(reals, (u + 1) * L) <= diagonal(1);
    if (whole_there)
      tile.write(u, scaling, here, ldc);
    else if (lower(mask))
      tile.write_some(u, scaling, here, ldc, diagonal, [=](int) HWY_ATTR { return reals; });
    else
      tile.write_some(
          u, scaling, here, ldc, [](int) HWY_ATTR { return 0; },
          [&](int j) HWY_ATTR { return std::min(reals, diagonal(j + 1)); });
  }
}

/// Columns of a to `out`, `ldo` apart there: `rows` rows of them, and what fills up the last vector. (A call of memcpy
/// for each would take as long as a tile's sums.)
template <class T>
HWY_NOINLINE void copy_columns(const T* a, index lda, index rows, index cols, T* out, index ldo) {
  using R = real_t<T>;
  const Tag<R> d;
  constexpr int L = lanes_of<R>;
  const index reals = rows * parts_of<T>, whole = (reals - 1) / L * L;
  const Front<Tag<R>> front(static_cast<int>(reals - whole));
  for (index k = 0; k < cols; ++k) {
    const R* const from = reinterpret_cast<const R*>(a + k * lda);
    R* const to = reinterpret_cast<R*>(out + k * ldo);
    for (index i = 0; i < whole; i += L) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    hn::StoreU(front.load(from + whole), d, to + whole);
  }
}

/// The most columns that are summed at a time, and vectors down CC of them. With thirty-two registers eight by three or
/// six by four, so that a factor is read half as often as with four by four; eight by two if complex, because each
/// vector is shuffled. With sixteen four by three, which fill them.
inline constexpr int small_width = 8;
template <class T>
inline constexpr int width_of_four = !sums_widely || is_complex<T> ? 4 : 6;
template <class T, int CC>
inline constexpr int small_height = CC <= width_of_four<T> ? (sums_widely || CC == 1 ? 4 : 3)
                                    : !sums_widely         ? 1
                                    : is_complex<T>        ? 2
                                                           : 3;

/// `tiles` whole tiles down CC columns of C, one behind the other: what else is decided between two of them would take
/// longer than short sums. A complex C is kept as it is or not at all.
template <class T, int CC, int U, bool conj>
HWY_NOINLINE void small_run(const SmallFactor<T>& a, const SmallFactor<T>& x, index depth,
                            const InterleavedScaling<T>& scaling, real_t<T>* c, index ldc, index tiles) {
  constexpr int reals = U * lanes_of<real_t<T>>;
  const InterleavedScaling<T> own = scaling;
  if constexpr (registers == 16) in_memory(own);
  SmallFactor<T> from = a;
  for (; tiles > 0; --tiles, from.data += reals / parts_of<T>, c += reals) {
    SmallTile<T, CC, U, true> tile(reals, 0);
    tile.template steps<conj>(from, x, depth);
    if constexpr (is_complex<T>)
      if (!own.plain) tile.scale(own.alpha);
    tile.write(own, c, ldc);
  }
}

/// One vector left alone would wait for its few sums: after threes, four are twice two.
template <int U>
inline constexpr bool shares_vectors = !sums_widely && U == 3;

/// The tiles of one pair of factors that fill the rows [i, stop) of CC columns, none of which the diagonal crosses.
/// Returns the row where they end. In line it would take registers from the tiles beside it.
template <class T, int CC>
HWY_NOINLINE index small_runs(const SmallFactors<T>& f, index j, index i, index stop,
                              const InterleavedScaling<T>& scaling, const Matrix<T*>& c) {
  constexpr int U = small_height<T, CC>, N = unit_lanes<T>;
  const auto run = [&]<int vectors>(std::integral_constant<int, vectors>, index tiles) TRIGON_INLINE_LAMBDA {
    if (tiles <= 0) return;
    SmallFactor<T> a = f.a[0], x = f.x[0];
    a.data += i, x.data += j * x.row;
    const auto way =
        is_complex<T> && a.conj ? small_run<T, CC, vectors, is_complex<T>> : small_run<T, CC, vectors, false>;
    way(a, x, f.depth[0], scaling, reinterpret_cast<real_t<T>*>(c.data + i + j * c.col_stride),
        parts_of<T> * c.col_stride, tiles);
    i += tiles * vectors * N;
  };
  index tiles = (stop - i) / (U * N);
  const index left = stop - i - tiles * U * N;
  if (shares_vectors<U> && left > 0 && left <= N) --tiles;
  run(std::integral_constant<int, U>{}, tiles);
  if constexpr (shares_vectors<U>) run(std::integral_constant<int, 2>{}, (stop - i) / (2 * N));
  return i;
}

/// CC columns of C from column j on: the rows [i, rows) that exist there. `c` begins with row `base` of all.
template <class T, int CC>
HWY_NOINLINE void small_columns(const SmallFactors<T>& f, index base, index j, index i, index rows,
                                const InterleavedScaling<T>& scaling, const Matrix<T*>& c, Mask mask) {
  constexpr int P = parts_of<T>, L = lanes_of<real_t<T>>, U = small_height<T, CC>, N = L / P;
  const auto whole = [&]<int vectors>(std::integral_constant<int, vectors>) TRIGON_INLINE_LAMBDA {
    small_block<T, CC, vectors, true>(f, i, j, base, vectors * L, scaling, c, mask);
    i += vectors * N;
  };
  constexpr bool shares = shares_vectors<U>;
  const auto between = [&](int begin, int end) HWY_ATTR { return rows - i > begin * N && rows - i <= end * N; };
  const bool runs = f.count == 1 && !(is_complex<T> && scaling.reads && !scaling.keeps);
  const bool all = mask == Mask::All, below = !all && lower(mask);
  const index diagonal = j - base, stop = all || below ? rows : std::min(rows, diagonal + 1);
  while (rows - i >= U * N && !(shares && between(3, 4))) {
    const bool crossed = below && i < diagonal + CC - 1;
    if (runs && !crossed && stop - i >= 3 * U * N)  // which repays a call
      i = small_runs<T, CC>(f, j, i, stop, scaling, c);
    else
      whole(std::integral_constant<int, U>{});
  }
  if constexpr (shares)
    while (rows - i >= 2 * N && !between(2, 3)) whole(std::integral_constant<int, 2>{});
  const int reals = static_cast<int>((rows - i) * P);
  const auto rest = [&]<int vectors>(std::integral_constant<int, vectors>) TRIGON_INLINE_LAMBDA {
    small_block<T, CC, std::min(vectors, U), false>(f, i, j, base, reals, scaling, c, mask);
  };
  if (reals > 3 * L && U > 3) return rest(std::integral_constant<int, 4>{});
  if (reals > 2 * L && U > 2) return rest(std::integral_constant<int, 3>{});
  if (reals > L && U > 1) return rest(std::integral_constant<int, 2>{});
  if (reals > 0) return rest(std::integral_constant<int, 1>{});
}

/// All columns of C, a few at a time and about as many each time.
template <class T>
void small_block_of_rows(const SmallFactors<T>& f, index base, const InterleavedScaling<T>& scaling,
                         const Matrix<T*>& c, Mask mask) {
  constexpr int N = unit_lanes<T>;
  if (is_held(f, c.rows, c.cols, mask))
    return multiply_held(f, scaling.alpha, scaling.beta, c.data, c.col_stride, c.rows, c.cols);
  if (has_few_steps(f, c.rows, mask)) return multiply_few_steps(f, base, scaling, c, mask);
  // Eight columns that meet in a set of the cache push each other out of it before they are written, C being most of
  // the traffic of short sums.
  constexpr index short_depth = 16;
  const bool meet = falls_together<T>(c.col_stride) && (!sums_widely || f.depth[0] <= short_depth);
  const auto columns = [&](index j, index width, index first, index end) HWY_ATTR {
    of_few<small_width>(width, [&]<int CC>(std::integral_constant<int, CC>)
                                   HWY_ATTR { small_columns<T, CC>(f, base, j, first, end, scaling, c, mask); });
  };
  // A single vector has too few sums to hide their latency in four columns.
  const auto most_columns = [&](index vectors, int of_four) HWY_ATTR {
    if (meet) return 4;
    if (sums_widely && !is_complex<T> && vectors == 4) return of_four;
    return sums_widely || vectors == 1 ? small_width : 4;
  };
  if (mask == Mask::All) {
    const int most = most_columns((c.rows + N - 1) / N, width_of_four<T>);
    index blocks = 1, fewer = c.cols, more = 0;  // nothing is divided that need not be
    if (c.cols > most) blocks = (c.cols + most - 1) / most, fewer = c.cols / blocks, more = c.cols % blocks;
    for (index j = 0, b = 0; b < blocks; ++b) {
      const index width = fewer + (b < more);
      columns(j, width, 0, c.rows);
      j += width;
    }
    return;
  }
  // Of a triangle as many as possible: then they begin where vectors do.
  const bool below = lower(mask);
  for (index j = 0, width = 0; j < c.cols; j += width) {
    const index diagonal = j - base, left = c.cols - j;
    const index first = below ? std::max<index>(0, diagonal / N * N) : 0;
    const auto end = [&](index columns) { return below ? c.rows : std::min(c.rows, diagonal + columns); };
    width = std::min<index>(left, most_columns((end(small_width) - first + N - 1) / N, 4));
    columns(j, width, first, end(width));
  }
}

/// Scratch for a copied factor: the stack where that is small, or slot `slot`.
template <class T, int slot>
class SmallCopy {
 public:
  T* of(index elements) {
    // Of reals, because complex elements would be cleared.
    return elements <= small_order * small_order ? reinterpret_cast<T*>(room_)
                                                 : scratch<T>(slot, static_cast<std::size_t>(elements));
  }

 private:
  HWY_ALIGN real_t<T> room_[parts_of<T> * small_order * small_order];
};

/// c := alpha a bt^T + beta c where is_small says so; c contiguous in one direction.
/// `kc`: how many steps the packed kernel sums before it rounds. False if there is no memory for a copy.
template <class T>
bool gemm_small(const T& alpha, const Factor<T>& rows_of_c, const Factor<T>& columns_of_c, const T& beta,
                const Matrix<T*>& result, Mask mask, index kc) {
  const bool turned = result.row_stride != 1;
  const Factor<T>& a = turned ? columns_of_c : rows_of_c;
  const Factor<T>& bt = turned ? rows_of_c : columns_of_c;
  const Matrix<T*> c = turned ? core::transpose(result) : result;
  if (turned) mask = transposed(mask);

  const index depth = a.depth(), first = a.a.cols;
  const bool a_whole = a.mirrored();
  const bool x_whole = bt.mirrored();
  // Columns that share sets of the cache push each other out: they are copied too, if they are used often enough.
  const bool apart = !is_complex<T> && is_aliased(a) && std::min(c.cols, depth) > small_order;
  const bool copies = !a_whole && (apart || a.a.row_stride != 1 || (a.form == Form::Pair && a.b.row_stride != 1));
  SmallCopy<T, 0> completed;
  SmallCopy<T, 1> turned_rows;
  SmallFactor<T> whole{};
  if (a_whole || x_whole) {
    // Columns of an odd number of lines: they do not fall on each other.
    constexpr index line = 64 / sizeof(T);
    const index ld = depth <= small_order ? small_order : ((depth + line - 1) / line | 1) * line;
    T* const out = completed.of(ld * depth);
    if (!out) return false;
    whole = complete(a_whole ? a : bt, out, ld);
  }
  // Rows at a time: a stays in the first cache or near it, a copy of few steps on the stack, a longer one is as high as
  // tiles are; and columns of C are followed.
  const index steps = std::min(kc, depth);
  index height = rows_at_a_time;
  if (copies && !is_complex<T> && sums_widely && steps > small_order) {
    // The few rows of a rest would be copied and multiplied by themselves, where all of them fit half of the first
    // cache.
    constexpr index few_rows = 64, half = 24 << 10;
    height = c.rows <= few_rows && few_rows * steps * static_cast<index>(sizeof(T)) <= half ? few_rows : long_copy;
  } else if (!is_complex<T> && sums_widely && steps <= small_order) {
    constexpr index most = (32 << 10) / static_cast<index>(sizeof(T));
    height = most / steps / long_copy * long_copy;
    height = copies ? std::min(height, round_up(c.rows, index{unit_lanes<T>})) : std::max<index>(height, 240);
  } else if (copies) {
    height = small_order * std::clamp<index>(small_order / steps, 1, rows_at_a_time / small_order);
  }
  T* const copy = copies ? turned_rows.of(height * steps) : nullptr;
  if (copies && !copy) return false;

  const auto make_diagonal_real = [&]() HWY_ATTR {
    if constexpr (is_complex<T>)
      for (index i = 0; i < c.rows && hermitian(mask); ++i) c.data[i * (1 + c.col_stride)].imag(0);
  };
  if (beta != T(0)) make_diagonal_real();
  for (index i0 = 0; i0 < c.rows; i0 += height) {
    const Matrix<T*> block = c.block(i0, 0, std::min(height, c.rows - i0), c.cols);
    for (index k0 = 0; k0 < depth; k0 += kc) {
      // The steps [k0, k1), in a and in the second matrix of a pair.
      const index k1 = std::min(depth, k0 + kc);
      SmallFactors<T> f;
      f.count = 0;
      index copied = 0;
      const auto take = [&](const Matrix<T*>& am, const Matrix<T*>& xm, index begin, index end) HWY_ATTR {
        if (begin >= end) return;
        SmallFactor<T>& fa = f.a[f.count];
        if (a_whole) {
          fa = whole;
          fa.data += i0 + begin * whole.column;
        } else if (apart || am.row_stride != 1) {
          fa = {copy + copied * height, 1, height, am.conj};
          const T* const from = am.data + i0 * am.row_stride + begin * am.col_stride;
          if (am.row_stride != 1)
            turn(from, am.row_stride, block.rows, end - begin, Part::Whole, copy + copied * height, height);
          else
            copy_columns(from, am.col_stride, block.rows, end - begin, copy + copied * height, height);
          copied += end - begin;
        } else {
          fa = {am.data + i0 + begin * am.col_stride, 1, am.col_stride, am.conj};
        }
        SmallFactor<T>& fx = f.x[f.count];
        fx = x_whole ? whole : SmallFactor<T>{xm.data, xm.row_stride, xm.col_stride, xm.conj};
        // Columns of a symmetric matrix are rows of it: each is read along its lines, rather than another line for
        // each step.
        if (x_whole && !is_complex<T> && sums_widely) std::swap(fx.row, fx.column);
        fx.data += begin * fx.column;
        f.depth[f.count++] = end - begin;
      };
      take(a.a, bt.a, k0, std::min(k1, first));
      if (a.form == Form::Pair) take(a.b, bt.b, std::max<index>(0, k0 - first), k1 - first);

      const InterleavedScaling<T> scaling(alpha, k0 == 0 ? beta : T(1));
      small_block_of_rows(f, i0, scaling, block, mask);
    }
  }
  make_diagonal_real();
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
