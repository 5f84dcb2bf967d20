// jpeg_samples.cl: from coefficients to samples. Part of jpeg_decode.cl.

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
