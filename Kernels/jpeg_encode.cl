// jpeg_encode.cl: a baseline JPEG's scan from planes of samples, with libjpeg-turbo's bytes: its islow DCT, its quantisation,
// any Huffman codes, or the optimal ones.
//
// pad_planes      Repeats the last column and row, up to whole MCUs.
// count_symbols   For optimal codes: how often each symbol comes up, by the same steps as code_groups.
// optimal_codes   A work-group for each Huffman table: its codes from the counts, as libjpeg finds them.
// code_groups     A work-group codes GROUP blocks (whole MCUs, in the scan's order) to a string of bits. A work-item has one block,
//                 from samples to bits: no coefficient leaves the chip. The group also counts where 8 ones in a row stand in its
//                 string, for each of the 8 alignments that the string may get in the file, so bytes 0xFF are known before its place.
// place_groups    A work-group for each segment: two prefix sums give each string's place in bits, then in bytes.
// place_segments  One work-group: where each segment begins.
// stuff_groups    A work-group moves a string to its place, with a zero after each byte 0xFF, and RSTn or EOI after a segment.
//
// A segment is what a restart interval has, or the whole scan. Groups do not cross segments, and nothing waits for another group
// within a kernel.
//
// The host defines LUMA_ACROSS and LUMA_DOWN (blocks of luma in an MCU; chroma has one each), and GREY.

#if GREY
#define LUMA_BLOCKS 1
#define BLOCKS 1
#else
#define LUMA_BLOCKS (LUMA_ACROSS * LUMA_DOWN)
#define BLOCKS (LUMA_BLOCKS + 2)
#endif

// Work-items and blocks of a group: a multiple of 16, of a warp, and of an MCU's blocks.
#if BLOCKS % 5 == 0
#define GROUP 160
#else
#define GROUP 192
#endif
#define MCUS (GROUP / BLOCKS)
// Words for a group's string: a block has at most 22 + 63 * 26 = 1660 bits.
#define SLOT (52 * GROUP)
// Words of a string that local memory holds at a time.
#define WINDOW 2048
#define PLACING 256

// Codes of a table: of AC by run * 16 + size, then of DC by size.
#define AC_CODES 256
#define TABLE_CODES 272

#define FUNCTION inline __attribute__((always_inline))
#define LOCAL_BARRIER barrier(CLK_LOCAL_MEM_FENCE)

typedef struct jpeg_image {
    uint planes[3];  // where they begin in the samples, in 8 bytes
    uint strides[3]; // from row to row, in 8 bytes
    uint mcus_across, mcu_count;
    uint luma_columns, luma_rows; // blocks that hold pixels
    uint segment_mcus;            // of a restart interval, or all
    uint segment_count, segment_groups;
    uint widths[3], heights[3]; // of each plane's real samples
} jpeg_image;

// Of values that each of `count` work-items has one of, the sum of those before `index`. All work-items of the group call it;
// `count` is a multiple of 16. `cells` has 17 for each 16 values, so that banks differ, and `rows` one.
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

// Fills each plane up to whole MCUs with the last real sample of its row, and of its column. The second dimension has the planes;
// work-items of the first share a plane's 8 bytes that have such samples: those right of each row, then whole rows.
__kernel void pad_planes(__global uint2 *restrict samples, __global const jpeg_image *restrict image)
{
    const uint plane = (uint)get_global_id(1);
    const uint width = image->widths[plane], height = image->heights[plane], stride = image->strides[plane];
    const uint across = image->mcus_across * (plane == 0 ? LUMA_ACROSS : 1);
    const uint down = image->mcu_count / image->mcus_across * (plane == 0 ? LUMA_DOWN : 1) * 8;
    const uint whole = width / 8, right = across - whole; // in 8 bytes
    const uint right_count = right * height;
    const uint count = width > 0 ? right_count + (down - height) * across : 0; // a plane may be missing
    __global uint2 *const begin = samples + image->planes[plane];

    for (uint n = (uint)get_global_id(0); n < count; n += (uint)get_global_size(0)) {
        const bool is_right = n < right_count;
        const uint y = is_right ? n / right : height + (n - right_count) / across;
        const uint x = is_right ? whole + n % right : (n - right_count) % across;
        __global const uint2 *const source = begin + (size_t)min(y, height - 1) * stride;
        __global uint2 *const to = begin + (size_t)y * stride + x;
        if (x < whole) {
            *to = source[x];
        } else {
            // Real samples are left alone: others may be reading them.
            __global const uchar *const bytes = (__global const uchar *)source;
            const uint from = is_right && width > 8 * x ? width - 8 * x : 0;
            for (uint b = from; b < 8; b++) ((__global uchar *)to)[b] = bytes[min(8 * x + b, width - 1)];
        }
    }
}

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

