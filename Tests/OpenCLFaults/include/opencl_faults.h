// An OpenCL layer that injects driver faults, for tests. OPENCL_LAYERS names the library. OPENCL_FAULT names the
// fault, as FUNCTION:CALLS:FAULT.
//
// FUNCTION: a function in layer.c. CALLS: the call's number, from 1 on; followed by '+', all later calls too.
// FAULT:
//   error   the call returns CL_OUT_OF_RESOURCES
//   hang    the call never returns
//   fail    clEnqueueNDRangeKernel: the call succeeds; the kernel does not run, which its event tells
//   stall   clEnqueueNDRangeKernel: the call succeeds; the kernel never begins
//   wrong   clEnqueueNDRangeKernel: the kernel does not run, but is reported as done
//   move    clEnqueueMapBuffer, of memory that was mapped before: another address than then
//   small   clGetDeviceInfo: buffers of 64 KiB at most; clGetKernelWorkGroupInfo: work-groups of 2, or an error
#ifndef OPENCL_FAULTS_H
#define OPENCL_FAULTS_H

#include <CL/cl_layer.h>

#endif
