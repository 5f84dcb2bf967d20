#ifndef JPEGCORE_BIT_WRITER_H
#define JPEGCORE_BIT_WRITER_H

#include "bit_reader.h"

// A position in the bits of a scan that is written, before zeros are stuffed.
typedef struct bit_writer {
    uint64_t bits;  // those of the next byte, from the highest on
    uint64_t count; // 0 to 7
    uint8_t *next;
} bit_writer;

// A code with its value, or several.
enum { MOST_PUT_BITS = 56 };

// Appends the lowest `count` bits, 0 to MOST_PUT_BITS; those above are zero. Writes 8 bytes at `next`.
INLINE bit_writer put(bit_writer to, uint64_t bits, uint64_t count)
{
    const uint64_t total = to.count + count;
    to.bits |= bits << 1 << (63 - total);
    const uint64_t word = htobe64(to.bits);
    memcpy(to.next, &word, sizeof word);
    to.next += total / 8;
    to.bits <<= total & ~7UL;
    to.count = total % 8;
    return to;
}

#endif
