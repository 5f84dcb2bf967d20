#ifndef JPEGCORE_BIT_READER_H
#define JPEGCORE_BIT_READER_H

#include "decoding_table.h"
#include <endian.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// A position in the bits of a scan, without stuffed bytes (T.81, F.2.2.5).
typedef struct bit_reader {
    uint64_t bits;  // the next bits, from the highest on; more than `count` may be valid
    uint64_t count; // modulo 64
    const uint8_t *next;
} bit_reader;

// A refill gives at least this many bits.
enum { REFILLED_BITS = 56 };

// Refills without a branch: bits above `count` are read again and are equal. Reads 8 bytes at `next`.
INLINE bit_reader refill(bit_reader at)
{
    uint64_t word;
    memcpy(&word, at.next, sizeof word);
    at.bits |= be64toh(word) >> (at.count & 63);
    at.next += ~at.count >> 3 & 7;
    at.count |= REFILLED_BITS;
    return at;
}

// The next `count` bits, 1 to 64.
INLINE uint64_t peek(bit_reader at, int count) { return at.bits >> (64 - count); }

// Drops the number of bits that is in the lowest 6 bits of `count`.
INLINE bit_reader drop(bit_reader at, uint64_t count)
{
    at.bits <<= count & 63;
    at.count -= count;
    return at;
}

// Bits between `begin` and the position.
INLINE size_t bit_offset(bit_reader at, const uint8_t *begin)
{
    return (size_t)(at.next - begin) * 8 - (at.count & 63);
}

#endif
