// CRAW: LibRaw, which develops RAW photos, loaded at run time by who needs it first. So the tool starts without it, and runs where it is
// missing. It reads each file in a process of its own, because a damaged file can crash it.
#ifndef CRAW_H
#define CRAW_H

#include "cisolation_codec.h"

// The image is upright, RGB with 16 bits, in sRGB. There are no metadata.
const struct cisolation_codec *craw_codec(void);

#endif
