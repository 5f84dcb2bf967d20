// libjpeg, fed so few bytes at a time that libjpeg-turbo never takes its fast Huffman decoder, which hides damage.
#ifndef SLOW_JPEG_H
#define SLOW_JPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slow_jpeg_result {
    bool is_decoded;   // to the end, pixels made up where there was damage
    bool loses_pixels; // whether libjpeg warned that data is missing or wrong, or the file ended early
    bool has_strays;   // whether it warned of bytes before a marker
    int width, height, channels;
} slow_jpeg_result;

// Decodes to rows of interleaved samples, grey or RGB; as many rows as `capacity` bytes hold.
slow_jpeg_result slow_jpeg_decode(const uint8_t *bytes, size_t count, uint8_t *samples, size_t capacity);

#endif
