// blur_passes.cl: the passes of a gaussian over planes of floats, for OpenCL devices. A program of its own: it is the
// same for every layout. The passes are those of Sources/Compute/SIMD/GaussianRows.swift, in the same order of operations.
//
// The host puts before this file, as macros: FACTOR, how many pixels along each axis are shrunk to one, in this step or
// in all; SPAN, how many values beside each other a work-item takes: one on GPUs, many on CPUs, in loops that compilers
// turn into vectors; BY_ROW or BY_COLUMN, 0 or 1, where the blur's weights change by row or by column.
// Planes have `..._stride` floats a row and `..._plane` floats a plane; the third dimension of the range is the plane.
// Tables `needed` say, for each row of the result, whether anything depends on it; `needed_row` is the one of y = 0.
// Borders: what lies outside the planes that a pass reads counts as the nearest row or column in them.

#define PLANES(name) int name##_stride, int name##_plane
// The work-item's first column and its row; where its plane begins.
#define COLUMN ((int)get_global_id(0) * SPAN)
#define ROW ((int)get_global_id(1))
#define UNROLL _Pragma("unroll")
#define PLANE_OF(name) ((int)get_global_id(2) * name##_plane)

// Pairs of pixels that a shrunk one is made of, from the middle outwards.
#define PAIRS ((3 * FACTOR - 2) / 2)

#if SPAN == 1
#define EACH(i) for (int i = 0; i < 1; i++)
#else
#define EACH(i) for (int i = 0; i < count; i++)
#endif

#define PART_AT_EDGE(i) \
    for (int phase = 0; phase < FACTOR; phase++) \
        phases[phase][i] = row[clamp(start + (i) * FACTOR + phase, 0, width - 1)];
// Sixteen pixels by their place of FACTOR.
#if FACTOR == 2
#define PART(pixels, i) vstore8(pixels.even, 0, phases[0] + i); vstore8(pixels.odd, 0, phases[1] + i);
#elif FACTOR == 4
#define PART(pixels, i)                                                               \
    vstore4(pixels.s048c, 0, phases[0] + i); vstore4(pixels.s159d, 0, phases[1] + i);         \
    vstore4(pixels.s26ae, 0, phases[2] + i); vstore4(pixels.s37bf, 0, phases[3] + i);
#elif FACTOR == 8
#define PART(pixels, i)                                                               \
    vstore2(pixels.s08, 0, phases[0] + i); vstore2(pixels.s19, 0, phases[1] + i);             \
    vstore2(pixels.s2a, 0, phases[2] + i); vstore2(pixels.s3b, 0, phases[3] + i);             \
    vstore2(pixels.s4c, 0, phases[4] + i); vstore2(pixels.s5d, 0, phases[5] + i);             \
    vstore2(pixels.s6e, 0, phases[6] + i); vstore2(pixels.s7f, 0, phases[7] + i);
#endif

// Adds a pair of neighbours to each of the work-item's sums.
#define ADD(weight, before, after) EACH(i) sum[i] = BLUR_TAP(sum[i], weight, (before), (after))

