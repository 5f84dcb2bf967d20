// jpeg_decode.cl: a baseline JPEG's scan to planes of samples, with those of libjpeg-turbo's islow DCT, or of
// its reduced ones.
//
// unstuff_count, unstuff_scan, unstuff_scatter  Removes stuffed zeros; finds the marker at the scan's end.
// sync_groups, sync_walk (several launches)     Finds where each subsequence's first symbol begins.
// scan_groups, write_blocks                     Numbers the blocks; writes their coefficients.
// dc_totals, dc_values                          Sums up DC differences.
// write_segments                                With restart markers, replaces the six kernels before it.
// idct, idct_reduced, idct_means                Blocks to 8 x 8 samples; to 4 x 4 or 2 x 2; to one.
//
// Bits are cut into subsequences of SUB_BITS. A work-item decodes one from a guessed state, then again from
// its predecessor's last state, until nothing changes (Weissenberger & Schmidt, ICPP 2018). A work-group
// decodes GROUP subsequences: OWN of its own, after HALO of those of the group before.
//
// Nothing is repaired: unless `states[STATUS]` is COMPLETE alone, another decoder must decode the file.
// Whatever the bytes are, nothing is read or written out of bounds, and all coefficients are zero at the end,
// as they must be at the start.
//
// The host knows only an upper bound of the scan's bytes, so work-groups without work return at once, as a
// whole. Otherwise, barriers are in uniform flow, and divergent code has no `return` or `break`: PoCL 3.1
// miscompiles these.

// 32-bit words of a subsequence: a multiple of 8. Tests make them short.
#ifndef SUB_WORDS
#define SUB_WORDS 128
#endif
// Subsequences of a work-group: a multiple of 16.
#ifndef GROUP
#define GROUP 128
#endif
#define HALO 4
#define OWN (GROUP - HALO)
#define SUB_BITS (SUB_WORDS * 32)
#define WALK 32       // work-items of `sync_walk`
#define SEGMENTS 64   // work-items of `write_segments`
#define CHUNK 4096    // bytes that a work-group of 256 unstuffs
#define DC_ITEMS 8    // DC differences of a work-item
#define DC_CHUNK 2048 // and of a work-group
#define TILE 32       // blocks that a work-group transforms

// libjpeg-turbo's SIMD code computes with 16 bits. None of its sums wraps where a column's magnitudes sum up
// to at most this: see JPEGCore/level.h.
#define COLUMN_LIMIT 2951

#ifndef FUNCTION
#define FUNCTION inline __attribute__((always_inline))
#endif
#define LOCAL_BARRIER barrier(CLK_LOCAL_MEM_FENCE)

typedef struct jpeg_component {
    uint across, down; // blocks in an MCU: 1, 2 or 4
    uint first;        // the number of the first of them
    uint width;        // blocks in a row, of whole MCUs
    uint first_row;    // rows of blocks of the components before; of all, if there is no such component
    uint size;         // samples of a block, across and down: 8, 4, 2 or 1
    uint plane;        // where the samples begin: a multiple of 8
    uint stride;       // bytes from row to row: a multiple of 8
} jpeg_component;

typedef struct jpeg_scan {
    uint in_bytes;                    // from the scan's first byte to the file's end
    uint block_count, blocks_per_mcu; // blocks of whole MCUs, of all components
    uint pair_bits;                   // bit n: block n of an MCU uses the second pair of Huffman tables
    uint component_bits;              // two for each block of an MCU: its component
    uint ac_bits;                     // bit n: block n of an MCU needs AC coefficients, as its size is not 1
    uint mcus_across, mcu_count;
    uint restart_interval; // in MCUs; 0 without restart markers
    uint segment_count;    // between restart markers
    jpeg_component components[3];
} jpeg_scan;

// Tables, in ushorts: four look-up tables (DC and AC of the first pair, DC and AC of the second), the same in
// uints for up to two symbols, the quantisation steps of three components in zigzag order, then the long
// codes. An entry has
//   bits 0...4   the length of code and value
//        5...8   the value's size
//        9...15  the distance to the next coefficient's number: run + 1; 16 for ZRL; 64 at the end of a block
// An entry is 0 where there is no code, and for symbols that 8-bit samples never need. If the length is 0,
// but not the entry, the code is longer than LUT_BITS, and the bits from 5 on are the number of a group of
// long codes: the other bits of a code select an entry of that group. Group 0 is all zeros. An entry for two
// symbols has that of the first one, and in the higher 16 bits the sums of lengths and distances, if the
// second one is in the same block and both fit into LUT_BITS. Otherwise, both halves are the first one's.
#define LUT_BITS 10
#define LUT_SIZE (4 << LUT_BITS)
#define PAIRS_OFFSET LUT_SIZE
#define QUANT_OFFSET (3 * LUT_SIZE)
#define LONG_OFFSET (QUANT_OFFSET + 3 * 64)
#define LONG_BITS (16 - LUT_BITS)

