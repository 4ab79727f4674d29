#include "cuda/kernels.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE(std::complex<float>)

}  // namespace trigon::cuda
