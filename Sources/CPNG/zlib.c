#include "CPNG.h"
#include <zlib.h>

ptrdiff_t CPNGInflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t capacity)
{
    uLongf length = capacity;
    return uncompress(to, &length, bytes, count) == Z_OK ? (ptrdiff_t)length : -1;
}

size_t CPNGDeflateBound(size_t count)
{
    return compressBound(count);
}

ptrdiff_t CPNGDeflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t capacity)
{
    uLongf length = capacity;
    return compress(to, &length, bytes, count) == Z_OK ? (ptrdiff_t)length : -1;
}
