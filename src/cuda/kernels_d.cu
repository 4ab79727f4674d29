#include "cuda/kernels.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE(double)

}  // namespace trigon::cuda
