// The bytes of the IDAT chunks, which hold an image's stream (PNG, third edition, 11.2.3), without libpng.
#include "CPNG.h"
#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 64 * 1024, HEAD_BYTES = 8, CHECKSUM_BYTES = 4 };

struct cpng_idat {
    cpng_read read;
    void *context;
    uint32_t left; // bytes of the chunk
    uint32_t checksum;
    bool is_behind; // the last IDAT, whose next chunk's head was read
    bool has_failed;
    uint8_t head[HEAD_BYTES];
    uint8_t buffer[BUFFER_BYTES];
};

static const uint8_t name_of_idat[] = { 'I', 'D', 'A', 'T' };

cpng_idat *cpng_idat_create(cpng_read read, void *context, uint32_t first_length)
{
    cpng_idat *idat = malloc(sizeof *idat);
    if (idat == NULL) return NULL;
    idat->read = read;
    idat->context = context;
    idat->left = first_length;
    idat->checksum = cpng_checksum(0, name_of_idat, sizeof name_of_idat);
    idat->is_behind = idat->has_failed = false;
    return idat;
}

void cpng_idat_destroy(cpng_idat *idat) { free(idat); }

// Reads exactly so many bytes.
static bool read_all(cpng_idat *idat, uint8_t *bytes, size_t count)
{
    while (count > 0) {
        const ptrdiff_t got = idat->read(idat->context, bytes, count);
        if (got <= 0) return false;
        bytes += got;
        count -= (size_t)got;
    }
    return true;
}

static uint32_t word_at(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return be32toh(word);
}

static bool is_named(const cpng_idat *idat, const char *name) { return memcmp(idat->head + 4, name, 4) == 0; }

// Compares the chunk's checksum, and reads the head of the next one.
static bool end_chunk(cpng_idat *idat)
{
    uint8_t bytes[CHECKSUM_BYTES + HEAD_BYTES];
    if (!read_all(idat, bytes, sizeof bytes) || word_at(bytes) != idat->checksum) return false;
    memcpy(idat->head, bytes + CHECKSUM_BYTES, HEAD_BYTES);
    idat->is_behind = !is_named(idat, "IDAT");
    idat->left = word_at(idat->head);
    idat->checksum = cpng_checksum(0, idat->head + 4, 4);
    return idat->left <= INT32_MAX;
}

ptrdiff_t cpng_idat_next(void *context, const uint8_t **bytes)
{
    cpng_idat *idat = context;
    while (!idat->has_failed && !idat->is_behind && idat->left == 0) idat->has_failed = !end_chunk(idat);
    if (idat->has_failed) return -1;
    if (idat->is_behind) return 0;
    const size_t most = idat->left < BUFFER_BYTES ? idat->left : BUFFER_BYTES;
    const ptrdiff_t count = idat->read(idat->context, idat->buffer, most);
    idat->has_failed = count <= 0;
    if (idat->has_failed) return -1;
    idat->checksum = cpng_checksum(idat->checksum, idat->buffer, (size_t)count);
    idat->left -= (uint32_t)count;
    *bytes = idat->buffer;
    return count;
}

// Passes a chunk, whatever it has. Returns false if the file ends in it.
static bool pass_chunk(cpng_idat *idat)
{
    for (size_t left = (size_t)idat->left + CHECKSUM_BYTES; left > 0;) {
        const size_t count = left < BUFFER_BYTES ? left : BUFFER_BYTES;
        if (!read_all(idat, idat->buffer, count)) return false;
        left -= count;
    }
    if (!read_all(idat, idat->head, HEAD_BYTES)) return false;
    idat->left = word_at(idat->head);
    return idat->left <= INT32_MAX;
}

bool cpng_idat_finish(cpng_idat *idat)
{
    enum { ANCILLARY = 0x20 };
    if (idat->has_failed || !idat->is_behind) return false;
    while (!is_named(idat, "IEND")) {
        // What libpng ignores here. It has an opinion of transparency behind the pixels, which is not repeated.
        if (!(idat->head[4] & ANCILLARY) || is_named(idat, "tRNS") || !pass_chunk(idat)) return false;
    }
    const uint32_t checksum = cpng_checksum(0, idat->head + 4, 4);
    return idat->left == 0 && read_all(idat, idat->buffer, CHECKSUM_BYTES)
        && word_at(idat->buffer) == checksum;
}
