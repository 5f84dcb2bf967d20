// The inverse DCT to 4 x 4, 2 x 2 or 1 sample a block, as in libjpeg's jidctred.c: the means of 2 x 2, 4 x 4 or all
// 8 x 8 samples before these are rounded. In each dimension, such means do not depend on coefficient 4, and those of
// 4 only on 0 and the odd ones. Include it after the level's lanes.
#ifndef JPEGCORE_REDUCED_DCT_H
#define JPEGCORE_REDUCED_DCT_H

#include "dct.h"

// The constants of jidctred.c.
enum {
    FIX_0_211 = 1730,  // sqrt(2) * (c1 - c3)
    FIX_0_509 = 4176,  // sqrt(2) * (c5 - c7)
    FIX_0_601 = 4926,  // sqrt(2) * (c1 - c5)
    FIX_0_720 = 5906,  // sqrt(2) * (c1 - c3 + c5 - c7)
    FIX_0_850 = 6967,  // sqrt(2) * (-c1 + c3 + c5 + c7)
    FIX_1_061 = 8697,  // sqrt(2) * (c5 + c7)
    FIX_1_272 = 10426, // sqrt(2) * (c1 - c3 + c5 + c7)
    FIX_1_451 = 11893, // sqrt(2) * (c3 + c7)
    FIX_2_172 = 17799, // sqrt(2) * (c1 + c5)
    FIX_3_624 = 29692  // sqrt(2) * (c1 + c3 + c5 + c7)
};

// A pass from 8 rows to 4. Results are shifted right by `shift`, rounded half up.
INLINE void pass_to_4(const lanes16 in[8], lanes16 out[4], int shift)
{
    const lanes32 half = (lanes32) {} + (1 << (shift - 1)), zero = {};
    lanes32 sums[4][2];
    for (int high = 0; high < 2; high++) {
        const lanes16 first = interleave16(in[0], in[0], high), even26 = interleave16(in[2], in[6], high);
        const lanes16 odd75 = interleave16(in[7], in[5], high), odd31 = interleave16(in[3], in[1], high);

        const lanes32 mean = multiply_add(half, first, pair(FIX_1, FIX_1));
        const lanes32 even = multiply_add(zero, even26, pair(FIX_1_847, -FIX_0_765));
        const lanes32 outer = multiply_add(
            multiply_add(zero, odd75, pair(-FIX_0_509, -FIX_0_601)), odd31, pair(FIX_0_899, FIX_2_562));
        const lanes32 inner = multiply_add(
            multiply_add(zero, odd75, pair(-FIX_0_211, FIX_1_451)), odd31, pair(-FIX_2_172, FIX_1_061));
        sums[0][high] = mean + even + outer;
        sums[1][high] = mean - even + inner;
        sums[2][high] = mean - even - inner;
        sums[3][high] = mean + even - outer;
    }
    for (int n = 0; n < 4; n++) out[n] = pack16(sums[n][0] >> shift, sums[n][1] >> shift);
}

// A pass from 8 rows to 2.
INLINE void pass_to_2(const lanes16 in[8], lanes16 out[2], int shift)
{
    const lanes32 half = (lanes32) {} + (1 << (shift - 1)), zero = {};
    lanes32 sums[2][2];
    for (int high = 0; high < 2; high++) {
        const lanes16 first = interleave16(in[0], in[0], high);
        const lanes16 odd75 = interleave16(in[7], in[5], high), odd31 = interleave16(in[3], in[1], high);

        const lanes32 mean = multiply_add(half, first, pair(2 * FIX_1, 2 * FIX_1));
        const lanes32 odd = multiply_add(
            multiply_add(zero, odd75, pair(-FIX_0_720, FIX_0_850)), odd31, pair(-FIX_1_272, FIX_3_624));
        sums[0][high] = mean + odd;
        sums[1][high] = mean - odd;
    }
    for (int n = 0; n < 2; n++) out[n] = pack16(sums[n][0] >> shift, sums[n][1] >> shift);
}

// Two neighbouring blocks of 4 x 4 samples a lane. `rows`: 4 of each after the first pass; in the end 4 of both.
INLINE void second_pass_to_4(lanes16 rows[8])
{
    lanes16 columns[4];
    transpose(rows);
    pass_to_4(rows, columns, FIX_BITS + PASS_BITS + 4);
    // Each column has four samples of the left block, then four of the right one.
    for (int high = 0; high < 2; high++) {
        const lanes16 first = interleave16(columns[0], columns[1], high);
        const lanes16 last = interleave16(columns[2], columns[3], high);
        rows[4 + high] = interleave_low32(first, last);
        rows[6 + high] = interleave_high32(first, last);
    }
    for (int n = 0; n < 2; n++) {
        const lanes16 left = rows[4 + 2 * n], right = rows[5 + 2 * n];
        rows[2 * n] = interleave_low64(left, right);
        rows[2 * n + 1] = interleave_high64(left, right);
    }
}

// Four neighbouring blocks of 2 x 2 samples a lane. `rows`: 2 of each after the first pass; in the end 2 of all.
INLINE void second_pass_to_2(lanes16 rows[8])
{
    lanes16 columns[2];
    transpose(rows);
    pass_to_2(rows, columns, FIX_BITS + PASS_BITS + 5);
    // Pairs of samples: the upper and the lower ones of blocks 0 and 1, then those of blocks 2 and 3.
    const lanes16 first = interleave_low16(columns[0], columns[1]);
    const lanes16 last = interleave_high16(columns[0], columns[1]);
    const lanes16 even = interleave_low32(first, last), odd = interleave_high32(first, last);
    rows[0] = interleave_low32(even, odd);
    rows[1] = interleave_high32(even, odd);
}

// The mean of a block. Returns false if its coefficient exceeds COLUMN_LIMIT.
static bool transform_to_1(
    const int16_t *coefficients, const uint16_t offsets[], size_t count, const dequantization *table,
    uint8_t *samples)
{
    for (size_t n = 0; n < count; n++) {
        const int dc = coefficients[offsets[n]] * table->steps[0];
        if (dc < -COLUMN_LIMIT || dc > COLUMN_LIMIT) return false;
        const int mean = 128 + ((dc + 4) >> 3);
        samples[n] = (uint8_t)(mean < 0 ? 0 : mean > 255 ? 255 : mean);
    }
    return true;
}

#endif
