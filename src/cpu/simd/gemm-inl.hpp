// Our own GEMM: packed blocks around the register tile (Goto and van de Geijn, TOMS 34:3, 2008).
// Symmetric and Hermitian factors are completed while packing; rank-k updates skip the tiles of the
// triangle that does not exist. Every entry of C is one chain of fused multiply-adds per block of k, so
// its bits depend neither on the tile's shape nor on how C was divided.
#if defined(TRIGON_CPU_SIMD_GEMM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_GEMM_INL
#undef TRIGON_CPU_SIMD_GEMM_INL
#else
#define TRIGON_CPU_SIMD_GEMM_INL
#endif

#include "cpu/kernels.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/pack-inl.hpp"
#include "cpu/simd/small-inl.hpp"
#include "cpu/simd/tile-inl.hpp"
#include "cpu/simd/tiny_gemm-inl.hpp"
#include "cpu/simd/tiny_product-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

constexpr index round_up(index n, index to) { return (n + to - 1) / to * to; }

/// Packs the steps [k, k_end) of a symmetric or Hermitian factor that cross its diagonal within the lines
/// [i0, i0 + lines). The half that runs along k is packed as if it were all; the half that runs along the
/// lines is laid over it where it is the right one.
template <int W, class T>
void pack_crossing(real_t<T>* dst, const Factor<T>& f, index i0, int lines, index k, index k_end) {
  const Matrix<T*>& a = f.a;
  const bool conj = is_complex<T> && a.conj, mirror_conj = is_complex<T> && conj != (f.form == Form::Hermitian);
  const bool over_stored = a.row_stride == 1;  // the stored half runs along the lines
  const index along = over_stored ? a.row_stride : a.col_stride, across = over_stored ? a.col_stride : a.row_stride;
  pack<W>(dst, a.data + i0 * across + k * along, across, along, lines, k_end - k, over_stored ? mirror_conj : conj);

  constexpr int N = std::min(W, lanes_of<real_t<T>>);
  const typename Run<N, T>::D d;
  const bool tail = (f.uplo == Uplo::Lower) == over_stored;  // lines from the diagonal on, or up to it
  for (; k < k_end; ++k, dst += parts_of<T> * W) {
    const int diagonal = static_cast<int>(k - i0);
    const int from = tail ? diagonal : 0, to = tail ? lines : diagonal + 1;
    const T* const src = a.data + i0 * along + k * across;
    for (int w = from / N * N; w < to; w += N) {
      Run<N, T> run;
      run.load_some(src + w, 1, over_stored ? conj : mirror_conj, std::min(N, lines - w));
      store_lanes(run.re, d, dst + w, from - w, to - w);
      if constexpr (is_complex<T>) store_lanes(run.im, d, dst + W + w, from - w, to - w);
    }
    if constexpr (is_complex<T>)
      if (f.form == Form::Hermitian) dst[W + diagonal] = 0;
    repeat_last<W, T>(dst, lines, 1);
  }
}

/// Packs `lines` rows of f from row i0, columns k0 … k0 + depth.
template <int W, class T>
void pack_factor(real_t<T>* dst, const Factor<T>& f, index i0, int lines, index k0, index depth) {
  const Matrix<T*>& a = f.a;
  if (f.form == Form::Pair) {
    const index first = std::clamp<index>(a.cols - k0, 0, depth);
    if (first > 0) pack_factor<W>(dst, Factor<T>{a}, i0, lines, k0, first);
    if (first < depth)
      pack_factor<W>(dst + first * parts_of<T> * W, Factor<T>{f.b}, i0, lines, k0 + first - a.cols, depth - first);
    return;
  }
  if (f.form == Form::General)
    return pack<W>(dst, a.data + i0 * a.row_stride + k0 * a.col_stride, a.row_stride, a.col_stride, lines, depth,
                   a.conj);
  const index i1 = i0 + lines, k1 = k0 + depth;
  for (index k = k0; k < k1;) {
    const bool left = k < i0, right = k >= i1;  // of the diagonal block
    const index end = std::min(k1, left ? i0 : right ? k1 : i1);
    real_t<T>* const out = dst + (k - k0) * parts_of<T> * W;
    if (left || right) {
      const bool stored = left == (f.uplo == Uplo::Lower);
      const bool conj = a.conj != (!stored && f.form == Form::Hermitian);
      const index rs = stored ? a.row_stride : a.col_stride, cs = stored ? a.col_stride : a.row_stride;
      pack<W>(out, a.data + i0 * rs + k * cs, rs, cs, lines, end - k, is_complex<T> && conj);
    } else {
      pack_crossing<W>(out, f, i0, lines, k, end);
    }
    k = end;
  }
}