// What kernels find. Before, END is `in_bytes`, the others are 0.
#define STATUS 0   // flags
#define END 1      // offset of the marker at the scan's end
#define TOTAL 2    // unstuffed bytes
#define RESTARTS 3 // restart markers

#define INVALID 1u   // no code, a run beyond a block, or a restart marker out of order
#define UNSYNCED 2u  // the subsequences do not fit together
#define TRUNCATED 4u // the bits end before the last block
#define EXTREME 8u   // samples may differ from libjpeg-turbo's
#define COMPLETE 16u // the last block was decoded
#define SURPLUS 32u  // a byte or more is left over after the last block, or a segment's

// Of values that each of `count` work-items has one of, the sum of those before `index`. All work-items of
// the group call it; `count` is a multiple of 16. `cells` has 17 for each 16 values, so that banks differ,
// and `rows` one.
FUNCTION uint
sum_before(__local uint *cells, __local uint *rows, const uint count, uint index, uint value, uint *total)
{
    const uint item = (uint)get_local_id(0), row = index >> 4, cell = row * 17 + (index & 15);
    LOCAL_BARRIER; // of an earlier call
    cells[cell] = value;
    LOCAL_BARRIER;
    if (item < count / 16) {
        uint sum = 0;
        for (uint n = 0; n < 16; n++) {
            const uint next = cells[item * 17 + n];
            cells[item * 17 + n] = sum;
            sum += next;
        }
        rows[item] = sum;
    }
    LOCAL_BARRIER;
    uint before = cells[cell], all = 0;
    for (uint n = 0; n < count / 16; n++) {
        before += n < row ? rows[n] : 0;
        all += rows[n];
    }
    *total = all;
    return before;
}

#define SUMS_OF_256 __local uint cells[256 / 16 * 17], rows[256 / 16];

// Unstuffing.

