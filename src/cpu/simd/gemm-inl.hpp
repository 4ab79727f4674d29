// Our own GEMM: packed blocks around the register tile (Goto and van de Geijn, TOMS 34:3, 2008).
// Symmetric and Hermitian factors are completed while packing; rank-k updates skip the tiles of the
// triangle that does not exist. Every entry of C is one chain of fused multiply-adds per block of k, so
// its bits depend neither on the tile's shape nor on how C was divided; few lines of it are an exception.
#if defined(TRIGON_CPU_SIMD_GEMM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_GEMM_INL
#undef TRIGON_CPU_SIMD_GEMM_INL
#else
#define TRIGON_CPU_SIMD_GEMM_INL
#endif

#include "cpu/finite.hpp"
#include "cpu/kernels.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/across-inl.hpp"
#include "cpu/simd/few_lines-inl.hpp"
#include "cpu/simd/halved-inl.hpp"
#include "cpu/simd/lying-inl.hpp"
#include "cpu/simd/pack_factor-inl.hpp"
#include "cpu/simd/slender-inl.hpp"
#include "cpu/simd/small-inl.hpp"
#include "cpu/simd/streamed-inl.hpp"
#include "cpu/simd/tile-inl.hpp"
#include "cpu/simd/tiny_gemm-inl.hpp"
#include "cpu/simd/tiny_product-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// A tile at the rim of C or across its diagonal: masked rows, with the arithmetic of a whole one.
template <class Tile_, class T>
HWY_INLINE void write_partly(const Tile_& tile, const T& alpha, const T& beta, T* c, index ldc, index i0, index j0,
                             int rows, int cols, Mask mask) {
  // Row r has the columns [from(r), to(r)): of all three kinds at once, since the code of each is long.
  const int skew = static_cast<int>(i0 - j0);  // the column of row 0's diagonal element
  const bool all = mask == Mask::All, below = !all && lower(mask), above = !all && !below;
  tile.write_some(
      alpha, beta, c, ldc, rows, [=](int r) HWY_ATTR { return above ? std::max(0, skew + r) : 0; },
      [=](int r) HWY_ATTR { return below ? std::min(cols, skew + r + 1) : cols; });
  if constexpr (is_complex<T>)
    if (hermitian(mask))
      for (int r = 0; r < rows; ++r)
        if (const int j = skew + r; j >= 0 && j < cols) c[r * ldc + j].imag(0);
}

/// Sums up to this length take less time than their entries of C take to come and go.
template <class T>
inline constexpr index short_sum = registers == 16 && sizeof(T) == 16 ? 72 : 32;

enum class Cover { None, Part, Whole };
inline Cover cover(Mask mask, index i0, index rows, index j0, index cols) {
  if (mask == Mask::All) return Cover::Whole;
  if (mask == Mask::Upper || mask == Mask::HermitianUpper) std::swap(i0, j0), std::swap(rows, cols);
  if (i0 + rows - 1 < j0) return Cover::None;
  return i0 >= j0 + cols ? Cover::Whole : Cover::Part;
}

template <class T, int NV, int W>
HWY_NOINLINE void gemm_tile(index depth, const real_t<T>* a, const real_t<T>* x, const T& alpha, const T& beta, T* c,
                            index ldc, index i0, index j0, int rows, int cols, Mask mask, bool whole,
                            const real_t<T>* next) {
  constexpr int MR = Shape<T>::rows;
  Tile<T, MR, NV, W> tile;
  whole = whole && rows == MR && cols == tile.width;
  tile.clear();
  constexpr index line = 64 / sizeof(real_t<T>);
  constexpr index lines = MR * (tile.width * sizeof(T) / 64 + 1);  // of C: rows begin anywhere
  if (registers == 32 && whole && depth > lines) {                 // of sixteen registers sums leave no loads for it
    Coming<T> coming(c, ldc, MR);
    tile.template accumulate<false>(lines, a, x, next, line, [&] HWY_ATTR { coming.fetch(); });
    depth -= lines, a += lines * tile.a_step, x += lines * tile.x_step, next += lines * line;
  } else if (whole) {
    tile.prefetch(depth > short_sum<T> ? c : c + tile.width, ldc);
  }
  tile.template accumulate<false>(depth, a, x, next, line);
  if (whole)
    tile.write({alpha, beta}, c, ldc);
  else
    write_partly(tile, alpha, beta, c, ldc, i0, j0, rows, cols, mask);
}

