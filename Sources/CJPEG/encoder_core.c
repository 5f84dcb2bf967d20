#include "encoder_core.h"
#include "scan.h"
#include <jpegint.h>
#include <string.h>

static void write_bytes(void *context, const uint8_t *bytes, size_t count)
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

jpegcore_encoder *cjpeg_encoder_core_create(j_compress_ptr info, const jpegcore_level *level)
{
    jpegcore_scan scan = { .component_count = info->comps_in_scan,
                           .mcus_across = (int)info->MCUs_per_row,
                           .mcus_down = (int)info->total_iMCU_rows };
    for (int c = 0; c < scan.component_count; c++) {
        const jpeg_component_info *component = info->cur_comp_info[c];
        scan.components[c] = cjpeg_core_component(
            component, info->quant_tbl_ptrs[component->quant_tbl_no], info->dc_huff_tbl_ptrs,
            info->ac_huff_tbl_ptrs);
    }
    return jpegcore_encoder_create(&scan, level, write_bytes, info);
}

void cjpeg_encoder_core_write_row(
    jpegcore_encoder *core, j_compress_ptr info, uint8_t *const planes[], const size_t bytes_per_row[])
{
    // The headers of the frame and the scan.
    if (info->master->call_pass_startup) info->master->pass_startup(info);
    jpegcore_encoder_write_row(core, (const uint8_t *const *)planes, bytes_per_row);
    info->next_scanline += (JDIMENSION)(info->max_v_samp_factor * DCTSIZE);
}

void cjpeg_encoder_core_finish(jpegcore_encoder *core, j_compress_ptr info)
{
    jpegcore_encoder_finish(core);
    info->next_scanline = info->image_height;
}
