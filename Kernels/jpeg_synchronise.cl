// jpeg_synchronise.cl: finds where each subsequence's first symbol begins. Part of jpeg_decode.cl.

// A state between two symbols: how far its position is beyond the subsequence's end (at most 26 bits), the
// block in the MCU, and the next coefficient's number. The guess for a subsequence's first state is 0.
#define OVERSHOOT(state) ((state)&63)
#define BLOCK(state) ((state) >> 6 & 15)
#define NUMBER(state) ((state) >> 10)
#define JOIN(overshoot, block, number) ((uint)(overshoot) | (block) << 6 | (number) << 10)

// What decoding needs.
typedef struct coding {
    __global const uint *words;
    __global const ushort *tables;
    uint bits, pair_bits, blocks_per_mcu;
} coding;

FUNCTION coding coding_of(
    __global const jpeg_scan *scan, __global const uint *words, __global const ushort *tables,
    __global const uint *states)
{
    const coding made = { words, tables, 8 * states[TOTAL], scan->pair_bits, scan->blocks_per_mcu };
    return made;
}

FUNCTION uint sequence_count(uint bits) { return (bits + SUB_BITS - 1) / SUB_BITS; }

// Bits from a subsequence's begin to its end.
FUNCTION uint sequence_bits(uint bits, uint sequence)
{
    return min((uint)SUB_BITS, bits - sequence * SUB_BITS);
}

FUNCTION void load_lut(__local uint *lut, __global const ushort *tables, uint item, uint count, uint size)
{
    for (uint n = item; n < size; n += count) lut[n] = ((__global const uint *)tables)[n];
}

// The entry of a code that is longer than LUT_BITS, or 0.
FUNCTION uint long_entry(const coding *from, uint entry, uint window)
{
    const uint rest = window >> 16 & ((1u << LONG_BITS) - 1);
    return from->tables[LONG_OFFSET + ((entry >> 5 & 2047) << LONG_BITS) + rest];
}

// Bits from a position on, the next one highest. There are always more than 32, enough for any symbol.
//
// A ring of words in local memory saves most reads of global memory: these fetch 32 bytes anyway, and items
// that read them one by one wait at nearly each symbol, because one of 32 needs a word then.
#define RING 16
typedef struct reader {
    ulong bits;
    uint used;          // less than 32: how many bits lack in `bits`
    uint next;          // number of the next word
    uint loaded;        // words before this one are in the ring
    __local uint *ring; // of this item: its words are `lanes` apart, so that there are no bank conflicts
    uint lanes;
} reader;

// Symbols between two calls of `stage`. Each has less than 32 bits.
#define STEPS 8

// After this, at least STEPS words are there. Reads less than 80 bytes after the end of the bits.
FUNCTION void stage(reader *at, __global const uint *words)
{
    if (at->loaded - at->next <= RING - 8) {
        const uint8 part = *(__global const uint8 *)(words + at->loaded);
        __local uint *to = at->ring + (at->loaded & (RING - 1)) * at->lanes;
        to[0] = part.s0;
        to[at->lanes] = part.s1;
        to[2 * at->lanes] = part.s2;
        to[3 * at->lanes] = part.s3;
        to[4 * at->lanes] = part.s4;
        to[5 * at->lanes] = part.s5;
        to[6 * at->lanes] = part.s6;
        to[7 * at->lanes] = part.s7;
        at->loaded += 8;
    }
}

FUNCTION uint word_at(const reader *from, uint number)
{
    return from->ring[(number & (RING - 1)) * from->lanes];
}

FUNCTION reader
reader_at(__global const uint *words, uint first, uint offset, __local uint *ring, const uint lanes)
{
    reader made;
    made.ring = ring;
    made.lanes = lanes;
    made.next = made.loaded = first & ~7u;
    stage(&made, words);
    stage(&made, words);
    made.bits = ((ulong)word_at(&made, first) << 32 | word_at(&made, first + 1)) << offset;
    made.used = offset;
    made.next = first + 2;
    return made;
}

FUNCTION void drop(reader *from, uint length)
{
    from->bits <<= length;
    from->used += length;
    if (from->used > 31) {
        from->used &= 31;
        from->bits |= (ulong)word_at(from, from->next) << from->used;
        from->next++;
    }
}

// Synchronisation.

// Decodes a subsequence from a state. Returns the state at its end; `blocks` gets the count of ends of
// blocks. Without synchronisation, anything may be there: an invalid code is skipped by a bit, and a block
// ends after coefficient 63.
FUNCTION uint skim(
    const coding *from, __local const uint *lut, __local uint *ring, const uint lanes, uint sequence,
    uint entry_state, uint *blocks)
{
    const uint offset = OVERSHOOT(entry_state);
    reader at = reader_at(from->words, sequence * SUB_WORDS, offset, ring, lanes);
    uint block = BLOCK(entry_state), number = NUMBER(entry_state), ended = 0;
    int left = (int)sequence_bits(from->bits, sequence) - (int)offset;
    while (left > 0) {
        stage(&at, from->words);
        for (uint step = 0; step < STEPS && left > 0; step++) {
            const uint window = (uint)(at.bits >> 32);
            const uint table = (from->pair_bits >> block & 1) << 1 | (uint)(number != 0);
            uint entry = lut[(table << LUT_BITS) + (window >> (32 - LUT_BITS))];
            if ((entry & 31) == 0) entry = max(long_entry(from, entry, window), 1u) * 0x10001u;
            // Both symbols only if the second one begins in the same block and subsequence: else states would
            // depend on where pairs begin.
            const bool is_single = left <= LUT_BITS || number + (entry >> 9 & 127) > 63;
            entry = is_single ? entry & 0xFFFF : entry >> 16;
            const uint length = entry & 31;
            left -= (int)length;
            drop(&at, length);
            number += entry >> 9;
            if (number > 63) {
                number = 0;
                ended++;
                block = block + 1 == from->blocks_per_mcu ? 0 : block + 1;
            }
        }
    }
    *blocks = ended;
    return JOIN(-left, block, number);
}

