// Vectors of 128 bits: one block. No instructions of a processor are named here: clang knows SSE2's and NEON's.
#ifndef JPEGCORE_LANES_H
#define JPEGCORE_LANES_H

#include "bit_reader.h"
#include "encoding_table.h"
#include "zigzag.h"

// A vector holds a row of each of these blocks.
enum { LANE_COUNT = 1 };

typedef int16_t lanes16 __attribute__((vector_size(16 * LANE_COUNT)));
typedef int32_t lanes32 __attribute__((vector_size(16 * LANE_COUNT)));
typedef int64_t lanes64 __attribute__((vector_size(16 * LANE_COUNT)));

INLINE lanes16 interleave_low16(lanes16 a, lanes16 b)
{
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

INLINE lanes16 interleave_high16(lanes16 a, lanes16 b)
{
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

INLINE lanes16 interleave_low32(lanes16 a, lanes16 b)
{
    return (lanes16)__builtin_shufflevector((lanes32)a, (lanes32)b, 0, 4, 1, 5);
}

INLINE lanes16 interleave_high32(lanes16 a, lanes16 b)
{
    return (lanes16)__builtin_shufflevector((lanes32)a, (lanes32)b, 2, 6, 3, 7);
}

INLINE lanes16 interleave_low64(lanes16 a, lanes16 b)
{
    return (lanes16)__builtin_shufflevector((lanes64)a, (lanes64)b, 0, 2);
}

INLINE lanes16 interleave_high64(lanes16 a, lanes16 b)
{
    return (lanes16)__builtin_shufflevector((lanes64)a, (lanes64)b, 1, 3);
}

INLINE lanes32 multiply_add(lanes32 sum, lanes16 pairs, lanes16 weights)
{
    const lanes32 even = __builtin_convertvector(__builtin_shufflevector(pairs, pairs, 0, 2, 4, 6), lanes32)
        * __builtin_convertvector(__builtin_shufflevector(weights, weights, 0, 2, 4, 6), lanes32);
    const lanes32 odd = __builtin_convertvector(__builtin_shufflevector(pairs, pairs, 1, 3, 5, 7), lanes32)
        * __builtin_convertvector(__builtin_shufflevector(weights, weights, 1, 3, 5, 7), lanes32);
    return sum + (even + odd);
}

INLINE lanes16 pack16(lanes32 low, lanes32 high)
{
    typedef int32_t both __attribute__((vector_size(32)));
    const both values = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    const both least = (both) {} - 32768, most = (both) {} + 32767;
    return __builtin_convertvector(
        __builtin_elementwise_min(__builtin_elementwise_max(values, least), most), lanes16);
}

// The same 8 values for each block.
INLINE lanes16 repeat(const uint16_t values[8])
{
    lanes16 row;
    memcpy(&row, values, sizeof row);
    return row;
}

// MARK: Coefficients

// Coefficients are stored by rows; numbers beyond the block behind it. These look-ups make two streams slower than one
// (by 8 %).
enum { PROFITS_FROM_STREAMS = false };

INLINE size_t coefficient_index(size_t number) { return number < 64 ? zigzag_to_rows[number] : number; }

// Loads the coefficients of a block, at `offsets`.
INLINE void load_coefficients(const int16_t *coefficients, const uint16_t offsets[], lanes16 rows[8])
{
    memcpy(rows, coefficients + offsets[0], 8 * sizeof *rows);
}

// Whether a magnitude exceeds its limit.
INLINE bool exceed(const lanes16 rows[8], const uint16_t limits[64])
{
    typedef uint16_t unsigned16 __attribute__((vector_size(16 * LANE_COUNT)));
    lanes16 excess = { 0 };
    for (int y = 0; y < 8; y++)
        excess |= (unsigned16)__builtin_elementwise_abs(rows[y]) > (unsigned16)repeat(limits + 8 * y);
    return __builtin_reduce_or(excess) != 0;
}

// Stores the coefficients of a block, at `offsets`.
INLINE void store_coefficients(const lanes16 rows[8], int16_t *coefficients, const uint16_t offsets[])
{
    memcpy(coefficients + offsets[0], rows, 8 * sizeof *rows);
}

// The higher 16 bits of the products of unsigned values.
INLINE lanes16 multiply_high(lanes16 a, lanes16 b)
{
    typedef uint16_t unsigned16 __attribute__((vector_size(16 * LANE_COUNT)));
    typedef uint32_t unsigned32 __attribute__((vector_size(32 * LANE_COUNT)));
    const unsigned32 products = __builtin_convertvector((unsigned16)a, unsigned32)
        * __builtin_convertvector((unsigned16)b, unsigned32);
    return (lanes16) __builtin_convertvector(products >> 16, unsigned16);
}

INLINE lanes16 quantised(lanes16 values, lanes16 reciprocals, lanes16 corrections, lanes16 scales)
{
    const lanes16 signs = values >> 15;
    const lanes16 corrected = ((values ^ signs) - signs) + corrections;
    const lanes16 magnitudes = multiply_high(multiply_high(corrected, reciprocals), scales);
    return (magnitudes ^ signs) - signs;
}

// Bit n says whether coefficient n, in zigzag order, is not zero.
INLINE uint64_t nonzero_coefficients(const int16_t *block, const encoding_table *table)
{
    typedef bool bits8 __attribute__((ext_vector_type(8)));
    uint64_t nonzero = 0;
    for (int y = 0; y < 8; y++) {
        lanes16 row;
        memcpy(&row, block + 8 * y, sizeof row);
        const bits8 bits = __builtin_convertvector(row != 0, bits8);
        nonzero |= table->zigzag_masks[y][__builtin_bit_cast(uint8_t, bits)];
    }
    return nonzero;
}

// MARK: Samples

// Loads 8 x 8 samples of each block, side by side, as values around 0.
INLINE void load_samples(const uint8_t *samples, size_t bytes_per_row, lanes16 rows[8])
{
    typedef uint8_t bytes __attribute__((vector_size(8 * LANE_COUNT)));
    for (size_t y = 0; y < 8; y++) {
        bytes row;
        memcpy(&row, samples + y * bytes_per_row, sizeof row);
        rows[y] = __builtin_convertvector(row, lanes16) - 128;
    }
}

// Writes rows of 8 samples of each lane, side by side, from values around 0. There are 2, 4 or 8.
INLINE void store_samples(const lanes16 rows[], int row_count, uint8_t *samples, size_t bytes_per_row)
{
    typedef uint8_t bytes __attribute__((vector_size(8 * LANE_COUNT)));
    const lanes16 least = (lanes16) {} - 128, most = (lanes16) {} + 127;
    for (int y = 0; y < row_count; y++) {
        const lanes16 limited =
            __builtin_elementwise_min(__builtin_elementwise_max(rows[y], least), most) + 128;
        const bytes row = __builtin_convertvector(limited, bytes);
        memcpy(samples, &row, sizeof row);
        samples += bytes_per_row;
    }
}

#endif
