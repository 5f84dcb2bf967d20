// jpeg_quantise.cl: from samples to quantised coefficients. Part of jpeg_encode.cl.

// One dimension of T.81, A.3.3, as in jfdctint.c, from a0 to a7. b0 and b4 are still to be scaled.
#define FORWARD(a, b, shift)                                                              \
    {                                                                                     \
        const int half_step = 1 << ((shift)-1);                                           \
        const int s0 = a##0 + a##7, s1 = a##1 + a##6, s2 = a##2 + a##5, s3 = a##3 + a##4; \
        const int d0 = a##0 - a##7, d1 = a##1 - a##6, d2 = a##2 - a##5, d3 = a##3 - a##4; \
        const int outer = s0 + s3, inner = s1 + s2, outer_d = s0 - s3, inner_d = s1 - s2; \
        const int odd31 = d3 + d1, odd20 = d2 + d0;                                       \
        const int first = half_step + odd31 * (9633 - 16069) + odd20 * 9633;              \
        const int second = half_step + odd31 * 9633 + odd20 * (9633 - 3196);              \
        b##0 = outer + inner;                                                             \
        b##4 = outer - inner;                                                             \
        b##2 = (half_step + outer_d * (4433 + 6270) + inner_d * 4433) >> (shift);         \
        b##6 = (half_step + outer_d * 4433 + inner_d * (4433 - 15137)) >> (shift);        \
        b##7 = (first + d3 * (2446 - 7373) + d0 * -7373) >> (shift);                      \
        b##1 = (second + d3 * -7373 + d0 * (12299 - 7373)) >> (shift);                    \
        b##5 = (second + d2 * (16819 - 20995) + d1 * -20995) >> (shift);                  \
        b##3 = (first + d2 * -20995 + d1 * (25172 - 20995)) >> (shift);                   \
    }

// The first pass: a row of samples. The 128 of each sample only matter to the sum of all.
#define ROW(row, b)                                                            \
    int b##0, b##1, b##2, b##3, b##4, b##5, b##6, b##7;                        \
    {                                                                          \
        const uint2 bytes = row;                                               \
        const int a0 = (int)(bytes.x & 0xFF), a1 = (int)(bytes.x >> 8 & 0xFF); \
        const int a2 = (int)(bytes.x >> 16 & 0xFF), a3 = (int)(bytes.x >> 24); \
        const int a4 = (int)(bytes.y & 0xFF), a5 = (int)(bytes.y >> 8 & 0xFF); \
        const int a6 = (int)(bytes.y >> 16 & 0xFF), a7 = (int)(bytes.y >> 24); \
        FORWARD(a, b, 11)                                                      \
        b##0 = (b##0 - 1024) * 4;                                              \
        b##4 = b##4 * 4;                                                       \
    }

// Between the passes, values have 16 bits: those of two rows share a register.
#define BOTH(low, high) (((uint)(low)&0xFFFF) | (uint)(high) << 16)
#define LOW(both) ((int)((both) << 16) >> 16)
#define HIGH(both) ((int)(both) >> 16)

#define TWO_ROWS(first_row, second_row, p)                                                  \
    uint p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7;                                    \
    {                                                                                       \
        ROW(first_row, f)                                                                   \
        ROW(second_row, g)                                                                  \
        p##0 = BOTH(f0, g0), p##1 = BOTH(f1, g1), p##2 = BOTH(f2, g2), p##3 = BOTH(f3, g3); \
        p##4 = BOTH(f4, g4), p##5 = BOTH(f5, g5), p##6 = BOTH(f6, g6), p##7 = BOTH(f7, g7); \
    }

// Division by a step, rounded: step.x is jcdctmgr.c's reciprocal and its shift in one, step.y its correction.
FUNCTION int quantised(int value, uint2 step)
{
    const int magnitude = (int)mul_hi((uint)abs(value) + step.y, step.x);
    return value < 0 ? -magnitude : magnitude;
}

// Coefficients of work-items lie side by side, two in a word: no bank conflicts, whichever each one reads.
#define COEFFICIENT(number) (((number) >> 1) * 2 * GROUP + 2 * item + ((number)&1))

// Quantises the coefficient in row y of column x, and keeps it by its number in zigzag order, unless it is 0.
#define KEEP(value, y, x, number)                                         \
    {                                                                     \
        const int kept = quantised(value, steps[8 * (y) + (x)]);          \
        if (kept != 0) {                                                  \
            coefficients[COEFFICIENT(number)] = (short)kept;              \
            if (number < 32) nonzero_low |= 0x80000000U >> ((number)&31); \
            else nonzero_high |= 0x80000000U >> ((number)&31);            \
        }                                                                 \
    }

