#ifndef JPEGCORE_BIT_STRING_H
#define JPEGCORE_BIT_STRING_H

#include "bit_writer.h"

// The codes and values of a few symbols, side by side in the lowest bits: at most MOST_PUT_BITS.
typedef struct bit_string {
    uint64_t bits, count;
} bit_string;

INLINE bit_string join(bit_string first, bit_string second)
{
    return (bit_string) { first.bits << second.count | second.bits, first.count + second.count };
}

#endif
