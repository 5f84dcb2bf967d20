// Before COpenCL.h, which would declare the system's functions hidden.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "COpenCL.h"

#include <CL/cl_icd.h>

// Pointers to libOpenCL's functions; all are NULL without it.
static struct {
    __typeof__(clGetPlatformIDs) *clGetPlatformIDs;
#define FUNCTION(result, name, object, parameters, arguments) __typeof__(name) *name;
#include "functions.h"
#undef FUNCTION
} opencl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char *error;

static void *find(void *library, const char *name)
{
    void *function = error ? NULL : dlsym(library, name);
    if (!function && !error) error = strdup(dlerror());
    return function;
}

static void load(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        error = strdup(dlerror());
        return;
    }
    opencl.clGetPlatformIDs = find(library, "clGetPlatformIDs");
#define FUNCTION(result, name, object, parameters, arguments) opencl.name = find(library, #name);
#include "functions.h"
#undef FUNCTION
    if (error) memset(&opencl, 0, sizeof opencl);
}

const char *copencl_error(void) { return error; }

cl_int clGetPlatformIDs(cl_uint capacity, cl_platform_id *platforms, cl_uint *count)
{
    pthread_once(&once, load);
    return error ? CL_PLATFORM_NOT_FOUND_KHR : opencl.clGetPlatformIDs(capacity, platforms, count);
}

int copencl_driver_platforms(
    const char *library, cl_platform_id *platforms, int capacity, char *message, size_t message_size)
{
    void *driver = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    void *(CL_API_CALL * find_extension)(const char *) =
        driver ? dlsym(driver, "clGetExtensionFunctionAddress") : NULL;
    if (!find_extension) {
        snprintf(message, message_size, "%s", dlerror());
        return -1;
    }
    const clIcdGetPlatformIDsKHR_fn list = find_extension("clIcdGetPlatformIDsKHR");
    if (!list) {
        snprintf(message, message_size, "%s: clIcdGetPlatformIDsKHR is missing", library);
        return -1;
    }
    cl_uint count = 0;
    // A driver without a device for it reports an error.
    if (list((cl_uint)capacity, platforms, &count) != CL_SUCCESS) return 0;
    return (int)count < capacity ? (int)count : capacity;
}

// All other functions need an object of a platform. libOpenCL does no more than to look into that object's table, too.
#define TABLE(object) (*(const cl_icd_dispatch *const *)(object))
#define FUNCTION(result, name, object, parameters, arguments) \
    result name parameters { return (opencl.name ? opencl.name : TABLE(object)->name)arguments; }
#include "functions.h"
