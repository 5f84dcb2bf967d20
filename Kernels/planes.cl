// planes.cl: helpers of the passes over planes of floats, for OpenCL devices. The passes do not depend on the
// layout.
// A work-item computes one value of the result; the third dimension of the range is the plane.
// Passes and order of operations are the same as in Sources/CPURendering/GaussianRows.swift.
// Borders: outside the source planes, the nearest row or column is repeated.

#define COLUMN ((int)get_global_id(0))
#define ROW ((int)get_global_id(1))

// The address of a row in the work-item's plane. `at` is the layout of the planes.
FUNCTION __global const float *row_from(__global const float *planes, kernels_float_planes at, int row)
{
    return planes + (int)get_global_id(2) * at.plane + row * at.stride;
}

FUNCTION __global float *row_to(__global float *planes, kernels_float_planes at, int row)
{
    return planes + (int)get_global_id(2) * at.plane + row * at.stride;
}
