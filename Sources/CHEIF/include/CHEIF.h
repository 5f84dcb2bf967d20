// CHEIF: libheif, loaded at run time by who needs it first. So the tool starts without it, and runs where it is missing. It reads
// and writes each file in a process of its own, because a damaged file can crash it.
#ifndef CHEIF_H
#define CHEIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cisolation.h"

enum cheif_metadata { CHEIF_METADATA_PROFILE, CHEIF_METADATA_EXIF, CHEIF_METADATA_XMP };

struct cheif_item {
    enum cheif_metadata kind;
    size_t offset, byte_count; // in the head's bytes
};

enum { CHEIF_MOST_ITEMS = 64 };

// What a file says of its primary image.
struct cheif_head {
    struct cisolation_answer answer;
    int width, height; // as shown: turned and cropped as the file says
    int bit_depth;     // 8 to 16
    bool has_alpha;
    bool has_codes; // of colour, as in ITU-T H.273
    uint8_t primaries, curve, matrix;
    bool has_gain_map;
    bool has_further_pictures; // others of a collection, depth, mattes
    int item_count;
    struct cheif_item items[CHEIF_MOST_ITEMS];
    size_t most_metadata;
    uint8_t bytes[];
};

// Rows of RGB, or of RGBA without premultiplication: 8 bits a sample, or 16 bits of the machine's byte order where the image has
// more than 8.
struct cheif_pixels {
    struct cisolation_answer answer;
    int width, height;
    size_t bytes_per_row;
    size_t taken_bytes; // memory that the other process took at most
    uint8_t bytes[];
};

// Whether a file ends before the last of its boxes does. Each begins with its size (ISO/IEC 14496-12, 4.2).
bool cheif_ends_within_a_box(const uint8_t *file, size_t byte_count);

// Reads all boxes. `most_metadata` limits the bytes of all items. Returns NULL, with a status, if memory runs out or the library is
// missing; otherwise the status is the answer's.
struct cheif_head *cheif_head_read(
    const uint8_t *file, size_t byte_count, size_t most_metadata, enum cisolation_status *status);
void cheif_head_destroy(struct cheif_head *head);
static inline const uint8_t *cheif_head_item(const struct cheif_head *head, int index)
{
    return head->bytes + head->items[index].offset;
}

// Decodes the image. `tolerates_damage` decodes as far as possible. The other process may take `most_memory` bytes, and some for
// threads. Returns NULL if memory runs out.
struct cheif_pixels *cheif_pixels_read(
    const uint8_t *file, size_t byte_count, const struct cheif_head *head, bool tolerates_damage,
    size_t most_memory);
void cheif_pixels_destroy(struct cheif_pixels *pixels);
static inline uint8_t *cheif_pixels_rows(struct cheif_pixels *pixels) { return pixels->bytes; }

// An AVIF to be. Its rows are RGB or RGBA of 8 bits.
struct cheif_picture {
    int width, height;
    bool has_alpha;
    int quality;              // 0 to 100; less than 0 without loss
    uint8_t primaries, curve; // codes of colour, as in ITU-T H.273
};

// What an AVIF has beside its image. Those without bytes are left out.
struct cheif_attachments {
    const uint8_t *profile, *exif, *xmp;
    size_t profile_byte_count, exif_byte_count, xmp_byte_count;
};

// Encodes one AVIF.
struct cheif_encoder;
// Returns NULL, with a status, if memory runs out or the library is missing.
struct cheif_encoder *cheif_encoder_create(
    const struct cheif_picture *picture, enum cisolation_status *status);
void cheif_encoder_destroy(struct cheif_encoder *encoder);
// Where the picture's rows belong, one after the other. They are zero.
uint8_t *cheif_encoder_rows(struct cheif_encoder *encoder);
// Encodes the rows, with chroma of half the width and height unless it is without loss. The other process may take `most_memory`
// bytes, and some for threads.
struct cisolation_answer cheif_encoder_run(
    struct cheif_encoder *encoder, const struct cheif_attachments *attachments, size_t most_memory);
// The file.
const uint8_t *cheif_encoder_file(const struct cheif_encoder *encoder, size_t *byte_count);
// Memory that the other process took at most.
size_t cheif_encoder_taken(const struct cheif_encoder *encoder);

#endif
