#include "CTIFF.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#define LIBRARY "libtiff"

#define FUNCTIONS(FUNCTION)           \
    FUNCTION(TIFFClientOpen)          \
    FUNCTION(TIFFSetErrorHandler)     \
    FUNCTION(TIFFSetWarningHandler)   \
    FUNCTION(TIFFGetField)            \
    FUNCTION(TIFFGetFieldDefaulted)   \
    FUNCTION(TIFFSetField)            \
    FUNCTION(TIFFNumberOfDirectories) \
    FUNCTION(TIFFIsTiled)             \
    FUNCTION(TIFFStripSize)           \
    FUNCTION(TIFFTileSize)            \
    FUNCTION(TIFFScanlineSize)        \
    FUNCTION(TIFFTileRowSize)         \
    FUNCTION(TIFFComputeStrip)        \
    FUNCTION(TIFFComputeTile)         \
    FUNCTION(TIFFReadEncodedStrip)    \
    FUNCTION(TIFFReadEncodedTile)     \
    FUNCTION(TIFFRGBAImageOK)         \
    FUNCTION(TIFFReadRGBAImageOriented)

// All are NULL without the library.
static struct {
#define FUNCTION(name) __typeof__(name) *name;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
} tiff;

static bool is_loaded;

static void load(void)
{
    // Debian since 12, and Ubuntu 22.04.
    static const char *const names[] = { "libtiff.so.6", "libtiff.so.5" };
    void *library = NULL;
    for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++)
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    bool found = true;
#define FUNCTION(name) found = (tiff.name = (__typeof__(name) *)dlsym(library, #name)) != NULL && found;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
    is_loaded = found;
}

static bool has_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

// MARK: Files in memory

struct file {
    const uint8_t *bytes;
    size_t byte_count, position;
};

static tmsize_t read_file(thandle_t handle, void *target, tmsize_t count)
{
    struct file *file = handle;
    const size_t left = file->position < file->byte_count ? file->byte_count - file->position : 0;
    const size_t taken = (size_t)count < left ? (size_t)count : left;
    memcpy(target, file->bytes + file->position, taken);
    file->position += taken;
    return (tmsize_t)taken;
}

static tmsize_t write_nothing(thandle_t handle, void *source, tmsize_t count)
{
    (void)handle, (void)source, (void)count;
    return 0;
}

static toff_t seek_file(thandle_t handle, toff_t offset, int whence)
{
    struct file *file = handle;
    const toff_t base = whence == SEEK_CUR ? file->position : whence == SEEK_END ? file->byte_count : 0;
    file->position = base + offset;
    return file->position;
}

static int close_nothing(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t size_of_file(thandle_t handle) { return ((struct file *)handle)->byte_count; }

// libtiff reads from this memory itself.
static int map_file(thandle_t handle, void **base, toff_t *size)
{
    const struct file *file = handle;
    *base = (void *)file->bytes;
    *size = file->byte_count;
    return 1;
}

static void unmap_nothing(thandle_t handle, void *base, toff_t size) { (void)handle, (void)base, (void)size; }

// The answer of the process.
static struct cisolation_answer *told;
static bool has_told;

// The first error is the cause of the others.
static void tell(const char *module, const char *format, va_list arguments)
{
    (void)module;
    if (has_told) return;
    has_told = true;
    vsnprintf(told->message, sizeof told->message, format, arguments);
}

static TIFF *open_file(struct file *file, struct cisolation_answer *answer)
{
    told = answer;
    tiff.TIFFSetErrorHandler(tell);
    tiff.TIFFSetWarningHandler(NULL);
    return tiff.TIFFClientOpen(
        "photo", "r", file, read_file, write_nothing, seek_file, close_nothing, size_of_file, map_file,
        unmap_nothing);
}

// MARK: Head

// How the samples lie in the file.
struct form {
    uint32_t width, height;
    uint16_t bits, samples, kind, photometric, planes, compression, orientation, inks;
    bool is_alpha_multiplied, has_alpha;
};

static struct form form_of(TIFF *file)
{
    struct form form = { 0 };
    uint16_t extra_count = 0, *extras = NULL;
    tiff.TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &form.width);
    tiff.TIFFGetField(file, TIFFTAG_IMAGELENGTH, &form.height);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &form.bits);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &form.samples);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLEFORMAT, &form.kind);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &form.planes);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_COMPRESSION, &form.compression);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_ORIENTATION, &form.orientation);
    if (!tiff.TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &form.photometric))
        form.photometric = PHOTOMETRIC_MINISWHITE;
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_EXTRASAMPLES, &extra_count, &extras);
    // An unspecified channel may be a mask, a spot colour or alpha.
    form.has_alpha = extra_count > 0 && extras[0] != EXTRASAMPLE_UNSPECIFIED;
    form.is_alpha_multiplied = extra_count > 0 && extras[0] == EXTRASAMPLE_ASSOCALPHA;
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_INKSET, &form.inks);
    if (form.kind == SAMPLEFORMAT_VOID) form.kind = SAMPLEFORMAT_UINT;
    if (form.photometric == PHOTOMETRIC_YCBCR && form.compression == COMPRESSION_JPEG
        && form.planes == PLANARCONFIG_CONTIG
        && tiff.TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB))
        form.photometric = PHOTOMETRIC_RGB;
    return form;
}