/// One vector of columns has too few sums in a sliver of sixteen registers to hide their latency: two slivers are
/// summed at once, the second one after the first in memory.
template <class T>
inline constexpr bool pairs_slivers = registers == 16;
template <class T, int W>
HWY_NOINLINE void gemm_pair(index depth, const real_t<T>* a, const real_t<T>* x, const T& alpha, const T& beta, T* c,
                            index ldc, int cols) {
  using R = real_t<T>;
  constexpr int MR = Shape<T>::rows, room = Shape<T>::room, step = parts_of<T> * room;
  using Tile_ = Tile<T, 2 * MR, 1, W>;
  Tile_ tile;
  const R* second = a + depth * step;
  tile.prefetch(depth > short_sum<T> ? c : c + tile.width, ldc);
  tile.clear();
  for (index k = 0; k < depth; ++k, a += step, second += step, x += Tile_::x_step) {
    typename Tile_::V xr[1], xi[1];
    Tile_::load_x(x, xr, xi);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) tile.template add_row<false>(r, a + r, a + (step - room) + r, xr, xi);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) tile.template add_row<false>(MR + r, second + r, second + (step - room) + r, xr, xi);
  }
  if (cols == tile.width)
    tile.write({alpha, beta}, c, ldc);
  else
    tile.write_some(
        alpha, beta, c, ldc, 2 * MR, [](int) HWY_ATTR { return 0; }, [=](int) HWY_ATTR { return cols; });
}

/// The same for NV vectors and half a one.
template <class T, int NV, int W, bool leads>
HWY_NOINLINE void gemm_halved(index depth, const real_t<T>* a, const real_t<T>* x, const T& alpha, const T& beta, T* c,
                              index ldc, index i0, index j0, int rows, int cols, Mask mask) {
  HalvedTile<T, Shape<T>::rows, NV, W, leads> tile;
  tile.clear();
  tile.template accumulate<false>(depth, a, x);
  write_partly(tile, alpha, beta, c, ldc, i0, j0, rows, cols, mask);
}

/// A tile across the diagonal or at the rim: only the vectors of the panel, or halves of them, that hold entries of C.
template <class T, int NV>
void gemm_some(index depth, const real_t<T>* a, const real_t<T>* x, const T& alpha, const T& beta, T* c, index ldc,
               index i0, index j0, int rows, int cols, Mask mask) {
  constexpr int L = lanes_of<real_t<T>>, W = NV * L, H = cuts_vectors<T> ? L / 2 : L;
  int first = 0, end = (cols + H - 1) / H;
  if (lower(mask))
    end = std::min<int>(end, static_cast<int>((i0 + rows - j0 + H - 1) / H));
  else if (mask != Mask::All)
    first = static_cast<int>(std::max<index>(0, (i0 - j0) / H));
  const int from = first * H, vectors = (end - first) * H / L;
  const auto at = [&](const auto& kernel, int begin) HWY_ATTR {
    kernel(depth, a, x + begin, alpha, beta, c + begin, ldc, i0, j0 + begin, rows, cols - begin, mask);
  };
  if constexpr (cuts_vectors<T> && NV > 1) {
    // One alone would wait for its sums as long as a whole one.
    if ((end - first) % 2 != 0 && vectors > 0) {
      if (first % 2 == 0)
        return at(vectors == 1 ? gemm_halved<T, 1, W, false> : gemm_halved<T, NV - 1, W, false>, from);
      return at(vectors == 1 ? gemm_halved<T, 1, W, true> : gemm_halved<T, NV - 1, W, true>, from);
    }
  }
  const int begin = from / L * L;
  const auto whole = [&]<int count>(std::integral_constant<int, count>) HWY_ATTR {
    gemm_tile<T, count, W>(depth, a, x + begin, alpha, beta, c + begin, ldc, i0, j0 + begin, rows,
                           std::min(cols - begin, count * L), mask, false, a);
  };
  switch ((end * H - begin + L - 1) / L) {
    case 1: return whole(std::integral_constant<int, 1>{});
    case 2: return whole(std::integral_constant<int, std::min(NV, 2)>{});
    default: return whole(std::integral_constant<int, NV>{});
  }
}

