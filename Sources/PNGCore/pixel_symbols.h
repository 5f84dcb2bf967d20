// Pixels as symbols: a match with the last pixel of the same value, or literals. Which of the two cannot be guessed in a photo with
// grain, so nothing here jumps by it.

// The bytes of a pixel of 3 or 4, the first lowest.
INLINE uint32_t pixel_value(const uint8_t *from, size_t pixel_bytes)
{
    const uint32_t three = from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16;
    return pixel_bytes == 3 ? three : three | (uint32_t)from[3] << 24;
}

INLINE void parse_pixels_of(
    pixel_symbols *to, const estimates *bits, size_t pixel_bytes, const uint8_t *at, size_t position,
    size_t count)
{
    // Places begin beyond a window: an empty slot, which has place 0, is too far away for a match.
    uint32_t place = (uint32_t)position + WINDOW + 1;
    uint16_t *rests = to->rests + to->count;
    to->count += count;
    for (size_t n = 0; n < count; n++, at += pixel_bytes, place += (uint32_t)pixel_bytes) {
        const uint32_t value = pixel_value(at, pixel_bytes);
        uint64_t *slot = &to->recent[(value * 0x9E3779B1U) >> (32 - PIXEL_HASH_BITS)];
        const uint64_t recent = *slot;
        *slot = (uint64_t)value << 32 | place;
        const uint32_t rest = place - (uint32_t)recent - 1;
        const unsigned highest = highest_bit(rest);
        unsigned literal_bits = 0;
        for (size_t k = 0; k < pixel_bytes; k++) literal_bits += bits->literal[at[k]];
        const bool is_equal = (uint32_t)(recent >> 32) == value;
        // All ones for a match, or zero.
        const uint32_t mask = -(uint32_t)(is_equal & (bits->pixel[highest] < literal_bits));
        rests[n] = (uint16_t)(rest & mask);
        to->distance_counts[far_symbol(rest, highest) | (~mask & (PIXEL_DISTANCE_COUNT - 1))]++;
        uint32_t(*counts)[256] = to->byte_counts[mask & 1];
        for (size_t k = 0; k < pixel_bytes; k++) counts[k][at[k]]++;
    }
}

static void parse_pixels(
    pixel_symbols *to, const estimates *bits, size_t pixel_bytes, const uint8_t *at, size_t position,
    size_t count)
{
    if (pixel_bytes == 3) parse_pixels_of(to, bits, 3, at, position, count);
    else parse_pixels_of(to, bits, 4, at, position, count);
}

INLINE bit_sink write_pixels_of(
    bit_sink sink, const block_codes *codes, size_t pixel_bytes, const uint8_t *at, const uint16_t *rests,
    size_t count)
{
    const packed_code length = codes->litlen[FIRST_LENGTH + length_symbol((unsigned)pixel_bytes)];
    // The codes of a match, but without the extra bits.
    uint32_t match_codes[DISTANCE_COUNT];
    uint8_t match_lengths[DISTANCE_COUNT];
    for (int n = 0; n < DISTANCE_COUNT; n++) {
        match_codes[n] = (uint32_t)(code_bits(length) | code_bits(codes->distance[n]) << code_length(length));
        match_lengths[n] = (uint8_t)(code_length(length) + code_length(codes->distance[n]));
    }
    for (size_t n = 0; n < count; n++, at += pixel_bytes) {
        const unsigned rest = rests[n], highest = highest_bit(rest);
        const unsigned symbol = far_symbol(rest, highest);
        const uint64_t extra = rest & ((1U << (highest - 1)) - 1);
        const uint64_t match = match_codes[symbol] | extra << match_lengths[symbol];
        const unsigned match_length = match_lengths[symbol] + highest - 1;
        uint64_t literals = 0;
        unsigned literals_length = 0;
        for (size_t k = 0; k < pixel_bytes; k++) {
            const packed_code code = codes->litlen[at[k]];
            literals |= code_bits(code) << literals_length;
            literals_length += code_length(code);
        }
        const uint64_t mask = -(uint64_t)(rest != 0);
        put(&sink, (match & mask) | (literals & ~mask),
            (match_length & (unsigned)mask) | (literals_length & ~(unsigned)mask));
        drain(&sink);
    }
    return sink;
}

static bit_sink write_pixels(
    bit_sink sink, const block_codes *codes, size_t pixel_bytes, const uint8_t *at, const uint16_t *rests,
    size_t count)
{
    return pixel_bytes == 3 ? write_pixels_of(sink, codes, 3, at, rests, count)
                            : write_pixels_of(sink, codes, 4, at, rests, count);
}
