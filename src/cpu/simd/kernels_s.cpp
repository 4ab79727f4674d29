#include <complex>

#define TRIGON_ELEMENT float
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/kernels_s.cpp"
#include "cpu/simd/instantiate.inc"
