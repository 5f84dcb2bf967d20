// Blocks of neighbouring MCUs in memory, in the order of the scan (T.81, A.2.3).
#ifndef JPEGCORE_MCU_GROUPS_H
#define JPEGCORE_MCU_GROUPS_H

#include "JPEGCore.h"

// MCUs whose blocks are decoded or encoded before the next ones: their coefficients, 6 to 10 KiB, stay in the
// first-level cache. A multiple of the blocks in a vector, for full vectors.
enum {
    GROUP_BLOCKS = 48,
    GROUP_MULTIPLE = 8,
    MOST_GROUP_BLOCKS = GROUP_MULTIPLE * JPEGCORE_MOST_BLOCKS_IN_MCU
};

typedef struct mcu_groups {
    int size;                                       // in MCUs
    int block_count;                                // in an MCU
    int first_block[JPEGCORE_MOST_COMPONENTS];      // of a component, in an MCU
    uint8_t component[JPEGCORE_MOST_BLOCKS_IN_MCU]; // of a block in an MCU
    // Coefficients before the blocks of a component's first row of blocks in a group.
    uint16_t offsets[JPEGCORE_MOST_COMPONENTS][GROUP_BLOCKS];
} mcu_groups;

mcu_groups make_mcu_groups(const jpegcore_scan *scan);

// A row of a component's blocks in a group of MCUs.
typedef struct block_row {
    int count;                 // of blocks that hold samples; 0 below or to the right of them
    size_t sample_x, sample_y; // in the plane, from the MCU row's first sample
    size_t first_coefficient;
} block_row;

// `y`: 0 to the component's vertical factor minus 1.
block_row block_row_at(
    const jpegcore_scan *scan, int component, int y, int mcu_row, int mcu_column, int mcu_count);

#endif
