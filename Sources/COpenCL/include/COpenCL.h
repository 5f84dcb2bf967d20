// COpenCL: OpenCL 1.2 for Swift, without linking libOpenCL. clGetPlatformIDs, the first function that a
// program calls, loads it. If it is missing, there are no platforms.
#ifndef COPENCL_H
#define COPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

// opencl.c defines the functions that functions.h lists. They are hidden, so that drivers find libOpenCL's
// own functions and not these.
#pragma GCC visibility push(hidden)
#include <CL/cl.h>

/// The loader's message if libOpenCL could not be loaded. NULL if it was loaded, and before clGetPlatformIDs.
const char *copencl_error(void);
#pragma GCC visibility pop

#endif
