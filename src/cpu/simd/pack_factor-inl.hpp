// Packing the factors of a product, whatever they are: symmetric and Hermitian ones are completed on the way, the two
// of a rank-2k update follow each other.
#if defined(TRIGON_CPU_SIMD_PACK_FACTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_PACK_FACTOR_INL
#undef TRIGON_CPU_SIMD_PACK_FACTOR_INL
#else
#define TRIGON_CPU_SIMD_PACK_FACTOR_INL
#endif

#include "cpu/kernels.hpp"
#include "cpu/simd/pack-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

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
  i0 += f.first;
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

/// Packs the panels of a block, of `each` lines and, where they have room for more, the next ones: W in all, for which
/// vectors need no masks. Where lines are contiguous, all whole panels together.
template <int W, int each, class T>
void pack_block(real_t<T>* dst, const Factor<T>& f, index i0, index lines, index k0, index depth) {
  const index panel = parts_of<T> * W * depth;
  index done = 0;
  const bool along = f.a.row_stride == 1 && (f.form == Form::General || (f.form == Form::Pair && f.b.row_stride == 1));
  if (along) {
    done = whole_panels<W, each>(lines) * each;
    const index first = std::clamp<index>(f.a.cols - k0, 0, depth);
    const auto take = [&](const Matrix<T*>& a, index k, index from, index count) HWY_ATTR {
      pack_panels<W, each>(dst + from * parts_of<T> * W, panel, a.data + i0 + k * a.col_stride, a.col_stride, done,
                           count, a.conj);
    };
    if (first > 0) take(f.a, k0, 0, first);
    if (first < depth) take(f.b, k0 + first - f.a.cols, first, depth - first);
  }
  for (index i = done; i < lines; i += each)
    pack_factor<W>(dst + i / each * panel, f, i0 + i, static_cast<int>(std::min<index>(W, lines - i)), k0, depth);
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
