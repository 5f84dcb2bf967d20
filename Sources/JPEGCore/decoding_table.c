#include "decoding_table.h"
#include <string.h>

// A symbol with its value, from the highest bits of a window of LOOKAHEAD bits.
typedef struct symbol {
    int length; // with the value's bits; 0 if they do not fit into the window
    int distance;
    int value;
} symbol;

// The codes that fit into the window, by window; the others have length 0.
typedef long_code short_codes[1 << LOOKAHEAD];

// Assigns codes (T.81, annex C), and fills the windows that begin with them. `long_codes` gets the longer ones, a
// group for each beginning; `groups` has the group by window, or 0.
static void assign_codes(
    const jpegcore_huffman_table *from, short_codes codes, decoding_table *table, uint16_t groups[])
{
    int code = 0, index = 0, group_count = 1;
    memset(codes, 0, sizeof(short_codes));
    memset(table->long_codes, 0, sizeof table->long_codes);
    memset(groups, 0, sizeof(uint16_t) << LOOKAHEAD);
    for (int length = 1; length <= LONGEST_CODE; length++, code <<= 1) {
        for (int n = 0; n < from->counts[length]; n++, code++, index++) {
            const long_code entry = { (uint8_t)length, from->symbols[index] };
            const int spare = length <= LOOKAHEAD ? LOOKAHEAD - length : LONGEST_CODE - length;
            long_code *first = &codes[code << spare];
            if (length > LOOKAHEAD) {
                uint16_t *group = &groups[code >> (length - LOOKAHEAD)];
                if (*group == 0) *group = (uint16_t)group_count++;
                first = &table->long_codes[*group * LONG_CODES + (code << spare) % LONG_CODES];
            }
            for (int rest = 0; rest < 1 << spare; rest++) first[rest] = entry;
        }
    }
}

static int bits_of(int window, int begin, int count)
{
    return window >> (LOOKAHEAD - begin - count) & ((1 << count) - 1);
}

static symbol dc_symbol(const short_codes codes, int window)
{
    const int code_length = codes[window].length, size = codes[window].symbol, length = code_length + size;
    if (code_length == 0 || length > LOOKAHEAD) return (symbol) { 0, 0, 0 };
    return (symbol) { length, 1, extend(bits_of(window, code_length, size), size) };
}

// The symbol at bit `begin` of a window.
static symbol ac_symbol(const short_codes codes, int window, int begin)
{
    const long_code code = codes[window << begin & ((1 << LOOKAHEAD) - 1)];
    const int run = code.symbol >> 4, size = code.symbol & 15, length = code.length + size;
    if (code.length == 0 || begin + length > LOOKAHEAD) return (symbol) { 0, 0, 0 };
    if (size > 0)
        return (symbol) { length, run + 1, extend(bits_of(window, begin + code.length, size), size) };
    return (symbol) { length, run == 15 ? 16 : END_OF_BLOCK, 0 };
}

static decoding_entry join(symbol first, symbol second)
{
    const bool is_alone = second.length == 0;
    const decoding_entry distance = (decoding_entry)(first.distance + second.distance);
    return (decoding_entry)(first.length + second.length) | (decoding_entry)first.distance << 8
        | distance << 16 | (decoding_entry)first.length << 24 | (decoding_entry)(uint16_t)first.value << 32
        | (decoding_entry)(uint16_t)(is_alone ? first.value : second.value) << 48;
}

static decoding_entry long_entry(long_code code, int group)
{
    return (decoding_entry)LONG_SYMBOL << 16 | (decoding_entry)code.length << 32
        | (decoding_entry)code.symbol << 40 | (decoding_entry)(group * LONG_CODES) << 48;
}

void fill_decoding_tables(
    decoding_tables *tables, const jpegcore_huffman_table *dc, const jpegcore_huffman_table *ac)
{
    short_codes dc_codes, ac_codes;
    uint16_t dc_groups[1 << LOOKAHEAD], ac_groups[1 << LOOKAHEAD];
    assign_codes(dc, dc_codes, &tables->dc, dc_groups);
    assign_codes(ac, ac_codes, &tables->ac, ac_groups);
    for (int window = 0; window < 1 << LOOKAHEAD; window++) {
        const symbol dc_first = dc_symbol(dc_codes, window), ac_first = ac_symbol(ac_codes, window, 0);
        tables->dc.entries[window] = dc_first.length > 0
            ? join(dc_first, ac_symbol(ac_codes, window, dc_first.length))
            : long_entry(dc_codes[window], dc_groups[window]);
        const bool is_last = ac_first.distance == END_OF_BLOCK;
        const symbol second = is_last ? (symbol) { 0, 0, 0 } : ac_symbol(ac_codes, window, ac_first.length);
        tables->ac.entries[window] =
            ac_first.length > 0 ? join(ac_first, second) : long_entry(ac_codes[window], ac_groups[window]);
    }
}
