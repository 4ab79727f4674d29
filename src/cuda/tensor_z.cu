#include "cuda/tensor_products.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE_TENSOR_PRODUCTS(std::complex<double>)

}  // namespace trigon::cuda
