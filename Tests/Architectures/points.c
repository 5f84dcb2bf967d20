#include "image.h"
#include <stdlib.h>
#include <string.h>

// A point function and its arguments; after these, a table of `table_count` values from 0 to 1, the squares of even steps.
typedef struct point_case {
    const char *name;
    int argument_count;
    float arguments[9];
    int table_count;
} point_case;

static const point_case point_cases[] = {
    { "sepia", 1, { 0.8f }, 0 },
    { "sepia_luminance", 4, { 0.8f, 0.15f, 0.01f, -0.2f }, 0 },
    { "noir", 8, { 0.5f, 0.5f, 1.5f, -0.7f, 0.2f, 0.1f, -0.3f, 0.05f }, 0 },
    { "noir_steep", 0, { 0 }, 1026 },
    { "colour_matrix", 9, { 0.9f, 0.2f, -0.1f, 0.1f, 0.7f, 0.1f, 0, 0.3f, 0.6f }, 0 },
    { "straight_line", 2, { 1.3f, -0.1f }, 0 },
    { "exposure", 1, { 6.5f }, 0 },
    { "exposure_less", 2, { 0.5f, 0.74915354f }, 0 },
    { "exposure_more", 2, { 2.0f, 1.33483985f }, 0 },
    { "vignette", 5, { 0.7f, 0.00138675f, 0.00138675f, 0.1f, 1.1111111f }, 0 },
    { "grain", 2, { 0.1f, 7 }, 0 },
    { "grain_coarse", 4, { 0.1f, 7, 0.31f, 0.29f }, 0 },
    { "posterize", 2, { 4, 0.25f }, 0 },
    { "threshold", 1, { 0.5f }, 0 },
    { "light_matrix", 9, { 0.9f, 0.2f, -0.1f, 0.1f, 0.7f, 0.1f, 0, 0.3f, 0.6f }, 0 },
    { "tone_curve", 3, { 0, 0, 0 }, 1796 },
    { "vibrance", 1, { 0.6f }, 0 },
    { "duotone", 6, { 0.12f, 0.16f, 0.32f, 0.8f, 0.7f, 0.5f }, 0 },
    { "split_tone", 7, { 0.1f, -0.02f, 0.01f, 0.08f, 0.06f, 0.01f, -0.07f }, 0 },
    { "lut_1d", 8, { 0.7f, 9, 9, 9, 9, 0, 0, 0 }, 3 * 10 },
    { "lut_3d", 8, { 0.7f, 4, 4, 4, 4, 0, 0, 0 }, 3 * 5 * 5 * 5 },
    { "border", 7, { 5, 4, 90, 80, 0.2f, 0.3f, 0.4f }, 0 },
};

static const kernels_named_point *point_named(const kernels_level *level, const char *name)
{
    for (const kernels_named_point *point = level->points; point->name; point++)
        if (strcmp(point->name, name) == 0) return point;
    fail(name, "there is no such point function");
}

static float *arguments_of(const point_case *of)
{
    float *arguments = allocate((size_t)(of->argument_count + of->table_count + 1) * sizeof(float));
    memcpy(arguments, of->arguments, (size_t)of->argument_count * sizeof(float));
    for (int i = 0; i < of->table_count; i++) {
        const float step = (float)i / (float)of->table_count;
        arguments[of->argument_count + i] = step * step;
    }
    return arguments;
}

static kernels_view upright(const image *photo)
{
    return (kernels_view) { .x_by_column = 1, .y_by_row = 1, .width = photo->width, .height = photo->height };
}

void run_points(const kernels_level *level, const image *photo)
{
    const kernels_view view = upright(photo);
    for (size_t n = 0; n < sizeof point_cases / sizeof *point_cases; n++) {
        const kernels_named_point *point = point_named(level, point_cases[n].name);
        float *arguments = arguments_of(&point_cases[n]);
        image result = copy_image(photo);
        for (int y = 0; y < photo->height; y++)
            point->run_unlimited(row_of(&result, y), (size_t)photo->width, arguments, &view, 0, y);
        report_image("point", point->name, &result);
        release_image(&result);
        free(arguments);
    }
}

void run_windows(const kernels_level *level, const image *photo)
{
    const kernels_view view = upright(photo);
    const float amount = 0.9f;
    for (const kernels_named_window *window = level->windows; window->name; window++) {
        image result = make_image(photo->width, photo->height);
        // No radius exceeds 2.
        for (int y = 2; y < photo->height - 2; y++) {
            kernels_rows around[5];
            for (int i = 0; i < 5; i++) around[i] = row_of(photo, y + i - 2);
            window->run(around + 2, (size_t)photo->width, &amount, &view, 0, y, row_of(&result, y));
        }
        report_image("window", window->name, &result);
        release_image(&result);
    }
}
