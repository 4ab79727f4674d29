/* The version of the interface under its older names. */
#ifndef TRIGON_CLAMDBLAS_VERSION_H
#define TRIGON_CLAMDBLAS_VERSION_H

#define clAmdBlasVersionMajor 2
#define clAmdBlasVersionMinor 0
#define clAmdBlasVersionPatch 0

#endif
