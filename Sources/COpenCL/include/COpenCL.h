// COpenCL: OpenCL 1.2 for Swift, without linking libOpenCL. clGetPlatformIDs, the first function that a
// program calls, loads it. If it is missing, there are no platforms but those of drivers that are loaded by themselves.
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

/// Loads a driver by itself, and lists its platforms, at most `capacity`. libOpenCL does the same with the drivers that its
/// folder names (cl_khr_icd).
///
/// Returns the number of platforms; -1 if the library cannot be loaded or is no driver, which `message` explains.
int copencl_driver_platforms(
    const char *library, cl_platform_id *platforms, int capacity, char *message, size_t message_size);
#pragma GCC visibility pop

#endif
