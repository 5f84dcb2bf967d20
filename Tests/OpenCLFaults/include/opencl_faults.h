// An OpenCL layer that lets a driver misbehave, for tests: OPENCL_LAYERS names the library, OPENCL_FAULT says what
// happens, as FUNCTION:CALLS:FAULT.
//
// FUNCTION: one of those in layer.c. CALLS: the call's number, from 1 on; with a '+' behind it, all later ones too.
// FAULT:
//   error   the call returns CL_OUT_OF_RESOURCES
//   hang    the call never returns
//   fail    clEnqueueNDRangeKernel: the call succeeds; the kernel does not run, which its event tells
//   stall   clEnqueueNDRangeKernel: the call succeeds; the kernel never begins
//   wrong   clEnqueueNDRangeKernel: the kernel is left out, and nothing tells
//   move    clEnqueueMapBuffer, of memory that was mapped before: another address than then
//   small   clGetDeviceInfo: buffers of 64 KiB at most; clGetKernelWorkGroupInfo: work-groups of 2, or an error
#ifndef OPENCL_FAULTS_H
#define OPENCL_FAULTS_H

#include <CL/cl_layer.h>

#endif
