/* Uses a BLAS bundled under a name that nobody knows. */
void my_dtrsm_(void);

int main(void) {
  my_dtrsm_();
  return 0;
}
