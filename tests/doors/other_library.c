/* A library that needs a BLAS, but not as libblas.so.3. */
int doors_other_library = 1;
