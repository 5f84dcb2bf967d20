// The forward DCT (T.81, A.3.3) and quantisation as in libjpeg's jfdctint.c and jcdctmgr.c: the transposed flow graph
// of the inverse. Include it after the level's lanes.
#include "dct.h"
#include "level.h"

// One pass over the columns of each block. The first scales its results by 4; the second, by 1 / 4, rounded half up.
INLINE void forward_pass(lanes16 rows[8], bool is_first)
{
    const int shift = is_first ? FIX_BITS - PASS_BITS : FIX_BITS + PASS_BITS;
    const lanes32 half = (lanes32) {} + (1 << (shift - 1));
    lanes16 sums[4], differences[4];
    for (int n = 0; n < 4; n++) {
        sums[n] = rows[n] + rows[7 - n];
        differences[n] = rows[n] - rows[7 - n];
    }
    const lanes16 outer = sums[0] + sums[3], inner = sums[1] + sums[2];
    const lanes16 outer_difference = sums[0] - sums[3], inner_difference = sums[1] - sums[2];
    const lanes16 odd31 = differences[3] + differences[1], odd20 = differences[2] + differences[0];
    lanes32 out[8][2];
    for (int high = 0; high < 2; high++) {
        const lanes16 even = interleave16(outer_difference, inner_difference, high);
        const lanes16 odd = interleave16(odd31, odd20, high);
        const lanes16 odd30 = interleave16(differences[3], differences[0], high);
        const lanes16 odd21 = interleave16(differences[2], differences[1], high);
        const lanes32 first = multiply_add(half, odd, pair(FIX_1_175 - FIX_1_961, FIX_1_175));
        const lanes32 second = multiply_add(half, odd, pair(FIX_1_175, FIX_1_175 - FIX_0_390));
        out[2][high] = multiply_add(half, even, pair(FIX_0_541 + FIX_0_765, FIX_0_541));
        out[6][high] = multiply_add(half, even, pair(FIX_0_541, FIX_0_541 - FIX_1_847));
        out[7][high] = multiply_add(first, odd30, pair(FIX_0_298 - FIX_0_899, -FIX_0_899));
        out[1][high] = multiply_add(second, odd30, pair(-FIX_0_899, FIX_1_501 - FIX_0_899));
        out[5][high] = multiply_add(second, odd21, pair(FIX_2_053 - FIX_2_562, -FIX_2_562));
        out[3][high] = multiply_add(first, odd21, pair(-FIX_2_562, FIX_3_072 - FIX_2_562));
    }
    const lanes16 sum = outer + inner, difference = outer - inner;
    const lanes16 half_step = (lanes16) {} + (1 << (PASS_BITS - 1));
    rows[0] = is_first ? sum << PASS_BITS : (sum + half_step) >> PASS_BITS;
    rows[4] = is_first ? difference << PASS_BITS : (difference + half_step) >> PASS_BITS;
    for (int n = 1; n < 8; n++)
        if (n != 4) rows[n] = pack16(out[n][0] >> shift, out[n][1] >> shift);
}

// Transforms and quantises LANE_COUNT blocks.
INLINE void forward_blocks(
    const uint8_t *samples, size_t bytes_per_row, const quantization *table, int16_t *coefficients,
    const uint16_t offsets[])
{
    lanes16 rows[8];
    load_samples(samples, bytes_per_row, rows);
    transpose(rows);
    forward_pass(rows, true);
    transpose(rows);
    forward_pass(rows, false);
    for (int y = 0; y < 8; y++)
        rows[y] = quantised(
            rows[y], repeat(table->reciprocals + 8 * y), repeat(table->corrections + 8 * y),
            repeat(table->scales + 8 * y));
    store_coefficients(rows, coefficients, offsets);
}

static void forward_transform(
    const uint8_t *samples, size_t bytes_per_row, size_t count, const quantization *table,
    int16_t *coefficients, const uint16_t *offsets)
{
    for (; count >= LANE_COUNT; count -= LANE_COUNT) {
        forward_blocks(samples, bytes_per_row, table, coefficients, offsets);
        samples += 8 * LANE_COUNT;
        offsets += LANE_COUNT;
    }
    if (count == 0) return;
    // Nothing is read or written behind the last block: further lanes write the first one again.
    uint16_t padded[LANE_COUNT];
    uint8_t wide[8][8 * LANE_COUNT];
    for (size_t y = 0; y < 8; y++)
        for (size_t n = 0; n < LANE_COUNT; n++)
            memcpy(wide[y] + 8 * n, samples + y * bytes_per_row + 8 * (n < count ? n : 0), 8);
    for (size_t n = 0; n < LANE_COUNT; n++) padded[n] = offsets[n < count ? n : 0];
    forward_blocks(wide[0], sizeof wide[0], table, coefficients, padded);
}
