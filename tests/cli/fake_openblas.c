/* A stand-in for the OpenBLAS that wheels bundle: the names, and routines that only say that they were called.
 * RENAMED makes it a bundle under names that nobody knows. */
#include <stdint.h>
#include <stdio.h>

#define SAYS(name) \
  void name(void) { puts("bundled " #name); }

#ifdef RENAMED
SAYS(my_dtrsm_)
#else
SAYS(scipy_dtrsm_)
SAYS(scipy_cblas_dtrsm)
SAYS(dtrsm_64_)
SAYS(scipy_dtrsm_64_)
SAYS(cblas_dtrsm64_)
SAYS(scipy_cblas_dtrsm64_)
SAYS(scipy_dpotrf_)
SAYS(dpotrf_)
SAYS(dpotrf_64_)
SAYS(scipy_dpotrf_64_)
SAYS(scipy_dgesv_64_)
SAYS(scipy_dgetrf_64_)
SAYS(scipy_dgetrs_64_)
SAYS(scipy_dtrtrs_64_)
SAYS(scipy_ddot_)

const char* scipy_openblas_get_config(void) { return "a stand-in"; }
#endif
