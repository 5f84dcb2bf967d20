// Vectors of 256 bits: two blocks. AVX2.
#ifndef JPEGCORE_LANES_H
#define JPEGCORE_LANES_H

#include "bit_reader.h"
#include "encoding_table.h"
#include "zigzag.h"
#include "zigzag_shuffles.h"
#include <immintrin.h>

// A vector holds a row of each of these blocks.
enum { LANE_COUNT = 2 };

typedef int16_t lanes16 __attribute__((vector_size(16 * LANE_COUNT)));
typedef int32_t lanes32 __attribute__((vector_size(16 * LANE_COUNT)));

INLINE lanes16 interleave_low16(lanes16 a, lanes16 b)
{
    return (lanes16)_mm256_unpacklo_epi16((__m256i)a, (__m256i)b);
}

INLINE lanes16 interleave_high16(lanes16 a, lanes16 b)
{
    return (lanes16)_mm256_unpackhi_epi16((__m256i)a, (__m256i)b);
}

INLINE lanes16 interleave_low32(lanes16 a, lanes16 b)
{
    return (lanes16)_mm256_unpacklo_epi32((__m256i)a, (__m256i)b);
}

INLINE lanes16 interleave_high32(lanes16 a, lanes16 b)
{
    return (lanes16)_mm256_unpackhi_epi32((__m256i)a, (__m256i)b);
}

INLINE lanes16 interleave_low64(lanes16 a, lanes16 b)
{
    return (lanes16)_mm256_unpacklo_epi64((__m256i)a, (__m256i)b);
}

INLINE lanes16 interleave_high64(lanes16 a, lanes16 b)
{
    return (lanes16)_mm256_unpackhi_epi64((__m256i)a, (__m256i)b);
}

INLINE lanes32 multiply_add(lanes32 sum, lanes16 pairs, lanes16 weights)
{
    return sum + (lanes32)_mm256_madd_epi16((__m256i)pairs, (__m256i)weights);
}

INLINE lanes16 pack16(lanes32 low, lanes32 high)
{
    return (lanes16)_mm256_packs_epi32((__m256i)low, (__m256i)high);
}

// The same 8 values for each block.
INLINE lanes16 repeat(const uint16_t values[8])
{
    return (lanes16)_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)values));
}

// MARK: Coefficients

enum { PROFITS_FROM_STREAMS = true };

// Coefficients stay in zigzag order; shuffles sort them when a block is loaded.
INLINE size_t coefficient_index(size_t number) { return number; }

INLINE lanes16 shuffled(const lanes16 from[8], const uint8_t shuffles[8][16], uint8_t sources)
{
    __m256i result = _mm256_setzero_si256();
#pragma clang loop unroll(full)
    for (int n = 0; n < 8; n++) {
        if ((sources >> n & 1) == 0) continue;
        const __m256i shuffle = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)shuffles[n]));
        result = _mm256_or_si256(result, _mm256_shuffle_epi8((__m256i)from[n], shuffle));
    }
    return (lanes16)result;
}

// Loads the coefficients of two blocks, at `offsets`.
INLINE void load_coefficients(const int16_t *coefficients, const uint16_t offsets[], lanes16 rows[8])
{
    const int16_t *first = coefficients + offsets[0], *second = coefficients + offsets[1];
    lanes16 in_zigzag[8];
    for (int n = 0; n < 8; n++)
        in_zigzag[n] =
            (lanes16)_mm256_loadu2_m128i((const __m128i *)(second + 8 * n), (const __m128i *)(first + 8 * n));
#pragma clang loop unroll(full)
    for (int y = 0; y < 8; y++) rows[y] = shuffled(in_zigzag, rows_from_zigzag[y], zigzag_sources_of_rows[y]);
}

// Whether a magnitude exceeds its limit.
INLINE bool exceed(const lanes16 rows[8], const uint16_t limits[64])
{
    __m256i excess = _mm256_setzero_si256();
    for (int y = 0; y < 8; y++)
        excess = _mm256_or_si256(
            excess, _mm256_subs_epu16(_mm256_abs_epi16((__m256i)rows[y]), (__m256i)repeat(limits + 8 * y)));
    return !_mm256_testz_si256(excess, excess);
}

// Stores the coefficients of two blocks, at `offsets`.
INLINE void store_coefficients(const lanes16 rows[8], int16_t *coefficients, const uint16_t offsets[])
{
    int16_t *first = coefficients + offsets[0], *second = coefficients + offsets[1];
#pragma clang loop unroll(full)
    for (int n = 0; n < 8; n++)
        _mm256_storeu2_m128i(
            (__m128i *)(second + 8 * n), (__m128i *)(first + 8 * n),
            (__m256i)shuffled(rows, zigzag_from_rows[n], row_sources_of_zigzag[n]));
}

INLINE lanes16 quantised(lanes16 values, lanes16 reciprocals, lanes16 corrections, lanes16 scales)
{
    const __m256i corrected = _mm256_add_epi16(_mm256_abs_epi16((__m256i)values), (__m256i)corrections);
    const __m256i magnitudes =
        _mm256_mulhi_epu16(_mm256_mulhi_epu16(corrected, (__m256i)reciprocals), (__m256i)scales);
    return (lanes16)_mm256_sign_epi16(magnitudes, (__m256i)values);
}

// Bit n says whether coefficient n, in zigzag order, is not zero.
INLINE uint64_t nonzero_coefficients(const int16_t *block, const encoding_table *table)
{
    (void)table;
    uint64_t zero = 0;
    for (int part = 0; part < 2; part++) {
        const __m256i *rows = (const __m256i *)(block + 32 * part);
        const __m256i packed = _mm256_permute4x64_epi64(
            _mm256_packs_epi16(_mm256_loadu_si256(rows), _mm256_loadu_si256(rows + 1)),
            _MM_SHUFFLE(3, 1, 2, 0));
        const __m256i is_zero = _mm256_cmpeq_epi8(packed, _mm256_setzero_si256());
        zero |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_zero) << (32 * part);
    }
    return ~zero;
}

// MARK: Samples

// Loads 8 x 8 samples of each block, side by side, as values around 0.
INLINE void load_samples(const uint8_t *samples, size_t bytes_per_row, lanes16 rows[8])
{
    for (size_t y = 0; y < 8; y++) {
        const __m128i row = _mm_loadu_si128((const __m128i *)(samples + y * bytes_per_row));
        rows[y] = (lanes16)_mm256_cvtepu8_epi16(row) - 128;
    }
}

// Writes rows of 8 samples of each lane, side by side, from values around 0. There are 2, 4 or 8.
INLINE void store_samples(const lanes16 rows[], int row_count, uint8_t *samples, size_t bytes_per_row)
{
    for (int y = 0; y < row_count; y += 2) {
        const __m256i pair = _mm256_xor_si256(
            _mm256_packs_epi16((__m256i)rows[y], (__m256i)rows[y + 1]), _mm256_set1_epi8((char)0x80));
        const __m256i sorted = _mm256_permute4x64_epi64(pair, _MM_SHUFFLE(3, 1, 2, 0));
        _mm_storeu_si128((__m128i *)samples, _mm256_castsi256_si128(sorted));
        _mm_storeu_si128((__m128i *)(samples + bytes_per_row), _mm256_extracti128_si256(sorted, 1));
        samples += 2 * bytes_per_row;
    }
}

#endif
