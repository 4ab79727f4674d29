// The same by the other spelling of the C handler's name.
#include "doors/blas/names.h"

#define OWN_CBLAS_XERBLA TRIGON_CBLAS_ALIAS(xerbla)
#include "handlers_test.cpp"
