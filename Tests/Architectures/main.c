// Decodes, filters and encodes photos with the baseline level, and prints a hash of each result. scripts/test-arm runs it on
// two architectures.
//
// usage: DRIVER OUTPUT_FOLDER PHOTO.jpg...
#include "image.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report_planes(const char *name, const photo *of, const plane planes[3])
{
    for (int c = 0; c < of->scan.component_count; c++)
        report("plane", name, planes[c].samples, planes[c].bytes_per_row * planes[c].rows);
}

static void release_planes(const photo *of, plane planes[3])
{
    for (int c = 0; c < of->scan.component_count; c++) free(planes[c].samples);
}

static void run_decoder(const photo *of)
{
    for (int block_size = 1; block_size <= 8; block_size *= 2)
        for (int thread_count = 1; thread_count <= 4; thread_count += 3) {
            char name[64];
            plane planes[3];
            snprintf(name, sizeof name, "blocks-of-%d,threads-%d", block_size, thread_count);
            decode_photo(of, block_size, thread_count, planes);
            report_planes(name, of, planes);
            release_planes(of, planes);
        }
}

static void write_file(const char *folder, const char *name, const uint8_t *bytes, size_t count)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        fail(path, "it cannot be written");
}

// The photo in sepia.
static void write_photo(
    const kernels_level *level, const photo *of, image *pixels, const char *folder, const char *name)
{
    const kernels_view view = { .x_by_column = 1, .y_by_row = 1, .width = of->width, .height = of->height };
    const float intensity = 0.8f;
    for (int y = 0; y < of->height; y++)
        level->points->run_unlimited(row_of(pixels, y), (size_t)of->width, &intensity, &view, 0, y);
    plane planes[3];
    store_image(level, pixels, of, planes);
    report_planes("filtered", of, planes);
    for (int is_optimal = 0; is_optimal < 2; is_optimal++) {
        size_t count;
        char file_name[256];
        uint8_t *file = encode_photo(of, planes, is_optimal, &count);
        report("file", is_optimal ? "optimal-codes" : "flat-codes", file, count);
        snprintf(file_name, sizeof file_name, "%s-%s", is_optimal ? "optimal" : "flat", name);
        write_file(folder, file_name, file, count);
        free(file);
    }
    release_planes(of, planes);
}

static void run(const kernels_level *level, const char *folder, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    photo read = read_photo(path);
    printf("photo %s, %d x %d\n", name, read.width, read.height);
    run_decoder(&read);
    plane planes[3];
    decode_photo(&read, 8, 1, planes);
    run_png(&read, planes);
    image pixels = load_image(level, &read, planes);
    report_image("load", "planes", &pixels);
    run_points(level, &pixels);
    run_windows(level, &pixels);
    run_passes(level, &pixels);
    run_samples(level, &pixels);
    write_photo(level, &read, &pixels, folder, name);
    release_image(&pixels);
    release_planes(&read, planes);
    free(read.bytes);
}

int main(int count, char **arguments)
{
    size_t level_count;
    const kernels_level *level = kernels_levels(&level_count)[0];
    if (count < 3 || strcmp(level->points->name, "sepia") != 0) return 2;
    for (int n = 2; n < count; n++) run(level, arguments[1], arguments[n]);
    return 0;
}
