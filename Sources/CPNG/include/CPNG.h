// CPNG: libpng's decoder in functions that return a status. libpng reports errors by longjmp. Each jump starts and ends
// in C, so it never crosses a Swift frame. Also zlib, for text and profiles in PNG chunks.
#ifndef CPNG_H
#define CPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cpng_status {
    CPNG_STATUS_OK,
    CPNG_STATUS_TRUNCATED, // the input ended before the image did
    CPNG_STATUS_CORRUPT,
    CPNG_STATUS_CALLBACK_FAILED // the read function failed
} cpng_status;

// Copies up to `capacity` bytes into `buffer`. Returns their count, 0 at the end of the input, or -1 on
// failure.
typedef ptrdiff_t (*cpng_read)(void *context, uint8_t *buffer, size_t capacity);

typedef struct cpng_header {
    int width, height;
    int bit_depth;              // 1, 2, 4, 8, 16
    bool has_colour, has_alpha; // once palette and tRNS are expanded
    bool is_interlaced;
    bool is_palette;
    bool has_transparent_colour; // tRNS
    // Bytes of the first IDAT chunk, whose head was read last; -1 if that is not known.
    int64_t first_data_length;
} cpng_header;

typedef struct cpng_reader cpng_reader;

// Returns NULL if memory runs out. Of ancillary chunks, only tRNS is read; wrong checksums of others are
// ignored.
cpng_reader *cpng_reader_create(cpng_read read, void *context);
void cpng_reader_destroy(cpng_reader *reader);
// libpng's message for the last failure.
const char *cpng_reader_message(const cpng_reader *reader);
// Makes the reader decode damaged data as far as possible. Call it before the header is read.
void cpng_reader_tolerate_damage(cpng_reader *reader);
cpng_status cpng_reader_read_header(cpng_reader *reader, cpng_header *header);
// Rows have palette, tRNS and less than 8 bits expanded; 16-bit samples have the machine's byte order.
cpng_status cpng_reader_start(cpng_reader *reader);
cpng_status cpng_reader_read_rows(cpng_reader *reader, uint8_t *first, size_t bytes_per_row, int count);
// Reads all rows of an interlaced image.
cpng_status cpng_reader_read_image(cpng_reader *reader, uint8_t *first, size_t bytes_per_row, int height);
// Checks that the file is complete.
cpng_status cpng_reader_finish(cpng_reader *reader);

// The bytes of the IDAT chunks, without libpng.
typedef struct cpng_idat cpng_idat;

// `read` continues behind the first chunk's head. Returns NULL if memory runs out.
cpng_idat *cpng_idat_create(cpng_read read, void *context, uint32_t first_length);
void cpng_idat_destroy(cpng_idat *idat);
// Gives further bytes of the `cpng_idat` that `context` is, for a `pngcore_source`. Returns their number, 0 behind the last chunk, or
// -1 if a checksum is wrong, the file ends, or `read` fails.
ptrdiff_t cpng_idat_next(void *context, const uint8_t **bytes);
// Whether the file continues behind the last IDAT chunk with chunks that libpng would pass, and IEND.
bool cpng_idat_finish(cpng_idat *idat);

// Inflates at most `capacity` bytes of a zlib stream into `to`, which may be NULL. Returns whether the stream
// was complete; `produced` becomes the number of bytes in either case.
bool cpng_inflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t capacity, size_t *produced);
// The most bytes that cpng_deflate makes of `count` bytes.
size_t cpng_deflate_bound(size_t count);
// Deflates into a zlib stream. Returns the number of bytes, or -1.
ptrdiff_t cpng_deflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t capacity);

// Continues PNG's checksum (0 at the start) with further bytes.
uint32_t cpng_checksum(uint32_t checksum, const uint8_t *bytes, size_t count);
// The same for zlib's (1 at the start).
uint32_t cpng_adler(uint32_t checksum, const uint8_t *bytes, size_t count);
// That of bytes with one checksum, and `count` bytes with another after them.
uint32_t cpng_adler_joined(uint32_t checksum, uint32_t next, size_t count);

#endif