// Groups of a segment that have blocks; only the last segment may have fewer.
FUNCTION uint group_count(__global const jpeg_image *image, uint segment)
{
    const uint start = segment * image->segment_mcus;
    return (min(image->segment_mcus, image->mcu_count - start) + MCUS - 1) / MCUS;
}

// From each group's bits to its place in its segment: of the bits before it, those of an unfinished byte, and the bytes before
// its first whole byte, with stuffed ones.
__kernel __attribute__((reqd_work_group_size(PLACING, 1, 1))) void place_groups(
    __global const jpeg_image *restrict image, __global const uint *restrict bit_counts,
    __global const uint *restrict edges, __global const uint *restrict ones, __global uint2 *restrict places,
    __global uint *restrict sizes)
{
    __local uint cells[PLACING / 16 * 17], rows[PLACING / 16];
    const uint item = (uint)get_local_id(0), segment = (uint)get_group_id(0);
    const uint count = group_count(image, segment), share = (count + PLACING - 1) / PLACING;
    const uint first = segment * image->segment_groups;
    const uint from = min(item * share, count), to = min(from + share, count);

    // Half a gigabyte has more bits than a uint counts.
    ulong bits = 0;
    for (uint n = from; n < to; n++) bits += bit_counts[first + n];
    uint all_bytes, all_bits;
    const uint bytes_before = sum_before(cells, rows, PLACING, item, (uint)(bits >> 3), &all_bytes);
    const uint bits_before = sum_before(cells, rows, PLACING, item, (uint)bits & 7, &all_bits);
    const ulong before = (ulong)bytes_before * 8 + bits_before;

    // The bytes 0xFF that begin in each group.
    uint stuffed = 0, all_stuffed;
    ulong bit = before;
    for (uint n = from; n < to; n++) {
        const uint slot = first + n, length = bit_counts[slot];
        uint added = ones[8 * slot + ((uint)-bit & 7)];
        bit += length;
        const uint shared = (uint)bit & 7; // bits of a byte that ends in the next group
        if (shared > 0 && shared <= length) {
            // The segment is filled up with ones.
            const uint head = n + 1 < count ? edges[2 * slot + 2] >> 24 : 0xFF;
            const uint rest = n + 2 == count && bit_counts[slot + 1] < 8 ? 0xFFU >> bit_counts[slot + 1] : 0;
            const uint byte = (edges[2 * slot + 1] << (8 - shared) & 0xFF) | (head | rest) >> shared;
            if (byte == 0xFF) added++;
        }
        places[slot].y = added;
        stuffed += added;
    }
    uint byte = sum_before(cells, rows, PLACING, item, stuffed, &all_stuffed);
    bit = before;
    for (uint n = from; n < to; n++) {
        const uint slot = first + n, added = places[slot].y;
        places[slot] = (uint2)((uint)bit & 7, (uint)((bit + 7) / 8) + byte);
        bit += bit_counts[slot];
        byte += added;
    }
    if (item == 0) sizes[segment] = all_bytes + (all_bits + 7) / 8 + all_stuffed;
}

// Where each segment begins in the scan's data, with a marker after each; after the last one's place, the size of all.
__kernel __attribute__((reqd_work_group_size(PLACING, 1, 1))) void place_segments(
    __global const jpeg_image *restrict image, __global const uint *restrict sizes,
    __global uint *restrict starts)
{
    __local uint cells[PLACING / 16 * 17], rows[PLACING / 16];
    const uint item = (uint)get_local_id(0);
    const uint count = image->segment_count, share = (count + PLACING - 1) / PLACING;
    const uint from = min(item * share, count), to = min(from + share, count);
    uint bytes = 0, all;
    for (uint n = from; n < to; n++) bytes += sizes[n] + 2;
    uint start = sum_before(cells, rows, PLACING, item, bytes, &all);
    for (uint n = from; n < to; n++) {
        starts[n] = start;
        start += sizes[n] + 2;
    }
    if (item == 0) starts[count] = all;
}

#define ITEM_BYTES 16
#define PIECE (GROUP * ITEM_BYTES) // bytes that a group moves at a time

// The highest bit of each byte that is 0xFF.
FUNCTION uint full_bytes(uint word) { return ((word & 0x7F7F7F7FU) + 0x01010101U) & word & 0x80808080U; }