// A bit for each byte of a word that is 0.
FUNCTION uint zero_bytes(uint word)
{
    const uint highest = ~(((word & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | word | 0x7F7F7F7Fu);
    return (highest >> 7) * 0x10204080u >> 28;
}

FUNCTION uint equal_bytes(uint4 bytes, uint mask, uint value)
{
    const uint4 rest = (bytes & mask) ^ value;
    return zero_bytes(rest.x) | zero_bytes(rest.y) << 4 | zero_bytes(rest.z) << 8 | zero_bytes(rest.w) << 12;
}

// What 16 bytes of a scan are, a bit each: those that stay, and the second bytes of restart markers and of
// others.
typedef struct kinds {
    uint keep, restart, end;
} kinds;

FUNCTION kinds kinds_at(__global const uchar *in, uint at, uint end, bool has_restarts, uint4 *bytes)
{
    kinds made = { 0, 0, 0 };
    *bytes = (uint4)(0);
    if (at < end) {
        *bytes = *(__global const uint4 *)(in + at);
        const uint full = equal_bytes(*bytes, 0xFFFFFFFFu, 0xFFFFFFFFu);
        const uint zero = equal_bytes(*bytes, 0xFFFFFFFFu, 0);
        const uint valid = end - at >= 16 ? 0xFFFF : (1u << (end - at)) - 1;
        const uint after = full << 1 | (uint)(at > 0 && in[at - 1] == 0xFF);
        uint dropped = after & zero;
        made.end = valid & after & ~zero;
        if (has_restarts) {
            uint restart = equal_bytes(*bytes, 0xF8F8F8F8u, 0xD0D0D0D0u);
            if (at + 16 < end) restart |= (uint)((in[at + 16] & 0xF8) == 0xD0) << 16;
            restart &= after;
            dropped |= restart | restart >> 1;
            made.restart = restart & valid;
            made.end &= ~restart;
        }
        made.keep = valid & ~dropped;
    }
    return made;
}

// Counts of 16 bytes or of a chunk: those that stay, and restart markers in the higher bits.
FUNCTION uint counts_of(kinds of) { return popcount(of.keep) | popcount(of.restart) << 16; }

// The bits below the lowest one.
FUNCTION uint zeros_below(uint bits) { return popcount((bits & -bits) - 1); }

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void unstuff_count(
    __global const jpeg_scan *scan, __global const uchar *in, __global uint2 *chunks, __global uint *states)
{
    SUMS_OF_256
    const uint item = (uint)get_local_id(0), chunk = (uint)get_group_id(0), at = chunk * CHUNK + item * 16;
    uint4 bytes;
    uint total;
    const kinds here = kinds_at(in, at, scan->in_bytes, scan->restart_interval > 0, &bytes);
    if (here.end != 0) atomic_min(states + END, at + zeros_below(here.end) - 1);
    sum_before(cells, rows, 256, item, counts_of(here), &total);
    if (item == 0) chunks[chunk].x = total;
}

// The place of each chunk's bytes, and the number of its first restart marker. One work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void unstuff_scan(
    __global const jpeg_scan *scan, __global const uchar *in, __global uint2 *chunks, __global uchar *words,
    __global uint *states)
{
    SUMS_OF_256
    const uint item = (uint)get_local_id(0), end = states[END];
    // The chunk with the end is counted anew.
    const uint whole = end / CHUNK;
    uint kept = 0, restarts = 0, total = 0;
    for (uint first = 0; first < whole; first += 256) {
        const uint chunk = first + item, counts = chunk < whole ? chunks[chunk].x : 0;
        const uint kept_before = kept + sum_before(cells, rows, 256, item, counts & 0xFFFF, &total);
        kept += total;
        const uint restarts_before = restarts + sum_before(cells, rows, 256, item, counts >> 16, &total);
        restarts += total;
        if (chunk < whole) chunks[chunk] = (uint2)(kept_before, restarts_before);
    }
    uint4 bytes;
    const kinds here = kinds_at(in, whole * CHUNK + item * 16, end, scan->restart_interval > 0, &bytes);
    sum_before(cells, rows, 256, item, counts_of(here), &total);
    // There are no counts for an empty last chunk.
    if (item == 0 && whole * CHUNK < end) chunks[whole] = (uint2)(kept, restarts);
    kept += total & 0xFFFF;
    restarts += total >> 16;
    if (item == 0) {
        states[TOTAL] = kept;
        states[RESTARTS] = restarts;
    }
    // Zeros after the end: readers are ahead of their position.
    if (item < 64) words[(kept + item) ^ 3] = 0;
}

// Words are big-endian. `segments` gets where each segment but the first begins.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void unstuff_scatter(
    __global const jpeg_scan *scan, __global const uchar *in, __global const uint2 *chunks,
    __global uint *words, __global uint *segments, __global uint *states)
{
    SUMS_OF_256
    __local uchar kept[CHUNK];
    const uint item = (uint)get_local_id(0), chunk = (uint)get_group_id(0), end = states[END];
    if (chunk * CHUNK >= end) return;
    const uint first_byte = chunk * CHUNK + item * 16;
    uint4 bytes;
    uint total;
    const kinds here = kinds_at(in, first_byte, end, scan->restart_interval > 0, &bytes);
    const uint before = sum_before(cells, rows, 256, item, counts_of(here), &total);
    const uint2 place = chunks[chunk];
    const uint begin = place.x, stop = begin + (total & 0xFFFF);
    const uint parts[4] = { bytes.x, bytes.y, bytes.z, bytes.w };
    uint to = before & 0xFFFF;
#pragma unroll
    for (uint n = 0; n < 16; n++)
        if ((here.keep >> n & 1) != 0) kept[to++] = (uchar)(parts[n >> 2] >> (8 * (n & 3)));
    uint number = place.y + (before >> 16);
    for (uint rest = here.restart; rest != 0; rest &= rest - 1) {
        const uint n = zeros_below(rest);
        // They count from 0 to 7, again and again.
        if ((in[first_byte + n] & 7) != (number & 7)) atomic_or(states + STATUS, INVALID);
        number++;
        if (number < scan->segment_count)
            segments[number] = begin + (before & 0xFFFF) + popcount(here.keep & ((1u << n) - 1));
    }
    LOCAL_BARRIER;
    // Words at the chunk's ends belong to other groups too, and are written in bytes.
    for (uint word = begin / 4 + item; word * 4 < stop; word += 256) {
        const uint first = word * 4;
        if (first >= begin && first + 4 <= stop) {
            __local const uchar *from = kept + (first - begin);
            words[word] = (uint)from[0] << 24 | (uint)from[1] << 16 | (uint)from[2] << 8 | from[3];
        } else {
            for (uint n = max(first, begin); n < min(first + 4, stop); n++)
                ((__global uchar *)words)[n ^ 3] = kept[n - begin];
        }
    }
}

