// A decoder's state, and the steps that its files share.
#ifndef JPEGCORE_DECODER_H
#define JPEGCORE_DECODER_H

#include "level.h"
#include "mcu_groups.h"
#include "unstuffing.h"

// A position between two blocks.
typedef struct block_position {
    size_t block;  // of the scan
    size_t offset; // of its first byte, from the caller's first byte on
    int bit;       // in this byte, from the highest
} block_position;

// Known positions: the last one at or before the current row's first block, and a few behind it.
enum { MOST_POSITIONS = 8 };

// A second stream, ahead of the first in the same data: see speculation.c.
typedef struct speculation {
    bool is_running;
    block_stream stream;
    size_t begin;       // its first bit in the unstuffed bytes
    size_t first_block; // of the scan, where the first stream was when the second began
    size_t distance;    // bytes from the first stream to the second
    int failures;       // recent ones count more
    size_t adopted;     // blocks
    int16_t *coefficients;
} speculation;

// Blocks that a stream may decode ahead: two streams' coefficients stay in the second-level cache. For fuzzing, there is
// a build in which small photos have two streams too.
#ifndef JPEGCORE_SHORT_STREAMS
enum { STREAM_BLOCKS = 1600 };
#else
enum { STREAM_BLOCKS = 80 };
#endif

struct jpegcore_decoder {
    const jpegcore_level *level;
    jpegcore_scan scan;
    size_t block_count; // of the scan
    mcu_groups groups;
    block_phase phases[JPEGCORE_MOST_BLOCKS_IN_MCU];
    dequantization dequantization[JPEGCORE_MOST_COMPONENTS];
    decoding_tables *tables; // one for each component

    // Decoded blocks wait in `coefficients` from block `first` on, which begins an MCU, to the stream's block. All
    // other memory of coefficients is zero.
    int16_t *coefficients;
    size_t first;
    size_t transformed; // blocks of the scan before them
    block_stream stream;
    int mcus_to_restart, next_restart; // at the stream's position
    speculation second;

    int row, column;                           // of the next MCU to transform
    int last_dc[JPEGCORE_MOST_COMPONENTS];     // before it
    int row_last_dc[JPEGCORE_MOST_COMPONENTS]; // before the row
    int row_to_restart, row_next_restart;
    block_position positions[MOST_POSITIONS];
    int position_count;
    size_t consumed;
    unstuffed_bytes bytes; // last: the address sanitizer sees what is read behind them
};

// Blocks that wait.
size_t waiting_blocks(const jpegcore_decoder *decoder);

// Whether the stream is between two blocks.
static inline bool is_between_blocks(const block_stream *stream) { return stream->last == stream->end - 64; }

// Decodes the row's next group of MCUs, whose number becomes `*mcu_count`: JPEGCORE_ROW says that they wait.
jpegcore_status decode_group(jpegcore_decoder *decoder, int *mcu_count, const uint8_t *bytes, size_t count);

// Adds the DC coefficients' differences (T.81, F.2.2.1) of the MCUs that wait first. Returns their coefficients.
const int16_t *predict_group(jpegcore_decoder *decoder, int mcu_count);

// Forgets the MCUs that wait first.
void release_group(jpegcore_decoder *decoder, int mcu_count);

// Remembers the state behind a row of MCUs.
void end_row(jpegcore_decoder *decoder);

// A stream before a block, which decodes nothing until it gets a limit.
block_stream make_stream(const bit_reader *reader, const block_phase *phase, int16_t *block);

// A reader at a bit of unstuffed bytes.
static inline bit_reader reader_at(const unstuffed_bytes *bytes, size_t bit)
{
    return drop(refill((bit_reader) { 0, 0, bytes->bytes + bit / 8 }), bit % 8);
}

// Keeps the stream's position, which is between two blocks.
void remember_position(jpegcore_decoder *decoder);

// Unstuffs more bytes, if there are fewer than `wanted` behind the stream's position.
void provide_bytes(jpegcore_decoder *decoder, size_t wanted, const uint8_t *bytes, size_t count);

// The position up to which blocks can be decoded without more bytes.
const uint8_t *stop_position(const unstuffed_bytes *bytes);

// Moves the waiting blocks to the front of the memory.
void move_to_front(jpegcore_decoder *decoder);

// Allocates a second stream for a photo that is large enough. Without memory, the photo is decoded without.
void prepare_speculation(jpegcore_decoder *decoder);

// Decodes until `wanted` blocks wait. Returns false if one stream alone must go on, or the data is irregular: then the
// stream's limit is NULL.
bool decode_speculatively(jpegcore_decoder *decoder, size_t wanted, const uint8_t *bytes, size_t count);

#endif
