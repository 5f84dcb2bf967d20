#include "image.h"
#include <stdlib.h>
#include <string.h>

enum { RADIUS = 4, FACTOR = 4 };

static image blurred(const kernels_level *level, const image *linear)
{
    static const float values[RADIUS + 1] = { 0.2f, 0.18f, 0.12f, 0.07f, 0.03f };
    const kernels_weights weights = { .values = values, .stride = 1, .radius = RADIUS };
    const size_t width = (size_t)linear->width;
    image across = make_image(linear->width, linear->height), result = copy_image(linear);
    for (int y = 0; y < linear->height; y++)
        level->blur_row(row_of(linear, y), width, &weights, row_of(&across, y));
    report_image("pass", "blur_row", &across);
    for (int y = RADIUS; y < linear->height - RADIUS; y++) {
        kernels_rows rows[2 * RADIUS + 1], output = row_of(&result, y);
        for (int i = 0; i < 2 * RADIUS + 1; i++) rows[i] = row_of(&across, y + i - RADIUS);
        level->blur_columns(rows, width, &weights, RADIUS, &output, 1);
    }
    report_image("pass", "blur_columns", &result);
    release_image(&across);
    return result;
}

static void run_blends(const kernels_level *level, const image *photo, const image *blur)
{
    static const float arguments[] = { 0.8f, 0.5f, 2 };
    const kernels_view view = {
        .x_by_column = 1, .y_by_row = 1, .width = photo->width, .height = photo->height
    };
    for (const kernels_named_blend *blend = level->blends; blend->name; blend++) {
        image result = copy_image(photo);
        for (int y = 0; y < photo->height; y++)
            blend->run(row_of(&result, y), row_of(blur, y), (size_t)photo->width, arguments, &view, 0, y);
        report_image("blend", blend->name, &result);
        release_image(&result);
    }
}

static void run_mix(const kernels_level *level, const image *photo, const image *blur)
{
    image encoded = make_image(photo->width, photo->height), mixed = copy_image(photo);
    float *mask = allocate((size_t)photo->width * sizeof(float));
    for (int x = 0; x < photo->width; x++) mask[x] = (float)x / (float)photo->width;
    for (int y = 0; y < photo->height; y++) {
        level->encode(row_of(blur, y), (size_t)photo->width, row_of(&encoded, y));
        level->mix(row_of(&mixed, y), row_of(blur, y), mask, (size_t)photo->width);
    }
    report_image("pass", "encode", &encoded);
    report_image("pass", "mix", &mixed);
    free(mask);
    release_image(&encoded);
    release_image(&mixed);
}

// Down along both axes by 4, and up again.
static void run_scaling(const kernels_level *level, const image *linear)
{
    enum { PAIRS = (3 * FACTOR - 2) / 2 };
    static const float down[PAIRS] = { 0.16f, 0.14f, 0.1f, 0.07f, 0.03f };
    // Before, at and after, for each phase, repeated up to 16.
    float up[3 * 16], columns[3] = { 0.2f, 0.7f, 0.1f };
    for (int i = 0; i < 16; i++) {
        const float share = (float)(i % FACTOR) / FACTOR;
        up[i] = 0.5f - 0.5f * share, up[16 + i] = 0.5f, up[32 + i] = 0.5f * share;
    }
    const size_t width = (size_t)linear->width, narrow = (width + FACTOR - 1) / FACTOR;
    image across = make_image((int)narrow, linear->height), both = make_image((int)narrow, linear->height);
    image tall = make_image((int)narrow, linear->height), result = make_image(linear->width, linear->height);
    for (int y = 0; y < linear->height; y++)
        level->downsample_row(row_of(linear, y), narrow, FACTOR, down, row_of(&across, y));
    for (int y = PAIRS; y + PAIRS < linear->height; y++) {
        kernels_rows rows[2 * PAIRS];
        for (int i = 0; i < 2 * PAIRS; i++) rows[i] = row_of(&across, y + i - PAIRS);
        level->downsample_columns(rows, narrow, PAIRS, down, row_of(&both, y));
    }
    for (int y = 1; y + 1 < linear->height; y++) {
        const kernels_rows rows[] = { row_of(&both, y - 1), row_of(&both, y), row_of(&both, y + 1) };
        level->upsample_columns(rows, narrow, columns, row_of(&tall, y));
        level->upsample_row(row_of(&tall, y), width, FACTOR, up, row_of(&result, y));
    }
    report_image("pass", "downsample_row", &across);
    report_image("pass", "downsample_columns", &both);
    report_image("pass", "upsample_columns", &tall);
    report_image("pass", "upsample_row", &result);
    release_image(&across);
    release_image(&both);
    release_image(&tall);
    release_image(&result);
}

