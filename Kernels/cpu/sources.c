// The .cl files' text, embedded.
#include "Kernels.h"
#include "stem.h"

static const char opencl_text[] = {
#embed "../opencl.cl"
};
static const char common_text[] = {
#embed "../common.cl"
};
static const char ycc_text[] = {
#embed "../ycc.cl"
};
static const char blur_text[] = {
#embed "../blur.cl"
};
static const char blur_passes_text[] = {
#embed "../blur_passes.cl"
};
static const char block_text[] = {
#embed "../block.cl"
};
static const char block_words_text[] = {
#embed "../block_words.cl"
};
static const char block_loops_text[] = {
#embed "../block_loops.cl"
};
static const char strip_text[] = {
#embed "../strip.cl"
};
#define FILTER_ENTRY "filter_text.h"
#include "filters.h"
#undef FILTER_ENTRY

static const kernels_source sources[] = {
    { "opencl", opencl_text, sizeof opencl_text },
    { "common", common_text, sizeof common_text },
    { "ycc", ycc_text, sizeof ycc_text },
    { "blur", blur_text, sizeof blur_text },
    { "blur_passes", blur_passes_text, sizeof blur_passes_text },
    { "block", block_text, sizeof block_text },
    { "block_words", block_words_text, sizeof block_words_text },
    { "block_loops", block_loops_text, sizeof block_loops_text },
    { "strip", strip_text, sizeof strip_text },
#define FILTER_ENTRY "filter_source.h"
#include "filters.h"
#undef FILTER_ENTRY
};

const kernels_source *kernels_sources(size_t *count)
{
    *count = sizeof sources / sizeof *sources;
    return sources;
}
