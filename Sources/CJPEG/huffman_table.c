#include "huffman_table.h"
#include <string.h>

// Fills all entries that start with this code of at most LOOKAHEAD bits.
static void fill_entries(cjpeg_huffman_table *table, int code, int length, uint8_t symbol)
{
    const int size = symbol & 15, rest = LOOKAHEAD - length;
    for (int tail = 0; tail < 1 << rest; tail++) {
        cjpeg_huffman_entry *entry = &table->entries[code << rest | tail];
        *entry = (cjpeg_huffman_entry) { 0, symbol, (uint8_t)length };
        if (size == 0 || size > rest) continue;
        entry->value = (int16_t)cjpeg_extend(tail >> (rest - size), size);
        entry->length = (uint8_t)(length + size);
    }
}

void cjpeg_fill_huffman_table(cjpeg_huffman_table *table, const JHUFF_TBL *from)
{
    memset(table->entries, 0, sizeof table->entries);
    memcpy(table->symbols, from->huffval, sizeof table->symbols);
    int code = 0, index = 0;
    for (int length = 1; length <= LONGEST_CODE; length++, code <<= 1) {
        table->offset[length] = index - code;
        for (int n = 0; n < from->bits[length]; n++, code++, index++)
            if (length <= LOOKAHEAD) fill_entries(table, code, length, from->huffval[index]);
        table->largest[length] = from->bits[length] > 0 ? code - 1 : -1;
    }
}
