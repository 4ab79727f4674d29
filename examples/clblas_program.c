/*
 * A program for clBLAS: triangular and symmetric routines in all four precisions, by rows and by columns, at offsets,
 * with negative increments, and events between the calls. It knows nothing of Trigon:
 *
 *   cc clblas_program.c $(pkg-config --cflags --libs trigon-clblas) -lOpenCL -lm      or -lclBLAS, where that is
 */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <clBLAS.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 120, COLUMNS = 30, OFFSET = 7 };

static void must(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: status %d\n", what, (int)status);
  exit(1);
}

/* Numbers in [-1, 1], the same each time. */
static double next_number(void) {
  static unsigned state = 1;
  state = state * 1664525u + 1013904223u;
  return (double)(state >> 8) / (1 << 23) - 1;
}

/* Precision by precision: R is the real type, PARTS 2 where numbers are complex. */
#define ROUTINE(name) clblasS##name
#define CHECK check_s
#define R float
#define PARTS 1
#define SCALAR(v) (v)
#include "clblas_steps.h"

#define ROUTINE(name) clblasD##name
#define CHECK check_d
#define R double
#define PARTS 1
#define SCALAR(v) (v)
#include "clblas_steps.h"

#define ROUTINE(name) clblasC##name
#define CHECK check_c
#define R float
#define PARTS 2
#define SCALAR(v) floatComplex(v, 0)
#include "clblas_steps.h"

#define ROUTINE(name) clblasZ##name
#define CHECK check_z
#define R double
#define PARTS 2
#define SCALAR(v) doubleComplex(v, 0)
#include "clblas_steps.h"

int main(void) {
  cl_platform_id platform = NULL;
  cl_device_id device = NULL;
  cl_context context;
  cl_command_queue queue;
  cl_int status;
  double error[4];
  int i, wrong = 0;
  static const char* const names[] = {"float", "double", "complex float", "complex double"};

  must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  must(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &status);
  must(status, "clCreateCommandQueue");

  must(clblasSetup(), "clblasSetup");
  error[0] = check_s(context, queue);
  error[1] = check_d(context, queue);
  error[2] = check_c(context, queue);
  error[3] = check_z(context, queue);
  clblasTeardown();

  for (i = 0; i < 4; ++i) {
    const double bound = i % 2 ? 1e-12 : 1e-4;
    printf("%-15s largest difference %.1e\n", names[i], error[i]);
    wrong += !(error[i] < bound);
  }
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return wrong ? 1 : 0;
}
