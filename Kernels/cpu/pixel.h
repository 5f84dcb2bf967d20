// Defines for C the macros that the .cl files use; opencl.cl defines them for OpenCL.
#pragma once
#include <stdint.h>
#include <string.h>

typedef uint32_t uint;

#define FUNCTION static inline __attribute__((always_inline))
#define PRIVATE
#define GLOBAL
#define TABLE const float *restrict

static inline __attribute__((always_inline)) uint kernels_bits(float x)
{
    uint bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline __attribute__((always_inline)) float kernels_float(uint bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#define BITS_OF_FLOAT(x) kernels_bits(x)
#define FLOAT_OF_BITS(x) kernels_float(x)