// The channels that the file's samples are, one to one; 0 if libtiff must convert them.
static int direct_channels(const struct form *form)
{
    if ((form->bits != 8 && form->bits != 16) || form->kind != SAMPLEFORMAT_UINT) return 0;
    int colours;
    switch (form->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK: colours = 1; break;
    case PHOTOMETRIC_RGB: colours = 3; break;
    case PHOTOMETRIC_SEPARATED: return form->samples >= 4 ? 4 : 0;
    default: return 0;
    }
    if (form->samples < colours) return 0;
    return colours + (form->has_alpha && form->samples > colours ? 1 : 0);
}

static bool is_grey(const struct form *form)
{
    return form->photometric == PHOTOMETRIC_MINISWHITE || form->photometric == PHOTOMETRIC_MINISBLACK;
}

// Why an image is not decoded; NULL if it may be. `reason` has 1024 bytes.
static const char *obstacle(TIFF *file, const struct form *form, char *reason)
{
    if (form->width == 0 || form->height == 0 || form->width > INT32_MAX || form->height > INT32_MAX)
        return "a size of nothing, or beyond all limits";
    if (form->kind == SAMPLEFORMAT_INT) return "samples with a sign";
    if (form->photometric == PHOTOMETRIC_SEPARATED && form->inks != INKSET_CMYK)
        return "inks other than CMYK";
    if (direct_channels(form) > 0) return NULL;
    return tiff.TIFFRGBAImageOK(file, reason) ? NULL : reason;
}

static bool add_item(struct ctiff_head *head, enum ctiff_metadata kind, const void *bytes, size_t byte_count)
{
    const size_t used = head->item_count == 0
        ? 0
        : head->items[head->item_count - 1].offset + head->items[head->item_count - 1].byte_count;
    if (byte_count == 0) return true;
    if (byte_count > head->most_metadata - used) {
        head->answer.status = CISOLATION_STATUS_TOO_MUCH_METADATA;
        return false;
    }
    head->items[head->item_count++] = (struct ctiff_item) { kind, used, byte_count };
    memcpy(head->bytes + used, bytes, byte_count);
    return true;
}

static bool read_items(TIFF *file, struct ctiff_head *head)
{
    static const struct {
        uint32_t tag;
        enum ctiff_metadata kind;
    } items[CTIFF_MOST_ITEMS] = { { TIFFTAG_ICCPROFILE, CTIFF_METADATA_PROFILE },
                                  { TIFFTAG_XMLPACKET, CTIFF_METADATA_XMP } };
    for (int index = 0; index < CTIFF_MOST_ITEMS; index++) {
        uint32_t count = 0;
        const void *bytes = NULL;
        if (tiff.TIFFGetField(file, items[index].tag, &count, &bytes)
            && !add_item(head, items[index].kind, bytes, count))
            return false;
    }
    return true;
}

struct head_call {
    struct file file;
    struct ctiff_head *head;
};

