// CHEIF: libheif's decoder, loaded at run time by who needs it first. So the tool starts without it, and runs where it is
// missing. It reads each file in a process of its own, because a damaged file can crash it.
#ifndef CHEIF_H
#define CHEIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cheif_status {
    CHEIF_STATUS_OK,
    CHEIF_STATUS_CORRUPT,
    CHEIF_STATUS_UNSUPPORTED, // of the format, but beyond the library or its decoders
    CHEIF_STATUS_OUT_OF_MEMORY,
    CHEIF_STATUS_TOO_MUCH_METADATA,
    CHEIF_STATUS_NO_LIBRARY,
    CHEIF_STATUS_NO_PROCESS
};

struct cheif_answer {
    enum cheif_status status;
    char message[160]; // the library's own, or the system's
};

enum cheif_metadata { CHEIF_METADATA_PROFILE, CHEIF_METADATA_EXIF, CHEIF_METADATA_XMP };

struct cheif_item {
    enum cheif_metadata kind;
    size_t offset, byte_count; // in the head's bytes
};

enum { CHEIF_MOST_ITEMS = 64 };

// What a file says of its primary image.
struct cheif_head {
    struct cheif_answer answer;
    int width, height; // as shown: turned and cropped as the file says
    int bit_depth;     // 8 to 16
    bool has_alpha;
    bool has_codes; // of colour, as in ITU-T H.273
    uint8_t primaries, curve;
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
    struct cheif_answer answer;
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
    const uint8_t *file, size_t byte_count, size_t most_metadata, enum cheif_status *status);
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

#endif