/// Packs the panels of W lines of a block. Where lines are contiguous, all whole ones together.
template <int W, class T>
void pack_block(real_t<T>* dst, const Factor<T>& f, index i0, index lines, index k0, index depth) {
  const index panel = parts_of<T> * W * depth;
  index done = 0;
  const bool along = f.a.row_stride == 1 && (f.form == Form::General || (f.form == Form::Pair && f.b.row_stride == 1));
  if (along) {
    done = lines / W * W;
    const index first = std::clamp<index>(f.a.cols - k0, 0, depth);
    const auto take = [&](const Matrix<T*>& a, index k, index from, index count) HWY_ATTR {
      pack_panels<W>(dst + from * parts_of<T> * W, panel, a.data + i0 + k * a.col_stride, a.col_stride, done, count,
                     a.conj);
    };
    if (first > 0) take(f.a, k0, 0, first);
    if (first < depth) take(f.b, k0 + first - f.a.cols, first, depth - first);
  }
  for (index i = done; i < lines; i += W)
    pack_factor<W>(dst + i / W * panel, f, i0 + i, static_cast<int>(std::min<index>(W, lines - i)), k0, depth);
}

/// A tile at the rim of C or across its diagonal: masked rows, with the arithmetic of a whole one.
template <class T, int MR, int NV, int W>
HWY_INLINE void write_partly(const Tile<T, MR, NV, W>& tile, const T& alpha, const T& beta, T* c, index ldc, index i0,
                             index j0, int rows, int cols, Mask mask) {
  if (mask == Mask::All)
    return tile.write_some(
        alpha, beta, c, ldc, rows, [](int) HWY_ATTR { return 0; }, [=](int) HWY_ATTR { return cols; });
  const auto make_diagonal_real = [&]() HWY_ATTR {
    if constexpr (is_complex<T>) {
      if (!hermitian(mask)) return;
      for (int r = 0; r < rows; ++r)
        if (const index j = i0 + r - j0; j >= 0 && j < cols) c[r * ldc + j].imag(0);
    }
  };
  const int skew = static_cast<int>(i0 - j0);  // the column of row 0's diagonal element
  if (beta != T(0)) make_diagonal_real();
  if (lower(mask))
    tile.write_some(
        alpha, beta, c, ldc, rows, [](int) HWY_ATTR { return 0; },
        [=](int r) HWY_ATTR { return std::min(cols, skew + r + 1); });
  else
    tile.write_some(
        alpha, beta, c, ldc, rows, [=](int r) HWY_ATTR { return std::max(0, skew + r); },
        [=](int) HWY_ATTR { return cols; });
  make_diagonal_real();
}

/// Sums up to this length take less time than their entries of C take to come and go.
inline constexpr index short_sum = 32;

enum class Cover { None, Part, Whole };
inline Cover cover(Mask mask, index i0, index rows, index j0, index cols) {
  if (mask == Mask::All) return Cover::Whole;
  if (mask == Mask::Upper || mask == Mask::HermitianUpper) std::swap(i0, j0), std::swap(rows, cols);
  if (i0 + rows - 1 < j0) return Cover::None;
  return i0 >= j0 + cols ? Cover::Whole : Cover::Part;
}

