#include "library.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct tiff_library tiff;

static bool is_loaded;

static void load(void)
{
    // Debian since 12, and Ubuntu 22.04.
    static const char *const names[] = { "libtiff.so.6", "libtiff.so.5", NULL };
#define FUNCTION(name) { #name, (void **)&tiff.name },
    static const struct cisolation_symbol symbols[] = { FUNCTIONS(FUNCTION) { NULL, NULL } };
#undef FUNCTION
    is_loaded = cisolation_load(names, symbols);
}

bool ctiff_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

// MARK: Files in memory

static tmsize_t read_file(thandle_t handle, void *target, tmsize_t count)
{
    struct ctiff_file *file = handle;
    const size_t left = file->position < file->file.byte_count ? file->file.byte_count - file->position : 0;
    const size_t taken = (size_t)count < left ? (size_t)count : left;
    memcpy(target, file->file.bytes + file->position, taken);
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
    struct ctiff_file *file = handle;
    const toff_t base = whence == SEEK_CUR ? file->position : whence == SEEK_END ? file->file.byte_count : 0;
    file->position = base + offset;
    return file->position;
}

static int close_nothing(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t size_of_file(thandle_t handle) { return ((struct ctiff_file *)handle)->file.byte_count; }

// libtiff reads from this memory itself.
static int map_file(thandle_t handle, void **base, toff_t *size)
{
    const struct ctiff_file *file = handle;
    *base = (void *)file->file.bytes;
    *size = file->file.byte_count;
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

TIFF *ctiff_open(struct ctiff_file *file, struct cisolation_answer *answer)
{
    told = answer;
    tiff.TIFFSetErrorHandler(tell);
    tiff.TIFFSetWarningHandler(NULL);
    return tiff.TIFFClientOpen(
        "photo", "r", file, read_file, write_nothing, seek_file, close_nothing, size_of_file, map_file,
        unmap_nothing);
}

struct ctiff_form ctiff_form_of(TIFF *file)
{
    struct ctiff_form form = { 0 };
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
