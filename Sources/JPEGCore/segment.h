// A segment of a scan, and what the threads that decode segments share: see segments.c.
#ifndef JPEGCORE_SEGMENT_H
#define JPEGCORE_SEGMENT_H

#include "decoder.h"

#ifndef JPEGCORE_SHORT_STREAMS
// Blocks of a segment: as many are aimed at, and there is memory for three times as many.
enum { TARGET_BLOCKS = 1500, LEAST_BLOCKS = 400, CAPACITY_BLOCKS = 4500 };
enum { LEAST_DISTANCE = 4 * 1024, MOST_DISTANCE = 32 * 1024 };
#else
enum { TARGET_BLOCKS = 120, LEAST_BLOCKS = 40, CAPACITY_BLOCKS = 240 };
enum { LEAST_DISTANCE = 64, MOST_DISTANCE = 4 * 1024 };
#endif
// A segment goes on past its end by at most this much, to meet the next one.
enum { MEETING_BLOCKS = 600, MEETING_BYTES = 8 * 1024 };
enum { MEMORY_BLOCKS = CAPACITY_BLOCKS + MEETING_BLOCKS + 2 * JPEGCORE_MOST_BLOCKS_IN_MCU + SPARE_BLOCKS };

_Static_assert(
    SEGMENTS_PER_THREAD *MOST_DISTANCE <= JPEGCORE_BYTES_PER_THREAD, "JPEGCORE_BYTES_PER_THREAD is enough");
_Static_assert(MOST_DISTANCE + MEETING_BYTES < UNSTUFFED_CAPACITY, "a segment's bytes fit");

struct segment {
    block_run run;     // without the blocks that are wrong at first, once it is joined
    size_t begin, end; // offsets of its first byte, and of the next segment's
    size_t end_index;  // of the latter in the unstuffed bytes
    int retries;       // of its beginning
    size_t dirty;      // blocks at the front of the memory that may not be zero
    bool is_regular;
    int dc_sums[JPEGCORE_MOST_COMPONENTS]; // of all differences
    block_position end_position;
    int first_row; // in which it begins

    // Where it has met the next segment: how often that one's beginning was tried, and its blocks before.
    bool has_met_next;
    int next_retries;
    size_t next_skipped;
    int next_skipped_sums[JPEGCORE_MOST_COMPONENTS];
};

_Static_assert(
    CAPACITY_BLOCKS + STREAM_STEPS + JPEGCORE_MOST_BLOCKS_IN_MCU + MEETING_BLOCKS + SPARE_BLOCKS
        <= MEMORY_BLOCKS,
    "a segment's blocks fit");

// What the threads share.
typedef struct segment_task {
    jpegcore_decoder *decoder;
    // To decode: the first segment's position, and the number of segments.
    scan_bytes from;
    block_position begin;
    int planned;
    // To transform.
    int end_row;
    const scan_planes *to;
} segment_task;

static inline bool has_restarts(const jpegcore_decoder *decoder)
{
    return decoder->coding.scan.restart_interval > 0;
}

// Decodes the segments `2 * index` and the next one, if it is planned. `task` is a segment_task.
void decode_segment_pair(void *task, size_t index);

#endif
