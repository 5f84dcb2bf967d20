#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "opencl_faults.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cl_icd_dispatch *driver;
static cl_icd_dispatch layer;

static struct {
    char function[64], fault[16];
    unsigned number;
    int repeats;
} plan;
static atomic_uint calls;

// Whether this call of the function has this fault.
static int has_fault(const char *function, const char *fault)
{
    if (strcmp(function, plan.function) != 0 || strcmp(fault, plan.fault) != 0) return 0;
    const unsigned call = atomic_fetch_add(&calls, 1) + 1;
    return call == plan.number || (plan.repeats && call > plan.number);
}

static void hang_if_planned(const char *function)
{
    if (!has_fault(function, "hang")) return;
    for (;;) pause();
}

// A function that hangs or fails on request, and otherwise calls the driver's.
#define FUNCTION(name, parameters, arguments)                                            \
    static cl_int CL_API_CALL name##_faulty parameters                                   \
    {                                                                                    \
        hang_if_planned(#name);                                                          \
        return has_fault(#name, "error") ? CL_OUT_OF_RESOURCES : driver->name arguments; \
    }

FUNCTION(
    clGetPlatformIDs, (cl_uint count, cl_platform_id *platforms, cl_uint *found), (count, platforms, found))
FUNCTION(
    clGetPlatformInfo,
    (cl_platform_id platform, cl_platform_info name, size_t size, void *value, size_t *needed),
    (platform, name, size, value, needed))
FUNCTION(
    clGetDeviceIDs,
    (cl_platform_id platform, cl_device_type type, cl_uint count, cl_device_id *devices, cl_uint *found),
    (platform, type, count, devices, found))
FUNCTION(
    clGetEventInfo, (cl_event event, cl_event_info name, size_t size, void *value, size_t *needed),
    (event, name, size, value, needed))
FUNCTION(
    clGetEventProfilingInfo,
    (cl_event event, cl_profiling_info name, size_t size, void *value, size_t *needed),
    (event, name, size, value, needed))
FUNCTION(
    clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value),
    (kernel, index, size, value))
FUNCTION(clReleaseKernel, (cl_kernel kernel), (kernel))
FUNCTION(clReleaseMemObject, (cl_mem memory), (memory))
FUNCTION(clReleaseEvent, (cl_event event), (event))
FUNCTION(clFlush, (cl_command_queue queue), (queue))
FUNCTION(clFinish, (cl_command_queue queue), (queue))

static cl_int CL_API_CALL
clGetDeviceInfo_faulty(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *needed)
{
    hang_if_planned("clGetDeviceInfo");
    const cl_int code = driver->clGetDeviceInfo(device, name, size, value, needed);
    if (code != CL_SUCCESS || !value) return code;
    if (name == CL_DEVICE_MAX_MEM_ALLOC_SIZE && has_fault("clGetDeviceInfo", "small"))
        *(cl_ulong *)value = 1 << 16;
    return code;
}

static cl_int CL_API_CALL clGetKernelWorkGroupInfo_faulty(
    cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name, size_t size, void *value,
    size_t *needed)
{
    const cl_int code = driver->clGetKernelWorkGroupInfo(kernel, device, name, size, value, needed);
    if (code == CL_SUCCESS && value && has_fault("clGetKernelWorkGroupInfo", "small")) *(size_t *)value = 2;
    return code;
}

// Replaces a command by an event of `status`. With CL_QUEUED, the event never completes.
static cl_int command_without_kernel(cl_command_queue queue, cl_int status, cl_event *event)
{
    cl_context context;
    cl_int code = driver->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (code != CL_SUCCESS) return code;
    cl_event made = driver->clCreateUserEvent(context, &code);
    if (code != CL_SUCCESS) return code;
    if (status == CL_QUEUED) code = driver->clEnqueueBarrierWithWaitList(queue, 1, &made, NULL);
    else code = driver->clSetUserEventStatus(made, status);
    if (event) *event = made;
    return code;
}

static cl_int CL_API_CALL clEnqueueNDRangeKernel_faulty(
    cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
    const size_t *local, cl_uint count, const cl_event *events, cl_event *event)
{
    hang_if_planned("clEnqueueNDRangeKernel");
    if (has_fault("clEnqueueNDRangeKernel", "error")) return CL_OUT_OF_RESOURCES;
    if (has_fault("clEnqueueNDRangeKernel", "fail"))
        return command_without_kernel(queue, CL_OUT_OF_RESOURCES, event);
    if (has_fault("clEnqueueNDRangeKernel", "stall")) return command_without_kernel(queue, CL_QUEUED, event);
    if (has_fault("clEnqueueNDRangeKernel", "wrong"))
        return command_without_kernel(queue, CL_COMPLETE, event);
    if (strcmp(plan.function, "clGetKernelWorkGroupInfo") == 0 && local[0] * local[1] > 2)
        return CL_INVALID_WORK_GROUP_SIZE;
    return driver->clEnqueueNDRangeKernel(
        queue, kernel, dimensions, offset, global, local, count, events, event);
}

// Memory that was mapped, and where its last mapping was moved to.
static struct Mapping {
    cl_mem memory;
    void *address, *moved;
} mappings[1024];
static pthread_mutex_t mappings_lock = PTHREAD_MUTEX_INITIALIZER;

// The memory's place in the table, which never fills up in a test.
static struct Mapping *mapping_of(cl_mem memory)
{
    struct Mapping *mapping = mappings;
    while (mapping->memory && mapping->memory != memory) mapping++;
    return mapping;
}

// Another address for memory that was mapped to `address` before.
static void *moved_address(cl_mem memory, void *address, size_t size)
{
    pthread_mutex_lock(&mappings_lock);
    struct Mapping *mapping = mapping_of(memory);
    // A handle may come back for memory that is new.
    const int was_mapped = mapping->memory == memory && mapping->address == address;
    *mapping = (struct Mapping) { memory, address, address };
    if (was_mapped && has_fault("clEnqueueMapBuffer", "move")) {
        // The bytes that a reader of the old address does not see.
        mapping->moved = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
        memset(mapping->moved, 0, size);
    }
    void *result = mapping->moved;
    pthread_mutex_unlock(&mappings_lock);
    return result;
}

static cl_int CL_API_CALL clEnqueueUnmapMemObject_faulty(
    cl_command_queue queue, cl_mem memory, void *address, cl_uint count, const cl_event *events,
    cl_event *event)
{
    pthread_mutex_lock(&mappings_lock);
    const struct Mapping *mapping = mapping_of(memory);
    if (mapping->memory == memory && mapping->moved == address) address = mapping->address;
    pthread_mutex_unlock(&mappings_lock);
    return driver->clEnqueueUnmapMemObject(queue, memory, address, count, events, event);
}

static void *CL_API_CALL clEnqueueMapBuffer_faulty(
    cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
    cl_uint count, const cl_event *events, cl_event *event, cl_int *code)
{
    hang_if_planned("clEnqueueMapBuffer");
    void *address =
        driver->clEnqueueMapBuffer(queue, memory, blocking, flags, offset, size, count, events, event, code);
    return address ? moved_address(memory, address, size) : NULL;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *needed)
{
    static const char text[] = "Faults for tests";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *answer = name == CL_LAYER_NAME ? (const void *)text : &version;
    const size_t length = name == CL_LAYER_NAME ? sizeof text : sizeof version;
    if (name != CL_LAYER_NAME && name != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
    if (value && size < length) return CL_INVALID_VALUE;
    if (value) memcpy(value, answer, length);
    if (needed) *needed = length;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(
    cl_uint count, const cl_icd_dispatch *target, cl_uint *layer_count, const cl_icd_dispatch **dispatch)
{
    if (!target || !layer_count || !dispatch || count < sizeof layer / sizeof layer.clGetPlatformIDs)
        return CL_INVALID_VALUE;
    const char *text = getenv("OPENCL_FAULT");
    char repeats = 0;
    if (text) sscanf(text, "%63[^:]:%u%c", plan.function, &plan.number, &repeats);
    plan.repeats = repeats == '+';
    const char *fault = text ? strrchr(text, ':') : NULL;
    if (fault) snprintf(plan.fault, sizeof plan.fault, "%s", fault + 1);

    driver = target;
    layer = *target;
#define REPLACE(name) layer.name = name##_faulty
    REPLACE(clGetPlatformIDs);
    REPLACE(clGetPlatformInfo);
    REPLACE(clGetDeviceIDs);
    REPLACE(clGetDeviceInfo);
    REPLACE(clGetKernelWorkGroupInfo);
    REPLACE(clGetEventInfo);
    REPLACE(clGetEventProfilingInfo);
    REPLACE(clSetKernelArg);
    REPLACE(clEnqueueNDRangeKernel);
    REPLACE(clEnqueueMapBuffer);
    REPLACE(clEnqueueUnmapMemObject);
    REPLACE(clReleaseKernel);
    REPLACE(clReleaseMemObject);
    REPLACE(clReleaseEvent);
    REPLACE(clFlush);
    REPLACE(clFinish);
    *layer_count = sizeof layer / sizeof layer.clGetPlatformIDs;
    *dispatch = &layer;
    return CL_SUCCESS;
}
