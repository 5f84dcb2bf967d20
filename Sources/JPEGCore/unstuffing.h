#ifndef JPEGCORE_UNSTUFFING_H
#define JPEGCORE_UNSTUFFING_H

#include "bit_reader.h"

// The most bytes of a block: 64 coefficients, each with LONGEST_CODE bits of code and 15 of value.
enum { MOST_BLOCK_BYTES = 64 * (LONGEST_CODE + 15) / 8 };

// More than two streams need at once, so that few bytes are moved.
#ifndef JPEGCORE_SHORT_STREAMS
enum { UNSTUFFED_CAPACITY = 64 * 1024 };
#else
enum { UNSTUFFED_CAPACITY = 16 * 1024 };
#endif
// After the bytes before a marker: a damaged block may read this far.
enum { UNSTUFFED_PADDING = MOST_BLOCK_BYTES + 72 };
// With as many behind a position, a block can be decoded: a reader is up to 8 bytes ahead of its position.
enum { ENOUGH_BYTES = UNSTUFFED_PADDING + 16 };

// Bytes of a scan up to a marker, without stuffed zeros (T.81, F.1.2.3). Offsets into the source count from the
// checkpoint.
typedef struct unstuffed_bytes {
    size_t count;
    size_t source;     // offset of the next byte to unstuff
    bool is_at_marker; // which is at that offset; then zeros follow the bytes
    // bytes[known] came from offset `known_source`; an offset is found by counting from there.
    size_t known, known_source;
    uint8_t bytes[UNSTUFFED_CAPACITY + UNSTUFFED_PADDING];
} unstuffed_bytes;

// Removes the first `discarded` bytes, then adds as many as there are and as fit, up to a marker.
void unstuff(unstuffed_bytes *to, size_t discarded, const uint8_t *from, size_t from_count);
// Begins anew at an offset into the source.
void begin_unstuffing(unstuffed_bytes *bytes, size_t offset);
// Source offset of the byte at `index`, which is not before that of an earlier call.
size_t source_offset(unstuffed_bytes *bytes, size_t index);
// Counts source offsets from `offset` on.
void rebase(unstuffed_bytes *bytes, size_t offset);

#endif
