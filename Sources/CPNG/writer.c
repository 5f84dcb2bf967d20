#include "failure.h"
#include <stdlib.h>

enum { IDAT_SIZE = 128 * 1024 }; // libpng's 8 KiB are three writes each

struct cpng_writer {
    cpng_failure failure; // first: libpng's error pointer
    png_structp png;
    png_infop info;
    cpng_write write;
    void *context;
};

static void write_data(png_structp png, png_bytep bytes, size_t count)
{
    cpng_writer *writer = png_get_io_ptr(png);
    if (!writer->write(writer->context, bytes, count)) cpng_fail(png, CPNG_STATUS_CALLBACK_FAILED, "");
}

static void flush(png_structp png) { (void)png; }

cpng_writer *cpng_writer_create(cpng_write write, void *context)
{
    cpng_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return NULL;
    writer->write = write;
    writer->context = context;
    if (setjmp(writer->failure.entry)) {
        cpng_writer_destroy(writer);
        return NULL;
    }
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer->failure, cpng_error, cpng_warning);
    if (writer->png != NULL) writer->info = png_create_info_struct(writer->png);
    if (writer->info == NULL) {
        cpng_writer_destroy(writer);
        return NULL;
    }
    png_set_write_fn(writer->png, writer, write_data, flush);
    png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    return writer;
}

void cpng_writer_destroy(cpng_writer *writer)
{
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer);
}

const char *cpng_writer_message(const cpng_writer *writer) { return writer->failure.message; }

cpng_status cpng_writer_start(cpng_writer *writer, const cpng_writer_settings *settings)
{
    if (setjmp(writer->failure.entry)) return writer->failure.status;
    const int colour = settings->has_colour ? PNG_COLOR_MASK_COLOR : 0;
    const int alpha = settings->has_alpha ? PNG_COLOR_MASK_ALPHA : 0;
    png_set_IHDR(
        writer->png, writer->info, (png_uint_32)settings->width, (png_uint_32)settings->height,
        settings->bit_depth, colour | alpha, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(writer->png, settings->compression_level);
    png_set_compression_buffer_size(writer->png, IDAT_SIZE);
    png_write_info(writer->png, writer->info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    png_set_swap(writer->png);
#endif
    return CPNG_STATUS_OK;
}

cpng_status cpng_writer_write_chunk(cpng_writer *writer, const char *name, const uint8_t *bytes, size_t count)
{
    if (setjmp(writer->failure.entry)) return writer->failure.status;
    png_write_chunk(writer->png, (png_const_bytep)name, bytes, count);
    return CPNG_STATUS_OK;
}

cpng_status cpng_writer_write_rows(cpng_writer *writer, const uint8_t *first, size_t bytes_per_row, int count)
{
    if (setjmp(writer->failure.entry)) return writer->failure.status;
    for (int y = 0; y < count; y++) png_write_row(writer->png, first + (size_t)y * bytes_per_row);
    return CPNG_STATUS_OK;
}

cpng_status cpng_writer_finish(cpng_writer *writer)
{
    if (setjmp(writer->failure.entry)) return writer->failure.status;
    png_write_end(writer->png, NULL);
    return CPNG_STATUS_OK;
}
