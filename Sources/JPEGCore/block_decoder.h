// Decoding of blocks (T.81, F.2.2), for a level. Include it after the level's lanes, which define the order of a
// block's coefficients in memory: `coefficient_index`.
#include "bit_reader.h"
#include "level.h"

// A value beyond LOOKAHEAD bits is extended without a branch.
INLINE int extended_value(uint64_t bits, int size)
{
    const int value = (int)(bits >> 1 >> (63 - size));
    const int is_negative = (int)(~(int64_t)bits >> 63);
    return value - (is_negative & ((1 << size) - 1));
}

// A symbol that one look-up did not give.
typedef struct long_symbol {
    uint64_t length; // of the code and the value; 0 if the code is invalid
    int symbol;
    int value;
} long_symbol;

INLINE long_symbol read_long(bit_reader at, const decoding_table *table, decoding_entry entry)
{
    long_code code = { (uint8_t)(entry >> 32), (uint8_t)(entry >> 40) };
    if (code.length == 0)
        code = table->long_codes[(entry >> 48) + (peek(at, LONGEST_CODE) & (LONG_CODES - 1))];
    const int size = code.symbol & 15;
    const uint64_t length = code.length == 0 ? 0 : (uint64_t)(code.length + size);
    return (long_symbol) { length, code.symbol, extended_value(at.bits << code.length, size) };
}

// Decodes a block into `block`, which is zero before, and so are SPARE_BLOCKS behind it. The DC coefficient is the
// difference from the last one. Returns false if a code is invalid, or a run goes beyond the block.
INLINE bool decode_block(bit_reader *reader, const decoding_tables *tables, int16_t *block)
{
    bit_reader at = refill(*reader), before = at;
    // Steps to the next coefficient: numbers are in zigzag order.
    size_t first, last = 0;
    decoding_entry entry = tables->dc.entries[peek(at, LOOKAHEAD)];
    if (likely((uint8_t)entry != 0)) {
        at = drop(at, entry);
        last = (entry >> 16 & 255) - 1;
        block[coefficient_index(last)] = (int16_t)(entry >> 48);
        block[0] = (int16_t)(entry >> 32);
        if (last >= END_OF_BLOCK) {
            *reader = at;
            return true;
        }
    } else {
        const long_symbol dc = read_long(at, &tables->dc, entry);
        if (dc.length == 0) return false;
        at = refill(drop(at, dc.length));
        block[0] = (int16_t)dc.value;
    }
    // Now and after each refill, there are bits for 4 look-ups.
    for (;;) {
        bool is_long = false;
#pragma clang loop unroll(full)
        for (int n = 0; n < 4; n++) {
            entry = tables->ac.entries[peek(at, LOOKAHEAD)];
            is_long = (uint8_t)entry == 0;
            if (unlikely(is_long)) break;
            before = at;
            at = drop(at, entry);
            first = last + (entry >> 8 & 255);
            last += entry >> 16 & 255;
            block[coefficient_index(first)] = (int16_t)(entry >> 32);
            block[coefficient_index(last)] = (int16_t)(entry >> 48);
            if (last >= 63) goto end;
        }
        at = refill(at);
        if (likely(!is_long)) continue;
        const long_symbol ac = read_long(at, &tables->ac, entry);
        const int run = ac.symbol >> 4;
        if (ac.length == 0) return false;
        at = refill(drop(at, ac.length));
        if (ac.value == 0 && run != 15) break; // the end of the block
        last += (size_t)run + 1;
        if (last > 63) return false;
        block[coefficient_index(last)] = (int16_t)ac.value;
        if (last == 63) break;
    }
    *reader = at;
    return true;
end:
    if (last >= END_OF_BLOCK ? last - END_OF_BLOCK < 63 : last == 63) {
        *reader = at;
        return true;
    }
    // The second symbol belongs to the next block.
    if (first != 63) return false;
    block[coefficient_index(last)] = 0;
    *reader = drop(before, entry >> 24 & 63);
    return true;
}

static int decode_blocks(
    bit_reader *reader, const block_phase *phase, int16_t *coefficients, int count, const uint8_t *stop)
{
    bit_reader at = *reader;
    int done = 0;
    for (; done < count && at.next < stop; done++) {
        if (!decode_block(&at, phase->tables, coefficients)) return -1;
        coefficients += 64;
        phase = phase->next;
    }
    *reader = at;
    return done;
}
