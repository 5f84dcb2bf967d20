#ifndef JPEGCORE_DECODING_TABLE_H
#define JPEGCORE_DECODING_TABLE_H

#include "JPEGCore.h"

// Bits that one look-up sees. 11 was fastest of 9 to 12: most look-ups then give two symbols, and the tables of
// a photo, 16 KiB each, stay in the cache.
enum { LOOKAHEAD = 11 };

// Codes have at most 16 bits, and values up to 15 more.
enum { LONGEST_CODE = 16 };

// What one look-up gives: one or two symbols with their values, in 64 bits.
//
//   bits  0...7   the length of all; 0 if the first symbol does not fit into LOOKAHEAD bits
//         8...15  the first coefficient's distance from the last one
//        16...23  the last coefficient's; END_OF_BLOCK more if the block ends there
//        24...31  the length of the first symbol and value
//        32...47  the first value
//        48...63  the second value; the first again if there is only one
//
// If the length is 0: bits 16...23 are LONG_SYMBOL; bits 32...39 the length of the first code or 0, bits 40...47
// its symbol, and bits 48...63 an index into `long_codes`.
typedef uint64_t decoding_entry;

// Distances of their own. A symbol that ends a block at coefficient k of 0 to 62 goes to k + END_OF_BLOCK, which is 66
// to 128 behind the block's last coefficient, and a long one goes 129 to 192 behind it: block_stream.h tells them
// apart by one bit.
enum { END_OF_BLOCK = 129, LONG_SYMBOL = 193 };

// A code longer than LOOKAHEAD; length 0 is no code.
typedef struct long_code {
    uint8_t length, symbol;
} long_code;

enum { LONG_CODES = 1 << (LONGEST_CODE - LOOKAHEAD) };

typedef struct decoding_table {
    decoding_entry entries[1 << LOOKAHEAD];
    // The codes for each beginning of LOOKAHEAD bits that has longer ones. There are at most 256, and the first
    // group has none, for beginnings of no code.
    long_code long_codes[(1 + 256) * LONG_CODES];
} decoding_table;

// The tables of a component. `dc` decodes a block's first symbol, and possibly one AC symbol after it.
typedef struct decoding_tables {
    decoding_table dc, ac;
} decoding_tables;

// The codes form a prefix code; a DC symbol is at most 15.
void fill_decoding_tables(
    decoding_tables *tables, const jpegcore_huffman_table *dc, const jpegcore_huffman_table *ac);

// The signed value of `size` bits (T.81, figure F.12).
static inline int extend(int bits, int size)
{
    return size > 0 && bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}

#endif
