#include "cuda/kernels.cuh"
#include "cuda/products.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE_PRODUCTS(float)
TRIGON_INSTANTIATE_TRIANGLES(float)

// Not of a kernel that start_gemm names as well: hipcc 5.2 then leaves one of two symbols undefined.
int probe() { return probe(invert_kernel<float>); }

int least_architecture() {
#if defined(__CUDA_ARCH_LIST__)  // nvcc's, in ascending order
  constexpr int list[] = {__CUDA_ARCH_LIST__};
  return list[0] / 10;
#else
  return 0;
#endif
}

}  // namespace trigon::cuda
