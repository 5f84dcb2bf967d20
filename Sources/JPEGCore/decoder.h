// A decoder's state, and the steps that its files share.
#ifndef JPEGCORE_DECODER_H
#define JPEGCORE_DECODER_H

#include "block_run.h"

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

// Blocks that a stream may decode ahead: two streams' coefficients stay in the second-level cache. And blocks that it
// decodes before it is right, in 98.5 % of the attempts on photos. For fuzzing, there is a build in which small photos
// have two streams and several segments too, and buffers are small: fresh memory took a third of the fuzzer's time.
#ifndef JPEGCORE_SHORT_STREAMS
enum { STREAM_BLOCKS = 1600, SYNC_BLOCKS = 60 };
#else
enum { STREAM_BLOCKS = 80, SYNC_BLOCKS = 20 };
#endif
// Where a wrong beginning gives an irregular block, another one is tried, RETRY_DISTANCE bytes on.
enum { MOST_RETRIES = 32, RETRY_DISTANCE = 8 };

// Segments that are decoded at once: see segments.c.
typedef struct segment segment;
enum { SEGMENTS_PER_THREAD = 4, MOST_THREADS = 32, MOST_SEGMENTS = SEGMENTS_PER_THREAD * MOST_THREADS };

typedef struct segment_window {
    jpegcore_concurrently concurrently; // NULL if one thread decodes
    void *context;
    segment *segments;
    int capacity;         // segments
    int first, count;     // those that wait to be transformed
    size_t bytes, blocks; // of the last window, to know how long a segment is
    int failures;         // recent ones count more
    size_t pause_end;     // block from which on the next window may begin
} segment_window;

// Known positions: the last one at or before the current row's first block, and a few behind it.
enum { MOST_POSITIONS = 8 + MOST_SEGMENTS };

struct jpegcore_decoder {
    scan_coding coding;
    speculation second;
    segment_window window;

    int row; // the next to return
    int row_last_dc[JPEGCORE_MOST_COMPONENTS];
    block_position positions[MOST_POSITIONS];
    int position_count;
    size_t consumed;
    // The blocks that one thread decodes. If segments wait, it is behind them, and nothing is decoded.
    block_run run;
};

// Blocks of the scan before a row of MCUs.
static inline size_t blocks_before_row(const scan_coding *coding, int row)
{
    return (size_t)row * (size_t)coding->scan.mcus_across * (size_t)coding->groups.block_count;
}

// Keeps a position behind all others.
void remember_position(jpegcore_decoder *decoder, block_position position);

// Decodes the row's next group of MCUs in one thread. `*mcu_count` becomes their number: JPEGCORE_ROW says that they wait.
jpegcore_status decode_group(jpegcore_decoder *decoder, scan_bytes from, int *mcu_count);

// Remembers the state behind a row of MCUs. Returns the bytes that are no longer needed.
size_t end_row(jpegcore_decoder *decoder);

// MARK: Two streams

// Decodes `count` blocks at any byte of a scan without restart intervals, to the front of `blocks`, and sets the reader
// behind them. Returns the number of beginnings that gave irregular blocks, or -1 if none gave others.
int synchronise(
    const scan_coding *coding, const unstuffed_bytes *bytes, size_t index, int16_t *blocks, int count,
    bit_reader *reader);

// Allocates a second stream for a photo that is large enough. Without memory, the photo is decoded without.
void prepare_speculation(jpegcore_decoder *decoder);

// Decodes until `wanted` blocks wait. Returns false if one stream alone must go on, or the data is irregular: then the
// stream's limit is NULL. `is_last` forbids another round.
bool decode_speculatively(jpegcore_decoder *decoder, size_t wanted, scan_bytes from, bool is_last);

// MARK: Segments

// Whether enough bytes are there for several segments from the next block on.
bool can_decode_segments(const jpegcore_decoder *decoder, scan_bytes from);

// Decodes segments from the run's position on, which is between two MCUs while no blocks wait. Returns false if one
// thread must go on.
bool decode_segments(jpegcore_decoder *decoder, scan_bytes from);

// Transforms the segments' MCUs in rows before `end_row`. Returns false if coefficients are too large; then all samples
// from the current row on are void.
bool transform_segments(jpegcore_decoder *decoder, int end_row, const scan_planes *to);

// The first segment that waits to be transformed; NULL if there is none.
const block_run *waiting_segment(const jpegcore_decoder *decoder);

// Ends decoding of segments, and frees their memory.
void give_up_segments(jpegcore_decoder *decoder);

#endif