/// How columns of C are divided in panels as wide as tiles of a shape: whole ones, and beside them what does not fill
/// one. That comes first where `ragged_first`: an upper triangle has the fewest rows there. So few columns that they
/// are `alone`, which keeps sums waiting, share what they would follow: two panels of about two vectors.
template <class T, class Shape_ = Shape<T>>
struct Panels {
  static constexpr int NR = Shape_::columns, L = lanes_of<real_t<T>>, P = parts_of<T>;
  index begin, end;  ///< the whole panels
  int ragged[2];     ///< columns of those beside, 0: none

  Panels(index n, bool ragged_first, index alone) {
    const int rest = static_cast<int>(n % NR);
    const bool share = NR == 3 * L && n > NR && rest > 0 && rest <= alone;
    ragged[0] = share ? (ragged_first ? rest + L : 2 * L) : rest;
    ragged[1] = share ? (ragged_first ? 2 * L : rest + L) : 0;
    const index beside = ragged[0] + ragged[1];
    begin = ragged_first ? beside : 0, end = ragged_first ? n : n - beside;
  }

  index count() const { return (end - begin) / NR + (ragged[0] > 0) + (ragged[1] > 0); }
  /// f(j, columns) of those that are not whole.
  template <class F>
  HWY_INLINE void each_ragged(const F& f) const {
    const index j = begin > 0 ? 0 : end;
    if (ragged[0] > 0) f(j, ragged[0]);
    if (ragged[1] > 0) f(j + ragged[0], ragged[1]);
  }
  /// The same of all.
  template <class F>
  HWY_INLINE void each(const F& f) const {
    each_ragged(f);
    for (index j = begin; j < end; j += NR) f(j, NR);
  }
  /// Where the panel that begins with column j is, in reals per step: a ragged one is as wide as its vectors.
  HWY_INLINE index at(index j) const { return P * (j == 0 || begin == 0 ? j : (j + L - 1) / L * L); }
};

/// The fewest vectors that hold `cols` columns.
template <class T, class Shape_ = Shape<T>>
HWY_INLINE int vectors_for(index cols) {
  constexpr int L = lanes_of<real_t<T>>;
  return static_cast<int>(std::min<index>(Shape_::vectors, (cols + L - 1) / L));
}

/// Slivers of A, `depth` steps long, against panels of B: what they add to C. Indices count from the block's corner.
template <class T>
struct PackedBlock {
  using R = real_t<T>;
  static constexpr int MR = Shape<T>::rows, room = Shape<T>::room, NR = Shape<T>::columns;
  static constexpr int L = lanes_of<R>, P = parts_of<T>;
  /// Slivers that are followed at once along the lines of C. What comes from memory comes faster for more rows at once,
  /// up to sixteen of reals and thirty-two of complex numbers; reals in caches do better with eight.
  static constexpr int abreast_far = registers == 16 ? (is_complex<T> ? 2 : 4) : is_complex<T> ? 8 : 2;
  static constexpr int abreast_near = registers == 16 ? abreast_far : abreast_far / 2;
  index depth;
  const R *a, *b;
  const T &alpha, &beta;
  Matrix<T*> c;  ///< all of it, contiguous by rows
  index i0, j0;  ///< the corner
  Mask mask;
  const Panels<T>& panels;
  Lines<T> rows_lie, columns_lie;  ///< of reals: whole slivers and panels that are read there instead, if any are
  bool asks;                       ///< for lines of C before short sums come to them

  HWY_INLINE const R* sliver(index i) const { return a + P * (room == MR ? i : i / MR * room) * depth; }
  HWY_INLINE const R* panel(index j) const { return b + panels.at(j) * depth; }
  HWY_INLINE T* at(index i, index j) const { return c.data + (i0 + i) * c.row_stride + j0 + j; }

