// A photo's bytes in a buffer of fixed capacity, while the mutator changes them.
#ifndef FUZZ_PHOTO_H
#define FUZZ_PHOTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUZZ_MOST_SEGMENTS = 32 };

typedef struct fuzz_segment {
    int code;         // of its marker
    size_t at, count; // the parameters, behind the length
} fuzz_segment;

typedef struct fuzz_photo {
    uint8_t *bytes;
    size_t count, capacity;
} fuzz_photo;

// The segments up to the first scan, whose data begins at `scan`; the photo's end if there is none.
typedef struct fuzz_layout {
    fuzz_segment segments[FUZZ_MOST_SEGMENTS];
    size_t segment_count, scan;
} fuzz_layout;

fuzz_layout fuzz_find_segments(const fuzz_photo *photo);
// Inserts bytes, as far as there is space. They may be the photo's own.
void fuzz_insert(fuzz_photo *photo, size_t at, const uint8_t *bytes, size_t count);
void fuzz_erase(fuzz_photo *photo, size_t at, size_t count);

#endif