// Symbols.

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

// Coefficients.

// A position in the bits, and in the blocks.
typedef struct writer {
    reader bits;
    int left;           // bits up to the end; negative after it
    uint block, number; // in the MCU, and in the block
    uint at;            // number of the block
    uint flags;
} writer;

// Decodes with output up to the end of the bits or the block `stop`: AC coefficients in zigzag order, and DC
// values in an array of their own. These are differences, unless `has_sums`.
FUNCTION void write_symbols(
    writer *to, const coding *from, __local const ushort *lut, __global const jpeg_scan *scan,
    __global short *coefficients, __global short *dcs, uint stop, const bool has_sums)
{
    const uint component_bits = scan->component_bits, ac_bits = scan->ac_bits;
    int sum_0 = 0, sum_1 = 0, sum_2 = 0;
    while (to->left > 0 && to->at < stop) {
        stage(&to->bits, from->words);
        for (uint step = 0; step < STEPS && to->left > 0 && to->at < stop; step++) {
            const uint window = (uint)(to->bits.bits >> 32);
            const bool is_dc = to->number == 0;
            const uint table = (from->pair_bits >> to->block & 1) << 1 | (uint)!is_dc;
            uint entry = lut[(table << LUT_BITS) + (window >> (32 - LUT_BITS))];
            if ((entry & 31) == 0) entry = long_entry(from, entry, window);
            const uint length = entry & 31, size = entry >> 5 & 15, distance = entry >> 9;
            const uint after = to->number + distance;
            const bool is_invalid = entry == 0 || (distance <= 16 && after > 64);
            // The value's bits, extended (T.81, figure F.12).
            const uint rest = window << (length - size);
            int value = (int)(rest >> 1 >> (31 - size)) - ((int)rest < 0 ? 0 : (int)((1u << size) - 1));
            if (has_sums && is_dc) {
                const uint component = component_bits >> (2 * to->block) & 3;
                value += component == 0 ? sum_0 : component == 1 ? sum_1 : sum_2;
                sum_0 = component == 0 ? value : sum_0;
                sum_1 = component == 1 ? value : sum_1;
                sum_2 = component == 2 ? value : sum_2;
                if (value != (short)value) to->flags |= EXTREME;
            }
            __global short *const place = is_dc ? dcs + to->at : coefficients + (64 * to->at + after - 1);
            const bool is_kept = is_dc || (size > 0 && (ac_bits >> to->block & 1) != 0);
            if (is_kept && !is_invalid) *place = (short)value;
            to->left -= (int)length;
            drop(&to->bits, length);
            to->number = after;
            if (after > 63) {
                to->number = 0;
                to->at++;
                to->block = to->block + 1 == from->blocks_per_mcu ? 0 : to->block + 1;
            }
            if (is_invalid) {
                to->flags |= INVALID;
                to->left = 0;
            }
        }
    }
}

// Decodes again, with output. It also proves that the states and counts fit together.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void write_blocks(
    __global const jpeg_scan *scan, __global const uint *words, __global const ushort *tables,
    __global uint *states, __global const uint *exits, __global const uint *block_counts,
    __global const uint *group_offsets, __global short *coefficients, __global short *dcs)
{
    __local uint lut_words[LUT_SIZE / 2], rings[RING * GROUP];
    __local uint cells[GROUP / 16 * 17], rows[GROUP / 16];
    const coding from = coding_of(scan, words, tables, states);
    const uint item = (uint)get_local_id(0), group = (uint)get_group_id(0), sequence = group * OWN + item;
    const uint sequences = sequence_count(from.bits);
    if (group * OWN >= sequences) return;
    load_lut(lut_words, tables, item, GROUP, LUT_SIZE / 2);
    const bool is_there = item < OWN && sequence < sequences;
    const uint count = is_there ? block_counts[sequence] : 0;
    uint total;
    // Its barriers make the table visible, too.
    const uint before = sum_before(cells, rows, GROUP, item, count, &total);

    const uint begin = group_offsets[group] + before, stop = scan->block_count;
    const uint entry_state = is_there && sequence > 0 ? exits[sequence - 1] : 0;
    const uint exit_state = is_there ? exits[sequence] : 0;
    const uint offset = OVERSHOOT(entry_state);
    writer at;
    at.bits = reader_at(words, is_there ? sequence * SUB_WORDS : 0, offset, rings + item, GROUP);
    at.left = is_there ? (int)sequence_bits(from.bits, sequence) - (int)offset : 0;
    at.block = BLOCK(entry_state);
    at.number = NUMBER(entry_state);
    at.at = begin;
    at.flags = 0;
    write_symbols(&at, &from, (__local const ushort *)lut_words, scan, coefficients, dcs, stop, false);
    // Flags add up, without branches: PoCL 3.1 miscompiles those that end here.
    const bool is_last = at.at == stop, is_here = is_there && begin < stop;
    const uint written = at.at - begin, last_state = JOIN(-at.left, at.block, at.number);
    const bool fits = is_last ? written <= count : written == count && last_state == exit_state;
    const uint position = sequence * SUB_BITS + sequence_bits(from.bits, sequence) - (uint)at.left;
    uint flags = at.flags | (fits ? 0 : UNSYNCED) | (is_last ? COMPLETE : 0);
    flags |= is_last && position > from.bits ? TRUNCATED : 0;
    flags |= is_last && position + 7 < from.bits ? SURPLUS : 0;
    if (is_here && flags != 0) atomic_or(states + STATUS, flags);
}