// Synchronises the subsequences of each group, and those of a halo before it, of which the first one begins
// with a guess. In each round, those with a new state before them are decoded again, by the first work-items:
// at most GROUP rounds.
//
// For each subsequence, `exits` and `block_counts`; for each group, the first state, the last one, and the
// blocks.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void sync_groups(
    __global const jpeg_scan *scan, __global const uint *words, __global const ushort *tables,
    __global const uint *states, __global uint *exits, __global uint *block_counts,
    __global uint *group_entries, __global uint *group_exits, __global uint *group_totals)
{
    __local uint lut[LUT_SIZE], rings[RING * GROUP];
    __local uint entries[GROUP], ends[GROUP], counts[GROUP], list[GROUP];
    __local uint list_count;
    const coding from = coding_of(scan, words, tables, states);
    const uint item = (uint)get_local_id(0), group = (uint)get_group_id(0), own = group * OWN;
    const uint sequences = sequence_count(from.bits);
    if (own >= sequences) return;
    // Items `lowest` up to `here` have subsequences. The first group has no halo: its state is known.
    const uint lowest = group == 0 ? HALO : 0, here = min((uint)GROUP, sequences - own + HALO);
    load_lut(lut, tables + PAIRS_OFFSET, item, GROUP, LUT_SIZE);
    uint todo = here - lowest;
    entries[item] = 0;
    list[item] = lowest + item;
    LOCAL_BARRIER;
    while (todo > 0) {
        if (item < todo) {
            const uint listed = list[item];
            uint blocks;
            ends[listed] =
                skim(&from, lut, rings + item, GROUP, own + listed - HALO, entries[listed], &blocks);
            counts[listed] = blocks;
        }
        if (item == 0) list_count = 0;
        LOCAL_BARRIER;
        if (item > lowest && item < here && ends[item - 1] != entries[item]) {
            entries[item] = ends[item - 1];
            list[atomic_inc(&list_count)] = item;
        }
        LOCAL_BARRIER;
        todo = list_count;
        LOCAL_BARRIER;
    }
    if (item >= HALO && item < here) {
        exits[own + item - HALO] = ends[item];
        block_counts[own + item - HALO] = counts[item];
    }
    if (item == 0) {
        uint total = 0;
        for (uint n = HALO; n < here; n++) total += counts[n];
        group_entries[group] = entries[HALO];
        group_exits[group] = ends[here - 1];
        group_totals[group] = total;
    }
}

// Brings the last state of each group to the next one, if its halo did not find it: an item walks from its
// group's begin until nothing changes, mostly a few subsequences. Only a walk to the end makes work for
// another launch, which reads what this one writes to `new_exits`.
__kernel __attribute__((reqd_work_group_size(WALK, 1, 1))) void sync_walk(
    __global const jpeg_scan *scan, __global const uint *words, __global const ushort *tables,
    __global const uint *states, __global uint *exits, __global uint *block_counts,
    __global uint *group_entries, __global uint *group_totals, __global const uint *old_exits,
    __global uint *new_exits)
{
    __local uint lut[LUT_SIZE], rings[RING * WALK];
    __local uint walkers;
    const coding from = coding_of(scan, words, tables, states);
    const uint item = (uint)get_local_id(0), group = (uint)get_global_id(0), first = group * OWN;
    const uint sequences = sequence_count(from.bits);
    const bool is_there = first < sequences;
    const uint before = is_there && group > 0 ? old_exits[group - 1] : 0;
    const bool walks = is_there && before != group_entries[group];
    if (item == 0) walkers = 0;
    LOCAL_BARRIER;
    if (walks) atomic_inc(&walkers);
    LOCAL_BARRIER;
    // Mostly, nothing is to do.
    if (walkers > 0) load_lut(lut, tables + PAIRS_OFFSET, item, WALK, LUT_SIZE);
    LOCAL_BARRIER;
    const uint here = is_there ? min((uint)OWN, sequences - first) : 0;
    uint walked = 0, total = walks ? group_totals[group] : 0, exit_state = before;
    bool goes = walks;
    while (goes) {
        const uint sequence = first + walked, old_exit = exits[sequence];
        uint blocks;
        exit_state = skim(&from, lut, rings + item, WALK, sequence, exit_state, &blocks);
        total += blocks - block_counts[sequence];
        exits[sequence] = exit_state;
        block_counts[sequence] = blocks;
        walked++;
        goes = exit_state != old_exit && walked < here;
    }
    if (is_there) new_exits[group] = walks && walked == here ? exit_state : old_exits[group];
    if (walks) {
        group_entries[group] = before;
        group_totals[group] = total;
    }
}

// From each group's blocks to the number of its first one. One work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void scan_groups(
    __global const uint *states, __global uint *group_totals)
{
    SUMS_OF_256
    const uint item = (uint)get_local_id(0);
    const uint groups = (sequence_count(8 * states[TOTAL]) + OWN - 1) / OWN;
    uint blocks = 0, total = 0;
    for (uint first = 0; first < groups; first += 256) {
        const uint group = first + item, here = group < groups ? group_totals[group] : 0;
        const uint before = blocks + sum_before(cells, rows, 256, item, here, &total);
        if (group < groups) group_totals[group] = before;
        blocks += total;
    }
}
