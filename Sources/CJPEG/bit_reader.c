#include "bit_reader.h"
#include "source.h"

// Returns false at the end of the input, which counts as a marker.
static bool next_byte(j_decompress_ptr info, cjpeg_bits *at, JOCTET *byte)
{
    if (at->left == 0) {
        if (!cjpeg_source_read_more(info)) {
            ((cjpeg_huffman_decoder *)info->entropy)->is_cut = true;
            info->unread_marker = JPEG_EOI;
            return false;
        }
        at->next = info->src->next_input_byte;
        at->left = info->src->bytes_in_buffer;
    }
    at->left--;
    *byte = *at->next++;
    return true;
}

// After a byte of 0xFF: returns false at a marker, or the end of the input.
static bool is_stuffed(j_decompress_ptr info, cjpeg_bits *at)
{
    JOCTET code;
    do
        if (!next_byte(info, at, &code)) return false;
    while (code == 0xFF);
    if (code != 0) info->unread_marker = code;
    return code == 0;
}

void cjpeg_refill_bytewise(j_decompress_ptr info, cjpeg_bits *at)
{
    JOCTET byte;
    while (at->count <= 56 && info->unread_marker == 0) {
        if (!next_byte(info, at, &byte) || (byte == 0xFF && !is_stuffed(info, at))) break;
        at->bits |= (uint64_t)byte << (56 - at->count);
        at->count += 8;
    }
    if (at->count < 0) *at = cjpeg_end_early(info, *at);
}
