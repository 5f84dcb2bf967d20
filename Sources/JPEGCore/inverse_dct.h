// The inverse DCT (T.81, A.3.3) as in libjpeg's jidctint.c: Loeffler, Ligtenberg and Moschytz, "Practical Fast 1-D
// DCT Algorithms with 11 Multiplications", ICASSP 1989. Include it after the level's lanes.
#include "dct.h"
#include "level.h"
#include "reduced_dct.h"

// One pass over the columns of each block. Results are shifted right by `shift`, rounded half up.
INLINE void inverse_pass(lanes16 rows[8], int shift)
{
    const lanes32 half = (lanes32) {} + (1 << (shift - 1)), zero = {};
    const lanes16 sum73 = rows[7] + rows[3], sum51 = rows[5] + rows[1];
    lanes32 out[8][2];
    for (int high = 0; high < 2; high++) {
        const lanes16 even04 = interleave16(rows[0], rows[4], high),
                      even26 = interleave16(rows[2], rows[6], high);
        const lanes16 sums = interleave16(sum73, sum51, high);
        const lanes16 odd71 = interleave16(rows[7], rows[1], high),
                      odd53 = interleave16(rows[5], rows[3], high);

        const lanes32 plus04 = multiply_add(half, even04, pair(FIX_1, FIX_1));
        const lanes32 minus04 = multiply_add(half, even04, pair(FIX_1, -FIX_1));
        const lanes32 plus26 = multiply_add(zero, even26, pair(FIX_0_541 + FIX_0_765, FIX_0_541));
        const lanes32 minus26 = multiply_add(zero, even26, pair(FIX_0_541, FIX_0_541 - FIX_1_847));
        const lanes32 even[4] = { plus04 + plus26, minus04 + minus26, minus04 - minus26, plus04 - plus26 };

        const lanes32 first = multiply_add(zero, sums, pair(FIX_1_175 - FIX_1_961, FIX_1_175));
        const lanes32 second = multiply_add(zero, sums, pair(FIX_1_175, FIX_1_175 - FIX_0_390));
        const lanes32 odd[4] = {
            multiply_add(second, odd71, pair(-FIX_0_899, FIX_1_501 - FIX_0_899)),
            multiply_add(first, odd53, pair(-FIX_2_562, FIX_3_072 - FIX_2_562)),
            multiply_add(second, odd53, pair(FIX_2_053 - FIX_2_562, -FIX_2_562)),
            multiply_add(first, odd71, pair(FIX_0_298 - FIX_0_899, -FIX_0_899)),
        };
        for (int n = 0; n < 4; n++) {
            out[n][high] = even[n] + odd[n];
            out[7 - n][high] = even[n] - odd[n];
        }
    }
    for (int n = 0; n < 8; n++) rows[n] = pack16(out[n][0] >> shift, out[n][1] >> shift);
}

// Whether the sums of a block's magnitudes are within COLUMN_LIMIT.
static bool columns_are_small(const int16_t *block, const dequantization *table)
{
    for (int x = 0; x < 8; x++) {
        int sum = 0;
        for (int y = 0; y < 8; y++) {
            const int coefficient = block[coefficient_index(rows_to_zigzag[8 * y + x])];
            sum += (coefficient < 0 ? -coefficient : coefficient) * table->steps[8 * y + x];
            // At once: two products may exceed 32 bits.
            if (sum > COLUMN_LIMIT) return false;
        }
    }
    return true;
}

// Loads LANE_COUNT blocks and dequantises them.
INLINE bool load_dequantised(
    const int16_t *coefficients, const uint16_t offsets[], const dequantization *table, lanes16 rows[8])
{
    load_coefficients(coefficients, offsets, rows);
    if (unlikely(exceed(rows, table->limits)))
        for (int n = 0; n < LANE_COUNT; n++)
            if (!columns_are_small(coefficients + offsets[n], table)) return false;
    for (int y = 0; y < 8; y++) rows[y] *= repeat(table->steps + 8 * y);
    return true;
}

// Transforms 8 / `size` neighbouring blocks a lane: together they are 8 samples wide.
INLINE bool transform_blocks(
    int size, const int16_t *coefficients, const uint16_t offsets[], const dequantization *table,
    uint8_t *samples, size_t bytes_per_row)
{
    const int neighbours = 8 / size;
    lanes16 rows[8];
    for (int n = 0; n < neighbours; n++) {
        uint16_t parts[LANE_COUNT];
        lanes16 in[8];
        for (int lane = 0; lane < LANE_COUNT; lane++) parts[lane] = offsets[lane * neighbours + n];
        if (!load_dequantised(coefficients, parts, table, in)) return false;
        switch (size) {
        case 4: pass_to_4(in, rows + 4 * n, FIX_BITS - PASS_BITS + 1); break;
        case 2: pass_to_2(in, rows + 2 * n, FIX_BITS - PASS_BITS + 2); break;
        default: inverse_pass(in, FIX_BITS - PASS_BITS); memcpy(rows, in, sizeof rows);
        }
    }
    switch (size) {
    case 4: second_pass_to_4(rows); break;
    case 2: second_pass_to_2(rows); break;
    default:
        transpose(rows);
        inverse_pass(rows, FIX_BITS + PASS_BITS + 3);
        transpose(rows);
    }
    store_samples(rows, size, samples, bytes_per_row);
    return true;
}

INLINE bool transform_row(
    int size, const int16_t *coefficients, const uint16_t *offsets, size_t count, const dequantization *table,
    uint8_t *samples, size_t bytes_per_row)
{
    const size_t step = (size_t)(LANE_COUNT * 8 / size);
    for (; count >= step; count -= step) {
        if (!transform_blocks(size, coefficients, offsets, table, samples, bytes_per_row)) return false;
        offsets += step;
        samples += 8 * LANE_COUNT;
    }
    if (count == 0) return true;
    // Lanes without a block repeat the first one. Nothing is written behind the last block.
    uint16_t padded[LANE_COUNT * 4];
    uint8_t wide[8][8 * LANE_COUNT];
    for (size_t n = 0; n < step; n++) padded[n] = offsets[n < count ? n : 0];
    if (!transform_blocks(size, coefficients, padded, table, wide[0], sizeof wide[0])) return false;
    for (int y = 0; y < size; y++) memcpy(samples + (size_t)y * bytes_per_row, wide[y], (size_t)size * count);
    return true;
}

static bool inverse_transform(
    int size, const int16_t *coefficients, const uint16_t *offsets, size_t count, const dequantization *table,
    uint8_t *samples, size_t bytes_per_row)
{
    switch (size) {
    case 1: return transform_to_1(coefficients, offsets, count, table, samples);
    case 2: return transform_row(2, coefficients, offsets, count, table, samples, bytes_per_row);
    case 4: return transform_row(4, coefficients, offsets, count, table, samples, bytes_per_row);
    default: return transform_row(8, coefficients, offsets, count, table, samples, bytes_per_row);
    }
}
