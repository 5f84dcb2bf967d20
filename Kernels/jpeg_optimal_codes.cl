// jpeg_optimal_codes.cl: counts symbols, and finds the codes that need the fewest bits. Part of jpeg_encode.cl.

// A group has some copies of its counters, side by side: neighbours often count the same symbol.
#define COPIES 4

// Adds to `counts`, which has two tables like those of codes, each symbol of the scan.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void count_symbols(
    __global const uint2 *restrict samples, __global const jpeg_image *restrict image,
    __constant const uint2 *all_steps, __global uint *restrict counts)
{
    __local short coefficients[64 * GROUP];
    __local uint counters[COPIES * 2 * TABLE_CODES];
    __local int dcs[GROUP];

    const uint item = (uint)get_local_id(0);
    for (uint n = item; n < COPIES * 2 * TABLE_CODES; n += GROUP) counters[n] = 0;
    block_values block;
    quantise_block(samples, image, all_steps, coefficients, dcs, &block); // with a barrier for the counters
    if (block.is_coded) {
        __local uint *const table = counters + (block.is_luma ? 0 : COPIES * TABLE_CODES) + item % COPIES;
        atomic_inc(table + COPIES * (AC_CODES + size_of(block.difference)));
        coefficient_walk walk = { block.nonzero, 0, 0 };
        while (walk.left != 0) {
            walk_on(&walk);
            const uint size = size_of(coefficients[COEFFICIENT(walk.last)]);
            if (walk.run > 15) atomic_add(table + COPIES * 0xF0, walk.run >> 4);
            atomic_inc(table + COPIES * ((walk.run & 15) << 4 | size));
        }
        if (walk.last != 63) atomic_inc(table);
    }
    LOCAL_BARRIER;
    for (uint n = item; n < 2 * TABLE_CODES; n += GROUP) {
        uint sum = 0;
        for (uint copy = 0; copy < COPIES; copy++) sum += counters[COPIES * n + copy];
        if (sum > 0) atomic_add(counts + n, sum);
    }
}

// A branch of the tree of codes, as in optimal_table.c: its frequency, and below it how far its first symbol is from the last
// one, so the lowest of several equal frequencies is the last symbol's.
#define BRANCH(frequency, symbol) ((ulong)(frequency) << 9 | (256 - (symbol)))
#define NO_BRANCH 0xFFFFFFFFFFFFFFFFUL
#define SYMBOLS 256
// The longest code before lengths are limited has 58 bits: that of 256 frequencies of 32 bits.
#define LENGTHS 64
#define LONGEST 16
#define DHT_TABLE (LONGEST + SYMBOLS)

// Takes the rarest branch from the queue of symbols or that of joined branches: both are sorted, as of joined ones a later one
// is never rarer, and of equal ones the first came from later symbols.
#define TAKE_RAREST(taken, parent)                          \
    ulong taken = leaves[leaf];                             \
    if (taken < joined[branch]) {                           \
        parents[leaf++] = (ushort)(parent);                 \
    } else {                                                \
        taken = joined[branch];                             \
        parents[SYMBOLS + 1 + branch++] = (ushort)(parent); \
    }

