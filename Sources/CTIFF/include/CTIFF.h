// CTIFF: the predictor of TIFFs that are written, and libtiff's reader, loaded at run time by who needs it first. So the tool starts
// without it, and runs where it is missing. It reads each file in a process of its own, because a damaged file can crash it.
#ifndef CTIFF_H
#define CTIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cisolation.h"

enum ctiff_metadata { CTIFF_METADATA_PROFILE, CTIFF_METADATA_XMP };

struct ctiff_item {
    enum ctiff_metadata kind;
    size_t offset, byte_count; // in the head's bytes
};

enum { CTIFF_MOST_ITEMS = 2 };

// The first image of a file, as it is decoded.
struct ctiff_image {
    int width, height; // as stored
    int channels;      // grey, grey and alpha, RGB, RGBA; 4 inks, CMYK, if has_inks
    bool is_16_bit, has_inks;
    bool is_converted; // by libtiff, to 8 bits: palettes, few bits, YCbCr, CIE Lab
};

// What a file says of it.
struct ctiff_head {
    struct cisolation_answer answer;
    struct ctiff_image image;
    size_t block_byte_count; // of the largest strip or tile, without compression
    int orientation;         // EXIF's, 1 to 8
    int page_count;
    float x_density, y_density; // 0 if unknown
    int density_unit;           // 1 for none, 2 for inches, 3 for centimetres
    int item_count;
    struct ctiff_item items[CTIFF_MOST_ITEMS];
    size_t most_metadata;
    uint8_t bytes[];
};

// Rows of samples: 8 bits, or 16 bits of the machine's byte order. Alpha is not multiplied in. The largest value of an ink is no ink.
struct ctiff_pixels {
    struct cisolation_answer answer;
    size_t bytes_per_row, rows_byte_count;
    size_t taken_bytes; // memory that the other process took at most
    uint8_t bytes[];
};

// Reads the first directory. `most_metadata` limits the bytes of all items. Returns NULL, with a status, if memory runs out or the
// library is missing; otherwise the status is the answer's.
struct ctiff_head *ctiff_head_read(
    const uint8_t *file, size_t byte_count, size_t most_metadata, enum cisolation_status *status);
void ctiff_head_destroy(struct ctiff_head *head);
static inline const uint8_t *ctiff_head_item(const struct ctiff_head *head, int index)
{
    return head->bytes + head->items[index].offset;
}

// Decodes the image. `tolerates_damage` leaves what cannot be decoded zero, but not all of it. The other process may take `most_memory` bytes.
// Returns NULL if memory runs out.
struct ctiff_pixels *ctiff_pixels_read(
    const uint8_t *file, size_t byte_count, const struct ctiff_head *head, bool tolerates_damage,
    size_t most_memory);
void ctiff_pixels_destroy(struct ctiff_pixels *pixels);
static inline uint8_t *ctiff_pixels_rows(struct ctiff_pixels *pixels) { return pixels->bytes; }

// TIFF 6.0, section 14: each sample but those of the first pixel as the difference to the one of the pixel before. `count` is of
// samples. `swaps` gives those of 16 bits the other byte order.
void ctiff_differences_8(const uint8_t *row, uint8_t *to, size_t count, size_t channels);
void ctiff_differences_16(const uint16_t *row, uint16_t *to, size_t count, size_t channels, bool swaps);

#endif
