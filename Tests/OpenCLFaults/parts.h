// What the layer's files share.
#ifndef PARTS_H
#define PARTS_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "opencl_faults.h"

#pragma GCC visibility push(hidden)

// The driver's own functions.
extern const cl_icd_dispatch *driver;

// Replaces a command by an event of `status`. With CL_QUEUED, the event never completes.
cl_int command_without_kernel(cl_command_queue queue, cl_int status, cl_event *event);

// Read the environment.
void begin_instant(void);
void begin_memory(void);

// Whether the queue's commands are done at once. `new_flushes` is counted afterwards.
int is_instant(cl_command_queue queue, unsigned new_flushes);
// 0: the driver's own.
size_t memory_size(void);

__typeof__(clFlush) clFlush_special;
__typeof__(clEnqueueReadBuffer) clEnqueueReadBuffer_special;
__typeof__(clEnqueueWriteBuffer) clEnqueueWriteBuffer_special;
__typeof__(clEnqueueFillBuffer) clEnqueueFillBuffer_special;
__typeof__(clEnqueueCopyBuffer) clEnqueueCopyBuffer_special;
__typeof__(clCreateBuffer) clCreateBuffer_special;
__typeof__(clReleaseMemObject) clReleaseMemObject_special;
#pragma GCC visibility pop

#endif
