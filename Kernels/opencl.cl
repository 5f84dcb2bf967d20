// opencl.cl: the OpenCL side of the .cl files' vocabulary; cpu/pixel.h is the C side.
#pragma OPENCL FP_CONTRACT OFF

#define FUNCTION inline __attribute__((always_inline))
#define PIXEL_FUNCTION FUNCTION void
#define PRIVATE __private
// Loops over many pixels become vectors thanks to `restrict`. GPUs gain nothing by it, and oclgrind 21.10 cannot run what
// becomes of it in functions.
#if LOOPS
#define TABLE __global const float *restrict
#else
#define TABLE __global const float *
#endif
#define BITS_OF_FLOAT(x) as_uint(x)
#define FLOAT_OF_BITS(x) as_float(x)
