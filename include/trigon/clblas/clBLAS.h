/*
 * The clBLAS interface, as Trigon implements it (docs/clblas.md): names, order of arguments, values of enumerations and
 * status codes are those of clBLAS 2.12, so that a program compiled for clBLAS runs with this library and the reverse.
 *
 * Operands are OpenCL buffers. Offsets count elements; sizes, leading dimensions and increments are BLAS's, for either
 * order. A call checks all of its arguments before anything is written, submits its work and returns:
 *
 *   numCommandQueues, commandQueues         the work goes to the first queue; what is put on the others later comes
 *                                           after it, if they are in order. All belong to one context.
 *   numEventsInWaitList, eventWaitList      what the work waits for; of the same context
 *   events                                  null, or room for one event per queue. Each is complete when the work is,
 * and is the caller's to release.
 *
 * Any thread may call any function.
 */
#ifndef CLBLAS_H_
#define CLBLAS_H_

#include <CL/cl.h>
#include <clBLAS-complex.h>
#include <clBLAS.version.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum clblasOrder_ { clblasRowMajor, clblasColumnMajor } clblasOrder;
typedef enum clblasTranspose_ { clblasNoTrans, clblasTrans, clblasConjTrans } clblasTranspose;
typedef enum clblasUplo_ { clblasUpper, clblasLower } clblasUplo;
typedef enum clblasDiag_ { clblasUnit, clblasNonUnit } clblasDiag;
typedef enum clblasSide_ { clblasLeft, clblasRight } clblasSide;

typedef enum clblasStatus_ {
  clblasSuccess = CL_SUCCESS,
  clblasInvalidValue = CL_INVALID_VALUE,                /* a flag, or no queues */
  clblasInvalidCommandQueue = CL_INVALID_COMMAND_QUEUE, /* a null or no queue */
  clblasInvalidContext = CL_INVALID_CONTEXT,            /* operands, queues and events of several contexts */
  clblasInvalidMemObject = CL_INVALID_MEM_OBJECT,       /* never: what is no buffer has a status below */
  clblasInvalidDevice = CL_INVALID_DEVICE,              /* no double precision */
  clblasInvalidEventWaitList = CL_INVALID_EVENT_WAIT_LIST,
  clblasOutOfResources = CL_OUT_OF_RESOURCES, /* of the device's memory, for one */
  clblasOutOfHostMemory = CL_OUT_OF_HOST_MEMORY,
  clblasInvalidOperation = CL_INVALID_OPERATION, /* Trigon's OpenCL backend cannot be used */
  clblasCompilerNotAvailable = CL_COMPILER_NOT_AVAILABLE,
  clblasBuildProgramFailure = CL_BUILD_PROGRAM_FAILURE,

  clblasNotImplemented = -1024,
  clblasNotInitialized, /* clblasSetup has not been called */
  clblasInvalidMatA,    /* no buffer */
  clblasInvalidMatB,
  clblasInvalidMatC,
  clblasInvalidVecX,
  clblasInvalidVecY,
  clblasInvalidDim, /* M, N or K is 0, but for K of GEMM */
  clblasInvalidLeadDimA,
  clblasInvalidLeadDimB,
  clblasInvalidLeadDimC,
  clblasInvalidIncX, /* is 0 */
  clblasInvalidIncY,
  clblasInsufficientMemMatA, /* the operand reaches beyond its buffer */
  clblasInsufficientMemMatB,
  clblasInsufficientMemMatC,
  clblasInsufficientMemVecX,
  clblasInsufficientMemVecY
} clblasStatus;

clblasStatus clblasGetVersion(cl_uint* major, cl_uint* minor, cl_uint* patch);

/* Before any other call. It counts: as many calls of clblasTeardown end what as many of clblasSetup began. */
clblasStatus clblasSetup(void);

/* The last one lets go of all queues, kernels and workspace; work that has been submitted is carried out. One too many
 * does nothing, and clblasSetup may follow. */
void clblasTeardown(void);

/* Not of clBLAS: why the last call of this thread that failed did, in words. */
const char* trigon_clblas_message(void);

/* What every routine has last. */
#define TRIGON_CLBLAS_QUEUES                                                              \
  cl_uint numCommandQueues, cl_command_queue *commandQueues, cl_uint numEventsInWaitList, \
      const cl_event *eventWaitList, cl_event *events

#include <trigon_clblas_level1.h>
#include <trigon_clblas_level2.h>
#include <trigon_clblas_level3.h>
#include <trigon_clblas_memory.h>
#include <trigon_clblas_packed.h>

#ifdef __cplusplus
}
#endif

#endif
