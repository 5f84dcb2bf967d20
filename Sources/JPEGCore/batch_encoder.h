// Huffman coding of blocks (T.81, F.1.2), vectorised over the symbols of several blocks. AVX-512 with VBMI2.
#include "bit_string.h"
#include "level.h"

// A symbol has the index of its code for size 0, and a value, whose size is added to the index.
typedef struct symbol_list {
    int16_t *values;
    uint16_t *indices;
} symbol_list;

// A block with a run of more than 15 zeros.
static __attribute__((noinline)) symbol_list list_long_runs(
    symbol_list to, const int16_t *block, int dc_difference, uint16_t first_code, uint64_t nonzero)
{
    int last = 0;
    *to.values++ = (int16_t)dc_difference;
    *to.indices++ = first_code + DC_CODES;
    for (nonzero &= ~(uint64_t)1; nonzero != 0; nonzero &= nonzero - 1) {
        const int number = __builtin_ctzll(nonzero);
        int run = number - last - 1;
        for (; run > 15; run -= 16) {
            *to.values++ = 0;
            *to.indices++ = first_code + ZERO_RUN_SYMBOL;
        }
        *to.values++ = block[number];
        *to.indices++ = (uint16_t)(first_code + run * 16);
        last = number;
    }
    if (last != 63) {
        *to.values++ = 0;
        *to.indices++ = first_code + END_OF_BLOCK_SYMBOL;
    }
    return to;
}

// Appends the symbols of a block. Writes up to 64 of them behind the list.
INLINE symbol_list list_symbols(
    symbol_list to, const int16_t *block, int *last_dc, uint16_t first_code, __m512i numbers,
    __m512i previous)
{
    __m512i low = _mm512_load_si512(block);
    const __m512i high = _mm512_load_si512(block + 32);
    // From the register: loading a vector soon after a store to a part of it stalls.
    const int dc = (int16_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(low)), dc_difference = dc - *last_dc;
    *last_dc = dc;
    low = _mm512_mask_mov_epi16(low, 1, _mm512_castsi128_si512(_mm_cvtsi32_si128((uint16_t)dc_difference)));
    const __mmask32 nonzero_low = _mm512_test_epi16_mask(low, low) | 1;
    const __mmask32 nonzero_high = _mm512_test_epi16_mask(high, high);
    const uint64_t nonzero = nonzero_low | (uint64_t)nonzero_high << 32;
    const int count = __builtin_popcountll(nonzero), count_low = __builtin_popcount(nonzero_low);

    // The run before a coefficient is its number minus the last one's minus 1.
    const __m512i position = _mm512_maskz_compress_epi8(nonzero, numbers);
    const __m512i before = _mm512_permutexvar_epi8(previous, position);
    const __mmask64 has_run = _bzhi_u64(~(uint64_t)0, (unsigned int)count) & ~(uint64_t)1;
    const __m512i runs =
        _mm512_maskz_sub_epi8(has_run, _mm512_sub_epi8(position, before), _mm512_set1_epi8(1));
    if (unlikely(_mm512_cmpgt_epu8_mask(runs, _mm512_set1_epi8(15)) != 0))
        return list_long_runs(to, block, dc_difference, first_code, nonzero);

    _mm512_storeu_si512(to.values, _mm512_maskz_compress_epi16(nonzero_low, low));
    _mm512_storeu_si512(to.values + count_low, _mm512_maskz_compress_epi16(nonzero_high, high));
    const __m512i first = _mm512_set1_epi16((int16_t)first_code);
    const __m512i runs_low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(runs));
    __m512i indices = _mm512_add_epi16(_mm512_slli_epi16(runs_low, 4), first);
    indices = _mm512_mask_add_epi16(indices, 1, indices, _mm512_set1_epi16(DC_CODES));
    _mm512_storeu_si512(to.indices, indices);
    if (unlikely(count >= 32)) {
        const __m512i runs_high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(runs, 1));
        _mm512_storeu_si512(to.indices + 32, _mm512_add_epi16(_mm512_slli_epi16(runs_high, 4), first));
    }
    // Behind the last value there is a zero, and behind the last index one without a run: the end of the block.
    const int symbol_count = count + (nonzero >> 63 == 0);
    return (symbol_list) { to.values + symbol_count, to.indices + symbol_count };
}

INLINE __m512i sizes_of(__m512i values)
{
    return _mm512_sub_epi32(_mm512_set1_epi32(32), _mm512_lzcnt_epi32(_mm512_abs_epi32(values)));
}

