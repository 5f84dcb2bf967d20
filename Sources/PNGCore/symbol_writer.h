// Writes the symbols of a block.

// Four literals' codes are joined first, so that few steps wait for each other.
INLINE bit_sink write_literals(bit_sink sink, const packed_code *codes, const uint8_t *bytes, size_t count)
{
    for (; count >= 4; count -= 4, bytes += 4) {
        const packed_code a = codes[bytes[0]], b = codes[bytes[1]], c = codes[bytes[2]], d = codes[bytes[3]];
        const unsigned of_ab = code_length(a) + code_length(b), of_cd = code_length(c) + code_length(d);
        const uint64_t ab = code_bits(a) | code_bits(b) << code_length(a);
        const uint64_t cd = code_bits(c) | code_bits(d) << code_length(c);
        put(&sink, ab | cd << of_ab, of_ab + of_cd);
        drain(&sink);
    }
    for (; count > 0; count--, bytes++) {
        put(&sink, code_bits(codes[*bytes]), code_length(codes[*bytes]));
        drain(&sink);
    }
    return sink;
}

static bit_sink write_symbols(
    bit_sink sink, const block_codes *codes, const uint8_t *literals, const symbol_run *runs, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const symbol_run run = runs[n];
        sink = write_literals(sink, codes->litlen, literals, run.literal_count);
        literals += run.literal_count + run.length;
        if (run.length == 0) continue;
        const unsigned length = length_symbol(run.length), distance = distance_symbol(run.distance);
        const packed_code first = codes->litlen[FIRST_LENGTH + length], second = codes->distance[distance];
        put(&sink, code_bits(first), code_length(first));
        put(&sink, run.length - length_base(length), length_extra_bits(length));
        put(&sink, code_bits(second), code_length(second));
        put(&sink, run.distance - distance_base(distance), distance_extra_bits(distance));
        drain(&sink);
    }
    return sink;
}
