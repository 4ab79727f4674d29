#include "cuda/kernels.cuh"

namespace trigon::cuda {

TRIGON_INSTANTIATE(float)

index chain_control(index order, index right_hand_sides) { return 1 + tickets(order, right_hand_sides); }

}  // namespace trigon::cuda
