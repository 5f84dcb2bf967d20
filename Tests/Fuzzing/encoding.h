#ifndef FUZZ_ENCODING_H
#define FUZZ_ENCODING_H

#include "decoding.h"

typedef struct fuzz_file {
    cjpeg_status status;
    uint8_t *bytes;
    size_t count, capacity;
} fuzz_file;

// Changes a photo's samples as the input says.
void fuzz_change_samples(fuzz_decoded *photo, const fuzz_input *input);
// Encodes a photo with the factors of its header. `level` is NULL for libjpeg alone. Free the bytes.
fuzz_file fuzz_encode(const fuzz_decoded *photo, const fuzz_input *input, const jpegcore_level *level);

#endif
