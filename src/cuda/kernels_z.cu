#include "cuda/kernels.cuh"
#include "cuda/products.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE_PRODUCTS(std::complex<double>)
TRIGON_INSTANTIATE_TRIANGLES(std::complex<double>)

}  // namespace trigon::cuda