  /// The rows [i, i + rows) against one panel NV vectors wide, one of them or both not packed.
  template <int NV>
  void slivers_lying(index i, index rows, index j, int cols) const {
    const bool lies = columns_lie.at && cols == NR;
    const Lines<T> x = lies ? Lines<T>{columns_lie.at + j, 1, columns_lie.step} : Lines<T>{panel(j), 1, NV * L};
    for (const index end = i + rows; i < end; i += MR) {
      const int some = static_cast<int>(std::min<index>(MR, end - i));
      Lines<T> a{sliver(i), 1, MR};
      if (rows_lie.at && some == MR) a = {rows_lie.at + i * rows_lie.line, rows_lie.line, rows_lie.step};
      (a.line == 1 ? gemm_tile_lying<T, NV, false> : gemm_tile_lying<T, NV, true>)(depth, a, x, alpha, beta, at(i, j),
                                                                                   c.row_stride, some, cols);
    }
  }
  /// The same, both packed.
  template <int NV>
  void slivers(index i, index rows, index j, int cols) const {
    constexpr int W = NV * L;
    if constexpr (reads_lying<T>)
      if (rows_lie.at || (columns_lie.at && cols == NR)) return slivers_lying<NV>(i, rows, j, cols);
    const bool ragged = cuts_vectors<T> && NV > 1 && W - cols >= L / 2;
    const R* const x = panel(j);
    // While the first slivers meet this panel, the next one comes closer.
    const index following = j < panels.begin || j >= panels.end ? panels.begin : j + NR;
    const R* next = panel(std::min(following, panels.end));
    const R* const beyond = following < panels.end ? next + P * NR * depth : next;
    for (const index end = i + rows; i < end; i += MR) {
      if constexpr (NV == 1 && pairs_slivers<T>)
        for (; i + 2 * MR <= end && cover(mask, i0 + i, 2 * MR, j0 + j, cols) == Cover::Whole; i += 2 * MR)
          gemm_pair<T, W>(depth, sliver(i), x, alpha, beta, at(i, j), c.row_stride, cols);
      if (i >= end) break;
      const int some = static_cast<int>(std::min<index>(MR, end - i));
      const Cover covered = cover(mask, i0 + i, some, j0 + j, cols);
      if (covered == Cover::None) continue;
      if (covered == Cover::Part || ragged)
        gemm_some<T, NV>(depth, sliver(i), x, alpha, beta, at(i, j), c.row_stride, i0 + i, j0 + j, some, cols,
                         covered == Cover::Part ? mask : Mask::All);
      else
        gemm_tile<T, NV, W>(depth, sliver(i), x, alpha, beta, at(i, j), c.row_stride, i0 + i, j0 + j, some, cols, mask,
                            true, next < beyond ? next : sliver(i));
      next += depth * (64 / static_cast<index>(sizeof(R)));
    }
  }
  void rows(index i, index count, index j, int cols) const {
    switch (vectors_for<T>(cols)) {
      case 1: return slivers<1>(i, count, j, cols);
      case 2: return slivers<2>(i, count, j, cols);
      default: return slivers<Shape<T>::vectors>(i, count, j, cols);
    }
  }

  /// `count` whole slivers against whole panels side by side: what comes between two tiles takes longer than short
  /// sums.
  template <index count>
  HWY_NOINLINE void along(index i, index begin, index end) const {
    const R *const first = sliver(i), *x = panel(begin);
    T* here = at(i, begin);
    const Scaling<T, Tag<R>> scaling(alpha, beta);
    if constexpr (registers == 16) in_memory(scaling);
    for (index j = begin; j < end; j += NR, here += NR, x += P * NR * depth)
#pragma GCC unroll 1
      for (index q = 0; q < count; ++q) meet(first + q * P * room * depth, x, here + q * MR * c.row_stride, scaling);
  }
  /// A whole sliver against a whole panel, for the entries of C from `here` on. The next ones of these rows come
  /// closer, a row at a time: all at once they would keep the panel's steps waiting.
  HWY_INLINE void meet(const R* sliver, const R* x, T* here, const Scaling<T, Tag<R>>& scaling) const {
    Tile<T, MR, Shape<T>::vectors> tile;
    tile.clear();
    if (!asks) {
      tile.template accumulate<false, 1>(depth, sliver, x);
    } else if (depth < MR) {
      tile.prefetch(here + NR, c.row_stride);
      tile.template accumulate<false, 1>(depth, sliver, x);
    } else {
#pragma GCC unroll 1
      for (index r = 0, k = 0; r < MR; ++r) {
        tile.prefetch_row(here + NR + r * c.row_stride);
        const index end = depth * (r + 1) / MR;
        tile.template accumulate<false, 1>(end - k, sliver + k * P * room, x + k * P * NR);
        k = end;
      }
    }
    tile.write(scaling, here, c.row_stride);
  }
  /// As many slivers against all panels: those with all of their entries together.
  template <index slivers>
  void line(index i, index count) const {
    panels.each_ragged([&](index j, int cols) HWY_ATTR { rows(i, count, j, cols); });
    const index width = panels.end - panels.begin, diagonal = i0 + i - j0 - panels.begin;
    const index reached = std::clamp<index>(diagonal, 0, width) / NR * NR;
    const index left = round_up(std::clamp<index>(diagonal + count, 0, width), NR);
    // The diagonal crosses the panels [reached, left); those before or after it are whole.
    const bool all = mask == Mask::All;
    index crossed = all ? 0 : reached, crossed_end = all ? 0 : left;
    index begin = all || lower(mask) ? 0 : left, end = lower(mask) ? reached : width;
    if (count < slivers * MR && begin < end) {
      crossed = all ? begin : std::min(crossed, begin), crossed_end = std::max(crossed_end, end);
      end = begin;
    }
    for (index j = crossed; j < crossed_end; j += NR) rows(i, count, panels.begin + j, NR);
    if (begin < end) along<slivers>(i, panels.begin + begin, panels.begin + end);
  }
  template <index slivers>
  void lines(index count) const {
    for (index i = 0; i < count; i += slivers * MR) line<slivers>(i, std::min<index>(slivers * MR, count - i));
  }
  /// `count` rows line by line, of a C that comes from memory if it is `far`.
  void lines(index count, bool far) const { far ? lines<abreast_far>(count) : lines<abreast_near>(count); }
};

