#include "stuffing.h"
#include <string.h>

size_t stuff(const uint8_t *from, size_t count, uint8_t *to)
{
    const uint8_t *const from_end = from + count, *const to_begin = to;
    while (from < from_end) {
        const size_t left = (size_t)(from_end - from);
        const uint8_t *found = memchr(from, 0xFF, left);
        const size_t run = found == NULL ? left : (size_t)(found - from) + 1;
        memcpy(to, from, run);
        from += run;
        to += run;
        if (found != NULL) *to++ = 0;
    }
    return (size_t)(to - to_begin);
}
