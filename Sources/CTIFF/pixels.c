#include "library.h"
#include <stdlib.h>
#include <string.h>

// A part of the image, as the file holds it.
struct block {
    const uint8_t *bytes;
    size_t bytes_per_row;
    uint32_t x, y, width, height;
    int plane; // -1 for all
};

static void store_samples(
    const struct cisolation_decoding *decoding, const struct ctiff_form *form, const struct block *block)
{
    const int channels = decoding->head->channels, samples = block->plane < 0 ? form->samples : 1;
    const int first = block->plane < 0 ? 0 : block->plane, last = block->plane < 0 ? channels : first + 1;
    const bool has_inks = ((const struct ctiff_head *)decoding->head)->has_inks;
    // CMYK in a TIFF is ink; in Tintype, as in JPEGs, its absence.
    const bool is_inverted = has_inks || form->photometric == PHOTOMETRIC_MINISWHITE;
    for (uint32_t row = 0; row < block->height; row++) {
        const uint8_t *from = block->bytes + (size_t)row * block->bytes_per_row;
        uint8_t *to = decoding->rows + (size_t)(block->y + row) * decoding->bytes_per_row;
        for (int channel = first; channel < last; channel++) {
            const int sample = channel - first;
            const bool inverts = is_inverted && (has_inks || channel == 0);
            for (uint32_t x = 0; x < block->width; x++) {
                const size_t source = (size_t)x * (size_t)samples + (size_t)sample;
                const size_t target = (size_t)(block->x + x) * (size_t)channels + (size_t)channel;
                if (form->bits == 8) {
                    to[target] = inverts ? 255 - from[source] : from[source];
                    continue;
                }
                uint16_t value = ((const uint16_t *)(const void *)from)[source];
                if (inverts) value = 65535 - value;
                if (decoding->head->is_16_bit) ((uint16_t *)(void *)to)[target] = value;
                else to[target] = (uint8_t)((value * 255u + 32767u) / 65535u);
            }
        }
    }
}

// Whether libtiff has decoded a part before it has failed.
static bool has_content(const uint8_t *bytes, size_t byte_count)
{
    return bytes[0] != 0 || memcmp(bytes, bytes + 1, byte_count - 1) != 0;
}

static bool read_blocks(TIFF *file, const struct cisolation_decoding *decoding, const struct ctiff_form *form)
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
        || byte_count / row_byte_count < (tmsize_t)height)
        return cisolation_fail(
            decoding->answer, CISOLATION_STATUS_CORRUPT, "strips or tiles of a wrong size");
    bool has_any = false;
    uint8_t *bytes = malloc((size_t)byte_count);
    if (bytes == NULL) {
        decoding->answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return false;
    }
    for (int plane = 0; plane < (is_planar ? decoding->head->channels : 1); plane++)
        for (uint32_t y = 0; y < form->height; y += height)
            for (uint32_t x = 0; x < form->width; x += width) {
                const uint32_t rows = form->height - y < height ? form->height - y : height;
                const uint32_t columns = form->width - x < width ? form->width - x : width;
                // What cannot be decoded stays zero.
                if (decoding->tolerates_damage) memset(bytes, 0, (size_t)byte_count);
                const tmsize_t wanted = is_tiled ? byte_count : (tmsize_t)rows * row_byte_count;
                const tmsize_t read = is_tiled
                    ? tiff.TIFFReadEncodedTile(
                        file, tiff.TIFFComputeTile(file, x, y, 0, (uint16_t)plane), bytes, wanted)
                    : tiff.TIFFReadEncodedStrip(
                        file, tiff.TIFFComputeStrip(file, y, (uint16_t)plane), bytes, wanted);
                if (read < wanted && !decoding->tolerates_damage) return false;
                has_any = has_any || read > 0 || has_content(bytes, (size_t)byte_count);
                const struct block block = { bytes, (size_t)row_byte_count, x, y, columns,
                                             rows,  is_planar ? plane : -1 };
                store_samples(decoding, form, &block);
            }
    free(bytes);
    return has_any;
}

static bool read_converted(
    TIFF *file, const struct cisolation_decoding *decoding, const struct ctiff_form *form)
{
    uint32_t *pixels = calloc((size_t)form->width * form->height, sizeof *pixels);
    if (pixels == NULL) {
        decoding->answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return false;
    }
    // As stored, from the top.
    const int result = tiff.TIFFReadRGBAImageOriented(
        file, form->width, form->height, pixels, form->orientation, !decoding->tolerates_damage);
    if (!result) return false;
    const size_t channels = (size_t)decoding->head->channels;
    for (uint32_t y = 0; y < form->height; y++)
        for (uint32_t x = 0; x < form->width; x++) {
            const uint32_t pixel = pixels[(size_t)y * form->width + x];
            uint8_t *to = decoding->rows + (size_t)y * decoding->bytes_per_row + x * channels;
            const uint8_t values[4] = { TIFFGetR(pixel), TIFFGetG(pixel), TIFFGetB(pixel), TIFFGetA(pixel) };
            memcpy(to, values, channels);
        }
    free(pixels);
    return true;
}

bool ctiff_read_pixels(const struct cisolation_decoding *decoding)
{
    const struct cisolation_head *image = decoding->head;
    const struct ctiff_head *head = (const struct ctiff_head *)image;
    struct ctiff_file source = { decoding->file, 0 };
    TIFF *file = ctiff_open(&source, decoding->answer);
    if (file == NULL) return false;
    const struct ctiff_form form = ctiff_form_of(file);
    if (head->is_converted ? !read_converted(file, decoding, &form) : !read_blocks(file, decoding, &form))
        return false;
    const bool has_alpha = image->channels == 2 || (image->channels == 4 && !head->has_inks);
    // libtiff multiplies it in when it converts.
    const bool is_multiplied = form.is_alpha_multiplied || head->is_converted;
    for (int y = 0; has_alpha && is_multiplied && y < image->height; y++)
        cisolation_divide_alpha_out(decoding->rows + (size_t)y * decoding->bytes_per_row, image);
    return true;
}
