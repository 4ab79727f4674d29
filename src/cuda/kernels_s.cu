#include "cuda/kernels.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE(float)

int probe() { return probe(gemm_kernel<float, Tiles<float>::Small, true>); }

}  // namespace trigon::cuda
