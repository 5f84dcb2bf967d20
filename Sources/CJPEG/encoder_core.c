#include "encoder_core.h"
#include "optimized_codes.h"
#include "scan.h"
#include <jpegint.h>
#include <stdlib.h>
#include <string.h>

void cjpeg_encoder_core_write_bytes(void *context, const uint8_t *bytes, size_t count)
{
    j_compress_ptr info = context;
    struct jpeg_destination_mgr *destination = info->dest;
    while (count > 0) {
        const size_t part = count < destination->free_in_buffer ? count : destination->free_in_buffer;
        memcpy(destination->next_output_byte, bytes, part);
        destination->next_output_byte += part;
        destination->free_in_buffer -= part;
        bytes += part;
        count -= part;
        if (destination->free_in_buffer == 0) destination->empty_output_buffer(info);
    }
}

jpegcore_scan cjpeg_encoder_core_scan(const struct jpeg_compress_struct *info)
{
    jpegcore_scan scan = { .component_count = info->comps_in_scan,
                           .mcus_across = (int)info->MCUs_per_row,
                           .mcus_down = (int)info->total_iMCU_rows,
                           .restart_interval = (int)info->restart_interval };
    for (int c = 0; c < scan.component_count; c++) {
        const jpeg_component_info *component = info->cur_comp_info[c];
        scan.components[c] = cjpeg_core_component(
            component, info->quant_tbl_ptrs[component->quant_tbl_no], info->dc_huff_tbl_ptrs,
            info->ac_huff_tbl_ptrs);
    }
    return scan;
}

void cjpeg_encoder_core_start(cjpeg_encoder_core *core)
{
    core->scan = cjpeg_encoder_core_scan(core->info);
    if (core->optimizes) {
        cjpeg_optimized_codes_start(core);
    } else {
        core->encoder =
            jpegcore_encoder_create(&core->scan, core->level, cjpeg_encoder_core_write_bytes, core->info);
    }
}

void cjpeg_encoder_core_destroy(cjpeg_encoder_core *core)
{
    jpegcore_encoder_destroy(core->encoder);
    jpegcore_decoder_destroy(core->decoder);
    free(core->data.bytes);
}

void cjpeg_encoder_core_write_headers(cjpeg_encoder_core *core)
{
    struct jpeg_comp_master *master = core->info->master;
    if (master->call_pass_startup) master->pass_startup(core->info);
}

void cjpeg_encoder_core_write_row(
    cjpeg_encoder_core *core, uint8_t *const planes[], const size_t bytes_per_row[])
{
    if (!core->optimizes) cjpeg_encoder_core_write_headers(core);
    jpegcore_encoder_write_row(core->encoder, (const uint8_t *const *)planes, bytes_per_row);
    core->info->next_scanline += (JDIMENSION)(core->info->max_v_samp_factor * DCTSIZE);
}

void cjpeg_encoder_core_finish(cjpeg_encoder_core *core)
{
    jpegcore_encoder_finish(core->encoder);
    if (core->optimizes) cjpeg_optimized_codes_finish(core);
    core->info->next_scanline = core->info->image_height;
}
