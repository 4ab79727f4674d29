/* The headers as a program in C sees them, and the values that programs compiled for clBLAS contain. */
#include <clAmdBlas.h>

#define MUST_BE(name, value) typedef char is_##name[(int)(name) == (value) ? 1 : -1]
MUST_BE(clblasRowMajor, 0);
MUST_BE(clblasColumnMajor, 1);
MUST_BE(clblasNoTrans, 0);
MUST_BE(clblasTrans, 1);
MUST_BE(clblasConjTrans, 2);
MUST_BE(clblasUpper, 0);
MUST_BE(clblasLower, 1);
MUST_BE(clblasUnit, 0);
MUST_BE(clblasNonUnit, 1);
MUST_BE(clblasLeft, 0);
MUST_BE(clblasRight, 1);
MUST_BE(clblasSuccess, 0);
MUST_BE(clblasInvalidValue, -30);
MUST_BE(clblasInvalidContext, -34);
MUST_BE(clblasInvalidCommandQueue, -36);
MUST_BE(clblasInvalidMemObject, -38);
MUST_BE(clblasBuildProgramFailure, -11);
MUST_BE(clblasInvalidEventWaitList, -57);
MUST_BE(clblasNotImplemented, -1024);
MUST_BE(clblasNotInitialized, -1023);
MUST_BE(clblasInvalidMatA, -1022);
MUST_BE(clblasInvalidVecY, -1018);
MUST_BE(clblasInvalidDim, -1017);
MUST_BE(clblasInvalidLeadDimA, -1016);
MUST_BE(clblasInvalidIncY, -1012);
MUST_BE(clblasInsufficientMemMatA, -1011);
MUST_BE(clblasInsufficientMemVecY, -1007);

int main(void) {
  cl_uint major = 0;
  const FloatComplex f = floatComplex(1, 2);
  const DoubleComplex d = doubleComplex(3, 4);
  const clAmdBlasOrder order = clAmdBlasColumnMajor;
  if (clblasGetVersion(&major, 0, 0) != clblasSuccess || major != clblasVersionMajor) return 1;
  if (CREAL(f) != 1 || CIMAG(f) != 2 || CREAL(d) != 3 || CIMAG(d) != 4) return 2;
  return order == clblasColumnMajor ? 0 : 3;
}
