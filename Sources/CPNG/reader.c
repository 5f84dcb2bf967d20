#include "failure.h"
#include <stdlib.h>
#include <string.h>

struct cpng_reader {
    cpng_failure failure; // first: libpng's error pointer
    png_structp png;
    png_infop info;
    cpng_read read;
    void *context;
    uint8_t head[8]; // the last that was read
};

static void read_data(png_structp png, png_bytep bytes, size_t count)
{
    cpng_reader *reader = png_get_io_ptr(png);
    uint8_t *const first = bytes;
    const bool is_head = count == sizeof reader->head;
    while (count > 0) {
        const ptrdiff_t got = reader->read(reader->context, bytes, count);
        if (got < 0) cpng_fail(png, CPNG_STATUS_CALLBACK_FAILED, "");
        if (got == 0) cpng_fail(png, CPNG_STATUS_TRUNCATED, "");
        bytes += got;
        count -= (size_t)got;
    }
    if (is_head) memcpy(reader->head, first, sizeof reader->head);
}

static int64_t first_data_length(const cpng_reader *reader)
{
    const bool is_data = memcmp(reader->head + 4, "IDAT", 4) == 0;
    return is_data ? (int64_t)png_get_uint_32(reader->head) : -1;
}

static void set_up(cpng_reader *reader)
{
    png_structp png = reader->png;
    png_set_read_fn(png, reader, read_data);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // Skips every ancillary chunk but tRNS.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
}

cpng_reader *cpng_reader_create(cpng_read read, void *context)
{
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->read = read;
    reader->context = context;
    if (setjmp(reader->failure.entry)) {
        cpng_reader_destroy(reader);
        return NULL;
    }
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader->failure, cpng_error, cpng_warning);
    if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
    if (reader->info == NULL) {
        cpng_reader_destroy(reader);
        return NULL;
    }
    set_up(reader);
    return reader;
}

void cpng_reader_destroy(cpng_reader *reader)
{
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

const char *cpng_reader_message(const cpng_reader *reader) { return reader->failure.message; }

void cpng_reader_tolerate_damage(cpng_reader *reader)
{
    reader->failure.is_tolerated = true;
    // Small, because a truncated file loses all bytes of an incomplete buffer.
    png_set_compression_buffer_size(reader->png, 16);
    png_set_crc_action(reader->png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    png_set_option(reader->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
}

cpng_status cpng_reader_read_header(cpng_reader *reader, cpng_header *header)
{
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    png_read_info(reader->png, reader->info);
    const int type = png_get_color_type(reader->png, reader->info);
    header->width = (int)png_get_image_width(reader->png, reader->info);
    header->height = (int)png_get_image_height(reader->png, reader->info);
    header->bit_depth = png_get_bit_depth(reader->png, reader->info);
    header->has_colour = (type & PNG_COLOR_MASK_COLOR) != 0;
    header->has_alpha =
        (type & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(reader->png, reader->info, PNG_INFO_tRNS);
    header->is_palette = type == PNG_COLOR_TYPE_PALETTE;
    header->has_transparent_colour = png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
    header->first_data_length = first_data_length(reader);
    header->is_interlaced = png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE;
    return CPNG_STATUS_OK;
}

cpng_status cpng_reader_start(cpng_reader *reader)
{
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    png_set_expand(reader->png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    png_set_swap(reader->png);
#endif
    png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    return CPNG_STATUS_OK;
}

cpng_status cpng_reader_read_rows(cpng_reader *reader, uint8_t *first, size_t bytes_per_row, int count)
{
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    for (int y = 0; y < count; y++) png_read_row(reader->png, first + (size_t)y * bytes_per_row, NULL);
    return CPNG_STATUS_OK;
}

cpng_status cpng_reader_read_image(cpng_reader *reader, uint8_t *first, size_t bytes_per_row, int height)
{
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
        for (int y = 0; y < height; y++) png_read_row(reader->png, first + (size_t)y * bytes_per_row, NULL);
    return CPNG_STATUS_OK;
}

cpng_status cpng_reader_finish(cpng_reader *reader)
{
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    png_read_end(reader->png, reader->info);
    return CPNG_STATUS_OK;
}
