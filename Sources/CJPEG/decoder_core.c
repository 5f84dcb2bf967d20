#include "decoder_core.h"
#include "huffman.h"
#include "huffman_decoder.h"
#include "scan.h"
#include <string.h>

static bool is_supported(const struct jpeg_decompress_struct *info)
{
    if (info->progressive_mode || info->arith_code || info->data_precision != 8) return false;
    if (info->num_components != 1 && info->num_components != 3) return false;
    if (info->inputctl->has_multiple_scans || info->blocks_in_MCU > JPEGCORE_MOST_BLOCKS_IN_MCU) return false;
    // libjpeg returns as many rows of blocks at once as a grey file's meaningless factor says.
    return info->num_components == 3 || info->comp_info[0].v_samp_factor == 1;
}

static jpegcore_scan scan_of(const struct jpeg_decompress_struct *info)
{
    jpegcore_scan scan = { .component_count = info->comps_in_scan,
                           .mcus_across = (int)info->MCUs_per_row,
                           .mcus_down = (int)info->total_iMCU_rows,
                           .restart_interval = (int)info->restart_interval };
    for (int c = 0; c < scan.component_count; c++) {
        const jpeg_component_info *component = info->cur_comp_info[c];
        scan.components[c] = cjpeg_core_component(
            component, component->quant_table, info->dc_huff_tbl_ptrs, info->ac_huff_tbl_ptrs);
    }
    return scan;
}

void cjpeg_decoder_core_start(cjpeg_reader *reader)
{
    if (reader->level == NULL || !is_supported(&reader->info)) return;
    const jpegcore_scan scan = scan_of(&reader->info);
    reader->core = jpegcore_decoder_create(&scan, reader->level);
}

void cjpeg_decoder_core_hand_over(cjpeg_reader *reader)
{
    if (reader->core == NULL) return;
    struct jpeg_decompress_struct *info = &reader->info;
    const jpegcore_checkpoint at =
        jpegcore_decoder_checkpoint(reader->core, info->src->next_input_byte, info->src->bytes_in_buffer);
    jpegcore_decoder_destroy(reader->core);
    reader->core = NULL;
    cjpeg_huffman_install(info);
    cjpeg_huffman_decoder *decoder = (cjpeg_huffman_decoder *)info->entropy;
    info->src->next_input_byte += at.offset;
    info->src->bytes_in_buffer -= at.offset;
    if (at.bit > 0) {
        const JOCTET byte = *info->src->next_input_byte;
        const size_t size = byte == 0xFF ? 2 : 1; // with its stuffed zero
        decoder->bits = (uint64_t)byte << (56 + at.bit);
        decoder->bit_count = 8 - at.bit;
        info->src->next_input_byte += size;
        info->src->bytes_in_buffer -= size;
    }
    decoder->restarts_to_go = (unsigned int)at.mcus_to_restart;
    memcpy(decoder->last_dc, at.last_dc, sizeof at.last_dc);
    info->marker->next_restart_num = at.next_restart;
    info->input_iMCU_row = info->output_iMCU_row = (JDIMENSION)at.row;
    info->output_scanline = (JDIMENSION)(at.row * info->max_v_samp_factor * info->min_DCT_scaled_size);
    if (info->input_iMCU_row == info->total_iMCU_rows) info->inputctl->finish_input_pass(info);
}

// The core keeps the data of a row, and decodes faster with this much more.
enum { AHEAD_SIZE = 128 * 1024 };

// Data of a row that takes more than twice its samples is not of a photo; libjpeg needs no memory for it.
static size_t most_bytes(const struct jpeg_decompress_struct *info)
{
    return AHEAD_SIZE + 2 * (size_t)info->MCUs_per_row * (size_t)info->blocks_in_MCU * DCTSIZE2;
}

bool cjpeg_decoder_core_read_row(cjpeg_reader *reader, uint8_t *const planes[], const size_t bytes_per_row[])
{
    struct jpeg_source_mgr *source = reader->info.src;
    jpegcore_status status = JPEGCORE_MORE;
    if (reader->core == NULL) return false;
    cjpeg_source_top_up(&reader->info, AHEAD_SIZE);
    do {
        status = jpegcore_decoder_read_row(
            reader->core, source->next_input_byte, source->bytes_in_buffer, planes, bytes_per_row);
    } while (status == JPEGCORE_MORE && cjpeg_source_extend(&reader->info, most_bytes(&reader->info)));
    if (status == JPEGCORE_ROW) {
        const size_t consumed = jpegcore_decoder_consumed(reader->core);
        source->next_input_byte += consumed;
        source->bytes_in_buffer -= consumed;
        return true;
    }
    cjpeg_decoder_core_hand_over(reader);
    return false;
}
