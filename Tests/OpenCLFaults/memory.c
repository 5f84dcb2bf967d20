// A device with less memory than the driver's, or with guards around its memory.
#include "parts.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t size_of_memory, taken;
static int has_guards;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

size_t memory_size(void) { return size_of_memory; }

void begin_memory(void)
{
    const char *size = getenv("OPENCL_MEMORY");
    size_of_memory = size ? strtoull(size, NULL, 10) : 0;
    has_guards = getenv("OPENCL_GUARDS") != NULL;
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

// What a buffer's memory is mapped to: between guards, which nobody may touch. It ends where one begins.
typedef struct mapping {
    void *start;
    size_t size;
} mapping;

enum { PAGE = 4096, GUARD = 1 << 20, ALIGNMENT = 128 };

static void CL_CALLBACK unmap(cl_mem buffer, void *data)
{
    (void)buffer;
    mapping *made = data;
    munmap(made->start, made->size);
    free(made);
}

static cl_mem create_guarded(cl_context context, cl_mem_flags flags, size_t size, void *memory, cl_int *code)
{
    const size_t inner = (size + PAGE - 1) / PAGE * PAGE;
    mapping *made = malloc(sizeof *made);
    if (!made) abort();
    made->size = inner + 2 * GUARD;
    made->start = mmap(NULL, made->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t *first = (uint8_t *)made->start + GUARD;
    if (made->start == MAP_FAILED || mprotect(first, inner, PROT_READ | PROT_WRITE) != 0) abort();
    uint8_t *address = first + (inner - size) / ALIGNMENT * ALIGNMENT;
    // What was not written is not zero by chance.
    memset(first, 0xA5, inner);
    if (flags & CL_MEM_COPY_HOST_PTR) memcpy(address, memory, size);
    flags = (flags & ~(cl_mem_flags)CL_MEM_COPY_HOST_PTR) | CL_MEM_USE_HOST_PTR;
    const cl_mem buffer = driver->clCreateBuffer(context, flags, size, address, code);
    if (buffer) driver->clSetMemObjectDestructorCallback(buffer, unmap, made);
    return buffer;
}

cl_mem CL_API_CALL
clCreateBuffer_special(cl_context context, cl_mem_flags flags, size_t size, void *memory, cl_int *code)
{
    if (has_guards && !is_of_host(flags)) return create_guarded(context, flags, size, memory, code);
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
