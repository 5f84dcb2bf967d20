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
    // Writes symbols of literals at `literals` and matches. Writes up to 8 bytes behind the last.
    bit_sink (*write_symbols)(
        bit_sink sink, const block_codes *codes, const uint8_t *literals, const symbol_run *runs,
        size_t count);
};

#endif