// With restart markers, an item decodes what is between two of them: all is known at its begin.
__kernel __attribute__((reqd_work_group_size(SEGMENTS, 1, 1))) void write_segments(
    __global const jpeg_scan *scan, __global const uint *words, __global const ushort *tables,
    __global uint *states, __global const uint *segments, __global short *coefficients, __global short *dcs)
{
    __local uint lut_words[LUT_SIZE / 2], rings[RING * SEGMENTS];
    const coding from = coding_of(scan, words, tables, states);
    const uint item = (uint)get_local_id(0), segment = (uint)get_global_id(0), count = scan->segment_count;
    // With more or fewer segments than expected, the photo is damaged: it will not be complete.
    if (states[RESTARTS] + 1 != count) return;
    load_lut(lut_words, tables, item, SEGMENTS, LUT_SIZE / 2);
    LOCAL_BARRIER;
    const bool is_there = segment < count;
    const uint begin = is_there && segment > 0 ? segments[segment] : 0;
    const uint end = is_there && segment + 1 < count ? segments[segment + 1] : states[TOTAL];
    const uint first_mcu = is_there ? segment * scan->restart_interval : 0;
    const uint mcus = is_there ? min(scan->restart_interval, scan->mcu_count - first_mcu) : 0;
    const uint stop = (first_mcu + mcus) * scan->blocks_per_mcu;
    writer at;
    at.bits = reader_at(words, begin / 4, 8 * (begin & 3), rings + item, SEGMENTS);
    at.left = 8 * (int)(end - begin);
    at.block = at.number = at.flags = 0;
    at.at = first_mcu * scan->blocks_per_mcu;
    write_symbols(&at, &from, (__local const ushort *)lut_words, scan, coefficients, dcs, stop, true);
    uint flags = at.flags | (at.left < 0 || at.at != stop ? TRUNCATED : 0) | (at.left > 7 ? SURPLUS : 0);
    flags |= segment + 1 == count ? COMPLETE : 0;
    if (is_there && flags != 0) atomic_or(states + STATUS, flags);
}

// Reads DC differences of a component in the scan's order, DC_ITEMS of this work-item. Returns their sum;
// `sums` gets those up to each, and `places` where they are, or ~0.
FUNCTION uint read_dcs(
    __global const jpeg_scan *scan, __global const jpeg_component *part, __global const short *dcs,
    uint first, uint places[DC_ITEMS], uint sums[DC_ITEMS])
{
    const uint in_mcu = part->across * part->down, count = scan->mcu_count * in_mcu;
    uint mcu = first / in_mcu, rest = first - mcu * in_mcu, sum = 0;
#pragma unroll
    for (uint n = 0; n < DC_ITEMS; n++) {
        places[n] = first + n < count ? mcu * scan->blocks_per_mcu + part->first + rest : 0xFFFFFFFF;
        sum += first + n < count ? (uint)(int)dcs[places[n]] : 0;
        sums[n] = sum;
        rest++;
        if (rest == in_mcu) {
            rest = 0;
            mcu++;
        }
    }
    return sum;
}