template <class T, int NV, int W>
HWY_NOINLINE void gemm_tile(index depth, const real_t<T>* a, const real_t<T>* x, const T& alpha, const T& beta, T* c,
                            index ldc, index i0, index j0, int rows, int cols, Mask mask, bool whole) {
  constexpr int MR = Shape<T>::rows;
  Tile<T, MR, NV, W> tile;
  whole = whole && rows == MR && cols == tile.width;
  if (whole) tile.prefetch(depth > short_sum ? c : c + tile.width, ldc);
  tile.clear();
  tile.template accumulate<false>(depth, a, x);
  if (whole)
    tile.write(alpha, beta, c, ldc);
  else
    write_partly(tile, alpha, beta, c, ldc, i0, j0, rows, cols, mask);
}

/// A tile across the diagonal: only the vectors of the panel that hold entries of the triangle.
template <class T, int NV>
void gemm_crossing(index depth, const real_t<T>* a, const real_t<T>* x, const T& alpha, const T& beta, T* c, index ldc,
                   index i0, index j0, int rows, int cols, Mask mask) {
  constexpr int L = lanes_of<real_t<T>>, W = NV * L;
  int first = 0, end = (cols + L - 1) / L;
  if (lower(mask))
    end = std::min<int>(end, static_cast<int>((i0 + rows - j0 + L - 1) / L));
  else
    first = static_cast<int>(std::max<index>(0, (i0 - j0) / L));
  const auto narrower = [&]<int vectors>(std::integral_constant<int, vectors>) HWY_ATTR {
    gemm_tile<T, vectors, W>(depth, a, x + first * L, alpha, beta, c + first * L, ldc, i0, j0 + first * L, rows,
                             std::min(cols - first * L, vectors * L), mask, false);
  };
  switch (end - first) {
    case 1: return narrower(std::integral_constant<int, 1>{});
    case 2: return narrower(std::integral_constant<int, std::min(NV, 2)>{});
    default: return narrower(std::integral_constant<int, NV>{});
  }
}

/// All slivers of a packed block of A against one panel of B, NV vectors wide.
template <class T, int NV>
void gemm_panel(index m, index depth, const real_t<T>* a, const real_t<T>* x, const T& alpha, const T& beta,
                Matrix<T*> c, index i0, index j0, int cols, Mask mask) {
  constexpr int MR = Shape<T>::rows, W = NV * lanes_of<real_t<T>>;
  for (index i = 0; i < m; i += MR, a += MR * parts_of<T> * depth) {
    const int rows = static_cast<int>(std::min<index>(MR, m - i));
    T* const here = c.data + (i0 + i) * c.row_stride + j0;
    switch (cover(mask, i0 + i, rows, j0, cols)) {
      case Cover::None: break;
      case Cover::Part:
        gemm_crossing<T, NV>(depth, a, x, alpha, beta, here, c.row_stride, i0 + i, j0, rows, cols, mask);
        break;
      case Cover::Whole:
        gemm_tile<T, NV, W>(depth, a, x, alpha, beta, here, c.row_stride, i0 + i, j0, rows, cols, mask, true);
        break;
    }
  }
}

/// The fewest vectors that hold `cols` columns.
template <class T>
HWY_INLINE int vectors_for(index cols) {
  constexpr int L = lanes_of<real_t<T>>;
  return static_cast<int>(std::min<index>(Shape<T>::vectors, (cols + L - 1) / L));
}

/// Columns of the next panel where `left` are left. Sixteen registers hold too few sums to hide their latency when a
/// panel is one vector wide: two of two vectors come last instead of three and one.
/// `ragged_first`: what does not fill a panel comes first, where an upper triangle has the fewest rows.
template <class T>
HWY_INLINE int panel_columns(index left, bool ragged_first) {
  constexpr index NR = Shape<T>::columns, L = lanes_of<real_t<T>>;
  if (ragged_first && left % NR != 0)
    return static_cast<int>(left % NR + (registers == 16 && left > NR && left % NR <= L ? L : 0));
  if (registers == 16 && left > NR && left <= NR + L) return static_cast<int>(2 * L);
  return static_cast<int>(std::min(NR, left));
}

