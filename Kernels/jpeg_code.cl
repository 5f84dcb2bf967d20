// jpeg_code.cl: from coefficients to each group's string of bits. Part of jpeg_encode.cl.

// Writes bits to the words of a window of a group's string. Blocks share words at their ends.
typedef struct bit_writer {
    ulong bits; // the lowest `count` wait
    uint count; // fewer than 32
    uint word;  // where the next word goes; beyond the window's if it isn't in it
} bit_writer;

FUNCTION void put(bit_writer *writer, __local uint *window, uint bits, uint count)
{
    writer->bits = writer->bits << count | bits;
    writer->count += count;
    if (writer->count >= 32) {
        writer->count -= 32;
        if (writer->word < WINDOW) atomic_or(window + writer->word, (uint)(writer->bits >> writer->count));
        writer->word++;
    }
}

FUNCTION void put_end(bit_writer *writer, __local uint *window)
{
    if (writer->count > 0 && writer->word < WINDOW)
        atomic_or(window + writer->word, (uint)(writer->bits << (32 - writer->count)));
}

// Adds 1 to the counter of each alignment at which 8 ones begin in the first of two words.
FUNCTION void count_ones(__local uint *counters, uint first, uint second)
{
    ulong ones = (ulong)first << 32 | second;
    ones &= ones << 1;
    ones &= ones << 2;
    ones &= ones << 4;
    for (uint begins = (uint)(ones >> 32); begins != 0;) {
        const uint position = clz(begins);
        begins &= ~(0x80000000U >> position);
        atomic_inc(counters + (position & 7));
    }
}

// `codes` has two tables of TABLE_CODES: a code in the lower 16 bits, and above them its length plus its value's. `steps` has
// two tables of 64 by rows. `strings` has a slot for each group; `edges` has two words, the first bits and the last ones.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void code_groups(
    __global const uint2 *restrict samples, __global const jpeg_image *restrict image,
    __constant const uint2 *all_steps, __global const uint *restrict codes, __global uint *restrict strings,
    __global uint *restrict bit_counts, __global uint *restrict edges, __global uint *restrict ones)
{
    __local short coefficients[64 * GROUP];
    __local uint window_words[WINDOW + 4]; // from 4 on; the last one of the window before is at 3
    __local uint local_codes[2 * TABLE_CODES];
    __local int dcs[GROUP];
    __local uint cells[GROUP / 16 * 17], sums[GROUP / 16];
    __local uint counters[8];

    const uint item = (uint)get_local_id(0);
    __local uint *const window = window_words + 4;
    for (uint n = item; n < WINDOW + 4; n += GROUP) window_words[n] = 0;
    for (uint n = item; n < 2 * TABLE_CODES; n += GROUP) local_codes[n] = codes[n];
    if (item < 8) counters[item] = 0;

    const uint slot = slot_of_group();
    block_values block;
    quantise_block(samples, image, all_steps, coefficients, dcs, &block);

    __local const uint *const table = local_codes + (block.is_luma ? 0 : TABLE_CODES);
    const uint zeros = table[0xF0], end = table[0x00];
    const uint dc_size = size_of(block.difference), dc_code = table[AC_CODES + dc_size];

    // A block's length is known before its place is.
    uint length = dc_code >> 16;
    coefficient_walk walk = { block.nonzero, 0, 0 };
    while (walk.left != 0) {
        walk_on(&walk);
        const uint size = size_of(coefficients[COEFFICIENT(walk.last)]);
        length += (table[(walk.run & 15) << 4 | size] >> 16) + (walk.run >> 4) * (zeros >> 16);
    }
    if (walk.last != 63) length += end >> 16;
    if (!block.is_coded) length = 0;
    uint bit_count;
    const uint begin = sum_before(cells, sums, GROUP, block.number, length, &bit_count);

    // The string goes out by windows: one, unless there is a great deal of detail.
    __global uint *const string = strings + (size_t)slot * SLOT;
    const uint word_count = (bit_count + 31) >> 5;
    for (uint base = 0; base < word_count; base += WINDOW) {
        if (block.is_coded && begin < (base + WINDOW) * 32 && begin + length > base * 32) {
            bit_writer writer = { 0, begin & 31, (begin >> 5) - base };
            const uint dc_bits = bits_of(block.difference, dc_size);
            put(&writer, window, (dc_code & 0xFFFF) << dc_size | dc_bits, dc_code >> 16);
            walk = (coefficient_walk) { block.nonzero, 0, 0 };
            while (walk.left != 0) {
                walk_on(&walk);
                const int value = coefficients[COEFFICIENT(walk.last)];
                const uint size = size_of(value);
                for (uint run = walk.run; run > 15; run -= 16)
                    put(&writer, window, zeros & 0xFFFF, zeros >> 16);
                const uint code = table[(walk.run & 15) << 4 | size];
                put(&writer, window, (code & 0xFFFF) << size | bits_of(value, size), code >> 16);
            }
            if (walk.last != 63) put(&writer, window, end & 0xFFFF, end >> 16);
            put_end(&writer, window);
        }
        LOCAL_BARRIER;
        const bool is_last = base + WINDOW >= word_count;
        const uint count = min(word_count - base, (uint)WINDOW);
        for (uint n = item; n < count; n += GROUP) {
            string[base + n] = window[n];
            count_ones(counters, window[(int)n - 1], window[n]);
        }
        if (item == 0) {
            if (base == 0) edges[2 * slot] = window[0];
            if (is_last) {
                // The last bits: bit_count of the string lie before them.
                count_ones(counters, window[count - 1], 0);
                const ulong both = (ulong)window[(int)count - 2] << 32 | window[count - 1];
                edges[2 * slot + 1] = (uint)(both >> (word_count * 32 - bit_count));
            }
        }
        LOCAL_BARRIER;
        if (!is_last) {
            const uint carried = window[WINDOW - 1];
            LOCAL_BARRIER;
            for (uint n = item; n < WINDOW; n += GROUP) window[n] = 0;
            if (item == 0) window_words[3] = carried;
            LOCAL_BARRIER;
        }
    }
    if (item == 0) bit_counts[slot] = bit_count;
    if (item < 8) ones[8 * slot + item] = counters[item];
}
