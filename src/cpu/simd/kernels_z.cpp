#include <complex>

#define TRIGON_ELEMENT std::complex<double>
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/kernels_z.cpp"
#include "cpu/simd/instantiate.inc"
