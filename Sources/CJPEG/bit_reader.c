#include "bit_reader.h"

static JOCTET next_byte(j_decompress_ptr info, cjpeg_bits *at)
{
    if (at->left == 0) {
        info->src->fill_input_buffer(info);
        at->next = info->src->next_input_byte;
        at->left = info->src->bytes_in_buffer;
    }
    at->left--;
    return *at->next++;
}

void cjpeg_refill_bytewise(j_decompress_ptr info, cjpeg_bits *at)
{
    while (at->count <= 56 && info->unread_marker == 0) {
        const JOCTET byte = next_byte(info, at);
        if (byte == 0xFF) {
            JOCTET code;
            do code = next_byte(info, at);
            while (code == 0xFF);
            if (code != 0) {
                info->unread_marker = code;
                break;
            }
        }
        at->bits |= (uint64_t)byte << (56 - at->count);
        at->count += 8;
    }
    if (at->count < 0) *at = cjpeg_end_early(info, *at);
}
