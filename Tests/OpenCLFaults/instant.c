// Queues that answer at once.
#include "parts.h"

#include <pthread.h>
#include <stdlib.h>

// How many flushes of a queue run; 0: all. Later commands of the queue are done at once, without being run: memory keeps
// what the photos before have left.
static unsigned flushes_that_run;
static struct {
    cl_command_queue queue;
    unsigned flushes;
} queues[1024];
static pthread_mutex_t queues_lock = PTHREAD_MUTEX_INITIALIZER;

// Whether the queue has had its flushes that run.
int is_instant(cl_command_queue queue, unsigned new_flushes)
{
    if (flushes_that_run == 0) return 0;
    pthread_mutex_lock(&queues_lock);
    unsigned n = 0;
    while (queues[n].queue && queues[n].queue != queue) n++;
    queues[n].queue = queue;
    const int answer = queues[n].flushes >= flushes_that_run;
    queues[n].flushes += new_flushes;
    pthread_mutex_unlock(&queues_lock);
    return answer;
}

cl_int CL_API_CALL clFlush_special(cl_command_queue queue)
{
    is_instant(queue, 1);
    return driver->clFlush(queue);
}

cl_int CL_API_CALL clEnqueueReadBuffer_special(
    cl_command_queue queue, cl_mem buffer, cl_bool waits, size_t offset, size_t size, void *memory,
    cl_uint count, const cl_event *events, cl_event *event)
{
    if (is_instant(queue, 0)) {
        if (size > 4096) return command_without_kernel(queue, CL_COMPLETE, event);
        // States, where the host has cleared those of the photo before. It waits for the last command alone.
        waits = CL_TRUE;
    }
    return driver->clEnqueueReadBuffer(queue, buffer, waits, offset, size, memory, count, events, event);
}

#define INSTANT(name, parameters, arguments)                                                \
    cl_int CL_API_CALL name##_special parameters                                            \
    {                                                                                       \
        if (is_instant(queue, 0)) return command_without_kernel(queue, CL_COMPLETE, event); \
        return driver->name arguments;                                                      \
    }
INSTANT(
    clEnqueueWriteBuffer,
    (cl_command_queue queue, cl_mem buffer, cl_bool waits, size_t offset, size_t size, const void *memory,
     cl_uint count, const cl_event *events, cl_event *event),
    (queue, buffer, waits, offset, size, memory, count, events, event))
INSTANT(
    clEnqueueFillBuffer,
    (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
     size_t size, cl_uint count, const cl_event *events, cl_event *event),
    (queue, buffer, pattern, pattern_size, offset, size, count, events, event))
INSTANT(
    clEnqueueCopyBuffer,
    (cl_command_queue queue, cl_mem source, cl_mem target, size_t source_offset, size_t target_offset,
     size_t size, cl_uint count, const cl_event *events, cl_event *event),
    (queue, source, target, source_offset, target_offset, size, count, events, event))
#undef INSTANT

void begin_instant(void)
{
    const char *flushes = getenv("OPENCL_INSTANT_AFTER");
    flushes_that_run = flushes ? (unsigned)atoi(flushes) : 0;
}
