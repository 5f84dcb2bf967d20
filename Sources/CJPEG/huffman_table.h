#ifndef CJPEG_HUFFMAN_TABLE_H
#define CJPEG_HUFFMAN_TABLE_H

#include <stdint.h>
#include <stdio.h>
#include <jpeglib.h>

// Codes of up to LOOKAHEAD bits take one look-up, which often includes the coefficient. A code has at most 16
// bits, and its value at most 15 more. Invalid codes count as 17 bits, as in libjpeg.
enum { LOOKAHEAD = 10, LONGEST_CODE = 16, BAD_CODE_LENGTH = 17 };

// Either `value` is the coefficient, and `length` includes its bits; or `value` is 0, and the bits of
// `symbol` follow. `length` is 0 if the code is longer than LOOKAHEAD.
typedef struct cjpeg_huffman_entry {
    int16_t value;
    uint8_t symbol; // zeros before the coefficient in the high 4 bits, the bits of its value in the low 4
    uint8_t length;
} cjpeg_huffman_entry;

typedef struct cjpeg_huffman_table {
    cjpeg_huffman_entry entries[1 << LOOKAHEAD];
    int32_t largest[LONGEST_CODE + 1]; // the largest code of each length, -1 where there is none
    int32_t offset[LONGEST_CODE + 1];  // index of a code's symbol, minus the code
    uint8_t symbols[256];
} cjpeg_huffman_table;

// ITU-T T.81, figure F.12.
static inline __attribute__((always_inline)) int cjpeg_extend(int bits, int size)
{
    return bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}

// `from` has code lengths that libjpeg has checked to form a prefix code.
void cjpeg_fill_huffman_table(cjpeg_huffman_table *table, const JHUFF_TBL *from);

#endif
