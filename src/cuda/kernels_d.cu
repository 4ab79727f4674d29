#include "cuda/kernels.cuh"
#include "cuda/products.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE_PRODUCTS(double)
TRIGON_INSTANTIATE_TRIANGLES(double)

}  // namespace trigon::cuda
