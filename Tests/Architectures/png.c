#include "PNGCore.h"
#include "image.h"
#include <stdlib.h>

static const uint8_t *row_above(const plane *of, size_t y, const uint8_t *first)
{
    return y == 0 ? first : of->samples + (y - 1) * of->bytes_per_row;
}

// A plane's rows as those of a PNG, with pixels of this many bytes: filtered, then deflated.
static void run_rows(const plane *of, size_t pixel_bytes)
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
    report(
        "png", "runs", deflated,
        pngcore_deflate(deflater, PNGCORE_EFFORT_RUNS, filtered, all, false, deflated));
    report(
        "png", "matches", deflated,
        pngcore_deflate(deflater, PNGCORE_EFFORT_MATCHES, filtered, all, true, deflated));
    pngcore_deflater_destroy(deflater);
    free(first);
    free(filtered);
    free(deflated);
}

void run_png(const photo *of, const plane planes[3])
{
    for (int c = 0; c < of->scan.component_count; c++)
        for (size_t pixel_bytes = 1; pixel_bytes <= 8; pixel_bytes++) run_rows(&planes[c], pixel_bytes);
}
