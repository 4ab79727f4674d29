#include "cuda/tensor_products.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE_TENSOR_PRODUCTS(double)

int tensor_probe() { return probe(gemm_kernel<double, TensorTiles<double>::Small, true>); }

}  // namespace trigon::cuda
