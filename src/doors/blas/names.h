/* The names of BLAS symbols, for C++ and for assembly. The 32-bit flavour has dgemm_ and cblas_dgemm; the
   64-bit one dgemm_64_ and both spellings in use for C: cblas_dgemm_64 (netlib) and cblas_dgemm64_ (OpenBLAS). */
#ifndef TRIGON_DOORS_BLAS_NAMES_H
#define TRIGON_DOORS_BLAS_NAMES_H

#define TRIGON_PASTE_(a, b) a##b
#define TRIGON_PASTE(a, b) TRIGON_PASTE_(a, b)

#ifdef TRIGON_BLAS_ILP64
#define TRIGON_FORTRAN(name) TRIGON_PASTE(name, _64_)
#define TRIGON_CBLAS(name) TRIGON_PASTE(TRIGON_PASTE(cblas_, name), _64)
#define TRIGON_CBLAS_ALIAS(name) TRIGON_PASTE(TRIGON_PASTE(cblas_, name), 64_)
#else
#define TRIGON_FORTRAN(name) TRIGON_PASTE(name, _)
#define TRIGON_CBLAS(name) TRIGON_PASTE(cblas_, name)
#endif

#define TRIGON_NAME_(x) #x
#define TRIGON_NAME(x) TRIGON_NAME_(x)

#ifdef __cplusplus
#include <cstdint>
namespace trigon::doors {
#ifdef TRIGON_BLAS_ILP64
using Int = std::int64_t;
#else
using Int = std::int32_t;
#endif
}  // namespace trigon::doors

#define TRIGON_BLAS_EXPORT extern "C" __attribute__((visibility("default")))

/* Gives a C function its second spelling, where there is one. */
#ifdef TRIGON_BLAS_ILP64
#define TRIGON_CBLAS_RESPELL(name)                                         \
  TRIGON_BLAS_EXPORT decltype(TRIGON_CBLAS(name)) TRIGON_CBLAS_ALIAS(name) \
      __attribute__((weak, alias(TRIGON_NAME(TRIGON_CBLAS(name)))));
#else
#define TRIGON_CBLAS_RESPELL(name)
#endif
#endif

#endif
