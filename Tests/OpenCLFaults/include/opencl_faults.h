// An OpenCL layer that injects driver faults, for tests. OPENCL_LAYERS names the library. OPENCL_FAULT names the
// fault, as FUNCTION:CALLS:FAULT.
//
// FUNCTION: any that Tintype calls. CALLS: the call's number, from 1 on; followed by '+', all later calls too; by '*',
// every so many calls.
// FAULT:
//   error   the call fails with CL_OUT_OF_RESOURCES; `error=-36` names another code
//   hang    the call never returns
//   crash   the call ends the process by SIGSEGV
//   first   clEnqueueNDRangeKernel: as crash, for the driver's first device only
//   stop    the call stops all threads of the process
//   fail    clEnqueueNDRangeKernel: the call succeeds; the kernel does not run, which its event tells
//   stall   clEnqueueNDRangeKernel: the call succeeds; the kernel never begins
//   wrong   clEnqueueNDRangeKernel: the kernel does not run, but is reported as done
//   move    clEnqueueMapBuffer, of memory that was mapped before: another address than then
//   zero    clGetDeviceInfo: work-groups of 0 work-items at most; `most` gives the largest number there is
//   small   clGetDeviceInfo: buffers of 64 KiB at most; clGetKernelWorkGroupInfo: work-groups of 2, or an error
// OPENCL_FAULT_MARK names a file that is created once a call has the fault; with OPENCL_FAULT_ONCE, no process has it but
// the one that has created that file. OPENCL_AS_GPU, where it is set, shows devices
// as GPUs with memory of their own: strips are then copied, not mapped, and programs are kept in Tintype's cache.
// OPENCL_INSTANT_AFTER=N makes a device that answers at once: of each queue, N flushes run. Commands after them are done when
// they are queued, and change no memory, so the same photo again gives the same file. What remains is the host's work.
// OPENCL_MEMORY=BYTES is the memory that devices show. Buffers beyond it, but for those in the host's memory, fail with
// CL_MEM_OBJECT_ALLOCATION_FAILURE, and the first one creates OPENCL_FAULT_MARK.
// OPENCL_GUARDS, where it is set, puts the device's own buffers between a MiB each that nobody may touch: a kernel on the CPU that
// leaves a buffer ends the process by SIGSEGV.
//
// OPENCL_TWO_PLATFORMS shows the driver's two devices as those of two platforms (two), or the driver twice (same).
// OPENCL_LOSES_DEVICE, where it is set, hides the first of these two from processes that start when OPENCL_FAULT_MARK exists,
// and shows them less memory of the other.
// OPENCL_OWN_PLATFORM, where it is set, makes the second platform that of the devices' vendor.
// OPENCL_IDENTITIES gives the driver's devices identities in their order, such as `pci=1,nv=1`: the first shows bus 1 by
// cl_khr_pci_bus_info, the second by NVIDIA's extension. Others are `uuid` and `amd`; anything else is none.
#ifndef OPENCL_FAULTS_H
#define OPENCL_FAULTS_H

#include <CL/cl_layer.h>

#endif
