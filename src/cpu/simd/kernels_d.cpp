#include <complex>

#define TRIGON_ELEMENT double
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/kernels_d.cpp"
#include "cpu/simd/instantiate.inc"
