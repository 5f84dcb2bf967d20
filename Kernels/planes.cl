// planes.cl: what passes over planes of floats share, for OpenCL devices. They are the same for every layout. A work-item
// takes one value of the result; the third dimension of the range is the plane.
// The passes are those of Sources/CPURendering/GaussianRows.swift, in the same order of operations.
// Borders: what lies outside the planes that a pass reads counts as the nearest row or column in them.

#define COLUMN ((int)get_global_id(0))
#define ROW ((int)get_global_id(1))

// Where the work-item's plane has a row; `at` says where its planes lie.
FUNCTION __global const float *row_from(__global const float *planes, kernels_float_planes at, int row)
{
    return planes + (int)get_global_id(2) * at.plane + row * at.stride;
}

FUNCTION __global float *row_to(__global float *planes, kernels_float_planes at, int row)
{
    return planes + (int)get_global_id(2) * at.plane + row * at.stride;
}
