// The functions that are compiled for each instruction set.
#ifndef PNGCORE_LEVEL_H
#define PNGCORE_LEVEL_H

#include "huffman_code.h"
#include "symbols.h"

struct pngcore_level {
    const char *name;
    bool (*is_supported)(void);

    // See pngcore_filter_row.
    void (*filter_row)(
        const uint8_t *row, const uint8_t *above, size_t count, size_t pixel_bytes, uint8_t *filtered);
    // The first position from `from` on where RUN_BYTES bytes equal the one before; else a position at most RUN_MARGIN
    // before `end`. Reads the byte before `from`.
    const uint8_t *(*find_run)(const uint8_t *from, const uint8_t *end);
    // The number of bytes, up to `most`, that are equal from both positions on.
    size_t (*match_length)(const uint8_t *a, const uint8_t *b, size_t most);
    // Adds the bytes to their counts.
    void (*count_bytes)(const uint8_t *bytes, size_t count, uint32_t counts[256]);
    // Writes symbols of literals at `literals` and matches. Writes up to 8 bytes behind the last.
    bit_sink (*write_symbols)(
        bit_sink sink, const block_codes *codes, const uint8_t *literals, const symbol_run *runs,
        size_t count);
};

#endif
