#include "unstuffing.h"

// The number of bytes that are 0xFF.
static size_t count_stuffed(const uint8_t *bytes, size_t count)
{
    const uint64_t low_bits = 0x7F7F7F7F7F7F7F7F, ones = 0x0101010101010101;
    size_t found = 0, n = 0;
    for (; n + 8 <= count; n += 8) {
        uint64_t word;
        memcpy(&word, bytes + n, sizeof word);
        // The highest bit of each byte that is 0xFF, moved to the lowest.
        const uint64_t is_full = (((word & low_bits) + ones) & word) >> 7 & ones;
        found += is_full * ones >> 56;
    }
    for (; n < count; n++) found += bytes[n] == 0xFF;
    return found;
}

size_t source_offset(unstuffed_bytes *bytes, size_t index)
{
    const size_t count = index - bytes->known;
    bytes->known_source += count + count_stuffed(bytes->bytes + bytes->known, count);
    bytes->known = index;
    return bytes->known_source;
}

void rebase(unstuffed_bytes *bytes, size_t offset)
{
    bytes->source -= offset;
    bytes->known_source -= offset;
}

void begin_unstuffing(unstuffed_bytes *bytes, size_t offset)
{
    bytes->source = bytes->known_source = offset;
    bytes->count = bytes->known = 0;
    bytes->is_at_marker = false;
}

void unstuff(unstuffed_bytes *to, size_t discarded, const uint8_t *from, size_t from_count)
{
    source_offset(to, discarded);
    memmove(to->bytes, to->bytes + discarded, to->count - discarded);
    to->count -= discarded;
    to->known -= discarded;
    while (!to->is_at_marker && to->source < from_count && to->count < UNSTUFFED_CAPACITY) {
        const size_t left = from_count - to->source, free = UNSTUFFED_CAPACITY - to->count;
        const size_t most = left < free ? left : free;
        const uint8_t *begin = from + to->source, *end = memchr(begin, 0xFF, most);
        const size_t run = end == NULL ? most : (size_t)(end - begin);
        memcpy(to->bytes + to->count, begin, run);
        to->count += run;
        to->source += run;
        if (end == NULL) continue;
        if (run + 1 == left) return; // what the last byte means is not known yet
        to->is_at_marker = end[1] != 0;
        if (to->is_at_marker) break;
        to->bytes[to->count++] = 0xFF;
        to->source += 2;
    }
    if (to->is_at_marker) memset(to->bytes + to->count, 0, UNSTUFFED_PADDING);
}
