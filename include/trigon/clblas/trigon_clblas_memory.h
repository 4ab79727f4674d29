/*
 * What clBLAS has to make, fill and copy matrices, for clBLAS.h alone. Plain OpenCL does all of it
 * (clEnqueueWriteBufferRect, clEnqueueFillBuffer, ...); these are here so that programs link. They return
 * clblasNotImplemented, those that make a matrix null and that status in `err`.
 */

#define TRIGON_CLBLAS_WAITS cl_command_queue command_queue, cl_uint numEventsInWaitList, const cl_event *eventWaitList
#define TRIGON_CLBLAS_SUBMATRICES(FROM, TO)                                                                   \
  clblasOrder order, size_t element_size, FROM A, size_t offA, size_t ldA, size_t nrA, size_t ncA, size_t xA, \
      size_t yA, TO B, size_t offB, size_t ldB, size_t nrB, size_t ncB, size_t xB, size_t yB, size_t nx, size_t ny
#define TRIGON_CLBLAS_MATRICES(FROM, TO)                                                                            \
  clblasOrder order, size_t sx, size_t sy, size_t element_size, FROM A, size_t offA, size_t ldA, TO B, size_t offB, \
      size_t ldB
#define TRIGON_CLBLAS_VECTORS(FROM, TO) size_t nb_elem, size_t element_size, FROM A, size_t offA, TO B, size_t offB

clblasStatus clblasMatrixSizeInfo(clblasOrder order, size_t rows, size_t columns, size_t elemsize, size_t padding,
                                  size_t* ld, size_t* fullsize);
cl_mem clblasCreateMatrix(cl_context context, clblasOrder order, size_t rows, size_t columns, size_t elemsize,
                          size_t padding, size_t* ld, size_t* fullsize, cl_int* err);
cl_mem clblasCreateMatrixWithLd(cl_context context, clblasOrder order, size_t rows, size_t columns, size_t elemsize,
                                size_t ld, size_t* fullsize, cl_int* err);
cl_mem clblasCreateMatrixFromHost(cl_context context, clblasOrder order, size_t rows, size_t columns, size_t elemsize,
                                  size_t ld, void* host, size_t off_host, size_t ld_host, TRIGON_CLBLAS_WAITS,
                                  cl_int* err);

clblasStatus clblasWriteSubMatrix(TRIGON_CLBLAS_SUBMATRICES(const void*, cl_mem), TRIGON_CLBLAS_WAITS);
clblasStatus clblasWriteSubMatrixAsync(TRIGON_CLBLAS_SUBMATRICES(const void*, cl_mem), TRIGON_CLBLAS_WAITS,
                                       cl_event* event);
clblasStatus clblasReadSubMatrix(TRIGON_CLBLAS_SUBMATRICES(const cl_mem, void*), TRIGON_CLBLAS_WAITS);
clblasStatus clblasReadSubMatrixAsync(TRIGON_CLBLAS_SUBMATRICES(const cl_mem, void*), TRIGON_CLBLAS_WAITS,
                                      cl_event* event);
clblasStatus clblasCopySubMatrix(TRIGON_CLBLAS_SUBMATRICES(const cl_mem, cl_mem), TRIGON_CLBLAS_WAITS);
clblasStatus clblasCopySubMatrixAsync(TRIGON_CLBLAS_SUBMATRICES(const cl_mem, cl_mem), TRIGON_CLBLAS_WAITS,
                                      cl_event* event);

clblasStatus clblasWriteVector(TRIGON_CLBLAS_VECTORS(const void*, cl_mem), TRIGON_CLBLAS_WAITS);
clblasStatus clblasWriteVectorAsync(TRIGON_CLBLAS_VECTORS(const void*, cl_mem), TRIGON_CLBLAS_WAITS, cl_event* events);
clblasStatus clblasReadVector(TRIGON_CLBLAS_VECTORS(const cl_mem, void*), TRIGON_CLBLAS_WAITS);
clblasStatus clblasReadVectorAsync(TRIGON_CLBLAS_VECTORS(const cl_mem, void*), TRIGON_CLBLAS_WAITS, cl_event* events);
clblasStatus clblasCopyVector(TRIGON_CLBLAS_VECTORS(const cl_mem, cl_mem), TRIGON_CLBLAS_WAITS);
clblasStatus clblasCopyVectorAsync(TRIGON_CLBLAS_VECTORS(const cl_mem, cl_mem), TRIGON_CLBLAS_WAITS, cl_event* events);

clblasStatus clblasWriteMatrix(TRIGON_CLBLAS_MATRICES(const void*, cl_mem), TRIGON_CLBLAS_WAITS);
clblasStatus clblasWriteMatrixAsync(TRIGON_CLBLAS_MATRICES(const void*, cl_mem), TRIGON_CLBLAS_WAITS, cl_event* events);
clblasStatus clblasReadMatrix(TRIGON_CLBLAS_MATRICES(const cl_mem, void*), TRIGON_CLBLAS_WAITS);
clblasStatus clblasReadMatrixAsync(TRIGON_CLBLAS_MATRICES(const cl_mem, void*), TRIGON_CLBLAS_WAITS, cl_event* events);
clblasStatus clblasCopyMatrix(TRIGON_CLBLAS_MATRICES(const cl_mem, cl_mem), TRIGON_CLBLAS_WAITS);
clblasStatus clblasCopyMatrixAsync(TRIGON_CLBLAS_MATRICES(const cl_mem, cl_mem), TRIGON_CLBLAS_WAITS, cl_event* events);

clblasStatus clblasFillVector(size_t nb_elem, size_t element_size, cl_mem A, size_t offA, const void* host,
                              TRIGON_CLBLAS_WAITS);
clblasStatus clblasFillVectorAsync(size_t nb_elem, size_t element_size, cl_mem A, size_t offA, const void* pattern,
                                   TRIGON_CLBLAS_WAITS, cl_event* event);
clblasStatus clblasFillMatrix(clblasOrder order, size_t element_size, cl_mem A, size_t offA, size_t ldA, size_t nrA,
                              size_t ncA, const void* pattern, TRIGON_CLBLAS_WAITS);
clblasStatus clblasFillSubMatrix(clblasOrder order, size_t element_size, cl_mem A, size_t offA, size_t ldA, size_t nrA,
                                 size_t ncA, size_t xA, size_t yA, size_t nx, size_t ny, const void* pattern,
                                 TRIGON_CLBLAS_WAITS);
clblasStatus clblasFillSubMatrixAsync(clblasOrder order, size_t element_size, cl_mem A, size_t offA, size_t ldA,
                                      size_t sxA, size_t syA, int xA, int yA, size_t nx, size_t ny, const void* host,
                                      TRIGON_CLBLAS_WAITS, cl_event* event);

/* Images as scratch memory: not in clBLAS's header, but in its library. */
cl_ulong clblasAddScratchImage(cl_context context, size_t width, size_t height, clblasStatus* status);
clblasStatus clblasRemoveScratchImage(cl_ulong imageID);
