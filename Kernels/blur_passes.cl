// blur_passes.cl: the two passes of a gaussian over planes of floats, for OpenCL devices. A program of its own: it is the
// same for every layout.
// Planes of floats have `stride` floats a row and `plane` floats a plane; the third dimension is the plane. `mask` and
// `needed` are tables over the photo's rows (or columns); `photo_row` is the photo's row that y = 0 is.
// Borders: the photo's edge pixels are repeated outwards.

__kernel void blur_along_x(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE needed, int radius, int width,
    int rows, int photo_row, int stride, int plane)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= width || y >= rows || needed[photo_row + y] == 0.0f) return;
    __global const float *row = from + (int)get_global_id(2) * plane + y * stride;
    float sum = weights[0] * row[x];
    if (x >= radius && x + radius < width)
        for (int k = 1; k <= radius; k++) sum = BLUR_TAP(sum, weights[k], row[x - k], row[x + k]);
    else
        for (int k = 1; k <= radius; k++)
            sum = BLUR_TAP(sum, weights[k], row[max(x - k, 0)], row[min(x + k, width - 1)]);
    to[(int)get_global_id(2) * plane + y * stride + x] = sum;
}

// `first` is the row of `from` that the result's first one is.
__kernel void blur_along_y(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE mask, int mask_by_row, int radius, int width,
    int rows, int photo_row, int first, int from_rows, int stride, int plane)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= width || y >= rows || (mask_by_row && mask[photo_row + y] == 0.0f)) return;
    __global const float *column = from + (int)get_global_id(2) * plane + x;
    const int centre = first + y;
    float sum = weights[0] * column[centre * stride];
    for (int k = 1; k <= radius; k++)
        sum = BLUR_TAP(
            sum, weights[k], column[max(centre - k, 0) * stride], column[min(centre + k, from_rows - 1) * stride]);
    to[(int)get_global_id(2) * plane + y * stride + x] = sum;
}
