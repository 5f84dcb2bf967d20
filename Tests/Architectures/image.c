#include "image.h"
#include "blake3.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report(const char *step, const char *name, const void *bytes, size_t count)
{
    blake3_hasher hasher;
    uint8_t hash[BLAKE3_OUT_LEN];
    blake3_hasher_init(&hasher);
    blake3_hasher_update(&hasher, bytes, count);
    blake3_hasher_finalize(&hasher, hash, sizeof hash);
    printf("%s %s ", step, name);
    for (size_t i = 0; i < sizeof hash; i++) printf("%02x", hash[i]);
    printf("\n");
}

image make_image(int width, int height)
{
    image made = { .stride = ((size_t)width + 63) / 64 * 64 + 2 * MARGIN, .width = width, .height = height };
    for (int c = 0; c < 3; c++) made.planes[c] = allocate(made.stride * (size_t)height * sizeof(float));
    return made;
}

image copy_image(const image *of)
{
    image made = make_image(of->width, of->height);
    for (int c = 0; c < 3; c++)
        memcpy(made.planes[c], of->planes[c], of->stride * (size_t)of->height * sizeof(float));
    return made;
}

void release_image(image *of)
{
    for (int c = 0; c < 3; c++) free(of->planes[c]);
}

kernels_rows row_of(const image *of, int row)
{
    const size_t start = (size_t)row * of->stride + MARGIN;
    return (kernels_rows) { of->planes[0] + start, of->planes[1] + start, of->planes[2] + start, NULL };
}

// The pixels without the margins, where kernels may write what they like.
void report_image(const char *step, const char *name, const image *of)
{
    const size_t count = (size_t)of->width;
    float *packed = allocate(3 * count * (size_t)of->height * sizeof(float)), *to = packed;
    for (int y = 0; y < of->height; y++) {
        const kernels_rows row = row_of(of, y);
        const float *channels[] = { row.red, row.green, row.blue };
        for (int c = 0; c < 3; c++, to += count) memcpy(to, channels[c], count * sizeof(float));
    }
    report(step, name, packed, 3 * count * (size_t)of->height * sizeof(float));
    free(packed);
}

image load_image(const kernels_level *level, const photo *of, const plane planes[3])
{
    image made = make_image(of->width, of->height);
    const jpegcore_component *luma = &of->scan.components[0];
    for (int y = 0; y < of->height; y++) {
        const uint8_t *first = planes[0].samples + (size_t)y * planes[0].bytes_per_row;
        if (of->scan.component_count == 1) {
            level->load8(first, 1, (size_t)of->width, row_of(&made, y));
            continue;
        }
        const size_t chroma = (size_t)(y / luma->vertical_factor) * planes[1].bytes_per_row;
        level->load_ycc(
            first, planes[1].samples + chroma, planes[2].samples + chroma, luma->horizontal_factor,
            (size_t)of->width, row_of(&made, y));
    }
    return made;
}

// Repeats the last column and the last row up to the end of the blocks.
static void fill_blocks(plane *of, size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++) {
        uint8_t *row = of->samples + y * of->bytes_per_row;
        memset(row + width, row[width - 1], of->bytes_per_row - width);
    }
    const uint8_t *last = of->samples + (height - 1) * of->bytes_per_row;
    for (size_t y = height; y < of->rows; y++)
        memcpy(of->samples + y * of->bytes_per_row, last, of->bytes_per_row);
}

void store_image(const kernels_level *level, const image *from, const photo *of, plane planes[3])
{
    const int across = of->scan.components[0].horizontal_factor;
    const int down = of->scan.components[0].vertical_factor;
    const size_t width = (size_t)of->width, height = (size_t)of->height;
    for (int c = 0; c < of->scan.component_count; c++) planes[c] = make_plane(&of->scan.components[c], 8);
    for (int y = 0; y < of->height; y++)
        level->store_luma(row_of(from, y), width, planes[0].samples + (size_t)y * planes[0].bytes_per_row);
    fill_blocks(&planes[0], width, height);
    if (of->scan.component_count == 1) return;
    for (int y = 0; y < of->height; y += down) {
        kernels_rows rows[4];
        // The last row is repeated at the lower edge.
        for (int i = 0; i < down; i++) rows[i] = row_of(from, y + i < of->height ? y + i : of->height - 1);
        const size_t start = (size_t)(y / down) * planes[1].bytes_per_row;
        level->store_chroma(rows, across, down, width, planes[1].samples + start, planes[2].samples + start);
    }
    for (int c = 1; c < 3; c++)
        fill_blocks(
            &planes[c], (width + (size_t)across - 1) / (size_t)across,
            (height + (size_t)down - 1) / (size_t)down);
}
