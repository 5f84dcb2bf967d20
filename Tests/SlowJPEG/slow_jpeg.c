#include "slow_jpeg.h"
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>
#include <setjmp.h>
#include <stdlib.h>

// libjpeg-turbo's fast decoder wants 512 bytes for each block of an MCU.
enum { PIECE = 511 };

typedef struct Decoder {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    jmp_buf entry;
    const uint8_t *next;
    size_t left;
    slow_jpeg_result result;
} Decoder;

static void do_nothing(j_decompress_ptr info) { (void)info; }

static void print_nothing(j_common_ptr info) { (void)info; }

static boolean fill(j_decompress_ptr info)
{
    static const JOCTET end[] = { 0xFF, JPEG_EOI };
    Decoder *decoder = info->client_data;
    const size_t count = decoder->left < PIECE ? decoder->left : PIECE;
    decoder->result.loses_pixels |= count == 0;
    decoder->source.next_input_byte = count > 0 ? decoder->next : end;
    decoder->source.bytes_in_buffer = count > 0 ? count : sizeof end;
    decoder->next += count;
    decoder->left -= count;
    return TRUE;
}

static void skip(j_decompress_ptr info, long count)
{
    for (; count > (long)info->src->bytes_in_buffer; fill(info)) count -= (long)info->src->bytes_in_buffer;
    info->src->next_input_byte += count;
    info->src->bytes_in_buffer -= (size_t)count;
}

static void warn(j_common_ptr info, int level)
{
    Decoder *decoder = info->client_data;
    const int code = info->err->msg_code;
    if (level >= 0) return;
    if (code == JWRN_EXTRANEOUS_DATA) decoder->result.has_strays = true;
    else if (code != JWRN_JFIF_MAJOR && code != JWRN_ADOBE_XFORM && code != JWRN_NOT_SEQUENTIAL)
        decoder->result.loses_pixels = true;
}

static void fail(j_common_ptr info)
{
    Decoder *decoder = info->client_data;
    longjmp(decoder->entry, 1);
}

static void decode(Decoder *decoder, uint8_t *samples, size_t capacity)
{
    struct jpeg_decompress_struct *info = &decoder->info;
    jpeg_read_header(info, TRUE);
    info->dct_method = JDCT_ISLOW;
    jpeg_start_decompress(info);
    decoder->result.width = (int)info->output_width;
    decoder->result.height = (int)info->output_height;
    decoder->result.channels = info->output_components;
    const size_t bytes_per_row = (size_t)info->output_width * (size_t)info->output_components;
    if (bytes_per_row * info->output_height > capacity) return;
    for (JSAMPROW row = samples; info->output_scanline < info->output_height; row += bytes_per_row)
        jpeg_read_scanlines(info, &row, 1);
    jpeg_finish_decompress(info);
    decoder->result.is_decoded = true;
}

slow_jpeg_result slow_jpeg_decode(const uint8_t *bytes, size_t count, uint8_t *samples, size_t capacity)
{
    Decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) abort();
    decoder->info.err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = fail;
    decoder->errors.emit_message = warn;
    decoder->errors.output_message = print_nothing;
    decoder->next = bytes;
    decoder->left = count;
    jpeg_create_decompress(&decoder->info);
    decoder->info.client_data = decoder;
    decoder->source = (struct jpeg_source_mgr) {
        .init_source = do_nothing,
        .fill_input_buffer = fill,
        .skip_input_data = skip,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = do_nothing,
    };
    decoder->info.src = &decoder->source;
    if (setjmp(decoder->entry) == 0) decode(decoder, samples, capacity);
    const slow_jpeg_result result = decoder->result;
    jpeg_destroy_decompress(&decoder->info);
    free(decoder);
    return result;
}