// The sum of each chunk's differences. Dimension 1 is the component.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void dc_totals(
    __global const jpeg_scan *scan, __global const short *dcs, __global uint *totals)
{
    SUMS_OF_256
    const uint item = (uint)get_local_id(0), chunk = (uint)get_group_id(0), number = (uint)get_group_id(1);
    uint places[DC_ITEMS], own[DC_ITEMS], total;
    const uint sum =
        read_dcs(scan, scan->components + number, dcs, chunk * DC_CHUNK + item * DC_ITEMS, places, own);
    sum_before(cells, rows, 256, item, sum, &total);
    if (item == 0) totals[number * (uint)get_num_groups(0) + chunk] = total;
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void dc_values(
    __global const jpeg_scan *scan, __global short *dcs, __global const uint *totals, __global uint *states)
{
    SUMS_OF_256
    const uint item = (uint)get_local_id(0), chunk = (uint)get_group_id(0), number = (uint)get_group_id(1);
    __global const uint *own_totals = totals + number * (uint)get_num_groups(0);
    // What the chunks before add up to.
    uint before = 0, total;
    for (uint n = item; n < chunk; n += 256) before += own_totals[n];
    sum_before(cells, rows, 256, item, before, &before);
    uint places[DC_ITEMS], own[DC_ITEMS];
    const uint sum =
        read_dcs(scan, scan->components + number, dcs, chunk * DC_CHUNK + item * DC_ITEMS, places, own);
    before += sum_before(cells, rows, 256, item, sum, &total);
    bool is_extreme = false;
#pragma unroll
    for (uint n = 0; n < DC_ITEMS; n++) {
        const int value = (int)(before + own[n]);
        if (places[n] != 0xFFFFFFFF) {
            dcs[places[n]] = (short)value;
            is_extreme |= value != (short)value;
        }
    }
    if (is_extreme) atomic_or(states + STATUS, EXTREME);
}

// Samples.

// The component that a row of blocks belongs to, of all components' rows.
FUNCTION uint component_of(__global const jpeg_scan *scan, uint row)
{
    return (uint)(row >= scan->components[1].first_row) + (uint)(row >= scan->components[2].first_row);
}

// The number of a block, in the scan's order.
FUNCTION uint
block_at(__global const jpeg_scan *scan, __global const jpeg_component *part, uint column, uint row)
{
    // There are 1, 2 or 4 blocks in an MCU, across and down.
    const uint across_shift = part->across >> 1, down_shift = part->down >> 1;
    const uint mcu = (row >> down_shift) * scan->mcus_across + (column >> across_shift);
    const uint in_mcu = ((row & (part->down - 1)) << across_shift) + (column & (part->across - 1));
    return mcu * scan->blocks_per_mcu + part->first + in_mcu;
}

// Row-major index of each coefficient in zigzag order, eight in 64 bits.
__constant ulong zigzag_rows[8] = {
    0x0A03020910080100UL, 0x05040B1219201811UL, 0x22293028211A130CUL, 0x1C150E07060D141BUL,
    0x242B323938312A23UL, 0x332C251E170F161DUL, 0x2E271F262D343B3AUL, 0x3F3E372F363D3C35UL,
};

// Words of a block in local memory: one more than 64, so that banks differ.
#define ROOM 65

// Loads a work-group's blocks, dequantised and row-major, and sets their coefficients to zero again for the
// next photo. Each work-item loads eight coefficients of a block.
FUNCTION void load_tile(
    __global const jpeg_scan *scan, __global const jpeg_component *part, __global const ushort *steps,
    __global short *coefficients, __global const short *dcs, __local int *tile, uint left, uint row)
{
    const uint item = (uint)get_local_id(0), column = left + item / 8, eighth = item & 7;
    if (column < part->width) {
        const uint block = block_at(scan, part, column, row);
        __global short8 *from = (__global short8 *)(coefficients + 64 * block) + eighth;
        const short8 loaded = *from;
        const ushort8 step = ((__global const ushort8 *)steps)[eighth];
        const int8 values = convert_int8(loaded) * convert_int8(step);
        if (any(loaded != (short8)(0))) *from = (short8)(0);
        int first = values.s0;
        if (eighth == 0) first = dcs[block] * (int)step.s0;
        __local int *to = tile + item / 8 * ROOM;
        const ulong indices = zigzag_rows[eighth];
        to[(uint)indices & 63] = first;
        to[(uint)(indices >> 8) & 63] = values.s1;
        to[(uint)(indices >> 16) & 63] = values.s2;
        to[(uint)(indices >> 24) & 63] = values.s3;
        to[(uint)(indices >> 32) & 63] = values.s4;
        to[(uint)(indices >> 40) & 63] = values.s5;
        to[(uint)(indices >> 48) & 63] = values.s6;
        to[(uint)(indices >> 56) & 63] = values.s7;
    }
}

// Loads a column. Flags one that is too large: at most 7 * 1023 * 8191 + 32768 * 8191.
FUNCTION void load_column(__local const int *block, uint column, int v[8], __global uint *states)
{
    uint sum = 0;
#pragma unroll
    for (int n = 0; n < 8; n++) {
        v[n] = block[8 * n + column];
        sum += abs(v[n]);
    }
    if (sum > COLUMN_LIMIT) atomic_or(states + STATUS, EXTREME);
}

// The constants of jidctint.c, in 13 bits.
#define FIX_0_298 2446
#define FIX_0_390 3196
#define FIX_0_541 4433
#define FIX_0_765 6270
#define FIX_0_899 7373
#define FIX_1_175 9633
#define FIX_1_501 12299
#define FIX_1_847 15137
#define FIX_1_961 16069
#define FIX_2_053 16819
#define FIX_2_562 20995
#define FIX_3_072 25172

// A pass over eight values. Results are shifted right by `shift`, rounded half up.
FUNCTION void inverse_pass(int v[8], const int shift)
{
    const int half_unit = 1 << (shift - 1);
    const int e = (v[2] + v[6]) * FIX_0_541;
    const int t2 = e - v[6] * FIX_1_847, t3 = e + v[2] * FIX_0_765;
    const int t0 = (v[0] + v[4]) * 8192 + half_unit, t1 = (v[0] - v[4]) * 8192 + half_unit;
    const int a0 = t0 + t3, a3 = t0 - t3, a1 = t1 + t2, a2 = t1 - t2;
    const int s73 = v[7] + v[3], s51 = v[5] + v[1], z5 = (s73 + s51) * FIX_1_175;
    const int z3 = z5 - s73 * FIX_1_961, z4 = z5 - s51 * FIX_0_390;
    const int z1 = (v[7] + v[1]) * -FIX_0_899, z2 = (v[5] + v[3]) * -FIX_2_562;
    const int b0 = v[7] * FIX_0_298 + z1 + z3, b1 = v[5] * FIX_2_053 + z2 + z4;
    const int b2 = v[3] * FIX_3_072 + z2 + z3, b3 = v[1] * FIX_1_501 + z1 + z4;
    v[0] = (a0 + b3) >> shift;
    v[7] = (a0 - b3) >> shift;
    v[1] = (a1 + b2) >> shift;
    v[6] = (a1 - b2) >> shift;
    v[2] = (a2 + b1) >> shift;
    v[5] = (a2 - b1) >> shift;
    v[3] = (a3 + b0) >> shift;
    v[4] = (a3 - b0) >> shift;
}

// Transforms TILE neighbouring blocks of a component with blocks of 8 x 8 samples. Dimension 1 has the rows
// of blocks of all components.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void idct(
    __global const jpeg_scan *scan, __global const ushort *tables, __global uint *states,
    __global short *coefficients, __global const short *dcs, __global uchar *samples)
{
    __local int tile[TILE * ROOM];
    const uint item = (uint)get_local_id(0), left = (uint)get_group_id(0) * TILE;
    const uint number = component_of(scan, (uint)get_group_id(1));
    __global const jpeg_component *part = scan->components + number;
    const uint row = (uint)get_group_id(1) - part->first_row;
    if (left >= part->width || part->size != 8) return;
    load_tile(scan, part, tables + QUANT_OFFSET + 64 * number, coefficients, dcs, tile, left, row);
    LOCAL_BARRIER;

    // Then a work-item transforms a column, and a row.
    const uint x = item & (TILE - 1), line = item / TILE;
    const bool is_there = left + x < part->width;
    __local int *block = tile + ROOM * x;
    int v[8];
    if (is_there) {
        load_column(block, line, v, states);
        inverse_pass(v, 13 - 2);
#pragma unroll
        for (int n = 0; n < 8; n++) block[8 * n + line] = v[n];
    }
    LOCAL_BARRIER;
    if (is_there) {
#pragma unroll
        for (int n = 0; n < 8; n++) v[n] = block[8 * line + n];
        inverse_pass(v, 13 + 2 + 3);
        const int8 values = (int8)(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]) + 128;
        const uint at = part->plane + (8 * row + line) * part->stride + 8 * (left + x);
        *(__global uchar8 *)(samples + at) = convert_uchar8_sat(values);
    }
}

