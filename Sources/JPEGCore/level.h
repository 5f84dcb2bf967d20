// The functions that are compiled for each instruction set, and the data that they share.
#ifndef JPEGCORE_LEVEL_H
#define JPEGCORE_LEVEL_H

#include "bit_writer.h"
#include "encoding_table.h"

#define likely(condition) __builtin_expect(condition, 1)
#define unlikely(condition) __builtin_expect(condition, 0)

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

// The blocks of an MCU.
typedef struct mcu_layout {
    int block_count;
    uint8_t component[JPEGCORE_MOST_BLOCKS_IN_MCU]; // of each block
    const decoding_tables *tables[JPEGCORE_MOST_BLOCKS_IN_MCU];
} mcu_layout;

struct jpegcore_level {
    const char *name;
    bool (*is_supported)(void);

    // Decodes up to `count` MCUs, while the position is before `stop`. Coefficients are zero before, and in three
    // more blocks; reads up to MOST_MCU_BYTES + 8 bytes at `stop`. Returns the number of MCUs, or -1 if the data
    // is irregular.
    int (*decode_mcus)(
        bit_reader *reader, const mcu_layout *layout, int last_dc[], int16_t *coefficients, int count,
        const uint8_t *stop);
    // Inverse transform of `count` blocks at `offsets`, side by side in a plane. Returns false if a column exceeds
    // COLUMN_LIMIT.
    bool (*inverse_transform)(
        const int16_t *coefficients, const uint16_t *offsets, size_t count, const dequantization *table,
        uint8_t *samples, size_t bytes_per_row);

    // Forward transform and quantisation of `count` blocks, side by side in a plane, to `offsets`.
    void (*forward_transform)(
        const uint8_t *samples, size_t bytes_per_row, size_t count, const quantization *table,
        int16_t *coefficients, const uint16_t *offsets);
    // Codes `count` blocks, each of a component. Writes up to MOST_BLOCK_BYTES a block, and 8 bytes more.
    bit_writer (*encode_blocks)(
        bit_writer writer, const encoding_table *table, const uint8_t components[], int last_dc[],
        const int16_t *coefficients, int count);
};

#endif
