// Searches for equal bytes.
#ifndef PNGCORE_STRING_SEARCH_H
#define PNGCORE_STRING_SEARCH_H

#include "symbols.h"

// The first position from `from` on where RUN_BYTES bytes equal the one before; else a position at most RUN_MARGIN before
// `end`. Reads the byte before `from`.
static const uint8_t *find_run(const uint8_t *from, const uint8_t *end)
{
    // Bytes that equal the one before are zero here. Four in a row have an aligned pair among them; where they begin with
    // the last byte, the next step finds them.
    for (; end - from >= RUN_MARGIN + 8; from += 7) {
        const uint64_t word = load64(from) ^ load64(from - 1);
        const uint64_t pairs = (word - 0x0001000100010001) & ~word & 0x8000800080008000;
        if (__builtin_expect(pairs == 0, true)) continue;
        for (int n = 0; n < 7; n++)
            if (load32(from + n) == load32(from + n - 1)) return from + n;
    }
    for (; end - from > RUN_MARGIN; from++)
        if (load32(from) == load32(from - 1)) return from;
    return from;
}

// The number of bytes, up to `most`, that are equal from both positions on.
INLINE size_t match_length(const uint8_t *a, const uint8_t *b, size_t most)
{
    size_t length = 0;
    for (; length + 8 <= most; length += 8) {
        const uint64_t difference = load64(a + length) ^ load64(b + length);
        if (difference != 0) return length + equal_bytes(difference);
    }
    while (length < most && a[length] == b[length]) length++;
    return length;
}

// Adds the bytes to their counts. Four tables: equal neighbours would wait for each other's sum.
static void count_bytes(const uint8_t *bytes, size_t count, uint32_t counts[256])
{
    size_t at = 0;
    if (count >= 1024) {
        uint32_t parts[4][256] = { 0 };
        for (; count - at >= 8; at += 8) {
            uint64_t word = load64(bytes + at);
            for (int n = 0; n < 8; n++, word >>= 8) parts[n % 4][word & 0xff]++;
        }
        for (int value = 0; value < 256; value++)
            counts[value] += parts[0][value] + parts[1][value] + parts[2][value] + parts[3][value];
    }
    for (; at < count; at++) counts[bytes[at]]++;
}

#endif