// Those of jidctred.c.
#define FIX_0_211 1730
#define FIX_0_509 4176
#define FIX_0_601 4926
#define FIX_0_720 5906
#define FIX_0_850 6967
#define FIX_1_061 8697
#define FIX_1_272 10426
#define FIX_1_451 11893
#define FIX_2_172 17799
#define FIX_3_624 29692

// A pass from eight values to four: they do not depend on the fifth.
FUNCTION void pass_to_4(int v[8], const int shift)
{
    const int mean = v[0] * 16384 + (1 << (shift - 1)), even = v[2] * FIX_1_847 - v[6] * FIX_0_765;
    const int outer = v[3] * FIX_0_899 + v[1] * FIX_2_562 - v[7] * FIX_0_509 - v[5] * FIX_0_601;
    const int inner = v[5] * FIX_1_451 - v[7] * FIX_0_211 - v[3] * FIX_2_172 + v[1] * FIX_1_061;
    v[0] = (mean + even + outer) >> shift;
    v[1] = (mean - even + inner) >> shift;
    v[2] = (mean - even - inner) >> shift;
    v[3] = (mean + even - outer) >> shift;
}

// A pass from eight values to two: they depend on the first and the odd ones.
FUNCTION void pass_to_2(int v[8], const int shift)
{
    const int mean = v[0] * 32768 + (1 << (shift - 1));
    const int odd = v[5] * FIX_0_850 - v[7] * FIX_0_720 - v[3] * FIX_1_272 + v[1] * FIX_3_624;
    v[0] = (mean + odd) >> shift;
    v[1] = (mean - odd) >> shift;
}

