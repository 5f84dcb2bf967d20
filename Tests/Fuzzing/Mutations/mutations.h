#ifndef FUZZ_MUTATIONS_H
#define FUZZ_MUTATIONS_H

#include "photo.h"
#include "random.h"

// Damages the entropy-coded data, which begins at `scan`.
void fuzz_mutate_scan(fuzz_photo *photo, size_t scan, fuzz_random *random);
// Changes one of the segments so that the photo remains one, most of the time.
void fuzz_mutate_segment(fuzz_photo *photo, const fuzz_layout *layout, fuzz_random *random);

#endif
