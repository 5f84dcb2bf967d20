// CWebP: libwebp, loaded at run time by who needs it first. So the tool starts without it, and runs where it is missing.
#ifndef CWEBP_H
#define CWEBP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cwebp_status {
    CWEBP_STATUS_OK,
    CWEBP_STATUS_TRUNCATED, // the data ends before the image does
    CWEBP_STATUS_CORRUPT,
    CWEBP_STATUS_OUT_OF_MEMORY,
    CWEBP_STATUS_NO_LIBRARY,
    CWEBP_STATUS_TOO_LARGE,      // the encoded image has more bytes than the format has space for
    CWEBP_STATUS_CALLBACK_FAILED // the write function failed
} cwebp_status;

typedef struct cwebp_features {
    int width, height;
    bool has_alpha;
    bool is_lossless;
} cwebp_features;

// Reads the head of an image: a file, or its VP8 or VP8L chunk, maybe after ALPH, from its first bytes.
cwebp_status cwebp_read_features(const uint8_t *data, size_t size, cwebp_features *features);

// Decodes an image to RGB, or to RGBA without premultiplication, 8 bits a sample. `rows` is the number of rows that were
// decoded, also where the status is not OK.
cwebp_status cwebp_decode(
    const uint8_t *data, size_t size, bool has_alpha, uint8_t *pixels, size_t bytes_per_row, int width,
    int height, int *rows);

// A picture that is to be encoded.
typedef struct cwebp_picture cwebp_picture;

// Returns NULL, with a status, if memory runs out or the library is missing.
cwebp_picture *cwebp_picture_create(int width, int height, cwebp_status *status);
void cwebp_picture_destroy(cwebp_picture *picture);
// Stores a row of RGB or RGBA.
void cwebp_picture_store(cwebp_picture *picture, int row, const uint8_t *pixels, bool has_alpha);

// Gets bytes of the file. Returns false on failure.
typedef bool (*cwebp_write)(void *context, const uint8_t *bytes, size_t count);

// Encodes the picture to a file without metadata, and frees its pixels. `quality` is 0 to 100, or negative for an image
// without loss, also where it is transparent.
cwebp_status cwebp_encode(cwebp_picture *picture, int quality, cwebp_write write, void *context);

#endif
