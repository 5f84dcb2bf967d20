#include "library.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pixels_call {
    struct ctiff_file file;
    struct ctiff_image image; // the other process does not have the head
    bool tolerates_damage;
    size_t most_memory;
    int milliseconds;
    struct ctiff_pixels *pixels;
};

// A part of the image, as the file holds it.
struct block {
    const uint8_t *bytes;
    size_t bytes_per_row;
    uint32_t x, y, width, height;
    int plane; // -1 for all
};

static void store_samples(
    const struct pixels_call *call, const struct ctiff_form *form, const struct block *block)
{
    const int channels = call->image.channels, samples = block->plane < 0 ? form->samples : 1;
    const int first = block->plane < 0 ? 0 : block->plane, last = block->plane < 0 ? channels : first + 1;
    // CMYK in a TIFF is ink; in Tintype, as in JPEGs, its absence.
    const bool is_inverted = call->image.has_inks || form->photometric == PHOTOMETRIC_MINISWHITE;
    for (uint32_t row = 0; row < block->height; row++) {
        const uint8_t *from = block->bytes + (size_t)row * block->bytes_per_row;
        uint8_t *to = call->pixels->bytes + (size_t)(block->y + row) * call->pixels->bytes_per_row;
        for (int channel = first; channel < last; channel++) {
            const int sample = channel - first;
            const bool inverts = is_inverted && (call->image.has_inks || channel == 0);
            for (uint32_t x = 0; x < block->width; x++) {
                const size_t source = (size_t)x * (size_t)samples + (size_t)sample;
                const size_t target = (size_t)(block->x + x) * (size_t)channels + (size_t)channel;
                if (form->bits == 8) {
                    to[target] = inverts ? 255 - from[source] : from[source];
                    continue;
                }
                uint16_t value = ((const uint16_t *)(const void *)from)[source];
                if (inverts) value = 65535 - value;
                if (call->image.is_16_bit) ((uint16_t *)(void *)to)[target] = value;
                else to[target] = (uint8_t)((value * 255u + 32767u) / 65535u);
            }
        }
    }
}

static uint32_t without_alpha(uint32_t value, uint32_t alpha, uint32_t most)
{
    if (alpha == 0) return 0;
    const uint32_t plain = (value * most + alpha / 2) / alpha;
    return plain < most ? plain : most;
}

static void divide_alpha_out(const struct pixels_call *call)
{
    const size_t channels = (size_t)call->image.channels, count = (size_t)call->image.width * channels;
    for (int y = 0; y < call->image.height; y++) {
        uint8_t *row = call->pixels->bytes + (size_t)y * call->pixels->bytes_per_row;
        uint16_t *wide = (uint16_t *)(void *)row;
        for (size_t index = 0; index < count; index++) {
            const size_t alpha = index - index % channels + channels - 1;
            if (index == alpha) continue;
            if (call->image.is_16_bit)
                wide[index] = (uint16_t)without_alpha(wide[index], wide[alpha], 0xFFFF);
            else row[index] = (uint8_t)without_alpha(row[index], row[alpha], 0xFF);
        }
    }
}

// Whether libtiff has decoded a part before it has failed.
static bool has_content(const uint8_t *bytes, size_t byte_count)
{
    return bytes[0] != 0 || memcmp(bytes, bytes + 1, byte_count - 1) != 0;
}

static bool read_blocks(TIFF *file, const struct pixels_call *call, const struct ctiff_form *form)
{
    const bool is_tiled = tiff.TIFFIsTiled(file);
    uint32_t width = form->width, height = 0;
    if (is_tiled) {
        tiff.TIFFGetField(file, TIFFTAG_TILEWIDTH, &width);
        tiff.TIFFGetField(file, TIFFTAG_TILELENGTH, &height);
    } else {
        tiff.TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &height);
        if (height > form->height) height = form->height;
    }
    const tmsize_t byte_count = is_tiled ? tiff.TIFFTileSize(file) : tiff.TIFFStripSize(file);
    const tmsize_t row_byte_count = is_tiled ? tiff.TIFFTileRowSize(file) : tiff.TIFFScanlineSize(file);
    const bool is_planar = form->planes == PLANARCONFIG_SEPARATE && form->samples > 1;
    const size_t least = (size_t)width * (is_planar ? 1 : form->samples) * (form->bits / 8);
    if (width == 0 || height == 0 || byte_count <= 0 || row_byte_count < (tmsize_t)least
        || byte_count / row_byte_count < (tmsize_t)height) {
        snprintf(
            call->pixels->answer.message, sizeof call->pixels->answer.message,
            "strips or tiles of a wrong size");
        return false;
    }
    bool has_any = false;
    uint8_t *bytes = malloc((size_t)byte_count);
    if (bytes == NULL) {
        call->pixels->answer.status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return false;
    }
    for (int plane = 0; plane < (is_planar ? call->image.channels : 1); plane++)
        for (uint32_t y = 0; y < form->height; y += height)
            for (uint32_t x = 0; x < form->width; x += width) {
                const uint32_t rows = form->height - y < height ? form->height - y : height;
                const uint32_t columns = form->width - x < width ? form->width - x : width;
                // What cannot be decoded stays zero.
                if (call->tolerates_damage) memset(bytes, 0, (size_t)byte_count);
                const tmsize_t wanted = is_tiled ? byte_count : (tmsize_t)rows * row_byte_count;
                const tmsize_t read = is_tiled
                    ? tiff.TIFFReadEncodedTile(
                        file, tiff.TIFFComputeTile(file, x, y, 0, (uint16_t)plane), bytes, wanted)
                    : tiff.TIFFReadEncodedStrip(
                        file, tiff.TIFFComputeStrip(file, y, (uint16_t)plane), bytes, wanted);
                if (read < wanted && !call->tolerates_damage) return false;
                has_any = has_any || read > 0 || has_content(bytes, (size_t)byte_count);
                const struct block block = { bytes, (size_t)row_byte_count, x, y, columns,
                                             rows,  is_planar ? plane : -1 };
                store_samples(call, form, &block);
            }
    free(bytes);
    return has_any;
}

