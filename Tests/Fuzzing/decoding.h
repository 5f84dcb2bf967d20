#ifndef FUZZ_DECODING_H
#define FUZZ_DECODING_H

#include "CJPEG.h"
#include "input.h"

// A component's samples: whole blocks that hold pixels.
typedef struct fuzz_plane {
    size_t width, bytes_per_row; // the bytes between two rows are filling
    size_t rows_at_once;         // in a row of MCUs
    size_t count;                // the last row ends with its last sample
    uint8_t *samples;
} fuzz_plane;

// The planes before decoding.
enum { FUZZ_FILLING = 0xA5 };

typedef struct fuzz_decoded {
    cjpeg_header header;
    cjpeg_status status;
    char message[256], note[256];
    int late_segment_count;
    int row_count;    // of MCUs; 0 where the app does not decode planes, or the photo takes too long
    int decoded_rows; // without a failure
    fuzz_plane planes[3];
} fuzz_decoded;

// The planes at a row of MCUs.
void fuzz_row_starts(const fuzz_decoded *photo, int row, uint8_t *starts[3], size_t bytes_per_row[3]);

// Decodes as the app does. `level` is NULL for libjpeg alone.
fuzz_decoded fuzz_decode(const fuzz_input *input, size_t chunk_size, const jpegcore_level *level);
void fuzz_release(fuzz_decoded *decoded);

#endif
