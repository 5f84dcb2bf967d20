// A device with less memory than the driver's.
#include "parts.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static size_t size_of_memory, taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

size_t memory_size(void) { return size_of_memory; }

void begin_memory(void)
{
    const char *size = getenv("OPENCL_MEMORY");
    size_of_memory = size ? strtoull(size, NULL, 10) : 0;
}

static int is_of_host(cl_mem_flags flags)
{
    return (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_USE_HOST_PTR)) != 0;
}

// Takes memory for a buffer; 0 if there is not enough.
static int takes(cl_mem_flags flags, size_t size)
{
    if (size_of_memory == 0 || is_of_host(flags)) return 1;
    pthread_mutex_lock(&lock);
    const int fits = size <= size_of_memory - taken;
    if (fits) taken += size;
    pthread_mutex_unlock(&lock);
    const char *mark = getenv("OPENCL_FAULT_MARK");
    if (!fits && mark) close(open(mark, O_WRONLY | O_CREAT, 0600));
    return fits;
}

cl_mem CL_API_CALL
clCreateBuffer_special(cl_context context, cl_mem_flags flags, size_t size, void *memory, cl_int *code)
{
    if (takes(flags, size)) return driver->clCreateBuffer(context, flags, size, memory, code);
    if (code) *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

cl_int CL_API_CALL clReleaseMemObject_special(cl_mem buffer)
{
    cl_mem_flags flags = 0;
    size_t size = 0;
    if (size_of_memory > 0) {
        driver->clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
        driver->clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, NULL);
    }
    // Tintype retains no buffer, so this is the last reference.
    const cl_int code = driver->clReleaseMemObject(buffer);
    if (is_of_host(flags)) return code;
    pthread_mutex_lock(&lock);
    taken -= size;
    pthread_mutex_unlock(&lock);
    return code;
}
