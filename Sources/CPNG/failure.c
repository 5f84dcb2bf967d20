#include "failure.h"
#include <string.h>

_Noreturn void cpng_fail(png_structp png, cpng_status status, const char *text)
{
    cpng_failure *failure = png_get_error_ptr(png);
    failure->status = status;
    strncpy(failure->message, text, sizeof failure->message - 1);
    longjmp(failure->entry, 1);
}

void cpng_error(png_structp png, png_const_charp text) { cpng_fail(png, CPNG_STATUS_CORRUPT, text); }

// libpng warns where it leaves out transparency, which belongs to the pixels, and of a wrong checksum of all pixels. Its other
// warnings change no pixel; PNGChunkScan reports wrong checksums of metadata.
void cpng_warning(png_structp png, png_const_charp text)
{
    const cpng_failure *failure = png_get_error_ptr(png);
    const bool loses_pixels = strcmp(text, "tRNS: invalid") == 0 || strcmp(text, "tRNS: out of place") == 0
        || strcmp(text, "IDAT: incorrect data check") == 0;
    if (loses_pixels && !failure->is_tolerated) cpng_fail(png, CPNG_STATUS_CORRUPT, text);
}
