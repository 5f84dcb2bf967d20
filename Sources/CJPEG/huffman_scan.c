#include "huffman.h"
#include "failure.h"
#include "huffman_block.h"
#include <jerror.h>

void cjpeg_huffman_warn(j_decompress_ptr info, int code)
{
    cjpeg_huffman_decoder *decoder = (cjpeg_huffman_decoder *)info->entropy;
    decoder->has_failed = true;
    if (decoder->is_trial) return;
    info->err->msg_code = code;
    info->err->emit_message((j_common_ptr)info, -1);
}

void cjpeg_huffman_report_cut(j_decompress_ptr info)
{
    const cjpeg_huffman_decoder *decoder = (const cjpeg_huffman_decoder *)info->entropy;
    if (decoder->is_cut && !decoder->is_trial) cjpeg_damage((j_common_ptr)info, CJPEG_STATUS_TRUNCATED, "");
}

static void use_table(j_decompress_ptr info, cjpeg_huffman_table **table, const JHUFF_TBL *from)
{
    if (*table == NULL) *table = info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, sizeof **table);
    cjpeg_fill_huffman_table(*table, from);
}

static void begin_scan(j_decompress_ptr info, cjpeg_huffman_decoder *decoder)
{
    for (int c = 0; c < info->comps_in_scan; c++) {
        const int dc = info->cur_comp_info[c]->dc_tbl_no, ac = info->cur_comp_info[c]->ac_tbl_no;
        use_table(info, &decoder->dc[dc], info->dc_huff_tbl_ptrs[dc]);
        use_table(info, &decoder->ac[ac], info->ac_huff_tbl_ptrs[ac]);
        decoder->last_dc[c] = 0;
    }
    decoder->bits = 0;
    decoder->bit_count = 0;
    decoder->restarts_to_go = info->restart_interval;
    decoder->mcus_left = (size_t)info->MCUs_per_row * info->MCU_rows_in_scan;
    decoder->pub.insufficient_data = FALSE;
}

// Skips to the next marker. Returns the number of whole bytes on the way; a stuffed zero does not count.
static size_t skip_rest(j_decompress_ptr info)
{
    cjpeg_bits at = cjpeg_bits_load(info);
    size_t byte_count = (size_t)at.count / 8;
    while (info->unread_marker == 0) {
        at = cjpeg_refill_slowly(info, (cjpeg_bits) { 0, 0, at.next, at.left });
        byte_count += (size_t)at.count / 8;
    }
    cjpeg_bits_store(info, (cjpeg_bits) { 0, 0, at.next, at.left });
    return byte_count;
}

// Skips to the next marker, and warns of bytes on the way, which belong to no block. libjpeg itself warns only of those
// behind the decoder's lookahead. Here the result must not depend on it.
static void pass_rest(j_decompress_ptr info, const cjpeg_huffman_decoder *decoder)
{
    const size_t byte_count = skip_rest(info);
    cjpeg_huffman_report_cut(info);
    if (byte_count == 0 || decoder->pub.insufficient_data) return;
    info->err->msg_parm.i[0] = (int)byte_count;
    info->err->msg_parm.i[1] = info->unread_marker;
    cjpeg_huffman_warn(info, JWRN_EXTRANEOUS_DATA);
}

// libjpeg's decoder checks the scan's parameters and tables; its state is in `info->entropy`.
static void start_pass(j_decompress_ptr info)
{
    cjpeg_huffman_decoder *decoder = (cjpeg_huffman_decoder *)info->entropy;
    info->entropy = decoder->original;
    decoder->original->start_pass(info);
    info->entropy = &decoder->pub;
    begin_scan(info, decoder);
}

static void process_restart(j_decompress_ptr info, cjpeg_huffman_decoder *decoder)
{
    pass_rest(info, decoder);
    info->marker->read_restart_marker(info);
    memset(decoder->last_dc, 0, sizeof decoder->last_dc);
    decoder->restarts_to_go = info->restart_interval;
    // Directly before another marker, the interval is empty.
    if (info->unread_marker == 0) decoder->pub.insufficient_data = FALSE;
}

static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW *blocks)
{
    cjpeg_huffman_decoder *decoder = (cjpeg_huffman_decoder *)info->entropy;
    if (info->restart_interval > 0) {
        if (decoder->restarts_to_go == 0) process_restart(info, decoder);
        decoder->restarts_to_go--;
    }
    // Else the rest of the interval is zero.
    if (!decoder->pub.insufficient_data) cjpeg_decode_blocks(info, blocks);
    // What follows the only scan is for cjpeg_huffman_rest.
    if (--decoder->mcus_left == 0 && info->inputctl->has_multiple_scans) pass_rest(info, decoder);
    return TRUE;
}

bool cjpeg_huffman_is_installed(j_decompress_ptr info) { return info->entropy->decode_mcu == decode_mcu; }

void cjpeg_huffman_install(j_decompress_ptr info)
{
    if (info->progressive_mode || info->arith_code || cjpeg_huffman_is_installed(info)) return;
    cjpeg_huffman_decoder *decoder = info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, sizeof *decoder);
    memset(decoder, 0, sizeof *decoder);
    decoder->pub.start_pass = start_pass;
    decoder->pub.decode_mcu = decode_mcu;
    decoder->original = info->entropy;
    info->entropy = &decoder->pub;
    begin_scan(info, decoder);
}
