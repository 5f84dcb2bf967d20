// The functions that are compiled for each instruction set, and the data that they share.
#ifndef JPEGCORE_LEVEL_H
#define JPEGCORE_LEVEL_H

#include "bit_writer.h"
#include "encoding_table.h"

INLINE bool likely(bool condition) { return __builtin_expect(condition, true); }
INLINE bool unlikely(bool condition) { return __builtin_expect(condition, false); }

// libjpeg-turbo's SIMD code computes with 16 bits. Where the magnitudes of a column's dequantised coefficients
// sum up to at most this, none of its sums wraps: the first pass gives at most 4 * sqrt(2) * cos(pi / 16) = 5.55
// times the sum, the second adds two of those results, and 2 * 5.55 * 2951 < 32768. Photos reach 2896 at most
// before quantisation: 128 * 8 * sqrt(8).
enum { COLUMN_LIMIT = 2951 };
// Coefficients within these limits need no sums: 1150 + 7 * 257 < COLUMN_LIMIT.
enum { DC_LIMIT = 1150, AC_LIMIT = 257 };

// A component's steps, and the largest magnitudes of quantised coefficients that need no sums; both by rows.
typedef struct dequantization {
    uint16_t steps[64], limits[64];
} dequantization;

// Division by a component's steps, by rows: |coefficient| + correction, multiplied with reciprocal and scale, of
// which the higher 16 bits count each time. As in libjpeg-turbo's jcdctmgr.c.
typedef struct quantization {
    uint16_t reciprocals[64], corrections[64], scales[64];
} quantization;

// A block's place in an MCU. Phases form a circle.
typedef struct block_phase {
    const decoding_tables *tables;
    const decoding_entry *ac, *next_dc; // entries of its AC table, and of the next phase's DC table
    const struct block_phase *next;
} block_phase;

// A decoder may store zeros, or a symbol that it takes back, this far behind its block.
enum { SPARE_BLOCKS = 4 };

// A stream of blocks while it is decoded, one look-up after the other.
typedef struct block_stream {
    bit_reader reader;
    const decoding_entry *entries; // of the next symbol
    const block_phase *phase;      // of the block
    int16_t *last;                 // the last coefficient that was decoded; before the block if none was
    int16_t *end;                  // the block's coefficient 63
    const int16_t *limit;          // decoding stops when `end` is there; NULL if the data is irregular
} block_stream;

// Up to this many further blocks, and look-ups, may be decoded before a stream stops.
enum { STREAM_STEPS = 5 };

// 64 symbols, each with at most 16 bits of code and 11 of value.
enum { MOST_CODED_BLOCK_BYTES = 64 * (16 + 11) / 8 };

struct jpegcore_level {
    const char *name;
    bool (*is_supported)(void);
    // Whether two streams are faster than one after the other.
    bool profits_from_streams;

    // Decodes up to `count` blocks, while the position is before `stop`. DC coefficients are differences. The
    // memory of coefficients is zero before, with that of SPARE_BLOCKS. Reads up to MOST_BLOCK_BYTES + 8 bytes at
    // `stop`. Returns the number of blocks, or -1 if the data is irregular.
    int (*decode_blocks)(
        bit_reader *reader, const block_phase *phase, int16_t *coefficients, int count, const uint8_t *stop);
    // Decodes two streams in turns, until one is at its limit, or at or behind its stop.
    void (*decode_streams)(
        block_stream *first, const uint8_t *first_stop, block_stream *second, const uint8_t *second_stop);
    // The same for one.
    void (*decode_stream)(block_stream *stream, const uint8_t *stop);
    // One look-up.
    void (*step_stream)(block_stream *stream);
    // Inverse transform of `count` blocks at `offsets` to `size` x `size` samples each, side by side in a plane. Returns
    // false if a column exceeds COLUMN_LIMIT.
    bool (*inverse_transform)(
        int size, const int16_t *coefficients, const uint16_t *offsets, size_t count,
        const dequantization *table, uint8_t *samples, size_t bytes_per_row);

    // Forward transform and quantisation of `count` blocks, side by side in a plane, to `offsets`.
    void (*forward_transform)(
        const uint8_t *samples, size_t bytes_per_row, size_t count, const quantization *table,
        int16_t *coefficients, const uint16_t *offsets);
    // Codes `count` blocks, each of a component. Writes up to MOST_CODED_BLOCK_BYTES a block, and 8 bytes
    // more.
    bit_writer (*encode_blocks)(
        bit_writer writer, const encoding_table *table, const uint8_t components[], int last_dc[],
        const int16_t *coefficients, int count);
    // Counts their symbols.
    void (*count_symbols)(
        jpegcore_symbol_counts counts[], const encoding_table *table, const uint8_t components[],
        const int last_dc[], const int16_t *coefficients, int count);
};

#endif
