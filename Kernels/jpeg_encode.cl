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

typedef struct jpeg_image {
    uint planes[3];  // where they begin in the samples, in 8 bytes
    uint strides[3]; // from row to row, in 8 bytes
    uint mcus_across, mcu_count;
    uint luma_columns, luma_rows; // blocks that hold pixels
    uint segment_mcus;            // of a restart interval, or all
    uint segment_count, segment_groups;
    uint widths[3], heights[3]; // of each plane's real samples
} jpeg_image;

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
