// The launches of products, instantiated one precision each.
#pragma once

#include "cuda/gemm.cuh"
#include "cuda/launch.hpp"
#include "cuda/operands.cuh"

namespace trigon::cuda {

/// The tiles of C by precision. A large one reads few bytes per operation from the second cache, half of one has twice
/// as many blocks and half the registers, small ones keep a device busy with a small C. Static shared memory holds two
/// steps of any. Formed is what a large one is for symmetric factors, pairs and masks, which take registers.
template <int side, int depth, int small_depth, bool formed_is_half = false>
struct TileSizes {
  using Large = Tile<side, side, depth>;
  using Half = Tile<side, side / 2, depth>;
  using Formed = std::conditional_t<formed_is_half, Half, Large>;
  using Small = Tile<side / 2, side / 2, small_depth>;
};
template <class T>
struct Tiles;
template <>
struct Tiles<float> : TileSizes<128, 16, 16> {};
template <>
struct Tiles<double> : TileSizes<128, 8, 16, true> {};
template <>
struct Tiles<Complex<float>> : TileSizes<64, 16, 16> {};
template <>
struct Tiles<Complex<double>> : TileSizes<64, 8, 8> {};

template <class Shape>
index tiles_of(index rows, index columns) {
  return ((rows + Shape::m - 1) / Shape::m) * ((columns + Shape::n - 1) / Shape::n);
}

/// With a kernel for tiles of `Shapes`.
template <class Shapes, class T>
void start_gemm(const Stream& stream, T alpha, const Operand<T>& a, const Operand<T>& b, T beta, const Matrix<T*>& c,
                Mask mask, const Choice& choice) {
  using D = device_t<T>;
  const index depth = a.form == Form::Pair ? 2 * a.a.cols : a.a.cols;
  const Product<D> p{c.rows, c.cols, depth, on_device(alpha), on_device(beta), mask};
  const auto start = [&]<class Shape, bool general>(Shape, std::bool_constant<general>) {
    launch(stream, tiles_of<Shape>(c.rows, c.cols), gemm_threads, gemm_kernel<D, Shape, general>, p, factor(a),
           factor(b), view(c));
  };
  const bool large = tiles_of<typename Shapes::Large>(c.rows, c.cols) >= choice.large_tiles;
  const bool general = a.form == Form::General && b.form == Form::General && mask == Mask::All;
  if (general && !large) return start(typename Shapes::Small{}, std::true_type{});
  if (general && choice.tile_columns < Shapes::Large::n) return start(typename Shapes::Half{}, std::true_type{});
  if (general) return start(typename Shapes::Large{}, std::true_type{});
  if (!large) return start(typename Shapes::Small{}, std::false_type{});
  start(typename Shapes::Formed{}, std::false_type{});
}

/// The same on tensor units, whatever the choice says of them; c has its neighbours in a column. For double precision,
/// real and complex, and CUDA.
template <class T>
void gemm_on_tensor_units(const Stream& stream, T alpha, const Operand<T>& a, const Operand<T>& b, T beta, Matrix<T*> c,
                          Mask mask, const Choice& choice);

template <class T>
void gemm(const Stream& stream, T alpha, const Operand<T>& a, const Operand<T>& b, T beta, Matrix<T*> c, Mask mask,
          const Choice& choice) {
  // Neighbouring threads have neighbouring rows; of a C stored by rows the transpose is computed.
  if (runs_by_rows(c.row_stride, c.col_stride))
    return gemm(stream, alpha, b, a, beta, core::transpose(c), transposed(mask), choice);
#if !defined(__HIPCC__)
  if constexpr (std::is_same_v<real_t<T>, double>)
    if (choice.tensor_units && stream.tensor_units)
      return gemm_on_tensor_units(stream, alpha, a, b, beta, c, mask, choice);
#endif
  start_gemm<Tiles<device_t<T>>>(stream, alpha, a, b, beta, c, mask, choice);
}

#define TRIGON_INSTANTIATE_PRODUCTS(T) \
  template void gemm(const Stream&, T, const Operand<T>&, const Operand<T>&, T, Matrix<T*>, Mask, const Choice&);

}  // namespace trigon::cuda