// Along x, every FACTOR pixels to one, from row `to_row` on. Column 0 of `to` is the shrunk column `first_column`, column 0
// of `from`, which has `width`, the column `from_column`.
__kernel void shrink_along_x(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE needed, int needed_row,
    int to_row, int first_column, int from_column, int width, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = COLUMN, y = ROW;
    if (x >= columns || y >= rows || needed[needed_row + y] == 0.0f) return;
    const int count = min(SPAN, columns - x);
    __global const float *restrict row = from + PLANE_OF(from) + y * from_stride;
    float sum[SPAN];
#if SPAN > 1 && FACTOR > 1 && FACTOR <= 8
    // Pixels by their place of FACTOR, from one shrunk pixel before to one after: what is added lies side by side then.
    float phases[FACTOR][SPAN + 16];
    const int start = (first_column + x - 1) * FACTOR - from_column;
    const int last = min(count + 2, (width - start) / FACTOR);
    int place = 0;
    for (; place < min(count + 2, (FACTOR - 1 - start) / FACTOR); place++) PART_AT_EDGE(place)
    for (; place + 16 / FACTOR <= last; place += 16 / FACTOR) {
        const float16 pixels = vload16(0, row + start + place * FACTOR);
        PART(pixels, place)
    }
    for (; place < count + 2; place++) PART_AT_EDGE(place)
#define AT(place) phases[(FACTOR + (place)) % FACTOR][(FACTOR + (place)) / FACTOR + i]
#else
#define AT(place) row[clamp((first_column + x + i) * FACTOR + (place) - from_column, 0, width - 1)]
#endif
    EACH(i) sum[i] = weights[0] * (AT(FACTOR / 2 - 1) + AT(FACTOR / 2));
    UNROLL
    for (int k = 1; k < PAIRS; k++) ADD(weights[k], AT(FACTOR / 2 - 1 - k), AT(FACTOR / 2 + k));
#undef AT
    __global float *restrict result = to + PLANE_OF(to) + (to_row + y) * to_stride + x;
    EACH(i) result[i] = sum[i];
}

// Along y: row `to_row` of `to` is the shrunk row `first_row`; row 0 of `from` is the row `from_row` of those that are
// shrunk, which go from `lowest` to `highest`.
__kernel void shrink_along_y(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE needed, int needed_row,
    int to_row, int first_row, int from_row, int lowest, int highest, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = COLUMN, y = ROW;
    if (x >= columns || y >= rows || needed[needed_row + y] == 0.0f) return;
    const int count = min(SPAN, columns - x);
    __global const float *restrict column = from + PLANE_OF(from) + x;
    const int after = (first_row + y) * FACTOR + FACTOR / 2, before = after - 1;
#define AT(row) column[(clamp(row, lowest, highest) - from_row) * from_stride + i]
    float sum[SPAN];
    EACH(i) sum[i] = weights[0] * (AT(before) + AT(after));
    for (int k = 1; k < PAIRS; k++) ADD(weights[k], AT(before - k), AT(after + k));
#undef AT
    __global float *restrict result = to + PLANE_OF(to) + (to_row + y) * to_stride + x;
    EACH(i) result[i] = sum[i];
}

// The weights of a blur, and how many there are beside the centre's. Where they change by row, `places` says for each row
// where its own begin in `weights`, and their number; where they change by column, it has a number for each column, below 0
// where no result is wanted, and `weights` has those of all columns for each distance.
#if BY_ROW
#define BEGIN_WEIGHTS                                                                      \
    TABLE own_weights = weights + (int)places[2 * (needed_row + y)];                       \
    const int own_radius = (int)places[2 * (needed_row + y) + 1];
#define WEIGHT(k) own_weights[k]
#elif BY_COLUMN
#define BEGIN_WEIGHTS                                                                      \
    int own_radius = -1;                                                                   \
    EACH(i) own_radius = max(own_radius, (int)places[x + i]);                              \
    if (own_radius < 0) return;
#define WEIGHT(k) weights[(k) * columns + x + i]
#else
#define BEGIN_WEIGHTS const int own_radius = radius;
#define WEIGHT(k) weights[k]
#endif

// From row `to_row` on, which may lie before the result's first. `first` is the column of `from` that column 0 of `to` lies on; `from_columns` is how many there are.
__kernel void blur_along_x(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE places, TABLE needed,
    int needed_row, int to_row, int radius, int first, int from_columns, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = COLUMN, y = ROW;
    if (x >= columns || y >= rows || to_row + y < 0 || needed[needed_row + y] == 0.0f) return;
    const int count = min(SPAN, columns - x);
    __global const float *restrict row = from + PLANE_OF(from) + y * from_stride;
    const int centre = first + x;
    BEGIN_WEIGHTS
    float sum[SPAN];
    EACH(i) sum[i] = WEIGHT(0) * row[centre + i];
    if (centre >= own_radius && centre + count - 1 + own_radius < from_columns)
        for (int k = 1; k <= own_radius; k++) ADD(WEIGHT(k), row[centre + i - k], row[centre + i + k]);
    else
        for (int k = 1; k <= own_radius; k++)
            ADD(WEIGHT(k), row[max(centre + i - k, 0)], row[min(centre + i + k, from_columns - 1)]);
    __global float *restrict result = to + PLANE_OF(to) + (to_row + y) * to_stride + x;
    EACH(i) result[i] = sum[i];
}

