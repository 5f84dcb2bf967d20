// Inflates symbols while there is input and room.

// Copies a match. Writes up to 15 bytes behind it.
INLINE void copy_match(uint8_t *to, size_t distance, size_t length)
{
    const uint8_t *from = to - distance;
    const uint8_t *end = to + length;
    if (distance >= 16) {
        do {
            memcpy(to, from, 16);
            to += 16;
            from += 16;
        } while (to < end);
    } else if (distance == 1) {
        const uint64_t word = *from * 0x0101010101010101U;
        do {
            memcpy(to, &word, 8);
            memcpy(to + 8, &word, 8);
            to += 16;
        } while (to < end);
    } else {
        // Of a word, the first `distance` bytes at least are right, and the rest is written again.
        const size_t step = distance < 8 ? distance : 8;
        do {
            const uint64_t word = load64(from);
            memcpy(to, &word, 8);
            to += step;
            from += step;
        } while (to < end);
    }
}

// Inflates until FAST_INPUT bytes or less are left, `limit` is reached, or the block ends. Returns false if a code or a
// distance is wrong.
static bool inflate_symbols(pngcore_inflater *inflater, const uint8_t *limit)
{
    const uint8_t *in = inflater->next, *const in_limit = inflater->end - FAST_INPUT;
    const table_entry *litlen = inflater->litlen;
    uint64_t bits = inflater->bits;
    unsigned count = (unsigned)inflater->bit_count;
    uint8_t *out = inflater->at;
    bool is_right = true;
// To 56 bits or more. Bytes above them are loaded again the next time.
#define REFILL()                          \
    bits |= le64toh(load64(in)) << count; \
    in += (63 - count) >> 3;              \
    count |= 56
#define TAKE(number)   \
    bits >>= (number); \
    count -= (number)
#define PUT_LITERALS()                                \
    do {                                              \
        const uint32_t literals = entry_value(entry); \
        memcpy(out, &literals, 4);                    \
        out += entry_literals(entry);                 \
        TAKE(entry_bits(entry));                      \
    } while (0)
    while (in < in_limit && out < limit) {
        REFILL();
        table_entry entry = litlen[bits & ((1 << LITLEN_BITS) - 1)];
        if (entry & ENTRY_LITERALS) {
            PUT_LITERALS();
            entry = litlen[bits & ((1 << LITLEN_BITS) - 1)];
            if (entry & ENTRY_LITERALS) {
                PUT_LITERALS();
                entry = litlen[bits & ((1 << LITLEN_BITS) - 1)];
                if (entry & ENTRY_LITERALS) {
                    PUT_LITERALS();
                    entry = litlen[bits & ((1 << LITLEN_BITS) - 1)];
                    if (entry & ENTRY_LITERALS) {
                        PUT_LITERALS();
                        continue;
                    }
                }
            }
            REFILL();
        }
        if (entry & ENTRY_RARE) {
            if (entry & ENTRY_LONG) {
                entry = pngcore_long_litlen(inflater, bits);
                if (entry & ENTRY_LITERALS) {
                    PUT_LITERALS();
                    continue;
                }
            }
            if (entry & ENTRY_INVALID) {
                is_right = false;
                break;
            }
            if (entry & ENTRY_END) {
                TAKE(entry_bits(entry));
                inflater->state = AT_BLOCK;
                break;
            }
        }
        TAKE(entry_bits(entry));
        unsigned extra = entry_extra_bits(entry);
        const size_t length = entry_value(entry) + (bits & ((1U << extra) - 1));
        TAKE(extra);
        entry = inflater->distance[bits & ((1 << DISTANCE_BITS) - 1)];
        if (entry & ENTRY_LONG) entry = pngcore_long_distance(inflater, bits);
        TAKE(entry_bits(entry));
        extra = entry_extra_bits(entry);
        const size_t distance = entry_value(entry) + (bits & ((1U << extra) - 1));
        TAKE(extra);
        if ((entry & ENTRY_INVALID) || distance > (size_t)(out - inflater->window)) {
            is_right = false;
            break;
        }
        copy_match(out, distance, length);
        out += length;
    }
#undef PUT_LITERALS
#undef TAKE
#undef REFILL
    inflater->next = in;
    inflater->bits = bits & (((uint64_t)1 << count) - 1);
    inflater->bit_count = (int)count;
    inflater->at = out;
    return is_right;
}

// Continues zlib's checksum (RFC 1950) with further bytes.
static uint32_t add_checksum(uint32_t checksum, const uint8_t *bytes, size_t count)
{
    // As many bytes as 32 bits hold the sums of.
    enum { MOST_BYTES = 5552, MODULUS = 65521 };
    uint32_t sum = checksum & 0xffff, sums = checksum >> 16;
    while (count > 0) {
        const size_t part = count < MOST_BYTES ? count : MOST_BYTES;
        uint32_t of_bytes = 0, weighted = 0;
        for (size_t n = 0; n < part; n++) {
            of_bytes += bytes[n];
            weighted += bytes[n] * (uint32_t)(part - n);
        }
        sums = (uint32_t)((sums + (uint64_t)sum * part + weighted) % MODULUS);
        sum = (sum + of_bytes) % MODULUS;
        bytes += part;
        count -= part;
    }
    return sums << 16 | sum;
}
