#ifndef JPEGCORE_ENCODING_TABLE_H
#define JPEGCORE_ENCODING_TABLE_H

#include "JPEGCore.h"

// A code in the lowest 16 bits, its length in the highest 8; 0 where there is none.
typedef uint32_t encoding_entry;

enum { CODE_LENGTH_SHIFT = 24 };

// Indices of a component's codes: run * 16 + size for AC symbols, DC_CODES + size for DC symbols.
enum { DC_CODES = 256, COMPONENT_CODES = 512 };
// A symbol of no bits, behind the codes of all components.
enum { NO_SYMBOL = JPEGCORE_MOST_COMPONENTS * COMPONENT_CODES };

// AC symbols without a value (T.81, F.1.2.2).
enum { END_OF_BLOCK_SYMBOL = 0x00, ZERO_RUN_SYMBOL = 0xF0 };

// Magnitudes of coefficients whose code and value have one entry together: the value's bits take at most 6 of 24.
enum { MOST_SHORT_VALUE = 63, SHORT_CODE_MASK = 0xFFFFFF };

// SSSS: the bits of a value (T.81, F.1.2.1).
static inline int size_of(int value)
{
    const int magnitude = value < 0 ? -value : value;
    return magnitude == 0 ? 0 : 32 - __builtin_clz((unsigned int)magnitude);
}

typedef struct encoding_table {
    encoding_entry codes[NO_SYMBOL + 16];
    // By component, run and value + MOST_SHORT_VALUE.
    encoding_entry short_codes[JPEGCORE_MOST_COMPONENTS][16][2 * MOST_SHORT_VALUE + 1];
    // From bits for the coefficients of a row to bits in zigzag order, for levels that store coefficients by rows.
    uint64_t zigzag_masks[8][256];
} encoding_table;

void fill_encoding_table(
    encoding_table *table, int component, const jpegcore_huffman_table *dc, const jpegcore_huffman_table *ac);
void fill_zigzag_masks(encoding_table *table);

#endif
