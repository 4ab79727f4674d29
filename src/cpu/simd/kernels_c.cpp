#include <complex>

#define TRIGON_ELEMENT std::complex<float>
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/kernels_c.cpp"
#include "cpu/simd/instantiate.inc"
