// Counts the symbols of blocks that encode_blocks codes (T.81, F.1.2). Include it after the level's lanes.
#include "level.h"

INLINE void count_ac_symbols(uint32_t counts[256], const encoding_table *table, const int16_t *block)
{
    int last = 0;
    for (uint64_t nonzero = nonzero_coefficients(block, table) & ~(uint64_t)1; nonzero != 0;
         nonzero &= nonzero - 1) {
        const int number = __builtin_ctzll(nonzero), run = number - last - 1;
        counts[ZERO_RUN_SYMBOL] += (uint32_t)run / 16;
        counts[run % 16 * 16 + size_of(block[coefficient_index((size_t)number)])]++;
        last = number;
    }
    if (last != 63) counts[END_OF_BLOCK_SYMBOL]++;
}

static void count_symbols(
    jpegcore_symbol_counts counts[], const encoding_table *table, const uint8_t components[],
    const int last_dc[], const int16_t *coefficients, int count)
{
    int last[JPEGCORE_MOST_COMPONENTS];
    memcpy(last, last_dc, sizeof last);
    for (int n = 0; n < count; n++, coefficients += 64) {
        const int component = components[n], dc = coefficients[0];
        counts[component].dc[size_of(dc - last[component])]++;
        count_ac_symbols(counts[component].ac, table, coefficients);
        last[component] = dc;
    }
}
