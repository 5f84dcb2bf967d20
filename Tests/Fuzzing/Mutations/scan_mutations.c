#include "mutations.h"

// Most damage is small.
static size_t size_below(fuzz_random *random, size_t most)
{
    const size_t size = (size_t)1 << fuzz_below(random, 7);
    return 1 + fuzz_below(random, size < most ? size : most);
}

// A marker in the scan's data from `at` on; the photo's end if there is none.
static size_t find_marker(const fuzz_photo *photo, size_t at)
{
    for (; at + 1 < photo->count; at++)
        if (photo->bytes[at] == 0xFF && photo->bytes[at + 1] != 0 && photo->bytes[at + 1] != 0xFF) return at;
    return photo->count;
}

// Anywhere, or close to a marker.
static size_t position(const fuzz_photo *photo, size_t scan, fuzz_random *random)
{
    const size_t at = scan + fuzz_below(random, photo->count - scan);
    if (fuzz_below(random, 4) > 0) return at;
    const size_t marker = find_marker(photo, at), before = fuzz_below(random, 12);
    if (marker == photo->count || marker < scan + before) return at;
    return marker - before;
}

static void insert_marker(fuzz_photo *photo, size_t at, fuzz_random *random)
{
    const uint8_t restart = (uint8_t)(0xD0 + fuzz_below(random, 8)), any = (uint8_t)fuzz_next(random);
    const uint8_t bytes[] = { 0xFF, fuzz_below(random, 4) > 0 ? restart : any };
    if (fuzz_below(random, 2) == 0) fuzz_erase(photo, at, sizeof bytes);
    fuzz_insert(photo, at, bytes, sizeof bytes);
}

static void insert_run(fuzz_photo *photo, size_t at, fuzz_random *random)
{
    static const uint8_t values[] = { 0x00, 0xFF, 0x55 };
    const uint8_t value = values[fuzz_below(random, sizeof values)];
    for (size_t left = size_below(random, 32); left > 0; left--) fuzz_insert(photo, at, &value, 1);
}

// Removes the next marker, writes it again, changes its number, or exchanges it with the one after it.
static void change_marker(fuzz_photo *photo, size_t at, fuzz_random *random)
{
    const size_t marker = find_marker(photo, at);
    if (marker == photo->count) return;
    const size_t other = find_marker(photo, marker + 2);
    const uint8_t code = photo->bytes[marker + 1];
    switch (fuzz_below(random, 4)) {
    case 0: fuzz_erase(photo, marker, 2); break;
    case 1: fuzz_insert(photo, marker, photo->bytes + marker, 2); break;
    case 2: photo->bytes[marker + 1] = (uint8_t)(0xD0 + fuzz_below(random, 8)); break;
    case 3:
        if (other == photo->count) break;
        photo->bytes[marker + 1] = photo->bytes[other + 1];
        photo->bytes[other + 1] = code;
        break;
    }
}

void fuzz_mutate_scan(fuzz_photo *photo, size_t scan, fuzz_random *random)
{
    if (scan >= photo->count) return;
    const size_t at = position(photo, scan, random), left = photo->count - at;
    const size_t from = scan + fuzz_below(random, photo->count - scan);
    switch (fuzz_below(random, 10)) {
    case 0:
    case 1: photo->bytes[at] ^= (uint8_t)(1 << fuzz_below(random, 8)); break;
    case 2: photo->bytes[at] = (uint8_t)fuzz_next(random); break;
    case 3: fuzz_erase(photo, at, size_below(random, left)); break;
    case 4: fuzz_insert(photo, at, photo->bytes + from, size_below(random, photo->count - from)); break;
    case 5: insert_marker(photo, at, random); break;
    case 6: insert_run(photo, at, random); break;
    case 7: change_marker(photo, at, random); break;
    case 8: photo->bytes[at] = 0xFF; break;
    case 9:
        if (fuzz_below(random, 4) == 0) photo->count = at; // truncated
        else photo->bytes[at] ^= (uint8_t)(1 << fuzz_below(random, 8));
        break;
    }
}