// The second pass: column x, with its coefficients' numbers.
#define COLUMN(x, n0, n1, n2, n3, n4, n5, n6, n7)                                   \
    {                                                                               \
        const int a0 = LOW(p##x), a1 = HIGH(p##x), a2 = LOW(q##x), a3 = HIGH(q##x); \
        const int a4 = LOW(r##x), a5 = HIGH(r##x), a6 = LOW(t##x), a7 = HIGH(t##x); \
        int b0, b1, b2, b3, b4, b5, b6, b7;                                         \
        FORWARD(a, b, 15)                                                           \
        b0 = (b0 + 2) >> 2;                                                         \
        b4 = (b4 + 2) >> 2;                                                         \
        if (x == 0) dc = quantised(b0, steps[0]);                                   \
        else KEEP(b0, 0, x, n0)                                                     \
        KEEP(b1, 1, x, n1)                                                          \
        KEEP(b2, 2, x, n2)                                                          \
        KEEP(b3, 3, x, n3)                                                          \
        KEEP(b4, 4, x, n4)                                                          \
        KEEP(b5, 5, x, n5)                                                          \
        KEEP(b6, 6, x, n6)                                                          \
        KEEP(b7, 7, x, n7)                                                          \
    }

// A block's component, its number among its MCU's, and that MCU in the group. Warps have blocks of one component, and
// neighbours in memory.
typedef struct block_place {
    uint component, number, mcu;
} block_place;

FUNCTION void place_block(block_place *block, uint item)
{
#if GREY
    block->component = block->number = 0;
    block->mcu = item;
#else
    if (item < LUMA_BLOCKS * MCUS) {
        const uint row = item / (LUMA_ACROSS * MCUS), in_row = item % (LUMA_ACROSS * MCUS);
        block->component = 0;
        block->number = row * LUMA_ACROSS + in_row % LUMA_ACROSS;
        block->mcu = in_row / LUMA_ACROSS;
    } else {
        block->component = item / MCUS - LUMA_BLOCKS + 1;
        block->number = item / MCUS;
        block->mcu = item % MCUS;
    }
#endif
}

// Where a block's samples begin, in 8 bytes.
FUNCTION uint origin_of(__global const jpeg_image *image, uint component, uint number, uint column, uint row)
{
    uint x = column, y = row * 8;
#if !GREY
    if (component == 0) {
        x = column * LUMA_ACROSS + number % LUMA_ACROSS;
        y = (row * LUMA_DOWN + number / LUMA_ACROSS) * 8;
    }
#endif
    return image->planes[component] + y * image->strides[component] + x;
}

// Of an MCU at the right or lower edge, libjpeg codes luma blocks beyond the last one that holds pixels as copies of the DC
// coefficient before them, without others (jccoefct.c). This is the number of the block whose coefficient a block has.
FUNCTION uint own_number(__global const jpeg_image *image, uint number, uint column, uint row)
{
#if GREY
    return number;
#else
    const uint columns = min(image->luma_columns - column * LUMA_ACROSS, (uint)LUMA_ACROSS);
    const uint rows = min(image->luma_rows - row * LUMA_DOWN, (uint)LUMA_DOWN);
    uint x = number % LUMA_ACROSS, y = number / LUMA_ACROSS;
    if (y >= rows) y = rows - 1, x = LUMA_ACROSS - 1;
    return y * LUMA_ACROSS + min(x, columns - 1);
#endif
}

// The quantised DC coefficient alone: the transform gives the sum of all samples.
FUNCTION int dc_of(__global const uint2 *source, uint stride, uint2 step)
{
    uint sums = 0; // two of 16 bits
    for (uint y = 0; y < 8; y++) {
        const uint2 bytes = source[y * stride];
        sums += (bytes.x & 0x00FF00FFU) + (bytes.x >> 8 & 0x00FF00FFU);
        sums += (bytes.y & 0x00FF00FFU) + (bytes.y >> 8 & 0x00FF00FFU);
    }
    return quantised((int)((sums & 0xFFFF) + (sums >> 16)) - 64 * 128, step);
}

// The size category of a value (T.81, F.1.2.1), and its bits.
FUNCTION uint size_of(int value) { return 32 - clz((uint)abs(value)); }
FUNCTION uint bits_of(int value, uint size) { return (uint)(value + (value >> 31)) & ((1U << size) - 1); }

// The coefficients of a block that aren't 0, one by one, in zigzag order.
typedef struct coefficient_walk {
    ulong left;     // from the highest bit on
    uint last, run; // the number of the last one, and the zeros before it
} coefficient_walk;

FUNCTION void walk_on(coefficient_walk *walk)
{
    const uint next = (uint)clz(walk->left);
    walk->left &= ~(0x8000000000000000UL >> next);
    walk->run = next - walk->last - 1;
    walk->last = next;
}

// The group's place in the arrays of all groups. Both dimensions may be used, as some devices limit the second one's size.
FUNCTION uint slot_of_group(void)
{
    return (uint)get_group_id(1) * (uint)get_num_groups(0) + (uint)get_group_id(0);
}

// What is to be coded of a block, but for its coefficients.
typedef struct block_values {
    bool is_coded, is_luma;
    uint number;    // in the group, in the scan's order
    int difference; // of DC
    ulong nonzero;  // which coefficients aren't 0, from the highest bit on
} block_values;

// From samples to quantised coefficients. All work-items of the group call it.
FUNCTION void quantise_block(
    __global const uint2 *samples, __global const jpeg_image *image, __constant const uint2 *all_steps,
    __local short *coefficients, __local int *dcs, block_values *values)
{
    const uint item = (uint)get_local_id(0), slot = slot_of_group();
    const uint segment = slot / image->segment_groups, group = slot - segment * image->segment_groups;
    const uint segment_start = segment * image->segment_mcus;
    const uint segment_end = min(segment_start + image->segment_mcus, image->mcu_count);

    block_place block;
    place_block(&block, item);
    const uint mcu = segment_start + group * MCUS + block.mcu;
    const uint number = block.mcu * BLOCKS + block.number; // in the group, in the scan's order
    const uint row = mcu / image->mcus_across, column = mcu - row * image->mcus_across;
    const bool is_luma = block.component == 0;
    const bool is_coded = mcu < segment_end;
    const bool is_copy = is_coded && is_luma && own_number(image, block.number, column, row) != block.number;
    const uint stride = image->strides[block.component];
    __constant const uint2 *const steps = all_steps + (is_luma ? 0 : 64);
    int dc = 0, dc_before = 0;
    uint nonzero_low = 0, nonzero_high = 0; // from the highest bit on
    if (is_coded && !is_copy) {
        __global const uint2 *const source =
            samples + origin_of(image, block.component, block.number, column, row);
        TWO_ROWS(source[0], source[stride], p)
        TWO_ROWS(source[2 * stride], source[3 * stride], q)
        TWO_ROWS(source[4 * stride], source[5 * stride], r)
        TWO_ROWS(source[6 * stride], source[7 * stride], t)
        COLUMN(0, 0, 2, 3, 9, 10, 20, 21, 35)
        COLUMN(1, 1, 4, 8, 11, 19, 22, 34, 36)
        COLUMN(2, 5, 7, 12, 18, 23, 33, 37, 48)
        COLUMN(3, 6, 13, 17, 24, 32, 38, 47, 49)
        COLUMN(4, 14, 16, 25, 31, 39, 46, 50, 57)
        COLUMN(5, 15, 26, 30, 40, 45, 51, 56, 58)
        COLUMN(6, 27, 29, 41, 44, 52, 55, 59, 62)
        COLUMN(7, 28, 42, 43, 53, 54, 60, 61, 63)
    }
    dcs[number] = dc;
    LOCAL_BARRIER;
    if (is_coded && !is_copy) {
        if (is_luma && block.number > 0) {
            dc_before = dcs[number - block.number + own_number(image, block.number - 1, column, row)];
        } else if (mcu > segment_start) {
            // In the MCU before.
            const uint column_before = column > 0 ? column - 1 : image->mcus_across - 1;
            const uint row_before = column > 0 ? row : row - 1;
            const uint before =
                is_luma ? own_number(image, LUMA_BLOCKS - 1, column_before, row_before) : block.number;
            if (block.mcu > 0) {
                dc_before = dcs[(block.mcu - 1) * BLOCKS + before];
            } else { // in another group: computed anew
                dc_before = dc_of(
                    samples + origin_of(image, block.component, before, column_before, row_before), stride,
                    steps[0]);
            }
        }
    }
    values->is_coded = is_coded;
    values->is_luma = is_luma;
    values->number = number;
    values->difference = dc - dc_before;
    values->nonzero = (ulong)nonzero_low << 32 | nonzero_high;
}
