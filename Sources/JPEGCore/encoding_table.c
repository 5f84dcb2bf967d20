#include "encoding_table.h"
#include "zigzag.h"

// Assigns codes (T.81, annex C).
static void fill_codes(encoding_entry *codes, const jpegcore_huffman_table *from)
{
    int index = 0;
    encoding_entry code = 0;
    for (int length = 1; length <= 16; length++, code <<= 1)
        for (int n = 0; n < from->counts[length]; n++, code++)
            codes[from->symbols[index++]] = code | (encoding_entry)length << CODE_LENGTH_SHIFT;
}

static encoding_entry with_value(encoding_entry entry, int value, int size)
{
    const encoding_entry bits = (encoding_entry)(value < 0 ? value - 1 : value) & ((1U << size) - 1);
    const encoding_entry length = (entry >> CODE_LENGTH_SHIFT) + (encoding_entry)size;
    return (entry & 0xFFFF) << size | bits | length << CODE_LENGTH_SHIFT;
}

void fill_encoding_table(
    encoding_table *table, int component, const jpegcore_huffman_table *dc, const jpegcore_huffman_table *ac)
{
    encoding_entry *codes = table->codes + component * COMPONENT_CODES;
    fill_codes(codes, ac);
    fill_codes(codes + DC_CODES, dc);
    for (int run = 0; run < 16; run++) {
        for (int value = -MOST_SHORT_VALUE; value <= MOST_SHORT_VALUE; value++) {
            const int size = size_of(value);
            table->short_codes[component][run][value + MOST_SHORT_VALUE] =
                with_value(codes[run * 16 + size], value, size);
        }
    }
}

void fill_zigzag_masks(encoding_table *table)
{
    for (int y = 0; y < 8; y++) {
        uint64_t *masks = table->zigzag_masks[y];
        masks[0] = 0;
        for (unsigned int bits = 1; bits < 256; bits++)
            masks[bits] =
                masks[bits & (bits - 1)] | (uint64_t)1 << rows_to_zigzag[8 * y + __builtin_ctz(bits)];
    }
}
