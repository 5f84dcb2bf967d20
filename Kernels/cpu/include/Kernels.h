/// The kernels of this package: their OpenCL source, and the same source compiled for the CPU.
///
/// The CPU functions work on planar rows of float32: red, green, blue and optionally alpha, in 0...1. Rows
/// may overlap only where a comment says "in place". `count` is in pixels and may be 0.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "kernels_params.h"

/// Planar rows of one run of pixels. `alpha` is NULL if the photo has none.
typedef struct kernels_rows {
    float *red;
    float *green;
    float *blue;
    float *alpha;
} kernels_rows;

/// Weights of a blur, at distance 0, 1, ... `radius`.
typedef struct kernels_weights {
    const float *values;
    /// Floats from the weight at one distance to the weight at the next.
    size_t stride;
    int32_t radius;
    /// If weights change by column: the radius for each 64 columns, below 0 if no result is needed. `values`
    /// then has `stride` weights for each distance, one a column; `stride` is a multiple of 64. Else NULL.
    const int32_t *radii;
} kernels_weights;

/// A filter's point function over a run of pixels, in place. `arguments` has the members of its ARGUMENTS, in
/// their order. `column` and `row` are the first pixel's in the stored photo. The result is limited to 0...1.
typedef void (*kernels_point)(
    kernels_rows rows, size_t count, const float *arguments, const kernels_view *photo, int column, int row);

typedef struct kernels_named_point {
    const char *name;
    kernels_point run;
    /// The same for rows of any range: limits them to 0...1 first.
    kernels_point run_unlimited;
} kernels_named_point;

/// A filter's function of a window of pixels over a run. `rows` is the run's own row, between the rows above and below
/// it; every row can be read by the function's radius before and after the run. `result` overlaps no row. The other
/// arguments are those of `kernels_point`. Alpha is not read or written.
typedef void (*kernels_window)(
    const kernels_rows *rows, size_t count, const float *arguments, const kernels_view *photo, int column,
    int row, kernels_rows result);

typedef struct kernels_named_window {
    const char *name;
    kernels_window run;
} kernels_named_window;

/// A filter's blend of a run of pixels with their blur, in place in `sharp`. `blurred` is in linear light,
/// premultiplied, and overlaps no row of `sharp`. The other arguments are those of `kernels_point`. Alpha does not change.
typedef void (*kernels_blend)(
    kernels_rows sharp, kernels_rows blurred, size_t count, const float *arguments, const kernels_view *photo,
    int column, int row);

typedef struct kernels_named_blend {
    const char *name;
    kernels_blend run;
} kernels_named_blend;

/// From a colour profile of curves and a matrix to sRGB.
typedef struct kernels_colour_conversion {
    /// Linear values of encoded ones, from 0 to 65535, for red, green and blue.
    const float *curves[3];
    /// From these to linear light in sRGB's primaries: three rows of factors for red, green, blue and 1.
    float factors[12];
} kernels_colour_conversion;

