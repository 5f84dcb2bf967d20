// The functions that are compiled for each instruction set.
#ifndef PNGCORE_LEVEL_H
#define PNGCORE_LEVEL_H

#include "huffman_code.h"
#include "inflate.h"
#include "symbols.h"

struct pngcore_level {
    const char *name;
    bool (*is_supported)(void);

    // See pngcore_filter_row.
    void (*filter_row)(
        const uint8_t *row, const uint8_t *above, size_t count, size_t pixel_bytes, uint8_t *filtered);
    // Undoes a filter. Reads and writes up to 64 bytes behind the rows.
    void (*unfilter_row)(
        int filter, const uint8_t *filtered, const uint8_t *above, size_t count, size_t pixel_bytes,
        uint8_t *row);
    // Copies samples of 16 bits from big-endian to the machine's order.
    void (*copy_samples)(const uint8_t *from, size_t count, uint8_t *to);
    // Writes symbols of literals at `literals` and matches. Writes up to 8 bytes behind the last.
    bit_sink (*write_symbols)(
        bit_sink sink, const block_codes *codes, const uint8_t *literals, const symbol_run *runs,
        size_t count);
    // Adds pixels of 3 or 4 bytes. `position`: that of the first, in its piece.
    void (*parse_pixels)(
        pixel_symbols *to, const estimates *bits, size_t pixel_bytes, const uint8_t *at, size_t position,
        size_t count);
    // Writes them, and up to 8 bytes behind the last. `rests`: the part of `pixel_symbols.rests` that is theirs.
    bit_sink (*write_pixels)(
        bit_sink sink, const block_codes *codes, size_t pixel_bytes, const uint8_t *at, const uint16_t *rests,
        size_t count);
    // See inflate_loop.h.
    bool (*inflate_symbols)(pngcore_inflater *inflater, const uint8_t *limit);
    uint32_t (*add_checksum)(uint32_t checksum, const uint8_t *bytes, size_t count);
};

#endif
