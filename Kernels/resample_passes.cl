// resample_passes.cl: downsamples and upsamples planes of floats; see planes.cl.
// The host defines the macro FACTOR before this file: the pixels along each axis that become one.
// `needed` tells for each row of the result whether anything depends on it; `mask`, for each row or column of
// the photo.

// A place's number among the FACTOR places, a power of two, that share a downsampled one. Not %: with a division beside it,
// compilers make an instruction that Oclgrind cannot follow.
#define WITHIN(place) ((place) & (FACTOR - 1))

// Pairs of pixels that contribute to a downsampled one, from the middle outwards.
#define PAIRS ((3 * FACTOR - 2) / 2)

// Downsamples along x by FACTOR.
__kernel void downsample_along_x(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE needed,
    kernels_downsample_x_params params)
{
    const int x = COLUMN, y = ROW;
    if (x >= params.columns || y >= params.rows || needed[params.needed_row + y] == 0.0f) return;
    __global const float *row = row_from(from, params.from, y);
    const int after = (params.first_column + x) * FACTOR + FACTOR / 2 - params.from_column,
              before = after - 1;
#define AT(column) row[clamp(column, 0, params.from_columns - 1)]
    float sum = weights[0] * (AT(before) + AT(after));
#pragma unroll
    for (int k = 1; k < PAIRS; k++) sum = BLUR_TAP(sum, weights[k], AT(before - k), AT(after + k));
#undef AT
    row_to(to, params.to, params.to_row + y)[x] = sum;
}

// Downsamples along y by FACTOR.
__kernel void downsample_along_y(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE needed,
    kernels_downsample_y_params params)
{
    const int x = COLUMN, y = ROW;
    if (x >= params.columns || y >= params.rows || needed[params.needed_row + y] == 0.0f) return;
    __global const float *column = row_from(from, params.from, 0) + x;
    const int after = (params.first_row + y) * FACTOR + FACTOR / 2, before = after - 1;
#define AT(row) \
    column[(clamp(row, params.lowest_row, params.highest_row) - params.from_row) * params.from.stride]
    float sum = weights[0] * (AT(before) + AT(after));
    for (int k = 1; k < PAIRS; k++) sum = BLUR_TAP(sum, weights[k], AT(before - k), AT(after + k));
#undef AT
    row_to(to, params.to, params.to_row + y)[x] = sum;
}

// Upsamples along y by FACTOR, to rows of the photo. With a mask by row, only rows where the mask is above 0.
__kernel void upsample_along_y(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE mask,
    kernels_upsample_y_params params)
{
    const int x = COLUMN, y = ROW, row = params.photo_row + y;
    if (x >= params.columns || y >= params.rows || (params.mask_by_row && mask[row] == 0.0f)) return;
    __global const float *nearest = row_from(from, params.from, row / FACTOR - params.from_row) + x;
    const int stride = params.from.stride;
    row_to(to, params.to, y)[x] =
        BLUR_UPSAMPLE(weights + 3 * WITHIN(row), nearest[-stride], nearest[0], nearest[stride]);
}

// Upsamples along x by FACTOR, to columns of the photo. Only rows or columns where the mask is above 0.
__kernel void upsample_along_x(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE mask,
    kernels_upsample_x_params params)
{
    const int x = COLUMN, y = ROW;
    if (x >= params.columns || y >= params.rows) return;
    if (mask[params.mask_by_row ? params.photo_row + y : x] == 0.0f) return;
    __global const float *row = row_from(from, params.from, y);
    __global float *result = row_to(to, params.to, params.to_row + y) + x;
#if FACTOR == 1
    *result = row[x];
#else
    // Column 0 of the source lies one to the left of the photo.
    __global const float *nearest = row + x / FACTOR + 1;
    *result = BLUR_UPSAMPLE(weights + 3 * WITHIN(x), nearest[-1], nearest[0], nearest[1]);
#endif
}
