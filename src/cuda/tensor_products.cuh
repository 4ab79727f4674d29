// Products in double precision on FP64 tensor units, instantiated one precision each: a source of their own, because
// they are compiled for other devices than the rest.
#pragma once

#include "cuda/products.cuh"

namespace trigon::cuda {

/// The sizes of Tiles.
template <class T>
struct TensorTiles;
template <>
struct TensorTiles<double> {
  using Large = TensorTile<128, 128, 8, 2>;
  using Half = TensorTile<128, 64, 8, 4, 2>;
  using Formed = TensorTile<128, 64, 8, 4>;
  using Small = TensorTile<64, 64, 16, 4>;
};
template <>
struct TensorTiles<Complex<double>> {
  using Large = TensorTile<64, 64, 8, 2>;
  using Half = TensorTile<64, 32, 8, 4, 2>;
  using Formed = Large;
  using Small = TensorTile<32, 32, 8, 2>;
};

template <class T>
void gemm_on_tensor_units(const Stream& stream, T alpha, const Operand<T>& a, const Operand<T>& b, T beta, Matrix<T*> c,
                          Mask mask, const Choice& choice) {
  start_gemm<TensorTiles<device_t<T>>>(stream, alpha, a, b, beta, c, mask, choice);
}

#define TRIGON_INSTANTIATE_TENSOR_PRODUCTS(T)                                                                     \
  template void gemm_on_tensor_units(const Stream&, T, const Operand<T>&, const Operand<T>&, T, Matrix<T*>, Mask, \
                                     const Choice&);

}  // namespace trigon::cuda