static void read_head(void *context)
{
    struct head_call *call = context;
    struct ctiff_head *head = call->head;
    cisolation_begin(head->most_metadata + call->file.byte_count, cisolation_milliseconds(0));
    TIFF *file = open_file(&call->file, &head->answer);
    if (file == NULL) return;
    const struct form form = form_of(file);
    char reason[1024];
    const char *cause = obstacle(file, &form, reason);
    if (cause != NULL) {
        head->answer.status = CISOLATION_STATUS_UNSUPPORTED;
        snprintf(head->answer.message, sizeof head->answer.message, "%.150s", cause);
        return;
    }
    const int channels = direct_channels(&form);
    const bool is_converted = channels == 0,
               has_inks = !is_converted && form.photometric == PHOTOMETRIC_SEPARATED;
    head->image = (struct ctiff_image) {
        .width = (int)form.width,
        .height = (int)form.height,
        .channels = !is_converted ? channels
            : form.has_alpha      ? 4
            : is_grey(&form)      ? 1
                                  : 3,
        .is_16_bit = !is_converted && form.bits == 16 && !has_inks,
        .has_inks = has_inks,
        .is_converted = is_converted,
    };
    const tmsize_t block = tiff.TIFFIsTiled(file) ? tiff.TIFFTileSize(file) : tiff.TIFFStripSize(file);
    if (block <= 0) return;
    head->block_byte_count = (size_t)block;
    head->orientation = form.orientation;
    uint16_t unit = 0;
    tiff.TIFFGetField(file, TIFFTAG_XRESOLUTION, &head->x_density);
    tiff.TIFFGetField(file, TIFFTAG_YRESOLUTION, &head->y_density);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_RESOLUTIONUNIT, &unit);
    head->density_unit = unit;
    if (!read_items(file, head)) return;
    head->page_count = (int)tiff.TIFFNumberOfDirectories(file);
    head->answer.status = CISOLATION_STATUS_OK;
}

static bool is_valid(const struct ctiff_head *head)
{
    const struct ctiff_image *image = &head->image;
    if (image->width < 1 || image->height < 1 || image->channels < 1 || image->channels > 4) return false;
    if (image->has_inks && (image->channels != 4 || image->is_16_bit || image->is_converted)) return false;
    if (head->item_count < 0 || head->item_count > CTIFF_MOST_ITEMS) return false;
    for (int index = 0; index < head->item_count; index++) {
        const struct ctiff_item *item = &head->items[index];
        if (item->offset > head->most_metadata || item->byte_count > head->most_metadata - item->offset)
            return false;
    }
    return true;
}

struct ctiff_head *ctiff_head_read(
    const uint8_t *file, size_t byte_count, size_t most_metadata, enum cisolation_status *status)
{
    *status = has_library() ? CISOLATION_STATUS_OUT_OF_MEMORY : CISOLATION_STATUS_NO_LIBRARY;
    const size_t shared_byte_count = sizeof(struct ctiff_head) + most_metadata;
    struct ctiff_head *head =
        *status == CISOLATION_STATUS_NO_LIBRARY ? NULL : cisolation_create(shared_byte_count);
    if (head == NULL) return NULL;
    head->most_metadata = most_metadata;
    struct head_call context = { { file, byte_count, 0 }, head };
    cisolation_call(
        LIBRARY, read_head, &context, cisolation_milliseconds(0), &head->answer, shared_byte_count);
    // A crash may have left anything there.
    head->most_metadata = most_metadata;
    if (head->answer.status == CISOLATION_STATUS_OK && !is_valid(head))
        head->answer.status = CISOLATION_STATUS_CORRUPT;
    *status = head->answer.status;
    return head;
}

void ctiff_head_destroy(struct ctiff_head *head)
{
    cisolation_destroy(head, sizeof *head + head->most_metadata);
}

// MARK: Pixels

struct pixels_call {
    struct file file;
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

static void store_samples(const struct pixels_call *call, const struct form *form, const struct block *block)
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

static bool read_blocks(TIFF *file, const struct pixels_call *call, const struct form *form)
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
                memset(bytes, 0, (size_t)byte_count);
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

static bool read_converted(TIFF *file, const struct pixels_call *call, const struct form *form)
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
    TIFF *file = open_file(&call->file, &pixels->answer);
    if (file == NULL) return;
    const struct form form = form_of(file);
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
