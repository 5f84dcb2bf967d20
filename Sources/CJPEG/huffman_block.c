#include "huffman_block.h"

typedef cjpeg_huffman_table Table;

// Zigzag to row-major. Runs in a damaged photo may go up to 15 entries beyond the block.
static const uint8_t natural_order[DCTSIZE2 + 16] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33,
    40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36,
    29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
};

// The symbol of a code longer than LOOKAHEAD; 0 for an invalid code.
static cjpeg_bits decode_long(j_decompress_ptr info, cjpeg_bits at, const Table *table, int *symbol)
{
    for (int length = LOOKAHEAD + 1; length <= LONGEST_CODE; length++) {
        const int code = cjpeg_peek(at, length);
        if (code > table->largest[length]) continue;
        *symbol = table->symbols[code + table->offset[length]];
        return cjpeg_drop(at, length);
    }
    *symbol = 0;
    at = cjpeg_drop(at, BAD_CODE_LENGTH);
    if (at.count < 0) at = cjpeg_end_early(info, at);
    cjpeg_huffman_warn(info, JWRN_HUFF_BAD_CODE);
    return at;
}

// The next symbol and its value; 0 if it has no value.
INLINE cjpeg_bits decode(j_decompress_ptr info, cjpeg_bits at, const Table *table, int *symbol, int *value)
{
    at = cjpeg_refill(info, at);
    const cjpeg_huffman_entry entry = table->entries[cjpeg_peek(at, LOOKAHEAD)];
    at = cjpeg_drop(at, entry.length);
    *symbol = entry.symbol;
    *value = entry.value;
    if (entry.value != 0) return at;
    if (entry.length == 0) {
        int long_symbol;
        at = decode_long(info, at, table, &long_symbol);
        *symbol = long_symbol;
    }
    const int size = *symbol & 15;
    if (size == 0) return at;
    *value = cjpeg_extend(cjpeg_peek(at, size), size);
    return cjpeg_drop(at, size);
}

INLINE cjpeg_bits decode_coefficients(
    j_decompress_ptr info, cjpeg_bits at, JCOEF *block, const Table *dc, const Table *ac, int *last_dc)
{
    int symbol, value;
    at = decode(info, at, dc, &symbol, &value);
    *last_dc = (int)((unsigned int)*last_dc + (unsigned int)value); // damaged photos overflow
    block[0] = (JCOEF)*last_dc;
    for (int k = 1; k < DCTSIZE2; k++) {
        at = decode(info, at, ac, &symbol, &value);
        if (value != 0) {
            k += symbol >> 4;
            if (k >= DCTSIZE2) cjpeg_huffman_warn(info, JWRN_HUFF_BAD_CODE);
            block[natural_order[k]] = (JCOEF)value;
        } else if (symbol >> 4 == 15) {
            k += 15;
            if (k >= DCTSIZE2) cjpeg_huffman_warn(info, JWRN_HUFF_BAD_CODE);
        } else {
            break;
        }
    }
    return at;
}

INLINE cjpeg_bits decode_block(j_decompress_ptr info, cjpeg_bits at, int n, JCOEF *block)
{
    cjpeg_huffman_decoder *decoder = (cjpeg_huffman_decoder *)info->entropy;
    const int c = info->MCU_membership[n];
    const jpeg_component_info *component = info->cur_comp_info[c];
    return decode_coefficients(
        info, at, block, decoder->dc[component->dc_tbl_no], decoder->ac[component->ac_tbl_no],
        &decoder->last_dc[c]);
}

cjpeg_bits cjpeg_decode_block(j_decompress_ptr info, cjpeg_bits at, int n, JCOEF *block)
{
    return decode_block(info, at, n, block);
}

void cjpeg_decode_blocks(j_decompress_ptr info, JBLOCKROW *blocks)
{
    cjpeg_bits at = cjpeg_bits_load(info);
    for (int n = 0; n < info->blocks_in_MCU; n++) at = decode_block(info, at, n, *blocks[n]);
    if (at.count < 0) at = cjpeg_end_early(info, at);
    cjpeg_bits_store(info, at);
}
