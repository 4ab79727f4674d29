/* A Cholesky factor that is the matrix itself, and no word of it: what the table of LAPACK's routines must notice. */
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info) {
  (void)uplo, (void)n, (void)a, (void)lda;
  *info = 0;
}
