// PNGCore: the row filters of PNG, and deflate for what they make of photos. See README.md.
#ifndef PNGCORE_H
#define PNGCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Code for one instruction set. All levels give the same bytes.
typedef struct pngcore_level pngcore_level;

// All levels that were compiled, from the slowest on.
const pngcore_level *const *pngcore_levels(size_t *count);
// "baseline", "x86-64-v3", "x86-64-v4".
const char *pngcore_level_name(const pngcore_level *level);
bool pngcore_level_is_supported(const pngcore_level *level);

// Filters a row of `count` bytes with the filter whose differences have the smallest sum of magnitudes (PNG, third
// edition, 12.7), of equal ones the first. So does libpng. `above` is the row above; before the first row it is zero.
// Writes the filter's number and `count` bytes.
//
// `pixel_bytes`: 1 to 8, bytes of a pixel; `count` is a multiple of it.
void pngcore_filter_row(
    const pngcore_level *level, const uint8_t *row, const uint8_t *above, size_t count, size_t pixel_bytes,
    uint8_t *filtered);

typedef enum pngcore_effort {
    PNGCORE_EFFORT_RUNS,   // codes bytes, and runs of equal ones
    PNGCORE_EFFORT_MATCHES // also repeated strings, where a sample of a piece gets smaller by them
} pngcore_effort;

// Memory of one thread that deflates.
typedef struct pngcore_deflater pngcore_deflater;

// Returns NULL if memory runs out.
pngcore_deflater *pngcore_deflater_create(const pngcore_level *level);
void pngcore_deflater_destroy(pngcore_deflater *deflater);
// Bytes that pngcore_deflate may write for `count` bytes.
size_t pngcore_deflate_bound(size_t count);
// Deflates a piece of a stream into blocks (RFC 1951) that end with a byte: pieces are deflated on their own, and their
// bytes put together. Returns the number of bytes that it wrote to `to`.
size_t pngcore_deflate(
    pngcore_deflater *deflater, pngcore_effort effort, const uint8_t *bytes, size_t count, bool is_last,
    uint8_t *to);

#endif
