// opencl.cl: defines for OpenCL the macros that the .cl files use; cpu/pixel.h defines them for C.
#pragma OPENCL FP_CONTRACT OFF

#define FUNCTION inline __attribute__((always_inline))
#define PRIVATE __private
#define GLOBAL __global
#define TABLE __global const float *
#define BITS_OF_FLOAT(x) as_uint(x)
#define FLOAT_OF_BITS(x) as_float(x)
