// Blocks of a scan that follow each other, while they are decoded and transformed: those of the whole scan, or of a
// segment of it.
#ifndef JPEGCORE_BLOCK_RUN_H
#define JPEGCORE_BLOCK_RUN_H

#include "level.h"
#include "mcu_groups.h"
#include "unstuffing.h"

// What all runs of a scan share.
typedef struct scan_coding {
    const jpegcore_level *level;
    jpegcore_scan scan;
    size_t block_count; // of the scan
    mcu_groups groups;
    block_phase phases[JPEGCORE_MOST_BLOCKS_IN_MCU];
    dequantization dequantization[JPEGCORE_MOST_COMPONENTS];
    decoding_tables *tables; // one for each component
} scan_coding;

// The caller's bytes: offsets count from the first one.
typedef struct scan_bytes {
    const uint8_t *bytes;
    size_t count;
} scan_bytes;

// The caller's planes, from an MCU row's first samples on.
typedef struct scan_planes {
    uint8_t *samples[JPEGCORE_MOST_COMPONENTS];
    size_t bytes_per_row[JPEGCORE_MOST_COMPONENTS];
    int row; // of MCUs
} scan_planes;

// A position between two blocks.
typedef struct block_position {
    size_t block;  // of the scan
    size_t offset; // of its first byte, from the caller's first byte on
    int bit;       // in this byte, from the highest
    int mcus_to_restart, next_restart;
} block_position;

typedef struct block_run {
    // Decoded blocks wait in `coefficients` from block `first` on, which begins an MCU, to the stream's block. All
    // other memory of coefficients is zero.
    int16_t *coefficients;
    size_t first;
    size_t transformed; // blocks of the scan before them
    block_stream stream;
    int mcus_to_restart, next_restart; // at the stream's position

    int row, column;                           // of the next MCU to transform
    int last_dc[JPEGCORE_MOST_COMPONENTS];     // before it
    int row_last_dc[JPEGCORE_MOST_COMPONENTS]; // at the end of the last row that was transformed
    unstuffed_bytes bytes;                     // last: the address sanitizer sees what is read behind them
} block_run;

// Memory of coefficients, zero; NULL if there is none.
int16_t *zeroed_blocks(size_t count);

// Takes NULL, too.
void free_blocks(int16_t *blocks);

// Blocks that wait.
static inline size_t waiting_blocks(const block_run *run)
{
    return (size_t)(run->stream.end - run->coefficients) / 64 - run->first;
}

// The block of the scan at the stream's position.
static inline size_t next_block(const block_run *run) { return run->transformed + waiting_blocks(run); }

// The stream's first bit in the unstuffed bytes.
static inline size_t stream_bit(const block_run *run)
{
    return bit_offset(run->stream.reader, run->bytes.bytes);
}

// Whether the stream is between two blocks.
static inline bool is_between_blocks(const block_stream *stream) { return stream->last == stream->end - 64; }

// A stream before a block, which decodes nothing until it gets a limit.
block_stream make_stream(const bit_reader *reader, const block_phase *phase, int16_t *block);

// A reader at a bit of unstuffed bytes.
static inline bit_reader reader_at(const unstuffed_bytes *bytes, size_t bit)
{
    return drop(refill((bit_reader) { 0, 0, bytes->bytes + bit / 8 }), bit % 8);
}

// Where a reader has to stop if the bytes may go on, or end with a marker that is not expected.
static inline const uint8_t *safe_stop(const unstuffed_bytes *bytes)
{
    return bytes->count <= UNSTUFFED_PADDING ? bytes->bytes : bytes->bytes + bytes->count - UNSTUFFED_PADDING;
}

// The stream's position, which is between two blocks.
block_position position_of(block_run *run);

// The run's first block is one of the scan that begins an MCU.
void place_run(const scan_coding *coding, block_run *run, size_t block);

// Lets the stream begin at a position, with nothing decoded.
void go_to_position(const scan_coding *coding, block_run *run, const block_position *at);

// Moves the waiting blocks to the front of the memory.
void move_to_front(block_run *run);

// Unstuffs more bytes, if there are fewer than `wanted` behind the stream's position.
void provide_bytes(block_run *run, size_t wanted, scan_bytes from);

// Bits between the position and a marker; negative if data was read that is not there.
ptrdiff_t bits_to_marker(const block_run *run);

// Whether the expected RSTn is next.
bool is_at_restart(const block_run *run, scan_bytes from);

// Decodes up to `count` blocks, while the position is before `stop`. Returns their number, or -1 if the data is
// irregular.
int decode_next_blocks(const scan_coding *coding, block_run *run, size_t count, const uint8_t *stop);

// Decodes until `wanted` blocks wait, with one stream.
jpegcore_status decode_plainly(const scan_coding *coding, block_run *run, size_t wanted, scan_bytes from);

// Adds the DC coefficients' differences (T.81, F.2.2.1) of the MCUs that wait first. Returns their coefficients.
const int16_t *predict_group(const scan_coding *coding, block_run *run, int mcu_count);

// Forgets the MCUs that wait first, all in one row.
void release_group(const scan_coding *coding, block_run *run, int mcu_count);

// Transforms the MCUs that wait first, all in one row. Returns false if their coefficients are too large.
bool transform_group(const scan_coding *coding, block_run *run, int mcu_count, const scan_planes *to);

#endif
