// Huffman codes of a deflate block (RFC 1951, 3.2.2), and the bits that are written.
#ifndef PNGCORE_HUFFMAN_CODE_H
#define PNGCORE_HUFFMAN_CODE_H

#include "symbols.h"
#include <endian.h>

// Four literals fit beside 7 bits that wait.
enum { MOST_LITLEN_BITS = 14, MOST_DISTANCE_BITS = 15, MOST_LENGTHS_BITS = 7 };

// Lengths of the codes with the fewest bits that are at most `limit` long; 0 for symbols that do not occur. A single
// symbol has 1 bit.
void pngcore_code_lengths(const uint32_t *counts, int count, int limit, uint8_t *lengths);
// The codes of these lengths, with the first bit lowest.
void pngcore_codes(const uint8_t *lengths, int count, uint16_t *codes);

// A symbol's code, the first bit lowest, above its length in 8 bits.
typedef uint32_t packed_code;

INLINE unsigned code_length(packed_code code) { return code & 0xff; }
INLINE uint64_t code_bits(packed_code code) { return code >> 8; }

typedef struct block_codes {
    packed_code litlen[LITLEN_COUNT], distance[DISTANCE_COUNT];
} block_codes;

// Bits that are written, the first lowest.
typedef struct bit_sink {
    uint64_t bits;  // those of the next byte
    unsigned count; // 0 to 7; while bits are put, up to 63
    uint8_t *next;
} bit_sink;

INLINE void put(bit_sink *to, uint64_t bits, unsigned count)
{
    to->bits |= bits << to->count;
    to->count += count;
}

// Writes whole bytes. Writes 8 bytes at `next`.
INLINE void drain(bit_sink *to)
{
    const uint64_t word = htole64(to->bits);
    memcpy(to->next, &word, sizeof word);
    to->next += to->count / 8;
    to->bits >>= to->count & ~7U;
    to->count %= 8;
}

// Writes the lengths of both codes, which stand behind each other.
bit_sink pngcore_write_lengths(
    bit_sink sink, const uint8_t *lengths, size_t litlen_count, size_t distance_count);

#endif
