#include "cuda/kernels.cuh"
#include "cuda/products.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE_PRODUCTS(std::complex<float>)
TRIGON_INSTANTIATE_TRIANGLES(std::complex<float>)

}  // namespace trigon::cuda