// The same as `idct` for components with blocks of 4 x 4 or 2 x 2 samples.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void idct_reduced(
    __global const jpeg_scan *scan, __global const ushort *tables, __global uint *states,
    __global short *coefficients, __global const short *dcs, __global uchar *samples)
{
    __local int tile[TILE * ROOM];
    const uint item = (uint)get_local_id(0), left = (uint)get_group_id(0) * TILE;
    const uint number = component_of(scan, (uint)get_group_id(1));
    __global const jpeg_component *part = scan->components + number;
    const uint row = (uint)get_group_id(1) - part->first_row, size = part->size;
    const bool is_reduced = size == 4 || size == 2;
    if (is_reduced)
        load_tile(scan, part, tables + QUANT_OFFSET + 64 * number, coefficients, dcs, tile, left, row);
    LOCAL_BARRIER;

    // Then a work-item transforms a column, and some of them a row.
    const uint x = item & (TILE - 1), line = item / TILE;
    const bool is_there = is_reduced && left + x < part->width;
    __local int *block = tile + ROOM * x;
    int v[8];
    if (is_there) {
        load_column(block, line, v, states);
        if (size == 4) {
            pass_to_4(v, 13 - 2 + 1);
            block[16 + line] = v[2];
            block[24 + line] = v[3];
        } else {
            pass_to_2(v, 13 - 2 + 2);
        }
        block[line] = v[0];
        block[8 + line] = v[1];
    }
    LOCAL_BARRIER;
    if (is_there && line < size) {
#pragma unroll
        for (int n = 0; n < 8; n++) v[n] = block[8 * line + n];
        __global uchar *to = samples + part->plane + (size * row + line) * part->stride + size * (left + x);
        if (size == 4) {
            pass_to_4(v, 13 + 2 + 4);
            *(__global uchar4 *)to = convert_uchar4_sat((int4)(v[0], v[1], v[2], v[3]) + 128);
        } else {
            pass_to_2(v, 13 + 2 + 5);
            *(__global uchar2 *)to = convert_uchar2_sat((int2)(v[0], v[1]) + 128);
        }
    }
}

// For components with blocks of a single sample, their mean. A work-item has a block.
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void idct_means(
    __global const jpeg_scan *scan, __global const ushort *tables, __global uint *states,
    __global const short *dcs, __global uchar *samples)
{
    const uint column = (uint)get_global_id(0), number = component_of(scan, (uint)get_group_id(1));
    __global const jpeg_component *part = scan->components + number;
    const uint row = (uint)get_group_id(1) - part->first_row;
    if (column < part->width && part->size == 1) {
        const int dc = dcs[block_at(scan, part, column, row)] * (int)tables[QUANT_OFFSET + 64 * number];
        if (abs(dc) > COLUMN_LIMIT) atomic_or(states + STATUS, EXTREME);
        samples[part->plane + row * part->stride + column] = convert_uchar_sat(((dc + 4) >> 3) + 128);
    }
}
