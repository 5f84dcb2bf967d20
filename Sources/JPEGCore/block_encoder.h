// Huffman coding of blocks (T.81, F.1.2), one at a time. Include it after the level's lanes.
#include "bit_string.h"
#include "level.h"

// The code of a symbol and its value. `first_code` is 0, or DC_CODES.
INLINE bit_string coded_symbol(const encoding_entry *codes, int first_code, int value)
{
    const int size = size_of(value);
    const encoding_entry entry = codes[first_code + size];
    // A negative value's bits are those of the value minus 1 (T.81, F.1.2.1).
    const uint64_t value_bits = (uint64_t)(value + (value >> 31)) & (((uint64_t)1 << size) - 1);
    return (bit_string) { (uint64_t)(entry & 0xFFFF) << size | value_bits,
                          (uint64_t)(entry >> CODE_LENGTH_SHIFT) + (uint64_t)size };
}

// The AC symbol of a run of up to 15 zeros and a coefficient.
INLINE bit_string ac_symbol(const encoding_table *table, int component, int run, int value)
{
    if (unlikely((unsigned int)(value + MOST_SHORT_VALUE) > 2 * MOST_SHORT_VALUE))
        return coded_symbol(table->codes + component * COMPONENT_CODES, run * 16, value);
    const encoding_entry entry = table->short_codes[component][run][value + MOST_SHORT_VALUE];
    return (bit_string) { entry & SHORT_CODE_MASK, entry >> CODE_LENGTH_SHIFT };
}

// A block while it is coded. Codes are written in twos: the first one waits.
typedef struct block_coding {
    bit_writer writer;
    bit_string waiting;
    uint64_t nonzero; // coefficients that are left, by their numbers in zigzag order
    int last;         // number of the last coefficient
} block_coding;

INLINE bit_string
next_symbol(block_coding *coding, const encoding_table *table, int component, const int16_t *block)
{
    const int number = __builtin_ctzll(coding->nonzero);
    int run = number - coding->last - 1;
    coding->nonzero &= coding->nonzero - 1;
    coding->last = number;
    if (unlikely(run > 15)) {
        const bit_string zeros = coded_symbol(table->codes + component * COMPONENT_CODES, ZERO_RUN_SYMBOL, 0);
        coding->writer = put(coding->writer, coding->waiting.bits, coding->waiting.count);
        coding->waiting = (bit_string) { 0, 0 };
        for (; run > 15; run -= 16) coding->writer = put(coding->writer, zeros.bits, zeros.count);
    }
    return ac_symbol(table, component, run, block[coefficient_index((size_t)number)]);
}

INLINE bit_writer encode_block(
    bit_writer writer, const encoding_table *table, int component, int dc_difference, const int16_t *block)
{
    const encoding_entry *codes = table->codes + component * COMPONENT_CODES;
    const uint64_t nonzero = nonzero_coefficients(block, table) & ~(uint64_t)1;
    block_coding coding = { writer, coded_symbol(codes, DC_CODES, dc_difference), nonzero, 0 };
    const bool is_full = coding.nonzero >> 63 != 0;
    while (coding.nonzero != 0) {
        const bit_string symbol = next_symbol(&coding, table, component, block);
        const bit_string both = join(coding.waiting, symbol);
        coding.writer = put(coding.writer, both.bits, both.count);
        coding.waiting = (bit_string) { 0, 0 };
        if (coding.nonzero == 0) break;
        coding.waiting = next_symbol(&coding, table, component, block);
    }
    if (!is_full) coding.waiting = join(coding.waiting, coded_symbol(codes, END_OF_BLOCK_SYMBOL, 0));
    return put(coding.writer, coding.waiting.bits, coding.waiting.count);
}

static bit_writer encode_blocks(
    bit_writer writer, const encoding_table *table, const uint8_t components[], int last_dc[],
    const int16_t *coefficients, int count)
{
    for (int n = 0; n < count; n++, coefficients += 64) {
        const int component = components[n], dc = coefficients[0];
        writer = encode_block(writer, table, component, dc - last_dc[component], coefficients);
        last_dc[component] = dc;
    }
    return writer;
}
