// A photo for the comparison of architectures: a JPEG whose markers are parsed here, so that no library of the system is needed.
#ifndef ARCHITECTURES_PHOTO_H
#define ARCHITECTURES_PHOTO_H

#include "JPEGCore.h"
#include <stddef.h>
#include <stdint.h>

typedef struct photo {
    uint8_t *bytes;
    size_t count;
    size_t data; // the first byte of the scan's data
    int width, height;
    jpegcore_scan scan;
} photo;

// Samples of a component, whole blocks.
typedef struct plane {
    uint8_t *samples;
    size_t bytes_per_row, rows;
} plane;

// Ends the process where the file is not a baseline JPEG of one scan.
photo read_photo(const char *path);
// Decodes with JPEGCore's baseline level, to planes of `block_size` of 8. `thread_count` is 1, or the number of segments that
// are decoded at once, here one after the other.
void decode_photo(const photo *from, int block_size, int thread_count, plane planes[3]);
plane make_plane(const jpegcore_component *component, int block_size);
// A JPEG of these planes, with the photo's other segments, its codes optimal where `is_optimal` is true.
uint8_t *encode_photo(const photo *of, const plane planes[3], bool is_optimal, size_t *count);

void *allocate(size_t count);
_Noreturn void fail(const char *path, const char *problem);

#endif
