// An input of the fuzzer: a photo, and after it the settings of its run.
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUZZ_SETTINGS_SIZE = 4 };

// What is encoded of the decoded samples.
typedef enum fuzz_samples {
    FUZZ_SAMPLES_DECODED,
    FUZZ_SAMPLES_NOISY,
    FUZZ_SAMPLES_NOISE,
    FUZZ_SAMPLES_EXTREME
} fuzz_samples;

typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t count;
    bool is_lenient;
    size_t chunk_size; // the most bytes of one read
    size_t margin;     // bytes between two rows of a plane
    int denominator;   // of the planes' size: 1, 2, 4 or 8
    int level;         // from 0 on; -1 for all
    int thread_count;  // of the core
    int rows_at_once;  // of MCUs, in one call
    fuzz_samples samples;
    int quality;      // 1 to 100, or 0 for the photo's own tables
    bool optimizes;   // the Huffman codes
    int restart_rows; // 0 to 4
} fuzz_input;

// `count` is at least FUZZ_SETTINGS_SIZE.
static inline fuzz_input fuzz_parse_input(const uint8_t *bytes, size_t count)
{
    const uint8_t *settings = bytes + count - FUZZ_SETTINGS_SIZE;
    const uint8_t flags = settings[0], chunk = settings[1];
    return (fuzz_input) {
        .bytes = bytes,
        .count = count - FUZZ_SETTINGS_SIZE,
        .is_lenient = flags & 1,
        .chunk_size = chunk < 128 ? (size_t)chunk + 1 : (size_t)1 << chunk % 16,
        .margin = settings[2] % 65,
        .denominator = 1 << (flags >> 4 & 3),
        .level = (flags >> 6) - 1,
        .thread_count = 1 + settings[2] / 65,
        .rows_at_once = 1 + settings[2] / 65 * 3,
        .samples = (fuzz_samples)(flags >> 1 & 3),
        .quality = flags & 8 ? 0 : 1 + settings[3] % 100,
        .optimizes = settings[3] >= 200,
        .restart_rows = settings[1] % 5,
    };
}

#endif
