/* The version of the clBLAS interface that this library offers; Trigon's own is trigon_version(). */
#ifndef TRIGON_CLBLAS_VERSION_H
#define TRIGON_CLBLAS_VERSION_H

#define clblasVersionMajor 2
#define clblasVersionMinor 12
#define clblasVersionPatch 0

#endif
