#include "cuda/kernels.cuh"
#include "cuda/products.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE_PRODUCTS(float)
TRIGON_INSTANTIATE_TRIANGLES(float)

int probe() { return probe(gemm_kernel<float, Tiles<float>::Small, true>); }

}  // namespace trigon::cuda
