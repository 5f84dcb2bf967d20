// What a deflate block consists of: runs of literals and matches (RFC 1951, 3.2.5).
#ifndef PNGCORE_SYMBOLS_H
#define PNGCORE_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    LITLEN_COUNT = 286,
    DISTANCE_COUNT = 30,
    END_OF_BLOCK = 256,
    FIRST_LENGTH = 257,
    MOST_MATCH = 258,
    WINDOW = 32768,
    // A run is found where as many bytes equal the one before.
    RUN_BYTES = 4,
    // Searches stop this far before the end, so that they may read whole words.
    RUN_MARGIN = 16
};

// Literals, and the match that follows them. Length 0: none follows.
typedef struct symbol_run {
    uint32_t literal_count;
    uint16_t length, distance;
} symbol_run;

// How often each symbol occurs in a block.
typedef struct symbol_counts {
    uint32_t litlen[LITLEN_COUNT], distance[DISTANCE_COUNT];
} symbol_counts;

// Lengths: 0 to 28, for the symbols from 257 on.
INLINE unsigned length_symbol(unsigned length)
{
    if (length < 11) return length - 3;
    if (length == MOST_MATCH) return 28;
    const unsigned rest = length - 3, bits = 31 - (unsigned)__builtin_clz(rest);
    return 4 * (bits - 1) + (rest >> (bits - 2) & 3);
}

INLINE unsigned length_extra_bits(unsigned symbol) { return symbol < 8 || symbol == 28 ? 0 : symbol / 4 - 1; }

INLINE unsigned length_base(unsigned symbol)
{
    if (symbol < 8) return symbol + 3;
    return symbol == 28 ? MOST_MATCH : ((4 + symbol % 4) << (symbol / 4 - 1)) + 3;
}

// From 3 on, a distance's symbol depends on the highest bit of the distance less 1 (`rest`) and on the one below. There are as many
// extra bits as below that.
INLINE unsigned highest_bit(unsigned rest) { return 31 - (unsigned)__builtin_clz(rest | 2); }
INLINE unsigned far_symbol(unsigned rest, unsigned highest)
{
    return 2 * highest + (rest >> (highest - 1) & 1);
}

INLINE unsigned distance_symbol(unsigned distance)
{
    const unsigned rest = distance - 1;
    return rest < 2 ? rest : far_symbol(rest, highest_bit(rest));
}

INLINE unsigned distance_extra_bits(unsigned symbol) { return symbol < 4 ? 0 : symbol / 2 - 1; }

INLINE unsigned distance_base(unsigned symbol)
{
    return symbol < 4 ? symbol + 1 : ((2 + symbol % 2) << (symbol / 2 - 1)) + 1;
}

enum {
    BLOCK_BYTES = 128 * 1024,
    // The last block of a piece may be half as long again.
    MOST_BLOCK_BYTES = BLOCK_BYTES * 3 / 2,
    PIXEL_HASH_BITS = 12,
    // Bytes of the pixels that may be symbols.
    LEAST_PIXEL_BYTES = 3,
    MOST_PIXEL_BYTES = 4,
    // Of distances, also beyond the window; the last is that of pixels that are no matches.
    PIXEL_DISTANCE_COUNT = 64
};

// The bits that the symbols of runs, and of pixels' matches, will take, with their extra bits.
typedef struct estimates {
    uint8_t literal[256], length[MOST_MATCH + 1];
    uint8_t distance;  // of 1
    uint8_t pixel[32]; // a match, by the highest bit of the distance less 1; UINT8_MAX beyond the window
} estimates;

// Pixels as symbols.
typedef struct pixel_symbols {
    // The last pixel of each hash: its value above its place.
    uint64_t recent[1 << PIXEL_HASH_BITS];
    // How often each byte of a pixel occurs: in literals, and in matches. How often each distance does.
    uint32_t byte_counts[2][MOST_PIXEL_BYTES][256], distance_counts[PIXEL_DISTANCE_COUNT];
    // The distances of a block's pixels, less 1; 0 for literals.
    size_t count;
    uint16_t rests[MOST_BLOCK_BYTES / LEAST_PIXEL_BYTES];
} pixel_symbols;

INLINE uint32_t load32(const uint8_t *from)
{
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

INLINE uint64_t load64(const uint8_t *from)
{
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

// The byte at `at` of a word that is loaded from memory comes first.
INLINE unsigned equal_bytes(uint64_t difference)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (unsigned)__builtin_ctzll(difference) / 8;
#else
    return (unsigned)__builtin_clzll(difference) / 8;
#endif
}

#endif
