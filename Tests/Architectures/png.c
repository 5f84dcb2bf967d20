#include "PNGCore.h"
#include "image.h"
#include <stdlib.h>
#include <string.h>

static const uint8_t *row_above(const plane *of, size_t y, const uint8_t *first)
{
    return y == 0 ? first : of->samples + (y - 1) * of->bytes_per_row;
}

// A stream in memory, and whether it was given.
typedef struct whole_stream {
    const uint8_t *bytes;
    size_t count;
} whole_stream;

static ptrdiff_t give_stream(void *context, const uint8_t **bytes)
{
    whole_stream *stream = context;
    const size_t count = stream->count;
    *bytes = stream->bytes;
    stream->count = 0;
    return (ptrdiff_t)count;
}

static uint32_t checksum_of(const uint8_t *bytes, size_t count)
{
    uint32_t sum = 1, sums = 0;
    for (size_t n = 0; n < count; n++) {
        sum = (sum + bytes[n]) % 65521;
        sums = (sums + sum) % 65521;
    }
    return sums << 16 | sum;
}

// Reads the rows back.
static void check_rows(
    const plane *of, size_t count, size_t pixel_bytes, const uint8_t *filtered, const uint8_t *deflated,
    size_t deflated_count)
{
    const pngcore_level *level = pngcore_levels(&(size_t) { 0 })[0];
    uint8_t *bytes = allocate(deflated_count + 6), *rows = allocate(count * of->rows);
    bytes[0] = 0x78;
    bytes[1] = 0x01;
    memcpy(bytes + 2, deflated, deflated_count);
    const uint32_t checksum = checksum_of(filtered, (count + 1) * of->rows);
    for (int n = 0; n < 4; n++) bytes[2 + deflated_count + (size_t)n] = (uint8_t)(checksum >> (24 - 8 * n));
    whole_stream stream = { bytes, deflated_count + 6 };
    pngcore_row_reader *reader = pngcore_row_reader_create(
        level, (pngcore_source) { give_stream, &stream }, count, pixel_bytes, false);
    if (reader == NULL) fail("rows", "there is no memory");
    if (pngcore_read_rows(reader, rows, count, (int)of->rows) != (int)of->rows
        || !pngcore_row_reader_is_at_end(reader))
        fail("rows", "they are not read back");
    for (size_t y = 0; y < of->rows; y++)
        if (memcmp(rows + y * count, of->samples + y * of->bytes_per_row, count) != 0)
            fail("rows", "other ones are read back");
    pngcore_row_reader_destroy(reader);
    free(bytes);
    free(rows);
}

// A plane's rows as those of a PNG, with pixels of this many bytes: filtered, deflated, and read back. Returns whether they are smaller
// than as bytes that are no pixels.
static bool run_rows(const plane *of, size_t pixel_bytes)
{
    const pngcore_level *level = pngcore_levels(&(size_t) { 0 })[0];
    const size_t count = of->bytes_per_row / pixel_bytes * pixel_bytes, all = (count + 1) * of->rows;
    uint8_t *first = allocate(count), *filtered = allocate(all),
            *deflated = allocate(pngcore_deflate_bound(all));
    for (size_t i = 0; i < count; i++) first[i] = 0;
    for (size_t y = 0; y < of->rows; y++)
        pngcore_filter_row(
            level, of->samples + y * of->bytes_per_row, row_above(of, y, first), count, pixel_bytes,
            filtered + y * (count + 1));
    report("png", "filtered", filtered, all);
    pngcore_deflater *deflater = pngcore_deflater_create(level);
    if (deflater == NULL) fail("a piece", "there is no memory");
    const pngcore_rows rows = { count + 1, pixel_bytes };
    report(
        "png", "runs", deflated,
        pngcore_deflate(deflater, PNGCORE_EFFORT_RUNS, rows, filtered, all, false, deflated));
    const size_t deflated_count =
        pngcore_deflate(deflater, PNGCORE_EFFORT_MATCHES, rows, filtered, all, true, deflated);
    report("png", "matches", deflated, deflated_count);
    uint8_t *bytewise = allocate(pngcore_deflate_bound(all));
    const size_t bytewise_count = pngcore_deflate(
        deflater, PNGCORE_EFFORT_MATCHES, (pngcore_rows) { all, 1 }, filtered, all, true, bytewise);
    free(bytewise);
    // Other pixels have no type in a PNG.
    if (pixel_bytes != 5 && pixel_bytes != 7)
        check_rows(of, count, pixel_bytes, filtered, deflated, deflated_count);
    pngcore_deflater_destroy(deflater);
    free(first);
    free(filtered);
    free(deflated);
    return deflated_count < bytewise_count;
}

// Pixels of 3 or 4 bytes of one tone, with grain: the first is of the plane, and tells the others.
static plane toned(const plane *of, size_t pixel_bytes)
{
    plane made = { .bytes_per_row = of->bytes_per_row * pixel_bytes, .rows = of->rows };
    made.samples = allocate(made.bytes_per_row * made.rows);
    for (size_t n = 0; n < of->bytes_per_row * of->rows; n++) {
        uint32_t hash = (uint32_t)n * 0x9E3779B1U;
        hash = (hash ^ hash >> 15) * 0x85EBCA77U;
        const uint8_t grey = (uint8_t)(of->samples[n] / 2 + (hash >> 16) % 24);
        const uint8_t pixel[4] = { grey, (uint8_t)(grey - grey / 8), grey / 2, 255 };
        memcpy(made.samples + n * pixel_bytes, pixel, pixel_bytes);
    }
    return made;
}

void run_png(const photo *of, const plane planes[3])
{
    for (int c = 0; c < of->scan.component_count; c++) {
        for (size_t pixel_bytes = 1; pixel_bytes <= 8; pixel_bytes++) run_rows(&planes[c], pixel_bytes);
        for (size_t pixel_bytes = 3; pixel_bytes <= 4; pixel_bytes++) {
            const plane pixels = toned(&planes[c], pixel_bytes);
            const bool is_smaller = run_rows(&pixels, pixel_bytes);
            if (!is_smaller && pixels.bytes_per_row * pixels.rows > 1 << 19)
                fail("toned pixels", "none is a match");
            free(pixels.samples);
        }
    }
}
