/* The steps of clblas_program.c for one precision; what it is made of is defined there and undone here. */

static double CHECK(cl_context context, cl_command_queue queue) {
  const size_t element = PARTS * sizeof(R), matrix = N * N, vector = OFFSET + 2 * N, panel = N * COLUMNS;
  R* const triangle = malloc(matrix * element); /* by rows, the lower triangle */
  R* const whole = malloc(matrix * element);    /* a symmetric matrix, all of it */
  R* const x = malloc(vector * element);
  R* const b = malloc(panel * element);
  R* const found = malloc(vector * element);
  R* const one = malloc(panel * element);
  R* const other = malloc(panel * element);
  cl_mem A, S, X, B, C, D;
  cl_event events[4];
  cl_int status;
  double worst = 0;
  size_t i, j, p;

  for (i = 0; i < N; ++i)
    for (j = 0; j <= i; ++j)
      for (p = 0; p < PARTS; ++p) {
        const R v = (R)(next_number() / N);
        triangle[(i * N + j) * PARTS + p] = i == j ? (p == 0 ? 2 : 0) : v;
        triangle[(j * N + i) * PARTS + p] = i == j ? (p == 0 ? 2 : 0) : (R)NAN; /* is never read */
        whole[(i * N + j) * PARTS + p] = whole[(j * N + i) * PARTS + p] = v;
      }
  for (i = 0; i < vector * PARTS; ++i) x[i] = (R)next_number();
  for (i = 0; i < panel * PARTS; ++i) b[i] = (R)next_number();

  A = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, matrix * element, triangle, &status);
  must(status, "clCreateBuffer");
  S = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, matrix * element, whole, &status);
  must(status, "clCreateBuffer");
  X = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, vector * element, x, &status);
  must(status, "clCreateBuffer");
  B = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, panel * element, b, &status);
  must(status, "clCreateBuffer");
  C = clCreateBuffer(context, CL_MEM_READ_WRITE, panel * element, NULL, &status);
  must(status, "clCreateBuffer");
  D = clCreateBuffer(context, CL_MEM_READ_WRITE, panel * element, NULL, &status);
  must(status, "clCreateBuffer");

  /* x := L x, then L x = b gives it back. Every second number of X from OFFSET on, backwards. */
  must(ROUTINE(trmv)(clblasRowMajor, clblasLower, clblasNoTrans, clblasNonUnit, N, A, 0, N, X, OFFSET, -2, NULL, 1,
                     &queue, 0, NULL, &events[0]),
       "trmv");
  must(ROUTINE(trsv)(clblasRowMajor, clblasLower, clblasNoTrans, clblasNonUnit, N, A, 0, N, X, OFFSET, -2, 1, &queue, 1,
                     &events[0], &events[1]),
       "trsv");
  must(clEnqueueReadBuffer(queue, X, CL_TRUE, 0, vector * element, found, 1, &events[1], NULL), "read");
  for (i = 0; i < vector * PARTS; ++i) worst = fmax(worst, fabs((double)(found[i] - x[i])));
  clReleaseEvent(events[0]);
  clReleaseEvent(events[1]);

  /* C := S B by the upper triangle of S, and D := S B by all of it. By columns. */
  must(ROUTINE(symm)(clblasColumnMajor, clblasLeft, clblasUpper, N, COLUMNS, SCALAR(2), S, 0, N, B, 0, N, SCALAR(0), C,
                     0, N, 1, &queue, 0, NULL, &events[0]),
       "symm");
  must(ROUTINE(gemm)(clblasColumnMajor, clblasNoTrans, clblasNoTrans, N, COLUMNS, N, SCALAR(2), S, 0, N, B, 0, N,
                     SCALAR(0), D, 0, N, 1, &queue, 0, NULL, &events[1]),
       "gemm");
  /* C := L^T C, and L^T C = C gives it back. A by columns is the transpose: its upper triangle is stored. */
  must(ROUTINE(trmm)(clblasColumnMajor, clblasLeft, clblasUpper, clblasNoTrans, clblasNonUnit, N, COLUMNS, SCALAR(1), A,
                     0, N, C, 0, N, 1, &queue, 1, &events[0], &events[2]),
       "trmm");
  must(ROUTINE(trsm)(clblasColumnMajor, clblasLeft, clblasUpper, clblasNoTrans, clblasNonUnit, N, COLUMNS, SCALAR(1), A,
                     0, N, C, 0, N, 1, &queue, 1, &events[2], &events[3]),
       "trsm");
  must(clEnqueueReadBuffer(queue, C, CL_TRUE, 0, panel * element, one, 1, &events[3], NULL), "read");
  must(clEnqueueReadBuffer(queue, D, CL_TRUE, 0, panel * element, other, 1, &events[1], NULL), "read");
  for (i = 0; i < panel * PARTS; ++i) worst = fmax(worst, fabs((double)(one[i] - other[i])));
  for (i = 0; i < 4; ++i) clReleaseEvent(events[i]);

  clReleaseMemObject(A);
  clReleaseMemObject(S);
  clReleaseMemObject(X);
  clReleaseMemObject(B);
  clReleaseMemObject(C);
  clReleaseMemObject(D);
  free(triangle);
  free(whole);
  free(x);
  free(b);
  free(found);
  free(one);
  free(other);
  return worst;
}

#undef ROUTINE
#undef CHECK
#undef R
#undef PARTS
#undef SCALAR