// Writes each group's bytes, by words but for those that a word shares with a neighbour. Nothing is written if `capacity` is too
// small.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void stuff_groups(
    __global const jpeg_image *restrict image, __global const uint *restrict strings,
    __global const uint *restrict bit_counts, __global const uint *restrict edges,
    __global const uint2 *restrict places, __global const uint *restrict starts,
    __global uint *restrict output, uint capacity)
{
    __local uint stuffed_words[2 * PIECE / 4 + 1];
    __local uint cells[GROUP / 16 * 17], rows[GROUP / 16];
    __local uchar *const stuffed = (__local uchar *)stuffed_words;

    const uint item = (uint)get_local_id(0), slot = slot_of_group();
    const uint segment = slot / image->segment_groups, group = slot - segment * image->segment_groups;
    const uint groups = group_count(image, segment);
    const bool is_written = group < groups && starts[image->segment_count] <= capacity;

    __global const uint *const string = strings + (size_t)slot * SLOT;
    const uint2 place = is_written ? places[slot] : (uint2)(0, 0);
    const uint bit_count = is_written ? bit_counts[slot] : 0;
    const uint skipped = -place.x & 7; // bits of a byte that began in the group before
    const uint byte_count = bit_count > skipped ? (bit_count - skipped + 7) / 8 : 0;
    const uint end_word = bit_count >> 5, end_bits = bit_count & 31;
    const uint head = is_written && group + 1 < groups ? edges[2 * slot + 2] : 0xFFFFFFFFU;
    const uint head_length = is_written && group + 2 == groups ? bit_counts[slot + 1] : 32;
    const uint after = head_length < 32 ? head | 0xFFFFFFFFU >> head_length : head; // filled up with ones

    uint to = starts[segment] + place.y;
    for (uint piece = 0; piece < byte_count; piece += PIECE) {
        const uint first_byte = piece + item * ITEM_BYTES;
        const uint count = first_byte < byte_count ? min(byte_count - first_byte, (uint)ITEM_BYTES) : 0;
        uint words[4] = { 0, 0, 0, 0 };
        uint full_count = 0;
        if (count > 0) {
            const uint first_word = first_byte / 4;
            uint next[5];
            for (uint n = 0; n < 5; n++) {
                const uint w = first_word + n;
                next[n] = w * 32 < bit_count ? string[w] : 0;
                if (w == end_word) next[n] |= after >> end_bits;
                if (w == end_word + 1 && end_bits > 0) next[n] |= after << (32 - end_bits);
            }
            for (uint n = 0; n < 4; n++) {
                uint word = skipped > 0 ? next[n] << skipped | next[n + 1] >> (32 - skipped) : next[n];
                const uint bytes = count > 4 * n ? min(count - 4 * n, 4U) : 0;
                if (bytes < 4) word &= ~(0xFFFFFFFFU >> (8 * bytes)); // no byte 0xFF after the last
                words[n] = word;
                full_count += popcount(full_bytes(word));
            }
        }
        uint all_full;
        const uint full_before = sum_before(cells, rows, GROUP, item, full_count, &all_full);
        const uint size = min(byte_count - piece, (uint)PIECE) + all_full;
        const uint shift = to & 3; // words in local memory are words of the output
        uint at = shift + item * ITEM_BYTES + full_before;
#pragma unroll
        for (uint n = 0; n < ITEM_BYTES; n++) {
            const uint byte = words[n / 4] >> (24 - 8 * (n & 3)) & 0xFF;
            if (n < count) stuffed[at++] = (uchar)byte;
            if (n < count && byte == 0xFF) stuffed[at++] = 0;
        }
        LOCAL_BARRIER;
        __global uint *const out = output + to / 4;
        const uint used = shift + size;
        for (uint n = item; n * 4 < used; n += GROUP) {
            if ((n > 0 || shift == 0) && n * 4 + 4 <= used) {
                out[n] = stuffed_words[n];
            } else {
                __global uchar *const bytes = (__global uchar *)(out + n);
                for (uint b = n == 0 ? shift : 0; b < 4 && n * 4 + b < used; b++)
                    bytes[b] = stuffed[n * 4 + b];
            }
        }
        to += size;
    }
    if (is_written && item == 0 && group + 1 == groups) {
        // RSTn or EOI.
        __global uchar *const marker = (__global uchar *)output + starts[segment + 1] - 2;
        marker[0] = 0xFF;
        marker[1] = segment + 1 < image->segment_count ? 0xD0 + (segment & 7) : 0xD9;
    }
}
