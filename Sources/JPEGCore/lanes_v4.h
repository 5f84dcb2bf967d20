// Vectors of 512 bits: four blocks. AVX-512 with VBMI, VBMI2 and VNNI.
#ifndef JPEGCORE_LANES_H
#define JPEGCORE_LANES_H

#include "bit_reader.h"
#include "encoding_table.h"
#include "zigzag.h"
#include <immintrin.h>

// A vector holds a row of each of these blocks.
enum { LANE_COUNT = 4 };

typedef int16_t lanes16 __attribute__((vector_size(16 * LANE_COUNT)));
typedef int32_t lanes32 __attribute__((vector_size(16 * LANE_COUNT)));

INLINE lanes16 interleave_low16(lanes16 a, lanes16 b)
{
    return (lanes16)_mm512_unpacklo_epi16((__m512i)a, (__m512i)b);
}

INLINE lanes16 interleave_high16(lanes16 a, lanes16 b)
{
    return (lanes16)_mm512_unpackhi_epi16((__m512i)a, (__m512i)b);
}

INLINE lanes16 interleave_low32(lanes16 a, lanes16 b)
{
    return (lanes16)_mm512_unpacklo_epi32((__m512i)a, (__m512i)b);
}

INLINE lanes16 interleave_high32(lanes16 a, lanes16 b)
{
    return (lanes16)_mm512_unpackhi_epi32((__m512i)a, (__m512i)b);
}

INLINE lanes16 interleave_low64(lanes16 a, lanes16 b)
{
    return (lanes16)_mm512_unpacklo_epi64((__m512i)a, (__m512i)b);
}

INLINE lanes16 interleave_high64(lanes16 a, lanes16 b)
{
    return (lanes16)_mm512_unpackhi_epi64((__m512i)a, (__m512i)b);
}

INLINE lanes32 multiply_add(lanes32 sum, lanes16 pairs, lanes16 weights)
{
    return (lanes32)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)pairs, (__m512i)weights);
}

INLINE lanes16 pack16(lanes32 low, lanes32 high)
{
    return (lanes16)_mm512_packs_epi32((__m512i)low, (__m512i)high);
}

// The same 8 values for each block.
INLINE lanes16 repeat(const uint16_t values[8])
{
    return (lanes16)_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)values));
}

// MARK: Coefficients

enum { PROFITS_FROM_STREAMS = true };

// Coefficients stay in zigzag order; a permutation sorts them when a block is loaded.
INLINE size_t coefficient_index(size_t number) { return number; }

// Transposes 4 x 4 parts of 128 bits: part i of vector j becomes part j of vector i.
INLINE void transpose_parts(const __m512i in[4], lanes16 out[4])
{
    const __m512i a = _mm512_shuffle_i32x4(in[0], in[1], 0x44), b = _mm512_shuffle_i32x4(in[2], in[3], 0x44);
    const __m512i c = _mm512_shuffle_i32x4(in[0], in[1], 0xEE), d = _mm512_shuffle_i32x4(in[2], in[3], 0xEE);
    out[0] = (lanes16)_mm512_shuffle_i32x4(a, b, 0x88);
    out[1] = (lanes16)_mm512_shuffle_i32x4(a, b, 0xDD);
    out[2] = (lanes16)_mm512_shuffle_i32x4(c, d, 0x88);
    out[3] = (lanes16)_mm512_shuffle_i32x4(c, d, 0xDD);
}

// Loads the coefficients of four blocks, at `offsets`.
INLINE void load_coefficients(const int16_t *coefficients, const uint16_t offsets[], lanes16 rows[8])
{
    const __m512i upper = _mm512_loadu_si512(rows_to_zigzag), lower = _mm512_loadu_si512(rows_to_zigzag + 32);
    __m512i first[LANE_COUNT], last[LANE_COUNT];
    for (int n = 0; n < LANE_COUNT; n++) {
        const int16_t *block = coefficients + offsets[n];
        const __m512i low = _mm512_load_si512(block), high = _mm512_load_si512(block + 32);
        first[n] = _mm512_permutex2var_epi16(low, upper, high);
        last[n] = _mm512_permutex2var_epi16(low, lower, high);
    }
    transpose_parts(first, rows);
    transpose_parts(last, rows + 4);
}