/// All functions, compiled for one instruction-set level.
typedef struct kernels_level {
    /// "baseline", "x86-64-v3", "x86-64-v4".
    const char *name;
    /// Whether this machine can run it.
    int (*is_supported)(void);
    /// The filters' point functions; ends with a NULL name.
    const kernels_named_point *points;
    /// The filters' functions of windows; ends with a NULL name.
    const kernels_named_window *windows;
    /// The filters' blends; ends with a NULL name.
    const kernels_named_blend *blends;

    /// Interleaved samples to planar floats. `channels` is 1 to 4: grey, grey + alpha, RGB, RGBA.
    void (*load8)(const uint8_t *source, int channels, size_t count, kernels_rows rows);
    void (*load16)(const uint16_t *source, int channels, size_t count, kernels_rows rows);
    /// One row of Y, Cb and Cr to planar floats, not limited to 0...1. `horizontal` (1, 2, 4) pixels share a
    /// chroma sample.
    void (*load_ycc)(
        const uint8_t *y, const uint8_t *cb, const uint8_t *cr, int horizontal, size_t count,
        kernels_rows rows);

    /// Planar floats to interleaved samples.
    void (*store8)(kernels_rows rows, int channels, size_t count, uint8_t *destination);
    void (*store16)(kernels_rows rows, int channels, size_t count, uint16_t *destination);
    void (*store_luma)(kernels_rows rows, size_t count, uint8_t *y);
    /// `vertical` (1, 2, 4) rows, `count` pixels wide, to one row of Cb and Cr. At the right edge the last
    /// pixel is repeated.
    void (*store_chroma)(
        const kernels_rows *rows, int horizontal, int vertical, size_t count, uint8_t *cb, uint8_t *cr);

    /// Limits red, green and blue to 0...1, in place.
    void (*limit)(kernels_rows rows, size_t count);
    /// Composites the pixels over white, in place; alpha does not change.
    void (*flatten)(kernels_rows rows, size_t count);
    /// Converts sRGB-encoded values with straight alpha to linear light, premultiplied. Copies alpha.
    void (*linearise)(kernels_rows rows, size_t count, kernels_rows linear);
    /// Downsamples a row by `factor`, a power of two from 2. The value at i is the weighted sum of
    /// `(3 * factor - 2) / 2` pairs of values around the middle of `source[i * factor]` to
    /// `source[(i + 1) * factor - 1]`. `weights` has one for each pair, from the middle outwards.
    /// Reads up to 32 * `factor` values past those that it needs. Writes up to a multiple of 16 values.
    void (*downsample_row)(
        kernels_rows source, size_t count, size_t factor, const float *weights, kernels_rows destination);
    /// The same along columns, for one row of results. `rows` has `2 * pairs` rows. Reads and writes up to a
    /// multiple of 64 values.
    void (*downsample_columns)(
        const kernels_rows *rows, size_t count, size_t pairs, const float *weights, kernels_rows destination);
    /// Blurs one row. `source` has as many values as the radius before and after the `count` pixels. Reads and
    /// writes up to a multiple of 64 pixels.
    void (*blur_row)(
        kernels_rows source, size_t count, const kernels_weights *weights, kernels_rows destination);
    /// Blurs columns, for `output_count` rows of results, each with its own `weights`. Output i is the blur
    /// of the rows around `rows[i + support]`. No radius exceeds `support`. Reads and writes up to a multiple of
    /// 64 pixels.
    void (*blur_columns)(
        const kernels_rows *rows, size_t count, const kernels_weights *weights, size_t support,
        const kernels_rows *outputs, size_t output_count);
    /// Upsamples along columns, for one row of results: the weighted sum of three downsampled rows. Reads and
    /// writes up to a multiple of 16 values.
    void (*upsample_columns)(
        const kernels_rows *rows, size_t count, const float *weights, kernels_rows destination);
    /// Upsamples a row by `factor`. The value at x is the weighted sum of the values before, at and after x /
    /// factor. `weights` has those of the values before, for phase 0 to `factor` - 1, repeated up to 16;
    /// then, in the same form, those of the values at and after. Part of one downsampled pixel may begin at a
    /// later phase: `weights` points to it. Reads up to 17 values past the last that it needs. Writes up to a
    /// multiple of 16 values.
    void (*upsample_row)(
        kernels_rows source, size_t count, size_t factor, const float *weights, kernels_rows destination);
    /// Adds weighted rows to `sums`: `rows[0]` times `weights[0]` and so on, in this order. If `continues` is 0, `sums`
    /// counts as 0. Reads and writes up to a multiple of 64 pixels.
    void (*add_rows)(
        const kernels_rows *rows, const float *weights, size_t row_count, size_t count, int continues,
        kernels_rows sums);
    /// Resamples 16 rows along x. The result at x is the sum of `taps` pixels from `starts[x]` on, times the weights
    /// from `weights[x * taps]` on, in this order. `starts` never decreases. Reads and writes up to a multiple of 16
    /// pixels.
    void (*resize_rows)(
        const kernels_rows *rows, size_t count, const int32_t *starts, const float *weights, size_t taps,
        const kernels_rows *results);
    /// Converts red, green and blue from linear light to sRGB-encoded: the same as `mix` with a mask of 1 and
    /// no alpha. Reads and writes up to a multiple of 16 pixels.
    void (*encode)(kernels_rows blurred, size_t count, kernels_rows rows);
    /// Mixes blurred (linear, premultiplied) into sharp (sRGB-encoded), in place in `sharp`. `mask` has
    /// `count` values.
    void (*mix)(kernels_rows sharp, kernels_rows blurred, const float *mask, size_t count);
    /// Converts interleaved RGB (3 channels) or RGBA (4), in place, within 1 of 65535. Alpha does not change.
    void (*convert_colours16)(
        uint16_t *pixels, int channels, size_t count, const kernels_colour_conversion *conversion);
} kernels_level;

/// The levels of this processor family, lowest first; `*count` becomes their number. The first runs
/// everywhere.
const kernels_level *const *kernels_levels(size_t *count);

/// One embedded .cl file.
typedef struct kernels_source {
    /// The file's stem.
    const char *name;
    const char *text;
} kernels_source;

/// The embedded files, in no particular order; `*count` becomes their number.
const kernels_source *kernels_sources(size_t *count);

/// The C text of a filter's shared object, in order. The entry whose name is NULL stands for the .cl file.
/// `*count` becomes their number.
const kernels_source *kernels_filter_parts(size_t *count);

/// Which calls of a point function are tried.
typedef struct kernels_trial {
    const kernels_named_point *point;
    /// Sets of the function's arguments, one after the other.
    const float *arguments;
    size_t argument_count, set_count;
} kernels_trial;

/// Calls a point function with each set of arguments, over a thousand made-up pixels. `trial` is a `kernels_trial`.
void kernels_try(void *trial);

/// A filter's point function from another package: its .cl file, and the same compiled for each level.
typedef struct kernels_filter {
    kernels_source source;
    /// One for each of `kernels_levels`, in their order.
    const kernels_named_point *points;
} kernels_filter;
