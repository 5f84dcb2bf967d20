// blur_passes.cl: the passes of a gaussian over planes of floats, for OpenCL devices. A program of its own: it is the
// same for every layout. The passes are those of Sources/Compute/SIMD/GaussianRows.swift, in the same order of operations.
//
// Planes have `..._stride` floats a row and `..._plane` floats a plane; the third dimension of the range is the plane.
// Tables `needed` say, for each row of the result, whether anything depends on it; `needed_row` is the one of y = 0.
// Borders: what lies outside the planes that a pass reads counts as the nearest row or column in them.

#define PLANES(name) int name##_stride, int name##_plane

// Along x, every `factor` pixels to one: `pairs` pairs of pixels around their middle. Column 0 of `to` is the shrunk
// column `first_column`.
__kernel void shrink_along_x(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE needed, int needed_row,
    int factor, int pairs, int first_column, int width, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= columns || y >= rows || needed[needed_row + y] == 0.0f) return;
    __global const float *row = from + (int)get_global_id(2) * from_plane + y * from_stride;
    const int after = (first_column + x) * factor + factor / 2, before = after - 1;
    float sum = weights[0] * (row[clamp(before, 0, width - 1)] + row[clamp(after, 0, width - 1)]);
    for (int k = 1; k < pairs; k++)
        sum = BLUR_TAP(sum, weights[k], row[clamp(before - k, 0, width - 1)], row[clamp(after + k, 0, width - 1)]);
    to[(int)get_global_id(2) * to_plane + y * to_stride + x] = sum;
}

// Along y: row 0 of `to` is the shrunk row `first_row`; row 0 of `from` is the photo's row `photo_row`.
__kernel void shrink_along_y(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE needed, int needed_row,
    int factor, int pairs, int first_row, int photo_row, int photo_height, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= columns || y >= rows || needed[needed_row + y] == 0.0f) return;
    __global const float *column = from + (int)get_global_id(2) * from_plane + x;
    const int after = (first_row + y) * factor + factor / 2, before = after - 1, last = photo_height - 1;
    float sum = weights[0]
        * (column[(clamp(before, 0, last) - photo_row) * from_stride]
            + column[(clamp(after, 0, last) - photo_row) * from_stride]);
    for (int k = 1; k < pairs; k++)
        sum = BLUR_TAP(
            sum, weights[k], column[(clamp(before - k, 0, last) - photo_row) * from_stride],
            column[(clamp(after + k, 0, last) - photo_row) * from_stride]);
    to[(int)get_global_id(2) * to_plane + y * to_stride + x] = sum;
}

// `first` is the column of `from` that column 0 of `to` lies on; `from_columns` is how many there are.
__kernel void blur_along_x(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE needed, int needed_row,
    int radius, int first, int from_columns, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= columns || y >= rows || needed[needed_row + y] == 0.0f) return;
    __global const float *row = from + (int)get_global_id(2) * from_plane + y * from_stride;
    const int centre = first + x;
    float sum = weights[0] * row[centre];
    if (centre >= radius && centre + radius < from_columns)
        for (int k = 1; k <= radius; k++) sum = BLUR_TAP(sum, weights[k], row[centre - k], row[centre + k]);
    else
        for (int k = 1; k <= radius; k++)
            sum = BLUR_TAP(sum, weights[k], row[max(centre - k, 0)], row[min(centre + k, from_columns - 1)]);
    to[(int)get_global_id(2) * to_plane + y * to_stride + x] = sum;
}

// `first` is the row of `from` that row 0 of `to` lies on; `from_rows` is how many there are.
__kernel void blur_along_y(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE needed, int needed_row,
    int radius, int first, int from_rows, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= columns || y >= rows || needed[needed_row + y] == 0.0f) return;
    __global const float *column = from + (int)get_global_id(2) * from_plane + x;
    const int centre = first + y;
    float sum = weights[0] * column[centre * from_stride];
    for (int k = 1; k <= radius; k++)
        sum = BLUR_TAP(
            sum, weights[k], column[max(centre - k, 0) * from_stride],
            column[min(centre + k, from_rows - 1) * from_stride]);
    to[(int)get_global_id(2) * to_plane + y * to_stride + x] = sum;
}

// Along y, every shrunk row to `factor` rows. Row 0 of `to` is the photo's row `photo_row`; row 0 of `from` is the shrunk
// row `first_row`. `mask` is by row of the photo, or `mask_by_row` is 0.
__kernel void widen_along_y(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE mask, int mask_by_row,
    int factor, int first_row, int photo_row, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= columns || y >= rows || (mask_by_row && mask[photo_row + y] == 0.0f)) return;
    __global const float *nearest = from + (int)get_global_id(2) * from_plane
        + ((photo_row + y) / factor - first_row) * from_stride + x;
    const TABLE phase = weights + 3 * ((photo_row + y) % factor);
    to[(int)get_global_id(2) * to_plane + y * to_stride + x] =
        BLUR_WIDEN(phase, nearest[-from_stride], nearest[0], nearest[from_stride]);
}
