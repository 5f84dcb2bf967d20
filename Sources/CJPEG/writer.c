#include "encoder_core.h"
#include "failure.h"
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 128 * 1024 };

struct cjpeg_writer {
    struct jpeg_compress_struct info;
    cjpeg_failure failure;
    struct jpeg_destination_mgr destination;
    cjpeg_write write;
    void *context;
    cjpeg_encoder_core core;
    JOCTET buffer[BUFFER_SIZE];
};

static void write_out(j_compress_ptr info, size_t count)
{
    cjpeg_writer *writer = info->client_data;
    if (count > 0 && !writer->write(writer->context, writer->buffer, count))
        cjpeg_fail((j_common_ptr)info, CJPEG_STATUS_CALLBACK_FAILED, "");
    writer->destination.next_output_byte = writer->buffer;
    writer->destination.free_in_buffer = BUFFER_SIZE;
}

static void init_destination(j_compress_ptr info) { write_out(info, 0); }

static boolean empty_output_buffer(j_compress_ptr info)
{
    write_out(info, BUFFER_SIZE); // libjpeg: all of it, whatever free_in_buffer says
    return TRUE;
}

static void term_destination(j_compress_ptr info)
{
    write_out(info, BUFFER_SIZE - info->dest->free_in_buffer);
}

cjpeg_writer *cjpeg_writer_create(cjpeg_write write, void *context, const jpegcore_level *level)
{
    cjpeg_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return NULL;
    writer->info.err = cjpeg_failure_init(&writer->failure);
    if (setjmp(writer->failure.entry)) {
        if (writer->info.mem != NULL) jpeg_destroy_compress(&writer->info);
        free(writer);
        return NULL;
    }
    jpeg_create_compress(&writer->info);
    writer->info.client_data = writer;
    writer->write = write;
    writer->context = context;
    writer->core.info = &writer->info;
    writer->core.level = level;
    writer->destination.init_destination = init_destination;
    writer->destination.empty_output_buffer = empty_output_buffer;
    writer->destination.term_destination = term_destination;
    writer->info.dest = &writer->destination;
    return writer;
}

void cjpeg_writer_destroy(cjpeg_writer *writer)
{
    cjpeg_encoder_core_destroy(&writer->core);
    jpeg_destroy_compress(&writer->info);
    free(writer);
}

const char *cjpeg_writer_message(const cjpeg_writer *writer) { return writer->failure.message; }

// Assigns each component its table. Equal tables share one of libjpeg's slots.
static void set_quant_tables(j_compress_ptr info, const uint16_t tables[3][64])
{
    for (int c = 0; c < info->num_components; c++) {
        int slot = c;
        for (int earlier = c - 1; earlier >= 0; earlier--)
            if (memcmp(tables[earlier], tables[c], sizeof tables[c]) == 0)
                slot = info->comp_info[earlier].quant_tbl_no;
        if (info->quant_tbl_ptrs[slot] == NULL)
            info->quant_tbl_ptrs[slot] = jpeg_alloc_quant_table((j_common_ptr)info);
        memcpy(info->quant_tbl_ptrs[slot]->quantval, tables[c], sizeof tables[c]);
        info->comp_info[c].quant_tbl_no = slot;
    }
}

// Whole rows: libjpeg would end a longer interval within a row.
static int restart_rows(const cjpeg_writer_settings *settings)
{
    // A progressive file has scans of one component, where an MCU is one block.
    const int blocks = settings->grey || settings->progressive ? 1 : settings->horizontal_factor;
    const int mcu_width = DCTSIZE * blocks;
    const int mcus_across = (settings->width + mcu_width - 1) / mcu_width, most = UINT16_MAX / mcus_across;
    return settings->restart_rows < most ? settings->restart_rows : most;
}

void cjpeg_writer_optimize(cjpeg_writer *writer, cjpeg_scratch scratch)
{
    writer->core.optimizes = true;
    writer->core.scratch = scratch;
}

cjpeg_status cjpeg_writer_start(cjpeg_writer *writer, const cjpeg_writer_settings *settings)
{
    struct jpeg_compress_struct *info = &writer->info;
    if (setjmp(writer->failure.entry)) return writer->failure.status;
    info->image_width = (JDIMENSION)settings->width;
    info->image_height = (JDIMENSION)settings->height;
    info->input_components = settings->grey ? 1 : 3;
    info->in_color_space = settings->grey ? JCS_GRAYSCALE : JCS_YCbCr;
    jpeg_set_defaults(info);
    info->dct_method = JDCT_ISLOW;
    info->raw_data_in = TRUE;
    info->comp_info[0].h_samp_factor = settings->horizontal_factor;
    info->comp_info[0].v_samp_factor = settings->vertical_factor;
    if (settings->quality > 0) jpeg_set_quality(info, settings->quality, TRUE);
    else set_quant_tables(info, settings->quant_tables);
    info->density_unit = (UINT8)settings->density_unit;
    info->X_density = (UINT16)settings->density_x;
    info->Y_density = (UINT16)settings->density_y;
    info->optimize_coding = writer->core.optimizes && writer->core.level == NULL;
    info->restart_in_rows = restart_rows(settings);
    if (settings->progressive) jpeg_simple_progression(info);
    jpeg_start_compress(info, TRUE);
    if (writer->core.level != NULL) cjpeg_encoder_core_start(&writer->core);
    return CJPEG_STATUS_OK;
}

cjpeg_status cjpeg_writer_write_marker(cjpeg_writer *writer, int code, const uint8_t *bytes, size_t count)
{
    if (setjmp(writer->failure.entry)) return writer->failure.status;
    jpeg_write_marker(&writer->info, code, bytes, (unsigned int)count);
    return CJPEG_STATUS_OK;
}

cjpeg_status cjpeg_writer_write_headers(cjpeg_writer *writer)
{
    if (setjmp(writer->failure.entry)) return writer->failure.status;
    cjpeg_encoder_core_write_headers(&writer->core);
    term_destination(&writer->info);
    return CJPEG_STATUS_OK;
}

cjpeg_status cjpeg_writer_write_raw(
    cjpeg_writer *writer, uint8_t *const planes[], const size_t bytes_per_row[])
{
    struct jpeg_compress_struct *info = &writer->info;
    JSAMPROW rows[3][4 * DCTSIZE];
    JSAMPARRAY arrays[3] = { rows[0], rows[1], rows[2] };
    if (setjmp(writer->failure.entry)) return writer->failure.status;
    if (writer->core.encoder != NULL) {
        cjpeg_encoder_core_write_row(&writer->core, planes, bytes_per_row);
        return CJPEG_STATUS_OK;
    }
    for (int c = 0; c < info->num_components; c++)
        for (int y = 0; y < info->comp_info[c].v_samp_factor * DCTSIZE; y++)
            rows[c][y] = planes[c] + (size_t)y * bytes_per_row[c];
    jpeg_write_raw_data(info, arrays, (JDIMENSION)(info->max_v_samp_factor * DCTSIZE));
    return CJPEG_STATUS_OK;
}

cjpeg_status cjpeg_writer_finish(cjpeg_writer *writer)
{
    if (setjmp(writer->failure.entry)) return writer->failure.status;
    if (writer->core.encoder != NULL) cjpeg_encoder_core_finish(&writer->core);
    jpeg_finish_compress(&writer->info);
    return CJPEG_STATUS_OK;
}
