// jpeg_decode.cl: a baseline JPEG's scan to planes of samples, with those of libjpeg-turbo's islow DCT, or of
// its reduced ones; and to its RGB pixels.
//
// unstuff_count, unstuff_scan, unstuff_scatter  Removes stuffed zeros; finds the marker at the scan's end.
// sync_groups, sync_walk (several launches)     Finds where each subsequence's first symbol begins.
// scan_groups, write_blocks                     Numbers the blocks; writes their coefficients.
// dc_totals, dc_values                          Sums up DC differences.
// write_segments                                With restart markers, replaces the six kernels before it.
// idct, idct_reduced, idct_means                Blocks to 8 x 8 samples; to 4 x 4 or 2 x 2; to one.
// rgb_pixels                                    Planes to RGB.
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

typedef struct jpeg_component {
    uint across, down; // blocks in an MCU: 1, 2 or 4
    uint first;        // the number of the first of them
    uint width;        // blocks in a row, of whole MCUs
    uint first_row;    // rows of blocks of the components before; of all, if there is no such component
    uint size;         // samples of a block, across and down: 8, 4, 2 or 1
    uint plane;        // where the samples begin: a multiple of 8
    uint stride;       // bytes from row to row: a multiple of 8
} jpeg_component;

// How planes become RGB; all 0 if they do not.
typedef struct jpeg_pixels {
    uint width, height;              // of the photo as it is decoded
    uint stride;                     // bytes from row to row: a multiple of 4
    uint across_shift, down_shift;   // log2 of the pixels that share a chroma sample: 0, 1 or 2
    uint smooth_across, smooth_down; // whether chroma is interpolated; two pixels then share a sample
} jpeg_pixels;

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
    jpeg_pixels pixels;
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

#define SUMS_OF_256 __local uint cells[256 / 16 * 17], rows[256 / 16];