// To two thirds of the width, and sums of three rows.
static void run_resampling(const kernels_level *level, const image *linear)
{
    enum { TAPS = 3, ROWS = 16 };
    static const float row_weights[TAPS] = { 0.25f, 0.5f, 0.25f };
    const int width = (linear->width * 2 / 3 + 15) / 16 * 16;
    int32_t *starts = allocate((size_t)width * sizeof *starts);
    float *weights = allocate((size_t)(width * TAPS) * sizeof *weights);
    for (int x = 0; x < width; x++) {
        starts[x] = x * 3 / 2;
        for (int tap = 0; tap < TAPS; tap++) weights[x * TAPS + tap] = 0.2f + 0.1f * (float)((x + tap) % 3);
    }
    image narrow = make_image(width, linear->height), sums = make_image(linear->width, linear->height);
    for (int y = 0; y + ROWS <= linear->height; y += ROWS) {
        kernels_rows from[ROWS], to[ROWS];
        for (int i = 0; i < ROWS; i++) from[i] = row_of(linear, y + i), to[i] = row_of(&narrow, y + i);
        level->resize_rows(from, (size_t)width, starts, weights, TAPS, to);
    }
    for (int y = 0; y + TAPS <= linear->height; y++) {
        const kernels_rows rows[TAPS] = { row_of(linear, y), row_of(linear, y + 1), row_of(linear, y + 2) };
        level->add_rows(rows, row_weights, TAPS, (size_t)linear->width, 0, row_of(&sums, y));
    }
    report_image("pass", "resize_rows", &narrow);
    report_image("pass", "add_rows", &sums);
    release_image(&narrow);
    release_image(&sums);
    free(starts);
    free(weights);
}

void run_passes(const kernels_level *level, const image *photo)
{
    image limited = copy_image(photo), linear = make_image(photo->width, photo->height);
    for (int y = 0; y < photo->height; y++) {
        level->limit(row_of(&limited, y), (size_t)photo->width);
        level->linearise(row_of(&limited, y), (size_t)photo->width, row_of(&linear, y));
    }
    report_image("pass", "limit", &limited);
    report_image("pass", "linearise", &linear);
    image blur = blurred(level, &linear);
    run_blends(level, &limited, &blur);
    run_mix(level, &limited, &blur);
    run_scaling(level, &linear);
    run_resampling(level, &linear);
    release_image(&limited);
    release_image(&linear);
    release_image(&blur);
}

// Interleaved samples of 8 and 16 bits, and colours of a profile.
void run_samples(const kernels_level *level, const image *photo)
{
    const size_t width = (size_t)photo->width, count = 3 * width * (size_t)photo->height;
    uint8_t *bytes = allocate(count);
    uint16_t *words = allocate(2 * count);
    float *curve = allocate(65536 * sizeof(float));
    for (int i = 0; i < 65536; i++) curve[i] = (float)i / 65535.0f * ((float)i / 65535.0f);
    const kernels_colour_conversion conversion = {
        .curves = { curve, curve, curve },
        .factors = { 0.9f, 0.1f, 0, 0, 0.05f, 0.9f, 0.05f, 0, 0, 0.2f, 0.8f, 0.001f },
    };
    image loaded = make_image(photo->width, photo->height);
    for (int y = 0; y < photo->height; y++) {
        const size_t start = 3 * width * (size_t)y;
        level->store8(row_of(photo, y), 3, width, bytes + start);
        level->store16(row_of(photo, y), 3, width, words + start);
        level->load16(words + start, 3, width, row_of(&loaded, y));
    }
    report("samples", "store8", bytes, count);
    report("samples", "store16", words, 2 * count);
    report_image("samples", "load16", &loaded);
    level->convert_colours16(words, 3, count / 3, &conversion);
    report("samples", "convert_colours16", words, 2 * count);
    release_image(&loaded);
    free(bytes);
    free(words);
    free(curve);
}