// A work-group finds a table's codes: DC and AC of luma, then of chroma. `tables` gets what a DHT segment has of each, at
// DHT_TABLE bytes from one another: 16 counts and the symbols. The counts are 0 again after it, for the next scan.
__kernel __attribute__((reqd_work_group_size(SYMBOLS, 1, 1))) void optimal_codes(
    __global uint *restrict counts, __global uint *restrict codes, __global uchar *restrict tables)
{
    __local ulong branches[SYMBOLS], leaves[SYMBOLS + 2], joined[SYMBOLS + 1];
    __local ushort parents[2 * SYMBOLS + 1]; // of leaves, then of joined branches
    __local uint lengths[SYMBOLS + 1], length_counts[LENGTHS];
    __local uchar symbols[SYMBOLS];

    const uint item = (uint)get_local_id(0), table = (uint)get_group_id(0); // an item has a symbol
    const uint codes_begin = table / 2 * TABLE_CODES + (table % 2 == 0 ? AC_CODES : 0);
    const uint symbol_count = table % 2 == 0 ? TABLE_CODES - AC_CODES : AC_CODES;
    uint frequency = 0;
    if (item < symbol_count) {
        frequency = counts[codes_begin + item];
        counts[codes_begin + item] = 0;
    }
    branches[item] = frequency > 0 ? BRANCH(frequency, item) : NO_BRANCH;
    joined[item] = NO_BRANCH;
    lengths[item] = 0;
    symbols[item] = 0;
    if (item < LENGTHS) length_counts[item] = 0;
    LOCAL_BARRIER;

    // In order of frequency. The first is the one that keeps the code of ones alone free: no branch is rarer.
    uint used = 0, place = 1;
    for (uint n = 0; n < SYMBOLS; n++) {
        used += branches[n] != NO_BRANCH ? 1 : 0;
        place += branches[n] < branches[item] ? 1 : 0;
    }
    if (frequency > 0) leaves[place] = branches[item];
    if (item == 0) {
        leaves[0] = BRANCH(1, SYMBOLS);
        leaves[used + 1] = NO_BRANCH;
        joined[SYMBOLS] = NO_BRANCH;
    }
    LOCAL_BARRIER;

    // Figure K.1.
    if (item == 0) {
        uint leaf = 0, branch = 0;
        for (uint n = 0; n < used; n++) {
            TAKE_RAREST(first, n)
            TAKE_RAREST(second, n)
            joined[n] = first + (second >> 9 << 9);
        }
    }
    LOCAL_BARRIER;
    for (uint n = item; n <= used && used > 0; n += SYMBOLS) {
        uint length = 1;
        for (uint at = parents[n]; at != used - 1; at = parents[SYMBOLS + 1 + at]) length++;
        lengths[SYMBOLS - (uint)(leaves[n] & 0x1FF)] = length;
        atomic_inc(length_counts + length);
    }
    LOCAL_BARRIER;

    // Figure K.3: a pair of codes that are too long becomes one code a bit shorter, and another one makes place for two.
    if (item == 0) {
        for (uint length = LENGTHS - 1; length > LONGEST; length--) {
            while (length_counts[length] > 0) {
                uint shorter = length - 2;
                while (length_counts[shorter] == 0) shorter--;
                length_counts[length] -= 2;
                length_counts[length - 1]++;
                length_counts[shorter + 1] += 2;
                length_counts[shorter]--;
            }
        }
        uint longest = LONGEST;
        while (longest > 0 && length_counts[longest] == 0) longest--;
        if (longest > 0) length_counts[longest]--; // the reserved symbol's
    }
    LOCAL_BARRIER;

    // Figure K.4: by lengths, then by symbols. A limited length changes no order.
    const uint own_length = lengths[item];
    uint index = 0;
    for (uint n = 0; n < SYMBOLS; n++) {
        const uint length = lengths[n];
        index += length > 0 && (length < own_length || (length == own_length && n < item)) ? 1 : 0;
    }
    uint own_code = 0, code = 0, begin = 0;
    for (uint length = 1; length <= LONGEST; length++) {
        const uint count = length_counts[length];
        if (frequency > 0 && index >= begin && index < begin + count)
            own_code = (code + index - begin) | (length + (item & 15)) << 16;
        code = (code + count) << 1;
        begin += count;
    }
    if (item < symbol_count) codes[codes_begin + item] = own_code;
    if (frequency > 0) symbols[index] = (uchar)item;
    LOCAL_BARRIER;
    __global uchar *const bytes = tables + DHT_TABLE * table;
    if (item < LONGEST) bytes[item] = (uchar)length_counts[item + 1];
    bytes[LONGEST + item] = symbols[item];
}
