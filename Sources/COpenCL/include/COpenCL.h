// OpenCL 1.2 for Swift, without linking libOpenCL: clGetPlatformIDs, the first function that a program calls, loads it.
// Where it is missing, OpenCL has no platforms.
#ifndef COPENCL_H
#define COPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

// opencl.c defines the functions that functions.h lists. They are hidden: drivers that look for libOpenCL's own must not
// find these.
#pragma GCC visibility push(hidden)
#include <CL/cl.h>

/// Why libOpenCL could not be loaded, in the loader's own words. NULL where it was loaded, and before clGetPlatformIDs.
const char *copencl_error(void);
#pragma GCC visibility pop

#endif
