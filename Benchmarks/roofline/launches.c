// An OpenCL layer that writes down what a program runs on a device, for roofline.py. OPENCL_LAYERS names the library,
// OPENCL_LAUNCHES a folder.
//
// The folder gets the text of each program, N.cl, and `launches`: a line for each launch of a kernel, with the program's
// number, the kernel's name, the size of its grid along three axes, and its struct of parameters as ints.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 256, KERNELS = 4096, PARAMETERS = 64 };

static const cl_icd_dispatch *driver;
static cl_icd_dispatch layer;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *launches;

static cl_program programs[PROGRAMS];
static int program_count;

static struct {
    cl_kernel handle;
    int program;
    char name[64];
    int parameters[PARAMETERS], parameter_count;
} kernels[KERNELS];
static int kernel_count;

static FILE *file(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("OPENCL_LAUNCHES"), name);
    FILE *opened = fopen(path, "w");
    if (!opened) {
        perror(path);
        exit(1);
    }
    return opened;
}

static cl_program CL_API_CALL
create_program(cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *code)
{
    cl_program program = driver->clCreateProgramWithSource(context, count, texts, lengths, code);
    pthread_mutex_lock(&lock);
    if (program && program_count < PROGRAMS) {
        char name[64];
        snprintf(name, sizeof name, "%d.cl", program_count);
        FILE *text = file(name);
        fputs(texts[0], text);
        fclose(text);
        programs[program_count++] = program;
    }
    pthread_mutex_unlock(&lock);
    return program;
}

// A handle may come back for another kernel, so the last one counts.
static int index_of(cl_kernel kernel)
{
    for (int i = kernel_count - 1; i >= 0; i--)
        if (kernels[i].handle == kernel) return i;
    return -1;
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
    cl_kernel kernel = driver->clCreateKernel(program, name, code);
    pthread_mutex_lock(&lock);
    if (kernel && kernel_count < KERNELS) {
        kernels[kernel_count].handle = kernel;
        for (int i = 0; i < program_count; i++)
            if (programs[i] == program) kernels[kernel_count].program = i;
        snprintf(kernels[kernel_count++].name, sizeof kernels[0].name, "%s", name);
    }
    pthread_mutex_unlock(&lock);
    return kernel;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint number, size_t size, const void *value)
{
    pthread_mutex_lock(&lock);
    const int index = index_of(kernel);
    if (index >= 0 && size > sizeof(cl_mem) && size <= sizeof kernels[0].parameters) {
        memcpy(kernels[index].parameters, value, size);
        kernels[index].parameter_count = (int)(size / sizeof(int));
    }
    pthread_mutex_unlock(&lock);
    return driver->clSetKernelArg(kernel, number, size, value);
}

static cl_int CL_API_CALL run_kernel(
    cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *offset, const size_t *global,
    const size_t *local, cl_uint count, const cl_event *events, cl_event *event)
{
    pthread_mutex_lock(&lock);
    const int index = index_of(kernel);
    // A launch without an event only loads a kernel, for PoCL.
    if (index >= 0 && axes == 3 && event) {
        fprintf(
            launches, "%d %s %zu %zu %zu", kernels[index].program, kernels[index].name, global[0], global[1],
            global[2]);
        for (int i = 0; i < kernels[index].parameter_count; i++)
            fprintf(launches, " %d", kernels[index].parameters[i]);
        fputc('\n', launches);
        fflush(launches);
    }
    pthread_mutex_unlock(&lock);
    return driver->clEnqueueNDRangeKernel(queue, kernel, axes, offset, global, local, count, events, event);
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *needed)
{
    static const char text[] = "Launches";
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
    launches = file("launches");
    driver = target;
    layer = *target;
    layer.clCreateProgramWithSource = create_program;
    layer.clCreateKernel = create_kernel;
    layer.clSetKernelArg = set_argument;
    layer.clEnqueueNDRangeKernel = run_kernel;
    *layer_count = sizeof layer / sizeof layer.clGetPlatformIDs;
    *dispatch = &layer;
    return CL_SUCCESS;
}
