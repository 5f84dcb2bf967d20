#include "CBenchmark.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

enum { ROWS = 16 };

typedef struct Floor {
    struct jpeg_error_mgr errors; // first: libjpeg's pointer to it is a pointer to this
    jmp_buf entry;
    struct jpeg_decompress_struct source;
    struct jpeg_compress_struct target;
    struct jpeg_destination_mgr destination;
    JSAMPLE *rows;
} Floor;

static _Noreturn void give_up(j_common_ptr info)
{
    Floor *floor = (Floor *)info->err;
    longjmp(floor->entry, 1);
}

// A damaged photo is no measure.
static void emit_message(j_common_ptr info, int level)
{
    if (level < 0)
        give_up(info);
}

static void output_message(j_common_ptr info)
{
    (void)info;
}

static void init_destination(j_compress_ptr info)
{
    (void)info; // the buffer was set before
}

static boolean empty_output_buffer(j_compress_ptr info)
{
    give_up((j_common_ptr)info);
}

static void term_destination(j_compress_ptr info)
{
    (void)info;
}

// The source's own tables and sampling, so that the entropy coder has the same work to do.
static void use_tables_of_source(Floor *floor)
{
    const j_decompress_ptr source = &floor->source;
    const j_compress_ptr target = &floor->target;
    target->image_width = source->image_width;
    target->image_height = source->image_height;
    target->input_components = 3;
    target->in_color_space = JCS_RGB;
    jpeg_set_defaults(target);
    for (int component = 0; component < 3; component++) {
        const jpeg_component_info *from = &source->comp_info[component];
        jpeg_component_info *to = &target->comp_info[component];
        to->h_samp_factor = from->h_samp_factor;
        to->v_samp_factor = from->v_samp_factor;
        to->quant_tbl_no = from->quant_tbl_no;
        const JQUANT_TBL *table = source->quant_tbl_ptrs[from->quant_tbl_no];
        if (table == NULL)
            give_up((j_common_ptr)source);
        if (target->quant_tbl_ptrs[from->quant_tbl_no] == NULL)
            target->quant_tbl_ptrs[from->quant_tbl_no] = jpeg_alloc_quant_table((j_common_ptr)target);
        memcpy(target->quant_tbl_ptrs[from->quant_tbl_no]->quantval, table->quantval, sizeof table->quantval);
    }
}

static void pass(Floor *floor)
{
    jpeg_read_header(&floor->source, TRUE);
    if (floor->source.jpeg_color_space != JCS_YCbCr)
        give_up((j_common_ptr)&floor->source);
    use_tables_of_source(floor);
    jpeg_start_decompress(&floor->source);
    jpeg_start_compress(&floor->target, TRUE);
    const size_t bytes_per_row = (size_t)floor->source.output_width * 3;
    floor->rows = malloc(ROWS * bytes_per_row);
    if (floor->rows == NULL)
        give_up((j_common_ptr)&floor->source);
    JSAMPROW rows[ROWS];
    for (int row = 0; row < ROWS; row++)
        rows[row] = floor->rows + (size_t)row * bytes_per_row;
    while (floor->source.output_scanline < floor->source.output_height) {
        const JDIMENSION count = jpeg_read_scanlines(&floor->source, rows, ROWS);
        jpeg_write_scanlines(&floor->target, rows, count);
    }
    jpeg_finish_compress(&floor->target);
    jpeg_finish_decompress(&floor->source);
}

size_t CBenchmarkPassThroughRGB(const uint8_t *jpeg, size_t count, uint8_t *output, size_t capacity)
{
    // Zeroed, so that what was not created yet can be destroyed.
    Floor *floor = calloc(1, sizeof *floor);
    if (floor == NULL)
        return 0;
    jpeg_std_error(&floor->errors);
    floor->errors.error_exit = give_up;
    floor->errors.emit_message = emit_message;
    floor->errors.output_message = output_message;
    floor->source.err = floor->target.err = &floor->errors;
    volatile size_t written = 0;
    if (!setjmp(floor->entry)) {
        jpeg_create_decompress(&floor->source);
        jpeg_create_compress(&floor->target);
        jpeg_mem_src(&floor->source, jpeg, count);
        floor->destination = (struct jpeg_destination_mgr){
            output, capacity, init_destination, empty_output_buffer, term_destination};
        floor->target.dest = &floor->destination;
        pass(floor);
        written = capacity - floor->destination.free_in_buffer;
    }
    jpeg_destroy_compress(&floor->target);
    jpeg_destroy_decompress(&floor->source);
    free(floor->rows);
    free(floor);
    return written;
}
