// Rates of the CPU kernels on one core, in megapixels a second: for every instruction-set level that this machine has, the
// row functions alone, and the fused point chain from 4:2:0 planes to planes, on runs of the length that the renderer uses.
// Each figure is the median of many short rounds; a round is timed as a whole.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "Kernels.h"

enum { RUN = 512, STRIDE = RUN + 16, ROUNDS = 101, REPEATS = 200, BLUR_RADIUS = 12, BLUR_WIDTH = 4096, WIDE_STRIDE = BLUR_WIDTH + 272 };

#define MEMORY ((9 * STRIDE + 6 * WIDE_STRIDE + 1024) * sizeof(float) / 64 * 64)

typedef struct {
    const kernels_level *level;
    kernels_rows rows[2], blurred, wide, blur_result;
    float *memory, mask[RUN], table[2048], weights[3 * 16];
    uint8_t y[2 * RUN], cb[RUN], cr[RUN], y_out[2 * RUN], cb_out[RUN], cr_out[RUN];
    const kernels_named_point *sepia, *noir;
    float intensity;
} bench;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static const kernels_named_point *point(const kernels_level *level, const char *name)
{
    for (const kernels_named_point *entry = level->points; entry->name; entry++)
        if (!strcmp(entry->name, name)) return entry;
    fprintf(stderr, "There is no kernel %s.\n", name);
    exit(1);
}

static void load(bench *b)
{
    b->level->load_ycc(b->y, b->cb, b->cr, 2, RUN, b->rows[0]);
    b->level->load_ycc(b->y + RUN, b->cb, b->cr, 2, RUN, b->rows[1]);
}

static void sepia(bench *b)
{
    for (int i = 0; i < 2; i++) b->sepia->run(b->rows[i], RUN, &b->intensity);
}

static void first_sepia(bench *b)
{
    for (int i = 0; i < 2; i++) b->sepia->run_unlimited(b->rows[i], RUN, &b->intensity);
}

static void noir(bench *b)
{
    for (int i = 0; i < 2; i++) b->noir->run(b->rows[i], RUN, b->table);
}

static void store(bench *b)
{
    for (int i = 0; i < 2; i++) b->level->store_luma(b->rows[i], RUN, b->y_out + i * RUN);
    b->level->store_chroma(b->rows, 2, 2, RUN, b->cb_out, b->cr_out);
}

static void sepia_chain(bench *b)
{
    load(b);
    first_sepia(b);
    store(b);
}

static void three_chain(bench *b)
{
    load(b);
    first_sepia(b);
    noir(b);
    sepia(b);
    store(b);
}

static void linearise(bench *b)
{
    for (int i = 0; i < 2; i++) b->level->linearise(b->rows[i], RUN, b->blurred);
}

static void mix(bench *b)
{
    for (int i = 0; i < 2; i++) b->level->mix(b->rows[i], b->blurred, b->mask, RUN);
}

static void encode(bench *b)
{
    for (int i = 0; i < 2; i++) b->level->encode(b->blurred, RUN, b->rows[i]);
}

static void shrink_row(bench *b)
{
    b->level->shrink_row(b->wide, BLUR_WIDTH / 4, 4, b->weights, b->blur_result);
}

static void widen_row(bench *b)
{
    b->level->widen_row(b->wide, BLUR_WIDTH, 4, b->weights, b->blur_result);
}

static void blur_row(bench *b)
{
    const kernels_weights weights = { .values = b->weights, .stride = 1, .radius = BLUR_RADIUS };
    b->level->blur_row(b->wide, BLUR_WIDTH, &weights, b->blur_result);
}

static int ascending(const void *first, const void *second)
{
    const double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

static void report(bench *b, const char *name, void (*run)(bench *), double pixels)
{
    double seconds[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        // Repeated filtering must not drift into values that photos do not have.
        load(b);
        const double start = now();
        for (int i = 0; i < REPEATS; i++) run(b);
        seconds[round] = now() - start;
    }
    qsort(seconds, ROUNDS, sizeof *seconds, ascending);
    printf("| %s | %s | %.0f |\n", b->level->name, name, pixels * REPEATS / seconds[ROUNDS / 2] / 1e6);
}

static void prepare(bench *b, const kernels_level *level)
{
    b->level = level;
    b->sepia = point(level, "sepia");
    b->noir = point(level, "noir");
    b->intensity = 0.8f;
    uint32_t state = 1;
    for (int i = 0; i < 2 * RUN; i++) b->y[i] = (uint8_t)((state = state * 1664525u + 1013904223u) >> 24);
    for (int i = 0; i < RUN; i++) b->cb[i] = (uint8_t)(112 + b->y[i] / 8);
    for (int i = 0; i < RUN; i++) b->cr[i] = (uint8_t)(112 + b->y[i + RUN] / 8);
    for (int i = 0; i < RUN; i++) b->mask[i] = 0.5f;
    for (int i = 0; i < 2048; i++) b->table[i] = i < 1025 ? (float)i / 1024.0f : 1.0f;
    for (int i = 0; i < 3 * 16; i++) b->weights[i] = 1.0f / (2 * BLUR_RADIUS + 1);
    float *next = b->memory;
    kernels_rows *all[3] = { &b->rows[0], &b->rows[1], &b->blurred };
    for (int i = 0; i < 3; i++, next += 3 * STRIDE)
        *all[i] = (kernels_rows){ next, next + STRIDE, next + 2 * STRIDE, NULL };
    for (int i = 0; i < 6 * WIDE_STRIDE; i++) next[i] = (float)(i % 256) / 255.0f;
    next += 64;
    b->wide = (kernels_rows){ next, next + WIDE_STRIDE, next + 2 * WIDE_STRIDE, NULL };
    next += 3 * WIDE_STRIDE;
    b->blur_result = (kernels_rows){ next, next + WIDE_STRIDE, next + 2 * WIDE_STRIDE, NULL };
}

int main(void)
{
    bench *b = calloc(1, sizeof *b);
    if (b) b->memory = aligned_alloc(64, MEMORY);
    if (!b || !b->memory) return 1;
    memset(b->memory, 0, MEMORY);
    size_t count = 0;
    const kernels_level *const *levels = kernels_levels(&count);
    puts("| level | kernel | MP/s |\n|---|---|---|");
    for (size_t i = 0; i < count; i++) {
        if (!levels[i]->is_supported()) continue;
        prepare(b, levels[i]);
        report(b, "chain: 4:2:0 planes, sepia, planes", sepia_chain, 2.0 * RUN);
        report(b, "chain: 4:2:0 planes, sepia, noir, sepia, planes", three_chain, 2.0 * RUN);
        report(b, "load 4:2:0", load, 2.0 * RUN);
        report(b, "sepia", sepia, 2.0 * RUN);
        report(b, "noir", noir, 2.0 * RUN);
        report(b, "store 4:2:0", store, 2.0 * RUN);
        report(b, "linearise", linearise, 2.0 * RUN);
        report(b, "mix", mix, 2.0 * RUN);
        report(b, "encode", encode, 2.0 * RUN);
        report(b, "shrink by 4 along x", shrink_row, BLUR_WIDTH);
        report(b, "widen by 4 along x", widen_row, BLUR_WIDTH);
        report(b, "blur along x, radius 12", blur_row, BLUR_WIDTH);
    }
    free(b->memory);
    free(b);
    return 0;
}
