// jpeg_coefficients.cl: numbers the blocks, and writes their coefficients. Part of jpeg_decode.cl.

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
