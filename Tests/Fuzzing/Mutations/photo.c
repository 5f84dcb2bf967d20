#include "photo.h"
#include <string.h>

enum { START_OF_SCAN = 0xDA };

fuzz_layout fuzz_find_segments(const fuzz_photo *photo)
{
    fuzz_layout layout = { .scan = photo->count };
    size_t at = 2; // behind SOI
    while (at + 4 <= photo->count && layout.segment_count < FUZZ_MOST_SEGMENTS) {
        const uint8_t *marker = photo->bytes + at;
        const size_t length = (size_t)marker[2] << 8 | marker[3];
        if (marker[0] != 0xFF || length < 2 || at + 2 + length > photo->count) break;
        layout.segments[layout.segment_count++] = (fuzz_segment) { marker[1], at + 4, length - 2 };
        at += 2 + length;
        if (marker[1] != START_OF_SCAN) continue;
        layout.scan = at;
        break;
    }
    return layout;
}

void fuzz_insert(fuzz_photo *photo, size_t at, const uint8_t *bytes, size_t count)
{
    uint8_t copy[256];
    const size_t space = photo->capacity - photo->count;
    if (count > space) count = space;
    if (count > sizeof copy) count = sizeof copy;
    memcpy(copy, bytes, count);
    memmove(photo->bytes + at + count, photo->bytes + at, photo->count - at);
    memcpy(photo->bytes + at, copy, count);
    photo->count += count;
}

void fuzz_erase(fuzz_photo *photo, size_t at, size_t count)
{
    if (count > photo->count - at) count = photo->count - at;
    memmove(photo->bytes + at, photo->bytes + at + count, photo->count - at - count);
    photo->count -= count;
}
