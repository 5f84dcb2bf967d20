// CTIFF: the predictor of TIFFs that are written, and libtiff's reader, loaded at run time by who needs it first. So the tool starts
// without it, and runs where it is missing. It reads each file in a process of its own, because a damaged file can crash it.
#ifndef CTIFF_H
#define CTIFF_H

#include "cisolation_codec.h"

// What a file says of its first image, which is decoded as stored. Metadata are profiles and XMP.
struct ctiff_head {
    struct cisolation_head base; // channels are 4 inks, CMYK, if has_inks
    bool has_inks;
    bool is_converted;       // by libtiff, to 8 bits: palettes, few bits, YCbCr, CIE Lab
    size_t block_byte_count; // of the largest strip or tile, without compression
    int orientation;         // EXIF's, 1 to 8
    int page_count;
    float x_density, y_density; // 0 if unknown
    int density_unit;           // 1 for none, 2 for inches, 3 for centimetres
};

const struct cisolation_codec *ctiff_codec(void);

// TIFF 6.0, section 14: each sample but those of the first pixel as the difference to the one of the pixel before. `count` is of
// samples. `swaps` gives those of 16 bits the other byte order.
void ctiff_differences_8(const uint8_t *row, uint8_t *to, size_t count, size_t channels);
void ctiff_differences_16(const uint16_t *row, uint16_t *to, size_t count, size_t channels, bool swaps);

#endif