template <class T>
bool gemm(const T& alpha, const Factor<T>& rows_of_c, const Factor<T>& columns_of_c, const T& beta,
          const Matrix<T*>& result, Mask mask, const Blocking& blocking) {
  using R = real_t<T>;
  constexpr int MR = Shape<T>::rows, NR = Shape<T>::columns, P = parts_of<T>, L = lanes_of<R>;
  if (result.col_stride != 1 && result.row_stride != 1) return false;  // no door makes such a C
  if (const Matrix<T*> b = core::transpose(columns_of_c.a);
      blocking.small >= tiny_order && is_tiny_product(alpha, rows_of_c, b, beta, result))
    return tiny_product(rows_of_c, b, beta, result), true;
  // Which factor is broadcast decides how a complex sum is rounded: that is the same for all sizes.
  if (result.row_stride != 1) {
    if (const Matrix<T*> c = core::transpose(result); is_tiny_gemm(columns_of_c, rows_of_c, c, blocking.small))
      return gemm_tiny(alpha, columns_of_c, rows_of_c, beta, c, transposed(mask), blocking.k);
  } else if (is_tiny_gemm(rows_of_c, columns_of_c, result, blocking.small)) {
    return gemm_tiny(alpha, rows_of_c, columns_of_c, beta, result, mask, blocking.k);
  }
  if (is_small(rows_of_c, columns_of_c, result, blocking.small))
    return gemm_small(alpha, rows_of_c, columns_of_c, beta, result, mask, blocking.k);
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
  R* const packed_a = scratch<R>(0, static_cast<std::size_t>(P * mc * kc));
  R* const packed_b = scratch<R>(1, static_cast<std::size_t>(P * nc * kc));
  if (!packed_a || !packed_b) return false;

  const T one(1);
  for (index j0 = 0; j0 < n; j0 += nc) {
    const index nb = std::min(nc, n - j0);
    for (index k0 = 0; k0 < depth; k0 += kc) {
      const index kb = std::min(kc, depth - k0);
      const T& beta_now = k0 == 0 ? beta : one;
      int cols = 0;
      const index pad = upper ? round_up(nb, L) - nb : 0;  // a ragged panel is as wide as its vectors
      const auto panel_at = [&](index j) HWY_ATTR { return packed_b + P * (j > 0 ? j + pad : 0) * kb; };
      for (index j = 0; j < nb; j += cols) {
        cols = panel_columns<T>(nb - j, upper);
        R* const panel = panel_at(j);
        switch (vectors_for<T>(cols)) {
          case 1: pack_factor<L>(panel, bt, j0 + j, cols, k0, kb); break;
          case 2: pack_factor<2 * L>(panel, bt, j0 + j, cols, k0, kb); break;
          default: pack_factor<NR>(panel, bt, j0 + j, cols, k0, kb); break;
        }
      }
      for (index i0 = 0; i0 < m; i0 += mc) {
        const index mb = std::min(mc, m - i0);
        if (cover(mask, i0, mb, j0, nb) == Cover::None) continue;
        pack_block<MR>(packed_a, a, i0, mb, k0, kb);
        // Short sums: C is most of the traffic, and is walked through along its lines.
        const index height = kb <= short_sum ? MR : mb;
        for (index i = 0; i < mb; i += height) {
          const index rows = std::min(height, mb - i);
          const R* const sliver = packed_a + P * i * kb;
          for (index j = 0; j < nb; j += cols) {
            cols = panel_columns<T>(nb - j, upper);
            const R* const panel = panel_at(j);
            switch (vectors_for<T>(cols)) {
              case 1: gemm_panel<T, 1>(rows, kb, sliver, panel, alpha, beta_now, c, i0 + i, j0 + j, cols, mask); break;
              case 2: gemm_panel<T, 2>(rows, kb, sliver, panel, alpha, beta_now, c, i0 + i, j0 + j, cols, mask); break;
              default:
                gemm_panel<T, Shape<T>::vectors>(rows, kb, sliver, panel, alpha, beta_now, c, i0 + i, j0 + j, cols,
                                                 mask);
            }
          }
        }
      }
    }
  }
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