// `first` is the row of `from` that row 0 of `to` lies on; `from_rows` is how many there are.
__kernel void blur_along_y(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE places, TABLE needed,
    int needed_row, int radius, int first, int from_rows, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = COLUMN, y = ROW;
    if (x >= columns || y >= rows || needed[needed_row + y] == 0.0f) return;
    const int count = min(SPAN, columns - x);
    __global const float *restrict column = from + PLANE_OF(from) + x;
    const int centre = first + y;
    BEGIN_WEIGHTS
#define AT(row) column[(row) * from_stride + i]
    float sum[SPAN];
    EACH(i) sum[i] = WEIGHT(0) * AT(centre);
    for (int k = 1; k <= own_radius; k++) ADD(WEIGHT(k), AT(max(centre - k, 0)), AT(min(centre + k, from_rows - 1)));
#undef AT
    __global float *restrict result = to + PLANE_OF(to) + y * to_stride + x;
    EACH(i) result[i] = sum[i];
}

// Along y, every shrunk row to FACTOR rows. Row 0 of `to` is the photo's row `photo_row`; row 0 of `from` is the shrunk
// row `first_row`. `mask` is by row of the photo, or `mask_by_row` is 0.
__kernel void widen_along_y(
    __global const float *restrict from, __global float *restrict to, TABLE weights, TABLE mask, int mask_by_row,
    int first_row, int photo_row, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = COLUMN, y = ROW;
    if (x >= columns || y >= rows || (mask_by_row && mask[photo_row + y] == 0.0f)) return;
    const int count = min(SPAN, columns - x);
    __global const float *restrict nearest =
        from + PLANE_OF(from) + ((photo_row + y) / FACTOR - first_row) * from_stride + x;
    TABLE phase = weights + 3 * ((photo_row + y) % FACTOR);
    __global float *restrict result = to + PLANE_OF(to) + y * to_stride + x;
    EACH(i) result[i] = BLUR_WIDEN(phase, nearest[i - from_stride], nearest[i], nearest[i + from_stride]);
}

// Along x, every shrunk column to FACTOR columns, which are the photo's, from row `to_row` on; only those of the mask, which
// is by row, from `photo_row` on, or by column. `pattern` is that of block.cl.
__kernel void widen_along_x(
    __global const float *restrict from, __global float *restrict to, TABLE pattern, TABLE mask, int mask_by_row,
    int photo_row, int to_row, int columns, int rows, PLANES(from), PLANES(to))
{
    const int x = COLUMN, y = ROW;
    if (x >= columns || y >= rows || (mask_by_row && mask[photo_row + y] == 0.0f)) return;
    const int count = min(SPAN, columns - x);
    __global const float *restrict row = from + PLANE_OF(from) + y * from_stride;
    __global float *restrict result = to + PLANE_OF(to) + (to_row + y) * to_stride + x;
    EACH(i) {
        if (!mask_by_row && mask[x + i] == 0.0f) continue;
#if FACTOR == 1
        result[i] = row[x + i];
#else
        // Column 0 is one to the left of the photo.
        __global const float *nearest = row + (x + i) / FACTOR + 1;
        const int phase = (x + i) % FACTOR, length = FACTOR > 16 ? FACTOR : 16;
        const float weights[3] = { pattern[phase], pattern[length + phase], pattern[2 * length + phase] };
        result[i] = BLUR_WIDEN(weights, nearest[-1], nearest[0], nearest[1]);
#endif
    }
}
