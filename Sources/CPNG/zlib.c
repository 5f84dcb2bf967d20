#include "CPNG.h"
#include <limits.h>
#include <zlib.h>

enum { SCRATCH_SIZE = 16 * 1024 };

bool cpng_inflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t capacity, size_t *produced)
{
    uint8_t scratch[SCRATCH_SIZE];
    z_stream stream = { .next_in = (Bytef *)bytes, .avail_in = (uInt)count };
    *produced = 0;
    if (count > UINT_MAX || inflateInit(&stream) != Z_OK) return false;
    int status = Z_OK;
    while (status == Z_OK) {
        const size_t left = capacity - *produced;
        // One extra byte distinguishes a stream that ends here from a longer one.
        const size_t piece = left < SCRATCH_SIZE ? left + (to == NULL) : SCRATCH_SIZE;
        stream.next_out = to == NULL ? scratch : to + *produced;
        stream.avail_out = (uInt)piece;
        status = inflate(&stream, Z_NO_FLUSH);
        const size_t got = piece - stream.avail_out;
        if (got > left) {
            *produced = capacity;
            status = Z_BUF_ERROR;
        } else {
            *produced += got;
        }
    }
    inflateEnd(&stream);
    return status == Z_STREAM_END;
}

size_t cpng_deflate_bound(size_t count) { return compressBound(count); }

ptrdiff_t cpng_deflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t capacity)
{
    uLongf length = capacity;
    return compress(to, &length, bytes, count) == Z_OK ? (ptrdiff_t)length : -1;
}

uint32_t cpng_checksum(uint32_t checksum, const uint8_t *bytes, size_t count)
{
    return (uint32_t)crc32_z(checksum, bytes, count);
}

uint32_t cpng_adler(uint32_t checksum, const uint8_t *bytes, size_t count)
{
    return (uint32_t)adler32_z(checksum, bytes, count);
}

uint32_t cpng_adler_joined(uint32_t checksum, uint32_t next, size_t count)
{
    return (uint32_t)adler32_combine(checksum, next, (z_off_t)count);
}
