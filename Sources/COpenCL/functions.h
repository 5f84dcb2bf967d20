// The OpenCL functions that Tintype uses, as FUNCTION(result, name, object, parameters, arguments). A driver's function
// is in the table that each of its objects begins with; `object` is one of them.
FUNCTION(
    cl_int, clGetPlatformInfo, platform,
    (cl_platform_id platform, cl_platform_info name, size_t size, void *value, size_t *needed),
    (platform, name, size, value, needed))
FUNCTION(
    cl_int, clGetDeviceIDs, platform,
    (cl_platform_id platform, cl_device_type type, cl_uint capacity, cl_device_id *devices, cl_uint *count),
    (platform, type, capacity, devices, count))
FUNCTION(
    cl_int, clGetDeviceInfo, device,
    (cl_device_id device, cl_device_info name, size_t size, void *value, size_t *needed),
    (device, name, size, value, needed))

FUNCTION(
    cl_context, clCreateContext, *devices,
    (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
     void(CL_CALLBACK *on_error)(const char *, const void *, size_t, void *), void *data, cl_int *error),
    (properties, count, devices, on_error, data, error))
FUNCTION(
    cl_command_queue, clCreateCommandQueue, context,
    (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *error),
    (context, device, properties, error))
FUNCTION(cl_int, clReleaseCommandQueue, queue, (cl_command_queue queue), (queue))
FUNCTION(cl_int, clFlush, queue, (cl_command_queue queue), (queue))
FUNCTION(cl_int, clFinish, queue, (cl_command_queue queue), (queue))

FUNCTION(
    cl_program, clCreateProgramWithSource, context,
    (cl_context context, cl_uint count, const char **sources, const size_t *sizes, cl_int *error),
    (context, count, sources, sizes, error))
FUNCTION(
    cl_program, clCreateProgramWithBinary, context,
    (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *sizes,
     const unsigned char **binaries, cl_int *statuses, cl_int *error),
    (context, count, devices, sizes, binaries, statuses, error))
FUNCTION(
    cl_int, clBuildProgram, program,
    (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
     void(CL_CALLBACK *on_end)(cl_program, void *), void *data),
    (program, count, devices, options, on_end, data))
FUNCTION(
    cl_int, clGetProgramInfo, program,
    (cl_program program, cl_program_info name, size_t size, void *value, size_t *needed),
    (program, name, size, value, needed))
FUNCTION(
    cl_int, clGetProgramBuildInfo, program,
    (cl_program program, cl_device_id device, cl_program_build_info name, size_t size, void *value,
     size_t *needed),
    (program, device, name, size, value, needed))
FUNCTION(cl_int, clReleaseProgram, program, (cl_program program), (program))

FUNCTION(
    cl_kernel, clCreateKernel, program, (cl_program program, const char *name, cl_int *error),
    (program, name, error))
FUNCTION(
    cl_int, clSetKernelArg, kernel, (cl_kernel kernel, cl_uint index, size_t size, const void *value),
    (kernel, index, size, value))
FUNCTION(
    cl_int, clGetKernelWorkGroupInfo, kernel,
    (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name, size_t size, void *value,
     size_t *needed),
    (kernel, device, name, size, value, needed))
FUNCTION(cl_int, clReleaseKernel, kernel, (cl_kernel kernel), (kernel))
FUNCTION(
    cl_int, clEnqueueNDRangeKernel, queue,
    (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
     const size_t *local, cl_uint count, const cl_event *events, cl_event *event),
    (queue, kernel, dimensions, offset, global, local, count, events, event))

FUNCTION(
    cl_mem, clCreateBuffer, context,
    (cl_context context, cl_mem_flags flags, size_t size, void *memory, cl_int *error),
    (context, flags, size, memory, error))
FUNCTION(cl_int, clReleaseMemObject, buffer, (cl_mem buffer), (buffer))
FUNCTION(
    cl_int, clEnqueueReadBuffer, queue,
    (cl_command_queue queue, cl_mem buffer, cl_bool waits, size_t offset, size_t size, void *memory,
     cl_uint count, const cl_event *events, cl_event *event),
    (queue, buffer, waits, offset, size, memory, count, events, event))
FUNCTION(
    cl_int, clEnqueueWriteBuffer, queue,
    (cl_command_queue queue, cl_mem buffer, cl_bool waits, size_t offset, size_t size, const void *memory,
     cl_uint count, const cl_event *events, cl_event *event),
    (queue, buffer, waits, offset, size, memory, count, events, event))
FUNCTION(
    cl_int, clEnqueueCopyBuffer, queue,
    (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
     cl_uint count, const cl_event *events, cl_event *event),
    (queue, from, to, from_offset, to_offset, size, count, events, event))
FUNCTION(
    cl_int, clEnqueueFillBuffer, queue,
    (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
     size_t size, cl_uint count, const cl_event *events, cl_event *event),
    (queue, buffer, pattern, pattern_size, offset, size, count, events, event))
FUNCTION(
    void *, clEnqueueMapBuffer, queue,
    (cl_command_queue queue, cl_mem buffer, cl_bool waits, cl_map_flags flags, size_t offset, size_t size,
     cl_uint count, const cl_event *events, cl_event *event, cl_int *error),
    (queue, buffer, waits, flags, offset, size, count, events, event, error))
FUNCTION(
    cl_int, clEnqueueUnmapMemObject, queue,
    (cl_command_queue queue, cl_mem buffer, void *address, cl_uint count, const cl_event *events,
     cl_event *event),
    (queue, buffer, address, count, events, event))

FUNCTION(
    cl_int, clEnqueueBarrierWithWaitList, queue,
    (cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event),
    (queue, count, events, event))
FUNCTION(cl_event, clCreateUserEvent, context, (cl_context context, cl_int *error), (context, error))
FUNCTION(cl_int, clSetUserEventStatus, event, (cl_event event, cl_int status), (event, status))
FUNCTION(
    cl_int, clSetEventCallback, event,
    (cl_event event, cl_int status, void(CL_CALLBACK *on_status)(cl_event, cl_int, void *), void *data),
    (event, status, on_status, data))
FUNCTION(
    cl_int, clGetEventInfo, event,
    (cl_event event, cl_event_info name, size_t size, void *value, size_t *needed),
    (event, name, size, value, needed))
FUNCTION(
    cl_int, clGetEventProfilingInfo, event,
    (cl_event event, cl_profiling_info name, size_t size, void *value, size_t *needed),
    (event, name, size, value, needed))
FUNCTION(cl_int, clReleaseEvent, event, (cl_event event), (event))
