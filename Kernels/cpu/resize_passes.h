// The passes of a resampling: sums of rows, and of pixels along x. Included by level.h.

static void add_rows(
    const kernels_rows *rows, const float *weights, size_t row_count, size_t count, int continues,
    kernels_rows sums)
{
    for (int channel = 0; channel < channel_count(sums); channel++) {
        float *const destination = channel_at(&sums, channel);
        for (size_t x = 0; x < count; x += TILE) {
            lane sum[LANES] = { 0 };
            lane *const at = (lane *)(destination + x);
            if (continues)
                for (int i = 0; i < LANES; i++) sum[i] = at[i];
            for (size_t row = 0; row < row_count; row++) {
                const lane *const source = (const lane *)(channel_at(&rows[row], channel) + x);
                for (int i = 0; i < LANES; i++) sum[i] = sum[i] + weights[row] * source[i];
            }
            for (int i = 0; i < LANES; i++) at[i] = sum[i];
        }
    }
}

// Transposes 16 x 16 floats in four steps. Each step exchanges halves of ever smaller blocks.
FUNCTION void transpose(lane v[LANE])
{
#define EXCHANGE(distance, LOW, HIGH)                                               \
    for (int i = 0; i < LANE; i++) {                                                \
        if (i & (distance)) continue;                                               \
        const lane low = __builtin_shufflevector(v[i], v[i + (distance)], LOW);     \
        v[i + (distance)] = __builtin_shufflevector(v[i], v[i + (distance)], HIGH); \
        v[i] = low;                                                                 \
    }
#define LOW8 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define HIGH8 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#define LOW4 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define HIGH4 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define LOW2 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define HIGH2 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define LOW1 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define HIGH1 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
    EXCHANGE(8, LOW8, HIGH8)
    EXCHANGE(4, LOW4, HIGH4)
    EXCHANGE(2, LOW2, HIGH2)
    EXCHANGE(1, LOW1, HIGH1)
#undef LOW8
#undef HIGH8
#undef LOW4
#undef HIGH4
#undef LOW2
#undef HIGH2
#undef LOW1
#undef HIGH1
#undef EXCHANGE
}

// A result's pixels that are summed at once, and source columns that are transposed at once: 20 KiB in all.
#define RESIZED_COLUMNS 64
#define TRANSPOSED_COLUMNS 256

// Transposes `count` columns of 16 rows from column `first` on: columns[i] is column first + i of all rows.
FUNCTION void transpose_columns(
    const kernels_rows *rows, int channel, size_t first, size_t count, lane columns[TRANSPOSED_COLUMNS])
{
    for (size_t x = 0; x < count; x += LANE) {
        for (int row = 0; row < LANE; row++)
            columns[x + row] = *(const lane *)(channel_at(&rows[row], channel) + first + x);
        transpose(columns + x);
    }
}

// Adds all columns of LANES sums. They are independent, so that one need not wait for the other.
FUNCTION void add_columns(
    const lane *columns, size_t from, const int32_t *starts, const float *weights, size_t taps, lane *sums)
{
    lane sum[LANES];
    const lane *own[LANES];
    for (int i = 0; i < LANES; i++) {
        sum[i] = sums[i];
        own[i] = columns + (size_t)starts[i] - from;
    }
    for (size_t tap = 0; tap < taps; tap++)
        for (int i = 0; i < LANES; i++) sum[i] = sum[i] + weights[(size_t)i * taps + tap] * own[i][tap];
    for (int i = 0; i < LANES; i++) sums[i] = sum[i];
}

// Adds the columns `from` to `to` of one sum, which begins at `start`.
FUNCTION void add_some_columns(
    const lane *columns, size_t from, size_t to, size_t start, const float *weights, size_t taps, lane *sum)
{
    const size_t low = start > from ? start : from, high = start + taps < to ? start + taps : to;
    for (size_t column = low; column < high; column++)
        *sum = *sum + weights[column - start] * columns[column - from];
}

// A vector holds one pixel of 16 rows, so that pixels with different weights need no gathering.
static void resize_rows(
    const kernels_rows *rows, size_t count, const int32_t *starts, const float *weights, size_t taps,
    const kernels_rows *results)
{
    lane columns[TRANSPOSED_COLUMNS], sums[RESIZED_COLUMNS];
    for (int channel = 0; channel < channel_count(rows[0]); channel++) {
        for (size_t x = 0; x < count; x += RESIZED_COLUMNS) {
            const size_t n = count - x < RESIZED_COLUMNS ? count - x : RESIZED_COLUMNS;
            const size_t end = (size_t)starts[x + n - 1] + taps;
            for (size_t i = 0; i < RESIZED_COLUMNS; i++) sums[i] = (lane) { 0 };
            for (size_t from = (size_t)starts[x]; from < end; from += TRANSPOSED_COLUMNS) {
                const size_t to = end - from < TRANSPOSED_COLUMNS ? end : from + TRANSPOSED_COLUMNS;
                transpose_columns(rows, channel, from, to - from, columns);
                for (size_t i = 0; i < n;) {
                    const int32_t *const own = starts + x + i;
                    if (i + LANES <= n && (size_t)own[0] >= from && (size_t)own[LANES - 1] + taps <= to) {
                        add_columns(columns, from, own, weights + (x + i) * taps, taps, sums + i);
                        i += LANES;
                    } else {
                        add_some_columns(
                            columns, from, to, (size_t)own[0], weights + (x + i) * taps, taps, sums + i);
                        i++;
                    }
                }
            }
            for (size_t i = 0; i < n; i += LANE) {
                transpose(sums + i);
                for (int row = 0; row < LANE; row++)
                    *(lane *)(channel_at(&results[row], channel) + x + i) = sums[i + row];
            }
        }
    }
}