static bool read_converted(TIFF *file, const struct pixels_call *call, const struct ctiff_form *form)
{
    uint32_t *pixels = calloc((size_t)form->width * form->height, sizeof *pixels);
    if (pixels == NULL) {
        call->pixels->answer.status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return false;
    }
    // As stored, from the top.
    const int result = tiff.TIFFReadRGBAImageOriented(
        file, form->width, form->height, pixels, form->orientation, !call->tolerates_damage);
    if (!result) return false;
    const size_t channels = (size_t)call->image.channels;
    for (uint32_t y = 0; y < form->height; y++)
        for (uint32_t x = 0; x < form->width; x++) {
            const uint32_t pixel = pixels[(size_t)y * form->width + x];
            uint8_t *to = call->pixels->bytes + (size_t)y * call->pixels->bytes_per_row + x * channels;
            const uint8_t values[4] = { TIFFGetR(pixel), TIFFGetG(pixel), TIFFGetB(pixel), TIFFGetA(pixel) };
            memcpy(to, values, channels);
        }
    free(pixels);
    return true;
}

static void read_pixels(void *context)
{
    struct pixels_call *call = context;
    struct ctiff_pixels *pixels = call->pixels;
    cisolation_begin(call->most_memory, call->milliseconds);
    const size_t before = cisolation_memory("VmRSS:");
    TIFF *file = ctiff_open(&call->file, &pixels->answer);
    if (file == NULL) return;
    const struct ctiff_form form = ctiff_form_of(file);
    const bool has_alpha = call->image.channels == 2 || (call->image.channels == 4 && !call->image.has_inks);
    if (call->image.is_converted ? !read_converted(file, call, &form) : !read_blocks(file, call, &form))
        return;
    // libtiff multiplies it in when it converts.
    if (has_alpha && (form.is_alpha_multiplied || call->image.is_converted)) divide_alpha_out(call);
    pixels->taken_bytes = cisolation_memory("VmHWM:") - before;
    pixels->answer.status = CISOLATION_STATUS_OK;
}

struct ctiff_pixels *ctiff_pixels_read(
    const uint8_t *file, size_t byte_count, const struct ctiff_head *head, bool tolerates_damage,
    size_t most_memory)
{
    const size_t bytes_per_row =
        (size_t)head->image.width * (size_t)head->image.channels * (head->image.is_16_bit ? 2 : 1);
    const size_t rows_byte_count = bytes_per_row * (size_t)head->image.height;
    const size_t shared_byte_count = sizeof(struct ctiff_pixels) + rows_byte_count;
    struct ctiff_pixels *pixels = cisolation_create(shared_byte_count);
    if (pixels == NULL) return NULL;
    pixels->bytes_per_row = bytes_per_row;
    struct pixels_call context = { { file, byte_count, 0 },
                                   head->image,
                                   tolerates_damage,
                                   most_memory,
                                   cisolation_milliseconds((double)head->image.width * head->image.height),
                                   pixels };
    cisolation_call(LIBRARY, read_pixels, &context, context.milliseconds, &pixels->answer, shared_byte_count);
    // A crash may have left anything there.
    pixels->bytes_per_row = bytes_per_row;
    pixels->rows_byte_count = rows_byte_count;
    return pixels;
}

void ctiff_pixels_destroy(struct ctiff_pixels *pixels)
{
    cisolation_destroy(pixels, sizeof *pixels + pixels->rows_byte_count);
}
