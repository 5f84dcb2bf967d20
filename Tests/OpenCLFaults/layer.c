#include "parts.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const cl_icd_dispatch *driver;
static cl_icd_dispatch layer;

static struct {
    char function[64], fault[16];
    unsigned number;
    // '+': all later calls too; '*': every so many calls; 0: this call only.
    char repeats;
    cl_int code;
} plan;
static atomic_uint calls;
// Whether devices are shown as GPUs with memory of their own.
static int is_gpu;
// Whether the first of two platforms has lost its device.
static int has_lost_device;

// Whether this process has created the file that marks the fault.
static atomic_int has_created_mark;

// Whether this call of the function has this fault.
static int has_fault(const char *function, const char *fault)
{
    if (strcmp(function, plan.function) != 0 || strcmp(fault, plan.fault) != 0) return 0;
    const unsigned call = atomic_fetch_add(&calls, 1) + 1;
    const int is_due = plan.repeats == '*' ? plan.number > 0 && call % plan.number == 0
        : plan.repeats == '+'              ? call >= plan.number
                                           : call == plan.number;
    if (!is_due) return 0;
    const char *mark = getenv("OPENCL_FAULT_MARK");
    if (!mark) return 1;
    const int file = open(mark, O_WRONLY | O_CREAT | (getenv("OPENCL_FAULT_ONCE") ? O_EXCL : 0), 0600);
    if (file >= 0) {
        close(file);
        has_created_mark = 1;
    }
    return has_created_mark;
}

// The platform that OPENCL_TWO_PLATFORMS adds, whose only device is the driver's second one. Its first member is what the
// loader reads of any platform.
static struct {
    const cl_icd_dispatch *dispatch;
    cl_platform_id real;
} second_platform;
// "two": each platform has a device of its own; "same": both have all, as if the driver was listed twice.
static const char *platforms_mode;

static cl_platform_id real_platform(cl_platform_id platform)
{
    return (void *)platform == &second_platform ? second_platform.real : platform;
}

static cl_int CL_API_CALL
clGetPlatformIDs_special(cl_uint capacity, cl_platform_id *platforms, cl_uint *count)
{
    if (!platforms_mode) return driver->clGetPlatformIDs(capacity, platforms, count);
    const cl_int code = driver->clGetPlatformIDs(1, &second_platform.real, NULL);
    if (code != CL_SUCCESS) return code;
    second_platform.dispatch = *(const cl_icd_dispatch **)second_platform.real;
    if (platforms && capacity > 0) platforms[0] = second_platform.real;
    if (platforms && capacity > 1) platforms[1] = (void *)&second_platform;
    if (count) *count = 2;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL clGetDeviceIDs_special(
    cl_platform_id platform, cl_device_type type, cl_uint capacity, cl_device_id *devices, cl_uint *count)
{
    cl_device_id all[8];
    cl_uint all_count = 0;
    if (!platforms_mode || strcmp(platforms_mode, "same") == 0)
        return driver->clGetDeviceIDs(real_platform(platform), type, capacity, devices, count);
    const cl_int code = driver->clGetDeviceIDs(real_platform(platform), type, 8, all, &all_count);
    if (code != CL_SUCCESS) return code;
    const int is_second = (void *)platform == &second_platform;
    if (all_count < 2 || (has_lost_device && !is_second)) return CL_DEVICE_NOT_FOUND;
    if (devices && capacity > 0) devices[0] = all[is_second];
    if (count) *count = 1;
    return CL_SUCCESS;
}

// The part of OPENCL_IDENTITIES that is about this device, such as `pci=1`; NULL if there is none.
static const char *identity_of(cl_device_id device)
{
    static char part[32];
    const char *identities = getenv("OPENCL_IDENTITIES");
    if (!identities) return NULL;
    cl_platform_id platform;
    cl_device_id all[8];
    cl_uint count = 0;
    driver->clGetPlatformIDs(1, &platform, NULL);
    driver->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, all, &count);
    for (cl_uint n = 0; n < count && all[n] != device; n++) {
        const char *comma = strchr(identities, ',');
        identities = comma ? comma + 1 : "";
    }
    snprintf(part, sizeof part, "%.*s", (int)strcspn(identities, ","), identities);
    return part;
}

