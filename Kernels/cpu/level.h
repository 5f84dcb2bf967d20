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
#include "window.h"
#include "../window.cl"
#include "../median.cl"
#include "../ycc.cl"
#include "../blur.cl"
#include "../blend.cl"
#include "filter_loop.h"

#define FILTER_ENTRY "filter_rows.h"
#include "filters.h"
#undef FILTER_ENTRY

#define FILTER_ENTRY "blend_rows.h"
#include "blends.h"
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
#include "colour_conversion.h"

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

static const kernels_named_blend blends[] = {
#define FILTER_ENTRY "blend_entry.h"
#include "blends.h"
#undef FILTER_ENTRY
    { NULL, NULL },
};

static int is_supported(void) { return LEVEL_IS_SUPPORTED; }

const kernels_level LEVEL = {
    .name = LEVEL_NAME,
    .is_supported = is_supported,
    .points = points,
    .windows = windows,
    .blends = blends,
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
    .convert_colours16 = convert_colours16,
};
