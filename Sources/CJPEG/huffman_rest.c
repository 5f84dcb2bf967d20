#include "huffman.h"
#include "huffman_block.h"

// Decodes further blocks up to the next marker. Returns whether it directly follows a block.
static bool is_blocks(j_decompress_ptr info, cjpeg_bits *at)
{
    cjpeg_huffman_decoder *decoder = (cjpeg_huffman_decoder *)info->entropy;
    JBLOCK block;
    decoder->is_trial = true;
    decoder->has_failed = false;
    for (int n = 0; !decoder->has_failed && (info->unread_marker == 0 || at->count >= 8); n++)
        *at = cjpeg_refill_slowly(info, cjpeg_decode_block(info, *at, n % info->blocks_in_MCU, block));
    decoder->is_trial = false;
    return !decoder->has_failed;
}

// Skips to the next marker. Returns whether all bytes before it are zero.
static bool is_zeros(j_decompress_ptr info, cjpeg_bits *at)
{
    bool is_zero = true;
    while (at->count > 0) {
        is_zero = is_zero && at->bits >> (64 - at->count) == 0;
        *at = cjpeg_refill_slowly(info, (cjpeg_bits) { 0, 0, at->next, at->left });
    }
    return is_zero;
}

cjpeg_rest cjpeg_huffman_rest(j_decompress_ptr info)
{
    if (!cjpeg_huffman_is_installed(info) || info->entropy->insufficient_data) return CJPEG_REST_NONE;
    cjpeg_rest rest = CJPEG_REST_NONE;
    cjpeg_bits at = cjpeg_refill_slowly(info, cjpeg_bits_load(info));
    if (at.count >= 8) {
        // Before the next byte, bits fill the last block's byte.
        const cjpeg_bits next_byte = cjpeg_drop(at, at.count % 8);
        const bool is_short = info->unread_marker != 0;
        if (cjpeg_peek(next_byte, 8) == 0) {
            at = next_byte;
            rest = is_zeros(info, &at) ? CJPEG_REST_STRAY : CJPEG_REST_DATA;
        } else {
            rest = is_short && !is_blocks(info, &at) ? CJPEG_REST_STRAY : CJPEG_REST_DATA;
        }
    }
    cjpeg_bits_store(info, (cjpeg_bits) { 0, 0, at.next, at.left });
    cjpeg_huffman_report_cut(info);
    return rest;
}
