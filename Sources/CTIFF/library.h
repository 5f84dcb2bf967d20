// libtiff's functions, and how it reads a file in memory.
#ifndef CTIFF_LIBRARY_H
#define CTIFF_LIBRARY_H

#include <tiffio.h>

#include "CTIFF.h"

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
struct tiff_library {
#define FUNCTION(name) __typeof__(name) *name;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
};
extern struct tiff_library tiff;

// Loads the library once.
bool ctiff_load(void);

struct ctiff_file {
    struct cisolation_file file;
    size_t position;
};

// Returns NULL on failure. What libtiff tells of it, and later, becomes the answer's message.
TIFF *ctiff_open(struct ctiff_file *file, struct cisolation_answer *answer);

// How the samples lie in the file.
struct ctiff_form {
    uint32_t width, height;
    uint16_t bits, samples, kind, photometric, planes, compression, orientation, inks;
    bool is_alpha_multiplied, has_alpha;
};

// Has libtiff convert YCbCr in JPEG to RGB; the form says RGB then.
struct ctiff_form ctiff_form_of(TIFF *file);

bool ctiff_read_pixels(const struct cisolation_decoding *decoding);

#endif
