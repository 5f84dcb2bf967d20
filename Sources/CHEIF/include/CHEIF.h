// CHEIF: libheif, loaded at run time by who needs it first. So the tool starts without it, and runs where it is missing. It reads
// and writes each file in a process of its own, because a damaged file can crash it.
#ifndef CHEIF_H
#define CHEIF_H

#include "cisolation_codec.h"

// What a file says of its primary image. The image is as shown: turned and cropped as the file says. It is RGB or RGBA, of 16 bits
// where the file has more than 8.
struct cheif_head {
    struct cisolation_head base;
    int bit_depth;  // 8 to 16
    bool has_codes; // of colour, as in ITU-T H.273
    uint8_t primaries, curve, matrix;
    bool has_gain_map;
    bool has_further_pictures; // others of a collection, depth, mattes
};

// Pictures to encode are AVIFs to be, of 8 bits: RGB or RGBA. Their chroma has half the width and height unless they are without loss.
const struct cisolation_codec *cheif_codec(void);

// Whether a file ends before the last of its boxes does. Each begins with its size (ISO/IEC 14496-12, 4.2).
bool cheif_ends_within_a_box(const uint8_t *file, size_t byte_count);

#endif
