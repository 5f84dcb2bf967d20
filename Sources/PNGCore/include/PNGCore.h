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
    PNGCORE_EFFORT_RUNS, // codes bytes, and runs of equal ones
    PNGCORE_EFFORT_MATCHES // also pixels or strings that are repeated, where a sample of a piece gets smaller by them
} pngcore_effort;

// Rows of bytes that are deflated, at least one byte each. A row ends with its pixels, of 1 to 8 bytes; what is left over before them is of no pixel, such as
// the number of a filter.
typedef struct pngcore_rows {
    size_t row_bytes, pixel_bytes;
} pngcore_rows;

// Memory of one thread that deflates.
typedef struct pngcore_deflater pngcore_deflater;

// Returns NULL if memory runs out.
pngcore_deflater *pngcore_deflater_create(const pngcore_level *level);
void pngcore_deflater_destroy(pngcore_deflater *deflater);
// Its memory in bytes.
size_t pngcore_deflater_size(void);
// Bytes that pngcore_deflate may write for `count` bytes.
size_t pngcore_deflate_bound(size_t count);
// Deflates a piece of a stream into blocks (RFC 1951) that end with a byte: pieces are deflated on their own, and their
// bytes put together. A piece begins with a row, and has less than 4 GiB - 64 KiB. Returns the number of bytes that it wrote to `to`.
size_t pngcore_deflate(
    pngcore_deflater *deflater, pngcore_effort effort, pngcore_rows rows, const uint8_t *bytes, size_t count,
    bool is_last, uint8_t *to);

// Where an inflater takes its bytes from. `next` gives further ones, which stay where they are until it is called again: it sets
// `*bytes` and returns their number, 0 at the end, or -1 on failure.
typedef struct pngcore_source {
    ptrdiff_t (*next)(void *context, const uint8_t **bytes);
    void *context;
} pngcore_source;

typedef enum pngcore_inflation {
    PNGCORE_INFLATION_CONTINUES,
    PNGCORE_INFLATION_ENDED,     // the stream, with the right checksum
    PNGCORE_INFLATION_IRREGULAR, // the stream is damaged, or ends early
    PNGCORE_INFLATION_SOURCE_FAILED
} pngcore_inflation;

// Inflates one zlib stream (RFC 1950).
typedef struct pngcore_inflater pngcore_inflater;

// Returns NULL if memory runs out.
pngcore_inflater *pngcore_inflater_create(const pngcore_level *level, pngcore_source source);
void pngcore_inflater_destroy(pngcore_inflater *inflater);
// Inflates further bytes, some 100 KiB. They stay where they are until the next call, and up to 64 bytes behind them may be read.
pngcore_inflation pngcore_inflate(pngcore_inflater *inflater, const uint8_t **bytes, size_t *count);
// Whether bytes follow the stream.
bool pngcore_inflater_has_more(pngcore_inflater *inflater);

// Reads the rows of an image, which is not interlaced, from its stream.
typedef struct pngcore_row_reader pngcore_row_reader;

// `row_bytes`: of a row without its filter. `pixel_bytes`: 1 to 4, 6 or 8. `swaps`: samples of 16 bits are given in the machine's
// order, and as they are in the file otherwise. Returns NULL if memory runs out.
pngcore_row_reader *pngcore_row_reader_create(
    const pngcore_level *level, pngcore_source source, size_t row_bytes, size_t pixel_bytes, bool swaps);
void pngcore_row_reader_destroy(pngcore_row_reader *reader);
// Its memory in bytes.
size_t pngcore_row_reader_size(size_t row_bytes);
// Reads the next rows to `first`, and each further one `stride` bytes behind the one before. Returns how many; fewer than `count`
// if the stream is damaged, ends early, or its source fails.
int pngcore_read_rows(pngcore_row_reader *reader, uint8_t *first, size_t stride, int count);
// Whether the stream ends after the rows that were read, with the right checksum and without further bytes.
bool pngcore_row_reader_is_at_end(pngcore_row_reader *reader);

#endif
