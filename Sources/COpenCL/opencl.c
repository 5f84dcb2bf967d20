#include "COpenCL.h"

#include <CL/cl_ext.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// Pointers to libOpenCL's functions.
static struct {
    __typeof__(clGetPlatformIDs) *clGetPlatformIDs;
#define FUNCTION(result, name, parameters, arguments) __typeof__(name) *name;
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
#define FUNCTION(result, name, parameters, arguments) opencl.name = find(library, #name);
#include "functions.h"
#undef FUNCTION
}

const char *copencl_error(void) { return error; }

cl_int clGetPlatformIDs(cl_uint capacity, cl_platform_id *platforms, cl_uint *count)
{
    pthread_once(&once, load);
    return error ? CL_PLATFORM_NOT_FOUND_KHR : opencl.clGetPlatformIDs(capacity, platforms, count);
}

// All other functions need an object of a platform, so libOpenCL is loaded by then.
#define FUNCTION(result, name, parameters, arguments) \
    result name parameters { return opencl.name arguments; }
#include "functions.h"
