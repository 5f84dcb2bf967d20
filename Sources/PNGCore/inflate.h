// What inflates a zlib stream, and how its codes are looked up.
#ifndef PNGCORE_INFLATE_H
#define PNGCORE_INFLATE_H

#include "PNGCore.h"
#include "symbols.h"

enum {
    LITLEN_BITS = 11, // of the next bits, those that look up a code
    DISTANCE_BITS = 9,
    MOST_CODE_BITS = 15,
    // Bytes that one call inflates, about. They stay in the processor's second cache.
    PORTION = 96 * 1024,
    // Behind the last byte: literals of a turn, a match, and what may be read behind that.
    INFLATE_SLACK = MOST_MATCH + 16 + 64,
    // The fast loop takes input in words.
    FAST_INPUT = 24
};

// An entry of a table of litlen codes. Lowest: bits of the codes, in 8 bits; then one of these kinds, each in bits of its own.
// ENTRY_LITERALS has the number of literals in 3 bits above, and the literals in the highest 32. A length has its extra bits in the
// 8 bits from the 16th on, and its base in the highest 32. A distance's entry is the same.
typedef uint64_t table_entry;
enum {
    ENTRY_LITERALS = 1 << 8,
    ENTRY_COUNT_SHIFT = 9,
    ENTRY_END = 1 << 12,
    ENTRY_LONG = 1 << 13,    // of a code with more bits than the table
    ENTRY_INVALID = 1 << 14, // of no code
    ENTRY_RARE = ENTRY_END | ENTRY_LONG | ENTRY_INVALID,
    ENTRY_EXTRA_SHIFT = 16,
    ENTRY_VALUE_SHIFT = 32
};

INLINE unsigned entry_bits(table_entry entry) { return entry & 0xff; }
INLINE unsigned entry_literals(table_entry entry) { return (entry >> ENTRY_COUNT_SHIFT) & 7; }
INLINE unsigned entry_extra_bits(table_entry entry) { return (entry >> ENTRY_EXTRA_SHIFT) & 0xff; }
INLINE uint32_t entry_value(table_entry entry) { return (uint32_t)(entry >> ENTRY_VALUE_SHIFT); }

// A canonical code (RFC 1951, 3.2.2).
typedef struct canonical_code {
    uint16_t count[MOST_CODE_BITS + 1]; // of each length
    uint16_t symbols[LITLEN_COUNT + 2]; // by their codes
} canonical_code;

typedef enum inflate_state { AT_STREAM, AT_BLOCK, IN_STORED, IN_CODED, AT_TRAILER, AT_END } inflate_state;

struct pngcore_inflater {
    const pngcore_level *level;
    pngcore_source source;
    inflate_state state;
    bool is_last;              // the block
    bool has_failed;           // the source
    const uint8_t *next, *end; // input that was not taken
    uint64_t bits;             // taken and not used, the first lowest; 0 above them
    int bit_count;             // below 0 where the input ended before a code did
    uint32_t stored_left;
    uint32_t checksum;
    uint8_t *at; // where the next byte goes
    canonical_code litlen_code, distance_code;
    table_entry litlen[1 << LITLEN_BITS], distance[1 << DISTANCE_BITS];
    uint8_t window[WINDOW + PORTION + INFLATE_SLACK];
};

// The entries of a code that is longer than the table's, by the next bits.
table_entry pngcore_long_litlen(const pngcore_inflater *inflater, uint64_t bits);
table_entry pngcore_long_distance(const pngcore_inflater *inflater, uint64_t bits);

#endif