template <class T>
bool gemm(const T& alpha, const Factor<T>& rows_of_c, const Factor<T>& columns_of_c, const T& beta,
          const Matrix<T*>& result, Mask mask, const Blocking& blocking) {
  using R = real_t<T>;
  constexpr int MR = Shape<T>::rows, room = Shape<T>::room, NR = Shape<T>::columns, P = parts_of<T>, L = lanes_of<R>;
  if (result.col_stride != 1 && result.row_stride != 1) return false;  // no door makes such a C
  // A band of rows of a product with a symmetric matrix is long enough for what follows.
  const bool band = rows_of_c.mirrored() && rows_of_c.a.rows != result.rows;
  if (!band && is_finite(alpha) && is_finite(beta)) {
    const bool general = mask == Mask::All && rows_of_c.form == Form::General && columns_of_c.form == Form::General;
    if constexpr (goes_across<T>)
      if (general && blocking.small >= tiny_order) {
        const Matrix<T*>&a = rows_of_c.a, &bt = columns_of_c.a;
        if (is_across_few<T>(bt.row_stride, result, a.cols))
          return gemm_across(alpha, a, bt, beta, result, blocking.k), true;
        if (const Matrix<T*> c = core::transpose(result); is_across_few<T>(a.row_stride, c, a.cols))
          return gemm_across(alpha, bt, a, beta, c, blocking.k), true;
      }
    if (blocking.any_order && general) {
      const FewWay way = few_way<T>(rows_of_c.a, columns_of_c.a.row_stride, columns_of_c.a.col_stride, result);
      if (way == FewWay::AsColumn)
        return gemm(alpha, columns_of_c, rows_of_c, beta, core::transpose(result), mask, blocking);
      if (way != FewWay::None && gemm_few_lines(way, alpha, rows_of_c.a, columns_of_c.a, beta, result)) return true;
    }
    if (const Matrix<T*> b = core::transpose(columns_of_c.a);
        blocking.small >= tiny_order && is_tiny_product(alpha, rows_of_c, b, beta, result))
      return tiny_product(rows_of_c, b, beta, result), true;
    // Which factor is broadcast decides how a complex sum is rounded: that is the same for all sizes.
    const bool turned = result.row_stride != 1;
    const Factor<T>&down = turned ? columns_of_c : rows_of_c, &across = turned ? rows_of_c : columns_of_c;
    const Matrix<T*> c = turned ? core::transpose(result) : result;
    const auto few_rows = [&] {
      return gemm_tiny(alpha, down, across, beta, c, turned ? transposed(mask) : mask, blocking.k);
    };
    if (is_tiny_gemm(down, across, c, blocking.small)) return few_rows();
    if constexpr (goes_across<T>)
      if (general && blocking.small >= tiny_order) {
        const Matrix<T*>&a = rows_of_c.a, &bt = columns_of_c.a;
        if (is_across(a, bt, result)) return gemm_across(alpha, a, bt, beta, result, blocking.k), true;
        if (const Matrix<T*> c = core::transpose(result); is_across(bt, a, c))
          return gemm_across(alpha, bt, a, beta, c, blocking.k), true;
      }
    if (mask == Mask::All && is_streamed(down, across, c, blocking.small))
      return gemm_streamed(alpha, down.a, core::transpose(across.a), beta, c, blocking.k);
    if (is_small(rows_of_c, columns_of_c, result, mask, blocking.small))
      return gemm_small(alpha, rows_of_c, columns_of_c, beta, result, mask, blocking.k);
    if (is_tiny_gemm(down, across, c, blocking.small, true)) return few_rows();
  }
  if (is_slender(rows_of_c, result, blocking.small))
    return gemm_slender(alpha, rows_of_c, core::transpose(columns_of_c.a), beta, result, blocking.k);
  // Lanes run along the contiguous direction of C.
  const bool turn = result.row_stride == 1;
  const Factor<T>& a = turn ? columns_of_c : rows_of_c;
  const Factor<T>& bt = turn ? rows_of_c : columns_of_c;
  const Matrix<T*> c = turn ? core::transpose(result) : result;
  if (turn) mask = transposed(mask);
  const index m = c.rows, n = c.cols, depth = a.depth();
  const bool upper = mask != Mask::All && !lower(mask);
  const index kc = std::min(blocking.k, depth), mc = round_up(std::min(blocking.m, m), MR);
  const index nc = round_up(std::min(blocking.n, n), NR);
  R* const packed_a = scratch<R>(0, static_cast<std::size_t>(P * (mc / MR * room) * kc));
  R* const packed_b = scratch<R>(1, static_cast<std::size_t>(P * nc * kc));
  if (!packed_a || !packed_b) return false;

  // What is not referenced raises no flag. Tiles do not do it: a load right after a store of a part of it waits.
  if constexpr (is_complex<T>)
    for (index i = 0; i < m && hermitian(mask) && beta != T(0); ++i) c.data[i * (c.row_stride + 1)].imag(0);
  const index entries = mask == Mask::All ? m * n : m * n / 2;
  const bool far = is_far<T>(entries), asks = registers == 16 || entries * static_cast<index>(sizeof(T)) > 1 << 20;
  const T one(1);
  for (index j0 = 0; j0 < n; j0 += nc) {
    const index nb = std::min(nc, n - j0);
    // Half a vector is not cut from one by itself.
    const Panels<T> panels(nb, upper, cuts_vectors<T> ? L / 2 : 0);
    for (index k0 = 0; k0 < depth; k0 += kc) {
      const index kb = std::min(kc, depth - k0);
      const bool lying = reads_lying<T> && mask == Mask::All && kb > lying_sum;
      const bool columns_lie = lying && bt.form == Form::General && panels_lie(bt.a, m);
      const bool rows_lie = lying && a.form == Form::General && slivers_lie(a.a, panels.count());
      const auto pack_panel = [&](index j, int cols) HWY_ATTR {
        R* const panel = packed_b + panels.at(j) * kb;
        switch (vectors_for<T>(cols)) {
          case 1: return pack_factor<L>(panel, bt, j0 + j, cols, k0, kb);
          case 2: return pack_factor<2 * L>(panel, bt, j0 + j, cols, k0, kb);
          default: return pack_factor<NR>(panel, bt, j0 + j, cols, k0, kb);
        }
      };
      columns_lie ? panels.each_ragged(pack_panel) : panels.each(pack_panel);
      for (index i0 = 0; i0 < m; i0 += mc) {
        const index mb = std::min(mc, m - i0);
        if (cover(mask, i0, mb, j0, nb) == Cover::None) continue;
        const index lie = rows_lie ? mb / MR * MR : 0;
        if (lie < mb) pack_block<room, MR>(packed_a + P * lie * kb, a, i0 + lie, mb - lie, k0, kb);
        const PackedBlock<T> block{
            kb,  packed_a, packed_b, alpha,  k0 == 0 ? beta : one,          c,
            i0,  j0,       mask,     panels, lines_of(a, i0, k0, rows_lie), lines_of(bt, j0, k0, columns_lie),
            asks};
        if (kb > short_sum<T>)
          panels.each([&](index j, int cols) HWY_ATTR { block.rows(0, mb, j, cols); });
        else  // C is most of the traffic, and is walked through along its lines
          block.lines(mb, far);
      }
    }
  }
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
