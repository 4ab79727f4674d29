#include "cuda/kernels.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE(std::complex<double>)

}  // namespace trigon::cuda