// Looks up the codes of the symbols up to `end`, and of up to 15 symbols without bits behind it.
// Sixteen scalar loads take fewer cycles than a gather.
INLINE void find_codes(encoding_entry *to, const encoding_entry *codes, symbol_list from, symbol_list end)
{
    _mm256_storeu_si256((__m256i *)end.values, _mm256_setzero_si256());
    _mm256_storeu_si256((__m256i *)end.indices, _mm256_set1_epi16(NO_SYMBOL));
    for (symbol_list at = from; at.values < end.values; at.values += 16, at.indices += 16) {
        const __m512i values = _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)at.values));
        const __m512i indices = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)at.indices));
        const __m512i with_size = _mm512_add_epi32(indices, sizes_of(values));
        _mm256_storeu_si256((__m256i *)at.indices, _mm512_cvtepi32_epi16(with_size));
    }
    for (; from.indices < end.indices; from.indices += 16, to += 16) {
#pragma clang loop unroll(full)
        for (int n = 0; n < 16; n++) {
            encoding_entry entry = codes[from.indices[n]];
            __asm__("" : "+r"(entry)); // or the compiler makes it a gather
            to[n] = entry;
        }
    }
}

// Joins `count` symbols to bit strings, 16 at a time.
INLINE bit_string *join_symbols(
    bit_string *to, const encoding_entry *from, const int16_t *from_values, const int16_t *end)
{
    const __m512i low_half = _mm512_set1_epi64(0xFFFFFFFF);
    for (; from_values < end; from_values += 16, from += 16) {
        const __m512i values = _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)from_values));
        const __m512i sizes = sizes_of(values);
        const __m512i entries = _mm512_loadu_si512(from);
        // A negative value's bits are those of the value minus 1 (T.81, F.1.2.1).
        const __m512i value_bits = _mm512_andnot_si512(
            _mm512_sllv_epi32(_mm512_set1_epi32(-1), sizes),
            _mm512_add_epi32(values, _mm512_srai_epi32(values, 31)));
        const __m512i code = _mm512_and_si512(entries, _mm512_set1_epi32(0xFFFF));
        const __m512i bits = _mm512_or_si512(_mm512_sllv_epi32(code, sizes), value_bits);
        const __m512i counts = _mm512_add_epi32(_mm512_srli_epi32(entries, CODE_LENGTH_SHIFT), sizes);
        // Two symbols in 64 bits.
        const __m512i second_counts = _mm512_srli_epi64(counts, 32);
        const __m512i pairs = _mm512_or_si512(
            _mm512_sllv_epi64(_mm512_and_si512(bits, low_half), second_counts), _mm512_srli_epi64(bits, 32));
        const __m512i pair_counts = _mm512_add_epi64(_mm512_and_si512(counts, low_half), second_counts);
        // Four, if they fit.
        const __m512i next_counts = _mm512_shuffle_epi32(pair_counts, 0xEE);
        const __m512i four_counts = _mm512_add_epi64(pair_counts, next_counts);
        if (likely(_mm512_mask_cmpgt_epu64_mask(0x55, four_counts, _mm512_set1_epi64(MOST_PUT_BITS)) == 0)) {
            const __m512i fours =
                _mm512_or_si512(_mm512_sllv_epi64(pairs, next_counts), _mm512_shuffle_epi32(pairs, 0xEE));
            _mm512_storeu_si512(to, _mm512_unpacklo_epi64(fours, four_counts));
            to += 4;
        } else {
            uint64_t pair_bits[8], bit_counts[8];
            _mm512_storeu_si512(pair_bits, pairs);
            _mm512_storeu_si512(bit_counts, pair_counts);
            for (int n = 0; n < 8; n++) *to++ = (bit_string) { pair_bits[n], bit_counts[n] };
        }
    }
    return to;
}

// Blocks whose symbols are joined at once: their lists stay in the first-level cache.
enum { BATCH_BLOCKS = 12 };

static bit_writer encode_blocks(
    bit_writer writer, const encoding_table *table, const uint8_t components[], int last_dc[],
    const int16_t *coefficients, int count)
{
    // A block has at most 64 symbols, or one for each run; vectors write beyond the last one.
    int16_t values[BATCH_BLOCKS * 65 + 64];
    uint16_t indices[BATCH_BLOCKS * 65 + 64];
    encoding_entry entries[BATCH_BLOCKS * 65 + 64];
    bit_string strings[(BATCH_BLOCKS * 65 + 64) / 2];
    uint8_t number_bytes[64], previous_bytes[64];
    for (int n = 0; n < 64; n++) {
        number_bytes[n] = (uint8_t)n;
        previous_bytes[n] = (uint8_t)(n == 0 ? 0 : n - 1);
    }
    const __m512i numbers = _mm512_loadu_si512(number_bytes), previous = _mm512_loadu_si512(previous_bytes);
    for (int begin = 0; begin < count; begin += BATCH_BLOCKS) {
        const int end = begin + BATCH_BLOCKS < count ? begin + BATCH_BLOCKS : count;
        symbol_list list = { values, indices };
        for (int n = begin; n < end; n++)
            list = list_symbols(
                list, coefficients + 64 * n, &last_dc[components[n]],
                (uint16_t)(components[n] * COMPONENT_CODES), numbers, previous);
        find_codes(entries, table->codes, (symbol_list) { values, indices }, list);
        const bit_string *strings_end = join_symbols(strings, entries, values, list.values);
        for (const bit_string *string = strings; string < strings_end; string++)
            writer = put(writer, string->bits, string->count);
    }
    return writer;
}
