// blur_passes.cl: a gaussian over planes of floats, along x and along y; see planes.cl.
// The host defines two macros before this file, each 0 or 1. BY_ROW: the weights change by row. BY_COLUMN:
// they change by column.
// `needed` tells for each row of the result whether anything depends on it.

// The weights of a blur, from distance 0 to `radius`.
// BY_ROW: `places` has two numbers for each row: where its weights begin in `weights`, and their radius.
// BY_COLUMN: `places` has the radius for each column, below 0 if no result is needed; `weights` has for each
// distance the weights of all columns.
#if BY_ROW
#define BEGIN_WEIGHTS                                                       \
    TABLE own_weights = weights + (int)places[2 * (params.needed_row + y)]; \
    const int radius = (int)places[2 * (params.needed_row + y) + 1];
#define WEIGHT(k) own_weights[k]
#elif BY_COLUMN
#define BEGIN_WEIGHTS                  \
    const int radius = (int)places[x]; \
    if (radius < 0) return;
#define WEIGHT(k) weights[(k)*params.columns + x]
#else
#define BEGIN_WEIGHTS const int radius = params.radius;
#define WEIGHT(k) weights[k]
#endif

__kernel void blur_along_x(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE places,
    TABLE needed, kernels_blur_x_params params)
{
    const int x = COLUMN, y = ROW;
    if (x >= params.columns || y >= params.rows || params.to_row + y < 0) return;
    if (needed[params.needed_row + y] == 0.0f) return;
    __global const float *row = row_from(from, params.from, y);
    const int centre = params.from_column + x, last = params.from_columns - 1;
    BEGIN_WEIGHTS
    float sum = WEIGHT(0) * row[centre];
    if (centre >= radius && centre + radius <= last)
        for (int k = 1; k <= radius; k++) sum = BLUR_TAP(sum, WEIGHT(k), row[centre - k], row[centre + k]);
    else
        for (int k = 1; k <= radius; k++)
            sum = BLUR_TAP(sum, WEIGHT(k), row[max(centre - k, 0)], row[min(centre + k, last)]);
    row_to(to, params.to, params.to_row + y)[x] = sum;
}

__kernel void blur_along_y(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE places,
    TABLE needed, kernels_blur_y_params params)
{
    const int x = COLUMN, y = ROW;
    if (x >= params.columns || y >= params.rows || needed[params.needed_row + y] == 0.0f) return;
    __global const float *column = row_from(from, params.from, 0) + x;
    const int centre = params.from_row + y, last = params.from_rows - 1;
    BEGIN_WEIGHTS
#define AT(row) column[(row)*params.from.stride]
    float sum = WEIGHT(0) * AT(centre);
    for (int k = 1; k <= radius; k++)
        sum = BLUR_TAP(sum, WEIGHT(k), AT(max(centre - k, 0)), AT(min(centre + k, last)));
#undef AT
    row_to(to, params.to, y)[x] = sum;
}
