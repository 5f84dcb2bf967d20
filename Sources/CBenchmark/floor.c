#include "CBenchmark.h"
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h>

enum { ROWS = 16, FILE_BUFFER = 1 << 18 };

typedef struct Floor {
    struct jpeg_error_mgr errors; // first: libjpeg's pointer to it is a pointer to this
    jmp_buf entry;
    struct jpeg_decompress_struct source;
    struct jpeg_compress_struct target;
} Floor;

static _Noreturn void give_up(j_common_ptr info) { longjmp(((Floor *)info->err)->entry, 1); }

// A damaged photo would give a wrong floor.
static void emit_message(j_common_ptr info, int level)
{
    if (level < 0) give_up(info);
}

// With the same tables and sampling, the entropy coder has the same work.
static void use_coding_of_source(j_decompress_ptr source, j_compress_ptr target, bool as_planes)
{
    target->image_width = source->image_width;
    target->image_height = source->image_height;
    target->input_components = 3;
    target->in_color_space = as_planes ? JCS_YCbCr : JCS_RGB;
    jpeg_set_defaults(target);
    for (int component = 0; component < 3; component++) {
        const jpeg_component_info *from = &source->comp_info[component];
        jpeg_component_info *to = &target->comp_info[component];
        to->h_samp_factor = from->h_samp_factor;
        to->v_samp_factor = from->v_samp_factor;
        to->quant_tbl_no = from->quant_tbl_no;
        const JQUANT_TBL *table = source->quant_tbl_ptrs[from->quant_tbl_no];
        if (table == NULL) give_up((j_common_ptr)source);
        if (target->quant_tbl_ptrs[from->quant_tbl_no] == NULL)
            target->quant_tbl_ptrs[from->quant_tbl_no] = jpeg_alloc_quant_table((j_common_ptr)target);
        memcpy(target->quant_tbl_ptrs[from->quant_tbl_no]->quantval, table->quantval, sizeof table->quantval);
    }
}

static JSAMPARRAY rows(j_decompress_ptr source, JDIMENSION width, int count)
{
    return source->mem->alloc_sarray((j_common_ptr)source, JPOOL_IMAGE, width, (JDIMENSION)count);
}

static void pass_rgb(j_decompress_ptr source, j_compress_ptr target)
{
    jpeg_start_decompress(source);
    jpeg_start_compress(target, TRUE);
    const JSAMPARRAY pixels = rows(source, source->output_width * 3, ROWS);
    while (source->output_scanline < source->output_height)
        jpeg_write_scanlines(target, pixels, jpeg_read_scanlines(source, pixels, ROWS));
}

static void pass_planes(j_decompress_ptr source, j_compress_ptr target)
{
    source->raw_data_out = target->raw_data_in = TRUE;
    jpeg_start_decompress(source);
    jpeg_start_compress(target, TRUE);
    JSAMPARRAY planes[3];
    for (int component = 0; component < 3; component++) {
        const jpeg_component_info *info = &source->comp_info[component];
        // A row of MCUs, which may end in blocks beyond the component's last one.
        const JDIMENSION width = (info->width_in_blocks + (JDIMENSION)info->h_samp_factor) * DCTSIZE;
        planes[component] = rows(source, width, info->v_samp_factor * DCTSIZE);
    }
    const JDIMENSION row_count = (JDIMENSION)source->max_v_samp_factor * DCTSIZE;
    while (source->output_scanline < source->output_height) {
        jpeg_read_raw_data(source, planes, row_count);
        jpeg_write_raw_data(target, planes, row_count);
    }
}

static bool pass(Floor *floor, const uint8_t *jpeg, size_t count, FILE *output, bool as_planes)
{
    if (setjmp(floor->entry)) return false;
    jpeg_create_decompress(&floor->source);
    jpeg_create_compress(&floor->target);
    jpeg_mem_src(&floor->source, jpeg, count);
    jpeg_stdio_dest(&floor->target, output);
    jpeg_read_header(&floor->source, TRUE);
    if (floor->source.jpeg_color_space != JCS_YCbCr) return false;
    use_coding_of_source(&floor->source, &floor->target, as_planes);
    (as_planes ? pass_planes : pass_rgb)(&floor->source, &floor->target);
    jpeg_finish_compress(&floor->target);
    jpeg_finish_decompress(&floor->source);
    return true;
}

bool cbenchmark_pass_jpeg(const uint8_t *jpeg, size_t count, int descriptor, bool as_planes)
{
    const int own = dup(descriptor);
    FILE *const output = own < 0 ? NULL : fdopen(own, "wb");
    if (output == NULL) return false;
    setvbuf(output, NULL, _IOFBF, FILE_BUFFER);
    // Zeroed, because jpeg_destroy also gets structs that were never created.
    Floor floor = {};
    floor.source.err = floor.target.err = jpeg_std_error(&floor.errors);
    floor.errors.error_exit = give_up;
    floor.errors.emit_message = emit_message;
    const bool is_passed = pass(&floor, jpeg, count, output, as_planes);
    jpeg_destroy_compress(&floor.target);
    jpeg_destroy_decompress(&floor.source);
    return fclose(output) == 0 && is_passed;
}
