// opencl.cl: the OpenCL side of the .cl files' vocabulary; cpu/pixel.h is the C side.
#pragma OPENCL FP_CONTRACT OFF

#define FUNCTION inline __attribute__((always_inline))
#define PIXEL_FUNCTION FUNCTION void
#define PRIVATE __private
#define TABLE __global const float *
#define BITS_OF_FLOAT(x) as_uint(x)
#define FLOAT_OF_BITS(x) as_float(x)
