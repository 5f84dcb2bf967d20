#include "optimized_codes.h"
#include "failure.h"
#include <stdlib.h>
#include <string.h>

static void write_to_scratch(void *context, const uint8_t *bytes, size_t count)
{
    cjpeg_encoder_core *core = context;
    if (!core->scratch.write(core->scratch.context, bytes, count))
        cjpeg_fail((j_common_ptr)core->info, CJPEG_STATUS_CALLBACK_FAILED, "");
}

void cjpeg_optimized_codes_start(cjpeg_encoder_core *core)
{
    core->encoder = jpegcore_encoder_create(&core->scan, core->level, write_to_scratch, core);
    if (core->encoder == NULL) cjpeg_fail((j_common_ptr)core->info, CJPEG_STATUS_OUT_OF_MEMORY, "");
    jpegcore_encoder_count_symbols(core->encoder, core->counts);
}

// Adds the counts of the components that share a table, and finds its codes.
static void optimize(cjpeg_encoder_core *core, JHUFF_TBL *to, bool is_dc, int number)
{
    uint32_t sums[256] = { 0 };
    for (int c = 0; c < core->scan.component_count; c++) {
        const jpeg_component_info *component = core->info->cur_comp_info[c];
        const uint32_t *counts = is_dc ? core->counts[c].dc : core->counts[c].ac;
        if ((is_dc ? component->dc_tbl_no : component->ac_tbl_no) != number) continue;
        for (int n = 0; n < 256; n++) sums[n] += counts[n];
    }
    const jpegcore_huffman_table table = jpegcore_optimal_table(sums);
    memcpy(to->bits, table.counts, sizeof table.counts);
    memcpy(to->huffval, table.symbols, sizeof table.symbols);
    to->sent_table = FALSE;
}

static void optimize_tables(cjpeg_encoder_core *core)
{
    struct jpeg_compress_struct *info = core->info;
    for (int c = 0; c < info->comps_in_scan; c++) {
        const jpeg_component_info *component = info->cur_comp_info[c];
        optimize(core, info->dc_huff_tbl_ptrs[component->dc_tbl_no], true, component->dc_tbl_no);
        optimize(core, info->ac_huff_tbl_ptrs[component->ac_tbl_no], false, component->ac_tbl_no);
    }
}

// Reads on, into memory for twice as much if it is full. A marker follows the last byte.
static void read_scratch(cjpeg_encoder_core *core)
{
    static const uint8_t end[] = { 0xFF, JPEG_EOI };
    cjpeg_scratch_data *data = &core->data;
    if (data->count > 0) memmove(data->bytes, data->bytes + data->begin, data->count);
    data->begin = 0;
    if (data->count + sizeof end >= data->capacity) {
        const size_t capacity = data->capacity == 0 ? 2 * JPEGCORE_BYTES_PER_THREAD : 2 * data->capacity;
        uint8_t *bytes = realloc(data->bytes, capacity);
        if (bytes == NULL) cjpeg_fail((j_common_ptr)core->info, CJPEG_STATUS_OUT_OF_MEMORY, "");
        data->bytes = bytes;
        data->capacity = capacity;
    }
    while (!data->is_complete && data->count + sizeof end < data->capacity) {
        const size_t space = data->capacity - data->count - sizeof end;
        const ptrdiff_t more = core->scratch.read(core->scratch.context, data->bytes + data->count, space);
        if (more < 0) cjpeg_fail((j_common_ptr)core->info, CJPEG_STATUS_CALLBACK_FAILED, "");
        data->count += (size_t)more;
        data->is_complete = more == 0;
    }
    if (!data->is_complete) return;
    memcpy(data->bytes + data->count, end, sizeof end);
    data->count += sizeof end;
}

// Codes the next row of MCUs in the scratch file anew.
static void transcode_row(cjpeg_encoder_core *core)
{
    cjpeg_scratch_data *data = &core->data;
    jpegcore_status status = JPEGCORE_MORE;
    if (data->count < JPEGCORE_BYTES_PER_THREAD && !data->is_complete) read_scratch(core);
    for (;;) {
        status = jpegcore_encoder_transcode_row(
            core->encoder, core->decoder, data->bytes + data->begin, data->count);
        if (status != JPEGCORE_MORE || data->is_complete) break;
        read_scratch(core);
    }
    if (status != JPEGCORE_ROW)
        cjpeg_fail((j_common_ptr)core->info, CJPEG_STATUS_CORRUPT, "the temporary file was changed");
    const size_t consumed = jpegcore_decoder_consumed(core->decoder);
    data->begin += consumed;
    data->count -= consumed;
}

void cjpeg_optimized_codes_finish(cjpeg_encoder_core *core)
{
    jpegcore_encoder_destroy(core->encoder);
    optimize_tables(core);
    const jpegcore_scan optimized = cjpeg_encoder_core_scan(core->info);
    core->encoder =
        jpegcore_encoder_create(&optimized, core->level, cjpeg_encoder_core_write_bytes, core->info);
    core->decoder = jpegcore_decoder_create(&core->scan, core->level);
    if (core->encoder == NULL || core->decoder == NULL)
        cjpeg_fail((j_common_ptr)core->info, CJPEG_STATUS_OUT_OF_MEMORY, "");
    cjpeg_encoder_core_write_headers(core);
    for (int row = 0; row < core->scan.mcus_down; row++) transcode_row(core);
    jpegcore_encoder_finish(core->encoder);
}
