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
    if (reader->core != NULL && reader->thread_count > 1)
        jpegcore_decoder_use_threads(
            reader->core, reader->thread_count, reader->concurrently, reader->concurrently_context);
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
static size_t ahead_size(const cjpeg_reader *reader)
{
    const size_t thread_count = reader->thread_count > 1 ? (size_t)reader->thread_count : 1;
    return thread_count * JPEGCORE_BYTES_PER_THREAD;
}

// Data of a row that takes more than twice its samples is not of a photo; libjpeg needs no memory for it.
static size_t most_bytes(const cjpeg_reader *reader)
{
    const struct jpeg_decompress_struct *info = &reader->info;
    return ahead_size(reader) + 2 * (size_t)info->MCUs_per_row * (size_t)info->blocks_in_MCU * DCTSIZE2;
}

void cjpeg_skip_rows(
    const cjpeg_reader *reader, uint8_t *const planes[], const size_t bytes_per_row[], int row_count,
    uint8_t *rest[])
{
    const struct jpeg_decompress_struct *info = &reader->info;
    for (int c = 0; c < info->num_components && c < 3; c++) {
        const int height = row_count * info->comp_info[c].v_samp_factor * info->min_DCT_scaled_size;
        rest[c] = planes[c] + (size_t)height * bytes_per_row[c];
    }
}

// Reads up to `row_count` rows, and returns their number.
static int read_rows(
    cjpeg_reader *reader, uint8_t *const planes[], const size_t bytes_per_row[], int row_count)
{
    struct jpeg_source_mgr *source = reader->info.src;
    jpegcore_status status = JPEGCORE_MORE;
    int done = 0;
    do {
        uint8_t *rest[3] = { 0 };
        int read_count;
        cjpeg_skip_rows(reader, planes, bytes_per_row, done, rest);
        status = jpegcore_decoder_read_rows(
            reader->core, source->next_input_byte, source->bytes_in_buffer, rest, bytes_per_row,
            row_count - done, &read_count);
        done += read_count;
        if (read_count == 0) continue;
        const size_t consumed = jpegcore_decoder_consumed(reader->core);
        source->next_input_byte += consumed;
        source->bytes_in_buffer -= consumed;
    } while (status == JPEGCORE_MORE && cjpeg_source_extend(&reader->info, most_bytes(reader)));
    if (status != JPEGCORE_ROW) cjpeg_decoder_core_hand_over(reader);
    return done;
}

int cjpeg_decoder_core_read_rows(
    cjpeg_reader *reader, uint8_t *const planes[], const size_t bytes_per_row[], int row_count)
{
    int done = 0;
    while (reader->core != NULL && done < row_count) {
        uint8_t *rest[3] = { 0 };
        cjpeg_skip_rows(reader, planes, bytes_per_row, done, rest);
        if (reader->thread_count > 1) cjpeg_source_provide(&reader->info, ahead_size(reader));
        else cjpeg_source_top_up(&reader->info, ahead_size(reader));
        // One thread is faster with the same number of bytes ahead of each row.
        done += read_rows(reader, rest, bytes_per_row, reader->thread_count > 1 ? row_count - done : 1);
    }
    return done;
}
