// The codes of a block in its head (RFC 1951, 3.2.7).
#include "huffman_code.h"

// The symbols that code the lengths of both codes.
typedef struct length_symbols {
    size_t count;
    uint8_t symbols[LITLEN_COUNT + DISTANCE_COUNT], extra[LITLEN_COUNT + DISTANCE_COUNT];
} length_symbols;

enum { REPEAT = 16, SHORT_ZEROS = 17, LONG_ZEROS = 18, LENGTH_SYMBOL_COUNT = 19 };

static void add_symbol(length_symbols *to, int symbol, size_t extra)
{
    to->symbols[to->count] = (uint8_t)symbol;
    to->extra[to->count++] = (uint8_t)extra;
}

static void add_lengths(length_symbols *to, uint8_t length, size_t times)
{
    if (length == 0) {
        for (; times >= 11; times -= times < 138 ? times : 138)
            add_symbol(to, LONG_ZEROS, (times < 138 ? times : 138) - 11);
        if (times >= 3) add_symbol(to, SHORT_ZEROS, times - 3);
        if (times >= 3) return;
    } else {
        add_symbol(to, length, 0);
        for (times--; times >= 3; times -= times < 6 ? times : 6)
            add_symbol(to, REPEAT, (times < 6 ? times : 6) - 3);
    }
    for (; times > 0; times--) add_symbol(to, length, 0);
}

static length_symbols code_lengths_as_symbols(const uint8_t *lengths, size_t count)
{
    length_symbols made = { 0 };
    for (size_t at = 0, run; at < count; at += run) {
        run = 1;
        while (at + run < count && lengths[at + run] == lengths[at]) run++;
        add_lengths(&made, lengths[at], run);
    }
    return made;
}

bit_sink pngcore_write_lengths(
    bit_sink sink, const uint8_t *lengths, size_t litlen_count, size_t distance_count)
{
    static const uint8_t order[LENGTH_SYMBOL_COUNT] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                        11, 4,  12, 3, 13, 2, 14, 1, 15 };
    static const uint8_t extra_bits[LENGTH_SYMBOL_COUNT] = {
        [REPEAT] = 2, [SHORT_ZEROS] = 3, [LONG_ZEROS] = 7
    };
    const length_symbols symbols = code_lengths_as_symbols(lengths, litlen_count + distance_count);
    uint32_t counts[LENGTH_SYMBOL_COUNT] = { 0 };
    for (size_t n = 0; n < symbols.count; n++) counts[symbols.symbols[n]]++;
    uint8_t own_lengths[LENGTH_SYMBOL_COUNT];
    uint16_t codes[LENGTH_SYMBOL_COUNT];
    pngcore_code_lengths(counts, LENGTH_SYMBOL_COUNT, MOST_LENGTHS_BITS, own_lengths);
    pngcore_codes(own_lengths, LENGTH_SYMBOL_COUNT, codes);
    size_t used = LENGTH_SYMBOL_COUNT;
    while (used > 4 && own_lengths[order[used - 1]] == 0) used--;
    put(&sink, litlen_count - FIRST_LENGTH, 5);
    put(&sink, distance_count - 1, 5);
    put(&sink, used - 4, 4);
    drain(&sink);
    for (size_t n = 0; n < used; n++) {
        put(&sink, own_lengths[order[n]], 3);
        drain(&sink);
    }
    for (size_t n = 0; n < symbols.count; n++) {
        const uint8_t symbol = symbols.symbols[n];
        put(&sink, codes[symbol], own_lengths[symbol]);
        put(&sink, symbols.extra[n], extra_bits[symbol]);
        drain(&sink);
    }
    return sink;
}
