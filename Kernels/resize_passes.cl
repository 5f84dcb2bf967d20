// resize_passes.cl: the passes of a resampling, for OpenCL devices: columns along y, then rows along x. The host
// defines HAS_ALPHA before this file, and CONVERTS: 1 if values are linear light, premultiplied; 0 if they are kept.
// `starts` has the first source pixel for each pixel of the result, `weights` the `taps` weights of each.
// Sums are in the order of the taps, as in cpu/resize_passes.h.

// A work-item computes one value; the third dimension of the range is the plane.
__kernel void resize_y(
    __global const float *restrict from, __global float *restrict to, __global const int *restrict starts,
    TABLE weights, kernels_resize_y_params params)
{
    if (COLUMN >= params.columns || ROW >= params.rows) return;
    const int row = params.first_row + ROW;
    const int start = starts[row] - params.from_row;
    float sum = 0.0f;
    for (int tap = 0; tap < params.taps; tap++)
        sum = sum + weights[row * params.taps + tap] * row_from(from, params.from, start + tap)[COLUMN];
    row_to(to, params.to, ROW)[COLUMN] = sum;
}

// A work-item computes one pixel: its channels, which it converts to sRGB-encoded values with straight alpha.
__kernel void resize_x(
    __global const float *restrict from, __global float *restrict to, __global const int *restrict starts,
    TABLE weights, kernels_resize_x_params params)
{
    if (COLUMN >= params.columns || ROW >= params.rows) return;
    const int start = starts[COLUMN];
    float sums[HAS_ALPHA ? 4 : 3];
#pragma unroll
    for (int plane = 0; plane < (HAS_ALPHA ? 4 : 3); plane++) {
        __global const float *row = from + plane * params.from.plane + ROW * params.from.stride;
        float sum = 0.0f;
        for (int tap = 0; tap < params.taps; tap++)
            sum = sum + weights[COLUMN * params.taps + tap] * row[start + tap];
        sums[plane] = sum;
    }
#if CONVERTS
#if HAS_ALPHA
    // Where a kernel overshoots, the alpha exceeds 1, and so do the premultiplied colours.
    const float inverse = inverse_alpha(sums[3]);
    sums[3] = unit(sums[3]);
    for (int plane = 0; plane < 3; plane++) sums[plane] = encoded_value(sums[plane] * inverse);
#else
    for (int plane = 0; plane < 3; plane++) sums[plane] = encoded_value(sums[plane]);
#endif
#endif
    __global float *result = to + (params.to_row + ROW) * params.to.stride + COLUMN;
    for (int plane = 0; plane < (HAS_ALPHA ? 4 : 3); plane++) result[plane * params.to.plane] = sums[plane];
}
