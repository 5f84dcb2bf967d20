// Defines for C what window.cl names; opencl.cl defines it for OpenCL.
#pragma once
#include <stddef.h>
#include "Kernels.h"

// Rows of floats around a pixel; see window.cl. `rows` is the pixel's own row, between those above and below it.
typedef struct window {
    const kernels_rows *rows;
    ptrdiff_t x;
} window;

#define RED(w, column, row) ((w).rows[row].red[(w).x + (column)])
#define GREEN(w, column, row) ((w).rows[row].green[(w).x + (column)])
#define BLUE(w, column, row) ((w).rows[row].blue[(w).x + (column)])
