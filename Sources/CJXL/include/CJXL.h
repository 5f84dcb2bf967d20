// CJXL: libjxl, loaded at run time by who needs it first. So the tool starts without it, and runs where it is missing. It reads and
// writes each file in a process of its own, because a damaged file can crash it.
#ifndef CJXL_H
#define CJXL_H

#include "cisolation_codec.h"

// What a JPEG XL says of its image. The image is as shown: turned as the file says. It has 16 bits where the file has more than 8.
struct cjxl_head {
    struct cisolation_head base;
    bool is_whole;  // whether the file has all of its boxes
    bool has_codes; // of colour, as in ITU-T H.273; otherwise there may be a profile
    uint8_t primaries, curve;
    bool has_original_colours; // as all without loss, and recompressed JPEGs
    bool has_jpeg;             // that can be had back, bit by bit
    bool has_gain_map;
    bool has_further_pictures; // of an animation, a preview
};

// Pictures to encode may have any channels and depth.
const struct cisolation_codec *cjxl_codec(void);

// For `cisolation_recode`: a JPEG with Huffman codes becomes a JPEG XL without loss, and all of its bytes can be had back.
bool cjxl_from_jpeg(struct cisolation_recoding *recoding);
bool cjxl_to_jpeg(struct cisolation_recoding *recoding);

#endif
