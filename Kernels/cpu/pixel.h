// Defines for C the macros that the .cl files use; opencl.cl defines them for OpenCL.
#pragma once
#include <stddef.h>
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

// Rows of floats around a pixel; see window.cl. `rows` is the pixel's own row, between those above and below it.
typedef struct window {
    const kernels_rows *rows;
    ptrdiff_t x;
} window;

#define RED(w, column, row) ((w).rows[row].red[(w).x + (column)])
#define GREEN(w, column, row) ((w).rows[row].green[(w).x + (column)])
#define BLUE(w, column, row) ((w).rows[row].blue[(w).x + (column)])

#define BITS_OF_FLOAT(x) kernels_bits(x)
#define FLOAT_OF_BITS(x) kernels_float(x)
