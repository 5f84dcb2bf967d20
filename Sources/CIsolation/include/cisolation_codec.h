// What codecs have in common whose library holds a photo as a whole: its calls, each in a process of its own, and what they pass.
#ifndef CISOLATION_CODEC_H
#define CISOLATION_CODEC_H

#include <stdint.h>

#include "cisolation.h"

// MARK: What the processes pass to each other

struct cisolation_file {
    const uint8_t *bytes;
    size_t byte_count;
};

enum cisolation_metadata { CISOLATION_METADATA_PROFILE, CISOLATION_METADATA_EXIF, CISOLATION_METADATA_XMP };

struct cisolation_item {
    enum cisolation_metadata kind;
    size_t offset, byte_count; // after the head
};

enum { CISOLATION_MOST_ITEMS = 64 };

// What a file says of its image. A format's own head begins with it.
struct cisolation_head {
    struct cisolation_answer answer;
    int width, height; // as decoded
    int channels;      // grey, grey and alpha, RGB, RGBA; or 4 inks
    bool is_16_bit;
    int item_count;
    struct cisolation_item items[CISOLATION_MOST_ITEMS];
    size_t byte_count;    // of the format's own head
    size_t most_metadata; // bytes of all items
};

// Where an image is decoded to.
struct cisolation_decoding {
    struct cisolation_file file;
    const struct cisolation_head *head;
    bool tolerates_damage; // what cannot be decoded stays zero
    // Samples of 8 bits, or of 16 bits in the machine's byte order. Alpha is not multiplied in. The largest value of an ink is no ink.
    uint8_t *rows;
    size_t bytes_per_row;
    struct cisolation_answer *answer;
};

// A file to be. Its rows are as those of a decoding.
struct cisolation_picture {
    int width, height, channels;
    bool is_16_bit;
    int orientation;          // EXIF's, 1 to 8
    int quality;              // 0 to 100; less than 0 without loss
    uint8_t primaries, curve; // codes of colour, as in ITU-T H.273
};

// What a file has beside its image. Those without bytes are left out.
struct cisolation_attachments {
    const uint8_t *profile, *exif, *xmp;
    size_t profile_byte_count, exif_byte_count, xmp_byte_count;
};

// Where a picture becomes a file.
struct cisolation_encoding {
    const struct cisolation_picture *picture;
    const struct cisolation_attachments *attachments;
    const uint8_t *rows;
    size_t bytes_per_row;
    uint8_t *file;
    size_t file_byte_count, capacity;
    struct cisolation_answer *answer;
};

// A file that becomes one of another format.
struct cisolation_recoding {
    struct cisolation_file file;
    uint8_t *result;
    size_t result_byte_count, capacity;
    struct cisolation_answer *answer;
};

// MARK: A codec

// `read_head`, `read_pixels` and `encode` run in the other process, which ends after them: nothing needs to be freed. They return
// whether they succeeded. The answer is that the file is corrupt, unless they say otherwise.
struct cisolation_codec {
    const char *library; // for messages
    bool (*load)(void);  // once; false if it is missing
    size_t head_byte_count;
    bool (*read_head)(const struct cisolation_file *file, struct cisolation_head *head);
    // Whether a format's own values can be used. A crash may have left anything there.
    bool (*is_valid)(const struct cisolation_head *head);
    bool (*read_pixels)(const struct cisolation_decoding *decoding);
    bool (*encode)(struct cisolation_encoding *encoding); // NULL if files are only read
    double encoding_time;                                 // that of a pixel, in times of decoding one
};

// Whether a byte that a crash may have left is a bool at all.
static inline bool cisolation_is_bool(const bool *value) { return *(const unsigned char *)value <= 1; }

struct cisolation_symbol {
    const char *name;
    void **target;
};

// Loads the first library of these names that there is, and its symbols. Both arrays end with NULL.
bool cisolation_load(const char *const *names, const struct cisolation_symbol *symbols);

// MARK: Within the other process

// Bytes of all items so far: another one's begin there.
size_t cisolation_head_used(const struct cisolation_head *head);
// Space for another item; NULL if there is none.
uint8_t *cisolation_head_add(struct cisolation_head *head, enum cisolation_metadata kind, size_t byte_count);
// Appends to the file. Returns false if there is no space.
bool cisolation_encoding_append(struct cisolation_encoding *encoding, const void *bytes, size_t count);
// Divides the samples of a row by their alpha, the last one of each pixel.
void cisolation_divide_alpha_out(uint8_t *row, const struct cisolation_head *head);
// Says why something failed. Returns false.
bool cisolation_fail(struct cisolation_answer *answer, enum cisolation_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// MARK: Within the calling process

// `most_metadata` limits the bytes of all items. Returns NULL, with a status, if memory runs out or the library is missing;
// otherwise the status is the answer's.
struct cisolation_head *cisolation_head_read(
    const struct cisolation_codec *codec, struct cisolation_file file, size_t most_metadata,
    enum cisolation_status *status);
void cisolation_head_destroy(struct cisolation_head *head);
const uint8_t *cisolation_head_item(const struct cisolation_head *head, int index);

// A decoded image.
struct cisolation_pixels {
    struct cisolation_answer answer;
    size_t bytes_per_row, rows_byte_count;
    size_t taken_bytes; // memory that the other process took at most
    uint8_t bytes[];
};

// The other process may take `most_memory` bytes, and some for threads. Returns NULL if memory runs out.
struct cisolation_pixels *cisolation_pixels_read(
    const struct cisolation_codec *codec, struct cisolation_file file, const struct cisolation_head *head,
    bool tolerates_damage, size_t most_memory);
void cisolation_pixels_destroy(struct cisolation_pixels *pixels);
static inline uint8_t *cisolation_pixels_rows(struct cisolation_pixels *pixels) { return pixels->bytes; }

// A file of another format.
struct cisolation_recoded {
    struct cisolation_answer answer;
    size_t byte_count, capacity;
    size_t taken_bytes; // memory that the other process took at most
    uint8_t bytes[];
};

// `recode` runs in the other process, as a codec's functions do. `pixels` are those of the image. The file may have twice the bytes
// of the one that it becomes, and 16 MiB. Returns NULL, with a status, if
// memory runs out or the library is missing.
struct cisolation_recoded *cisolation_recode(
    const struct cisolation_codec *codec, bool (*recode)(struct cisolation_recoding *recoding),
    struct cisolation_file file, size_t pixels, size_t most_memory, enum cisolation_status *status);
void cisolation_recoded_destroy(struct cisolation_recoded *recoded);
static inline const uint8_t *cisolation_recoded_file(const struct cisolation_recoded *recoded)
{
    return recoded->bytes;
}

// Encodes one picture.
struct cisolation_encoder;
// Returns NULL, with a status, if memory runs out or the library is missing.
struct cisolation_encoder *cisolation_encoder_create(
    const struct cisolation_codec *codec, const struct cisolation_picture *picture,
    enum cisolation_status *status);
void cisolation_encoder_destroy(struct cisolation_encoder *encoder);
// Where the picture's rows belong, one after the other. They are zero.
uint8_t *cisolation_encoder_rows(struct cisolation_encoder *encoder);
// Encodes the rows. The other process may take `most_memory` bytes, and some for threads.
struct cisolation_answer cisolation_encoder_run(
    struct cisolation_encoder *encoder, const struct cisolation_attachments *attachments, size_t most_memory);
// The file.
const uint8_t *cisolation_encoder_file(const struct cisolation_encoder *encoder, size_t *byte_count);
// Memory that the other process took at most.
size_t cisolation_encoder_taken(const struct cisolation_encoder *encoder);

#endif