// Answers like a driver of the extension that the identity names. CL_INVALID_VALUE: not a question about identity.
static cl_int identity_info(
    const char *identity, cl_device_info name, size_t size, void *value, size_t *needed)
{
    char scheme[8] = "";
    unsigned number = 0;
    sscanf(identity, "%7[^=]=%u", scheme, &number);
    const char *extension = strcmp(scheme, "pci") == 0 ? "cl_khr_pci_bus_info"
        : strcmp(scheme, "uuid") == 0                  ? "cl_khr_device_uuid"
        : strcmp(scheme, "nv") == 0                    ? "cl_nv_device_attribute_query"
        : strcmp(scheme, "amd") == 0                   ? "cl_amd_device_attribute_query"
                                                       : "";
    const cl_uint bus_info[4] = { 0, number, 0, 0 }, slot = 0, domain = 0;
    const unsigned char uuid[16] = { number, number }, topology[24] = { [0] = 1, [21] = number };
    const void *answer = NULL;
    size_t length = 0;
    if (name == CL_DEVICE_EXTENSIONS) answer = extension, length = strlen(extension) + 1;
    if (strcmp(scheme, "pci") == 0 && name == 0x410F) answer = bus_info, length = sizeof bus_info;
    if (strcmp(scheme, "uuid") == 0 && name == 0x106A) answer = uuid, length = sizeof uuid;
    if (strcmp(scheme, "nv") == 0 && name == 0x4008) answer = &bus_info[1], length = sizeof(cl_uint);
    if (strcmp(scheme, "nv") == 0 && name == 0x4009) answer = &slot, length = sizeof slot;
    if (strcmp(scheme, "nv") == 0 && name == 0x400A) answer = &domain, length = sizeof domain;
    if (strcmp(scheme, "amd") == 0 && name == 0x4037) answer = topology, length = sizeof topology;
    if (!answer || (value && size < length)) return CL_INVALID_VALUE;
    if (value) memcpy(value, answer, length);
    if (needed) *needed = length;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL clGetPlatformInfo_special(
    cl_platform_id platform, cl_platform_info name, size_t size, void *value, size_t *needed)
{
    const cl_platform_id real = real_platform(platform);
    if (real != platform && name == CL_PLATFORM_VENDOR && getenv("OPENCL_OWN_PLATFORM")) {
        cl_device_id device;
        driver->clGetDeviceIDs(real, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
        return driver->clGetDeviceInfo(device, CL_DEVICE_VENDOR, size, value, needed);
    }
    const cl_int code = driver->clGetPlatformInfo(real, name, size, value, needed);
    // Tintype's own cache of programs serves drivers of any name but PoCL's.
    if (code == CL_SUCCESS && value && is_gpu && name == CL_PLATFORM_NAME) *(char *)value = '-';
    return code;
}

static cl_int CL_API_CALL
clGetDeviceInfo_special(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *needed)
{
    const char *identity = identity_of(device);
    if (identity && identity_info(identity, name, size, value, needed) == CL_SUCCESS) return CL_SUCCESS;
    const cl_int code = driver->clGetDeviceInfo(device, name, size, value, needed);
    if (code != CL_SUCCESS || !value) return code;
    if (name == CL_DEVICE_MAX_MEM_ALLOC_SIZE && has_fault("clGetDeviceInfo", "small"))
        *(cl_ulong *)value = 1 << 16;
    if (name == CL_DEVICE_MAX_WORK_GROUP_SIZE && has_fault("clGetDeviceInfo", "zero")) *(size_t *)value = 0;
    if (name == CL_DEVICE_MAX_WORK_GROUP_SIZE && has_fault("clGetDeviceInfo", "most")) *(size_t *)value = -1;
    if (name == CL_DEVICE_GLOBAL_MEM_SIZE && has_lost_device) *(cl_ulong *)value -= 1 << 20;
    if (name == CL_DEVICE_GLOBAL_MEM_SIZE && memory_size() > 0) *(cl_ulong *)value = memory_size();
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

cl_int command_without_kernel(cl_command_queue queue, cl_int status, cl_event *event)
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

// Whether a queue is one of the driver's first device.
static int is_of_first_device(cl_command_queue queue)
{
    cl_platform_id platform;
    cl_device_id device = NULL, first = NULL;
    driver->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    driver->clGetPlatformIDs(1, &platform, NULL);
    driver->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &first, NULL);
    return device == first;
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
    if (strcmp(plan.fault, "first") == 0 && is_of_first_device(queue)
        && has_fault("clEnqueueNDRangeKernel", "first"))
        *(volatile char *)8 = 0;
    if (strcmp(plan.function, "clGetKernelWorkGroupInfo") == 0 && strcmp(plan.fault, "small") == 0
        && local[0] * local[1] > 2)
        return CL_INVALID_WORK_GROUP_SIZE;
    if (is_instant(queue, 0)) return command_without_kernel(queue, CL_COMPLETE, event);
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
    if (strcmp(plan.fault, "move") == 0) {
        pthread_mutex_lock(&mappings_lock);
        const struct Mapping *mapping = mapping_of(memory);
        if (mapping->memory == memory && mapping->moved == address) address = mapping->address;
        pthread_mutex_unlock(&mappings_lock);
    }
    return driver->clEnqueueUnmapMemObject(queue, memory, address, count, events, event);
}

static void *CL_API_CALL clEnqueueMapBuffer_special(
    cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
    cl_uint count, const cl_event *events, cl_event *event, cl_int *code)
{
    void *address =
        driver->clEnqueueMapBuffer(queue, memory, blocking, flags, offset, size, count, events, event, code);
    // The table of mappings is for this fault only: a long run would fill it.
    if (!address || strcmp(plan.fault, "move") != 0) return address;
    return moved_address(memory, address, size);
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
#define FUNCTION(result, name, object, parameters, arguments)                \
    static result CL_API_CALL name##_faulty parameters                       \
    {                                                                        \
        if (!fails(#name)) return special.name arguments;                    \
        if (error) *error = plan.code;                                       \
        return _Generic((result)0, cl_int : plan.code, default : (void *)0); \
    }
FUNCTION(
    cl_int, clGetPlatformIDs, platforms, (cl_uint capacity, cl_platform_id *platforms, cl_uint *count),
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
    plan.repeats = repeats;
    const char *fault = text ? strrchr(text, ':') : NULL;
    if (fault) sscanf(fault, ":%15[^=]=%d", plan.fault, &plan.code);

    is_gpu = getenv("OPENCL_AS_GPU") != NULL;
    begin_instant();
    begin_memory();
    platforms_mode = getenv("OPENCL_TWO_PLATFORMS");
    const char *mark = getenv("OPENCL_FAULT_MARK");
    has_lost_device = getenv("OPENCL_LOSES_DEVICE") && mark && access(mark, F_OK) == 0;

    special = *target;
    driver = target;
#define REPLACE(name) special.name = name##_special
    REPLACE(clGetPlatformIDs);
    REPLACE(clGetDeviceIDs);
    REPLACE(clGetPlatformInfo);
    REPLACE(clGetDeviceInfo);
    REPLACE(clGetKernelWorkGroupInfo);
    REPLACE(clCreateBuffer);
    REPLACE(clReleaseMemObject);
    REPLACE(clFlush);
    REPLACE(clEnqueueReadBuffer);
    REPLACE(clEnqueueWriteBuffer);
    REPLACE(clEnqueueFillBuffer);
    REPLACE(clEnqueueCopyBuffer);
    REPLACE(clEnqueueNDRangeKernel);
    REPLACE(clEnqueueMapBuffer);
    REPLACE(clEnqueueUnmapMemObject);
#undef REPLACE

    layer = *target;
    layer.clGetPlatformIDs = clGetPlatformIDs_faulty;
#define FUNCTION(result, name, object, parameters, arguments) layer.name = name##_faulty;
#include "../../Sources/COpenCL/functions.h"
    *layer_count = sizeof layer / sizeof layer.clGetPlatformIDs;
    *dispatch = &layer;
    return CL_SUCCESS;
}
