#include "cuda/kernels.cuh"
#include "cuda/products.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE_PRODUCTS(float)
TRIGON_INSTANTIATE_TRIANGLES(float)

// Not of a kernel that start_gemm names as well: hipcc 5.2 then leaves one of two symbols undefined.
int probe() { return probe(invert_kernel<float>); }

}  // namespace trigon::cuda