// Whether a magnitude exceeds its limit.
INLINE bool exceed(const lanes16 rows[8], const uint16_t limits[64])
{
    __mmask32 within = ~(__mmask32)0;
    for (int y = 0; y < 8; y++)
        within = _mm512_mask_cmple_epu16_mask(
            within, _mm512_abs_epi16((__m512i)rows[y]), (__m512i)repeat(limits + 8 * y));
    return within != ~(__mmask32)0;
}

// Stores the coefficients of four blocks, at `offsets`.
INLINE void store_coefficients(const lanes16 rows[8], int16_t *coefficients, const uint16_t offsets[])
{
    const __m512i low = _mm512_loadu_si512(zigzag_to_rows), high = _mm512_loadu_si512(zigzag_to_rows + 32);
    lanes16 first[LANE_COUNT], last[LANE_COUNT];
    transpose_parts((const __m512i *)rows, first);
    transpose_parts((const __m512i *)rows + 4, last);
    for (int n = 0; n < LANE_COUNT; n++) {
        int16_t *block = coefficients + offsets[n];
        _mm512_store_si512(block, _mm512_permutex2var_epi16((__m512i)first[n], low, (__m512i)last[n]));
        _mm512_store_si512(block + 32, _mm512_permutex2var_epi16((__m512i)first[n], high, (__m512i)last[n]));
    }
}

INLINE lanes16 quantised(lanes16 values, lanes16 reciprocals, lanes16 corrections, lanes16 scales)
{
    const __mmask32 is_negative = _mm512_movepi16_mask((__m512i)values);
    const __m512i corrected = _mm512_add_epi16(_mm512_abs_epi16((__m512i)values), (__m512i)corrections);
    const __m512i magnitudes =
        _mm512_mulhi_epu16(_mm512_mulhi_epu16(corrected, (__m512i)reciprocals), (__m512i)scales);
    return (lanes16)_mm512_mask_sub_epi16(magnitudes, is_negative, _mm512_setzero_si512(), magnitudes);
}

// Bit n says whether coefficient n, in zigzag order, is not zero.
INLINE uint64_t nonzero_coefficients(const int16_t *block, const encoding_table *table)
{
    (void)table;
    const __m512i low = _mm512_loadu_si512(block), high = _mm512_loadu_si512(block + 32);
    return _mm512_test_epi16_mask(low, low) | (uint64_t)_mm512_test_epi16_mask(high, high) << 32;
}

// MARK: Samples

// Loads 8 x 8 samples of each block, side by side, as values around 0.
INLINE void load_samples(const uint8_t *samples, size_t bytes_per_row, lanes16 rows[8])
{
    for (size_t y = 0; y < 8; y++) {
        const __m256i row = _mm256_loadu_si256((const __m256i *)(samples + y * bytes_per_row));
        rows[y] = (lanes16)_mm512_cvtepu8_epi16(row) - 128;
    }
}

// Writes rows of 8 samples of each lane, side by side, from values around 0. There are 2, 4 or 8.
INLINE void store_samples(const lanes16 rows[], int row_count, uint8_t *samples, size_t bytes_per_row)
{
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    for (int y = 0; y < row_count; y += 2) {
        const __m512i pair = _mm512_xor_si512(
            _mm512_packs_epi16((__m512i)rows[y], (__m512i)rows[y + 1]), _mm512_set1_epi8((char)0x80));
        const __m512i sorted = _mm512_permutexvar_epi64(order, pair);
        _mm256_storeu_si256((__m256i *)samples, _mm512_castsi512_si256(sorted));
        _mm256_storeu_si256((__m256i *)(samples + bytes_per_row), _mm512_extracti64x4_epi64(sorted, 1));
        samples += 2 * bytes_per_row;
    }
}

#endif
