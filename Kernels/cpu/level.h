// All CPU functions, for the instruction set that the including file selects with `#pragma clang attribute`.
// The including file defines LEVEL (the table's C name), LEVEL_NAME and LEVEL_IS_SUPPORTED. It may define
// LEVEL_ENCODE, a header with vector functions for mix_blur.h.
#include "Kernels.h"
#include "pixel.h"
#include "stem.h"

#pragma STDC FP_CONTRACT OFF

#include "../common.cl"
#include "../srgb.cl"
#include "../point.cl"
#include "../window.cl"
#include "../median.cl"
#include "../ycc.cl"
#include "../blur.cl"

// `before` is applied to each channel before the point function.
#define FILTER_LOOP(name, before)                                                                    \
    static void name(                                                                                \
        kernels_rows rows, size_t count, const float *restrict arguments, const kernels_view *photo, \
        int column, int row)                                                                         \
    {                                                                                                \
        float *restrict red = rows.red, *restrict green = rows.green, *restrict blue = rows.blue;    \
        const JOIN(STEM, _arguments) *const own = (const JOIN(STEM, _arguments) *)arguments;         \
        const kernels_view view = *photo;                                                            \
        if (JOIN(STEM, _paints) && rows.alpha) {                                                     \
            float *restrict alpha = rows.alpha;                                                      \
            for (size_t i = 0; i < count; i++) {                                                     \
                colour c = { before(red[i]), before(green[i]), before(blue[i]) };                    \
                JOIN(run_, STEM)(&c, &alpha[i], place_of(view, column + (int)i, row), own);          \
                red[i] = c.r;                                                                        \
                green[i] = c.g;                                                                      \
                blue[i] = c.b;                                                                       \
            }                                                                                        \
            return;                                                                                  \
        }                                                                                            \
        for (size_t i = 0; i < count; i++) {                                                         \
            colour c = { before(red[i]), before(green[i]), before(blue[i]) };                        \
            float opaque = 1.0f;                                                                     \
            JOIN(run_, STEM)(&c, &opaque, place_of(view, column + (int)i, row), own);                \
            red[i] = c.r;                                                                            \
            green[i] = c.g;                                                                          \
            blue[i] = c.b;                                                                           \
        }                                                                                            \
    }
#define FILTER_ENTRY "filter_rows.h"
#include "filters.h"
#undef FILTER_ENTRY

#define FILTER_ENTRY "window_rows.h"
#include "windows.h"
#undef FILTER_ENTRY

#include "load.h"
#include "store.h"
#include "linearise.h"
#include "lanes.h"
#include "blur_passes.h"
#include "resample_passes.h"
#include "resize_passes.h"
#include "mix_blur.h"

static const kernels_named_point points[] = {
#define FILTER_ENTRY "filter_point.h"
#include "filters.h"
#undef FILTER_ENTRY
    { NULL, NULL, NULL },
};

static const kernels_named_window windows[] = {
#define FILTER_ENTRY "window_entry.h"
#include "windows.h"
#undef FILTER_ENTRY
    { NULL, NULL },
};

static int is_supported(void) { return LEVEL_IS_SUPPORTED; }

const kernels_level LEVEL = {
    .name = LEVEL_NAME,
    .is_supported = is_supported,
    .points = points,
    .windows = windows,
    .load8 = load8,
    .load16 = load16,
    .load_ycc = load_ycc,
    .store8 = store8,
    .store16 = store16,
    .store_luma = store_luma,
    .store_chroma = store_chroma,
    .limit = limit_rows,
    .flatten = flatten,
    .linearise = linearise,
    .downsample_row = downsample_row,
    .downsample_columns = downsample_columns,
    .blur_row = blur_row,
    .blur_columns = blur_columns,
    .upsample_columns = upsample_columns,
    .upsample_row = upsample_row,
    .add_rows = add_rows,
    .resize_rows = resize_rows,
    .encode = encode,
    .mix = mix,
};
