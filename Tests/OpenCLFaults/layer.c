#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "opencl_faults.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
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
    cl_int code;
} plan;
static atomic_uint calls;
// Whether devices are shown as GPUs with memory of their own.
static int is_gpu;

// Whether this call of the function has this fault.
static int has_fault(const char *function, const char *fault)
{
    if (strcmp(function, plan.function) != 0 || strcmp(fault, plan.fault) != 0) return 0;
    const unsigned call = atomic_fetch_add(&calls, 1) + 1;
    if (call != plan.number && !(plan.repeats && call > plan.number)) return 0;
    const char *mark = getenv("OPENCL_FAULT_MARK");
    if (!mark) return 1;
    const int file = open(mark, O_WRONLY | O_CREAT | (getenv("OPENCL_FAULT_ONCE") ? O_EXCL : 0), 0600);
    if (file < 0) return 0;
    close(file);
    return 1;
}

static cl_int CL_API_CALL clGetPlatformInfo_special(
    cl_platform_id platform, cl_platform_info name, size_t size, void *value, size_t *needed)
{
    const cl_int code = driver->clGetPlatformInfo(platform, name, size, value, needed);
    // Tintype's own cache of programs serves drivers of any name but PoCL's.
    if (code == CL_SUCCESS && value && is_gpu && name == CL_PLATFORM_NAME) *(char *)value = '-';
    return code;
}

static cl_int CL_API_CALL
clGetDeviceInfo_special(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *needed)
{
    const cl_int code = driver->clGetDeviceInfo(device, name, size, value, needed);
    if (code != CL_SUCCESS || !value) return code;
    if (name == CL_DEVICE_MAX_MEM_ALLOC_SIZE && has_fault("clGetDeviceInfo", "small"))
        *(cl_ulong *)value = 1 << 16;
    if (is_gpu && name == CL_DEVICE_TYPE) *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    if (is_gpu && name == CL_DEVICE_HOST_UNIFIED_MEMORY) *(cl_bool *)value = CL_FALSE;
    return code;
}

static cl_int CL_API_CALL clGetKernelWorkGroupInfo_special(
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

static cl_int CL_API_CALL clEnqueueNDRangeKernel_special(
    cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
    const size_t *local, cl_uint count, const cl_event *events, cl_event *event)
{
    if (has_fault("clEnqueueNDRangeKernel", "fail"))
        return command_without_kernel(queue, CL_OUT_OF_RESOURCES, event);
    if (has_fault("clEnqueueNDRangeKernel", "stall")) return command_without_kernel(queue, CL_QUEUED, event);
    if (has_fault("clEnqueueNDRangeKernel", "wrong"))
        return command_without_kernel(queue, CL_COMPLETE, event);
    if (strcmp(plan.function, "clGetKernelWorkGroupInfo") == 0 && strcmp(plan.fault, "small") == 0
        && local[0] * local[1] > 2)
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

static cl_int CL_API_CALL clEnqueueUnmapMemObject_special(
    cl_command_queue queue, cl_mem memory, void *address, cl_uint count, const cl_event *events,
    cl_event *event)
{
    pthread_mutex_lock(&mappings_lock);
    const struct Mapping *mapping = mapping_of(memory);
    if (mapping->memory == memory && mapping->moved == address) address = mapping->address;
    pthread_mutex_unlock(&mappings_lock);
    return driver->clEnqueueUnmapMemObject(queue, memory, address, count, events, event);
}

static void *CL_API_CALL clEnqueueMapBuffer_special(
    cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
    cl_uint count, const cl_event *events, cl_event *event, cl_int *code)
{
    void *address =
        driver->clEnqueueMapBuffer(queue, memory, blocking, flags, offset, size, count, events, event, code);
    return address ? moved_address(memory, address, size) : NULL;
}

// The driver with the faults above.
static cl_icd_dispatch special;

// Fails, hangs or crashes if that is planned for this call of the function.
static int fails(const char *function)
{
    if (has_fault(function, "hang"))
        for (;;) pause();
    // A real fault: LLVM in PoCL catches SIGSEGV, and goes on after one that was only raised.
    if (has_fault(function, "crash")) *(volatile char *)8 = 0;
    if (has_fault(function, "stop")) raise(SIGSTOP);
    return has_fault(function, "error");
}

// The parameter of functions that return an object; other functions return the code itself.
static cl_int *const error = NULL;

// Every function that Tintype calls, with these faults.
#define FUNCTION(result, name, parameters, arguments)                        \
    static result CL_API_CALL name##_faulty parameters                       \
    {                                                                        \
        if (!fails(#name)) return special.name arguments;                    \
        if (error) *error = plan.code;                                       \
        return _Generic((result)0, cl_int : plan.code, default : (void *)0); \
    }
FUNCTION(
    cl_int, clGetPlatformIDs, (cl_uint capacity, cl_platform_id *platforms, cl_uint *count),
    (capacity, platforms, count))
#include "../../Sources/COpenCL/functions.h"
#undef FUNCTION

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
    plan.code = CL_OUT_OF_RESOURCES;
    if (text) sscanf(text, "%63[^:]:%u%c", plan.function, &plan.number, &repeats);
    plan.repeats = repeats == '+';
    const char *fault = text ? strrchr(text, ':') : NULL;
    if (fault) sscanf(fault, ":%15[^=]=%d", plan.fault, &plan.code);

    is_gpu = getenv("OPENCL_AS_GPU") != NULL;

    special = *target;
    driver = target;
#define REPLACE(name) special.name = name##_special
    REPLACE(clGetPlatformInfo);
    REPLACE(clGetDeviceInfo);
    REPLACE(clGetKernelWorkGroupInfo);
    REPLACE(clEnqueueNDRangeKernel);
    REPLACE(clEnqueueMapBuffer);
    REPLACE(clEnqueueUnmapMemObject);
#undef REPLACE

    layer = *target;
    layer.clGetPlatformIDs = clGetPlatformIDs_faulty;
#define FUNCTION(result, name, parameters, arguments) layer.name = name##_faulty;
#include "../../Sources/COpenCL/functions.h"
    *layer_count = sizeof layer / sizeof layer.clGetPlatformIDs;
    *dispatch = &layer;
    return CL_SUCCESS;
}
