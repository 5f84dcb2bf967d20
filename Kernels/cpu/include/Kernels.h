/// The kernels of this package: their OpenCL source, and the same source compiled for the CPU.
///
/// The CPU functions work on rows of planar floats, red, green, blue and (where there is one) alpha, in 0...1. Rows may
/// overlap only where a parameter says "in place". `count` is in pixels and may be 0.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "kernels_params.h"

/// Planar rows of one run of pixels; `alpha` is NULL where there is none.
typedef struct kernels_rows {
    float *red;
    float *green;
    float *blue;
    float *alpha;
} kernels_rows;

/// Weights of a blur: the centre's, then those at distance 1, 2, ... of which there are `radius`.
typedef struct kernels_weights {
    const float *values;
    /// Floats from one distance's weight to the next one's.
    size_t stride;
    int32_t radius;
    /// NULL, or where weights change by column: the radius for each 64 columns, below 0 where no result is wanted. There
    /// are `stride` columns' weights for each distance then.
    const int32_t *radii;
} kernels_weights;

/// A filter's pixel function over a run of pixels, in place.
typedef void (*kernels_point)(kernels_rows rows, size_t count, const float *arguments);

typedef struct kernels_named_point {
    const char *name;
    kernels_point run;
    /// The same for rows that are not limited to 0...1 yet: limits them first.
    kernels_point run_unlimited;
} kernels_named_point;

/// All functions, compiled for one instruction-set level.
typedef struct kernels_level {
    /// "baseline", "x86-64-v3", "x86-64-v4".
    const char *name;
    /// Whether this machine can run it.
    int (*is_supported)(void);
    /// The filters' pixel functions; ends with a NULL name.
    const kernels_named_point *points;

    /// Interleaved samples to planar floats. `channels` is 1 to 4: grey, grey + alpha, RGB, RGBA.
    void (*load8)(const uint8_t *source, int channels, size_t count, kernels_rows rows);
    void (*load16)(const uint16_t *source, int channels, size_t count, kernels_rows rows);
    /// One row of Y, Cb and Cr to planar floats, not limited to 0...1. `horizontal` (1, 2, 4) pixels share a chroma sample.
    void (*load_ycc)(
        const uint8_t *y, const uint8_t *cb, const uint8_t *cr, int horizontal, size_t count,
        kernels_rows rows);

    /// Planar floats to interleaved samples.
    void (*store8)(kernels_rows rows, int channels, size_t count, uint8_t *destination);
    void (*store16)(kernels_rows rows, int channels, size_t count, uint16_t *destination);
    void (*store_luma)(kernels_rows rows, size_t count, uint8_t *y);
    /// `vertical` (1, 2, 4) rows, `count` pixels wide, to one row of Cb and Cr. At the right edge the last pixel counts
    /// for those that are missing.
    void (*store_chroma)(
        const kernels_rows *rows, int horizontal, int vertical, size_t count, uint8_t *cb, uint8_t *cr);

    /// Lays the pixels over white, in place; alpha is left as it is.
    void (*flatten)(kernels_rows rows, size_t count);
    /// sRGB-encoded, straight alpha to linear, premultiplied. Alpha itself is copied.
    void (*linearise)(kernels_rows rows, size_t count, kernels_rows linear);
    /// One row to one value for every `factor` (a power of two from 2). The value at i is the weighted sum of
    /// `(3 * factor - 2) / 2` pairs of values around the middle of `source[i * factor]` to `source[(i + 1) * factor - 1]`;
    /// `weights` has one for each pair, from the middle outwards. Reads up to 32 * `factor` values past those, and writes
    /// up to a multiple of 16 values.
    void (*downsample_row)(
        kernels_rows source, size_t count, size_t factor, const float *weights, kernels_rows destination);
    /// The same along columns, for one row of results: `rows` has `2 * pairs` rows. Reads and writes up to a multiple of 64
    /// values.
    void (*downsample_columns)(
        const kernels_rows *rows, size_t count, size_t pairs, const float *weights, kernels_rows destination);
    /// One row; `source` has as many values as the radius before and after the `count` pixels.
    void (*blur_row)(
        kernels_rows source, size_t count, const kernels_weights *weights, kernels_rows destination);
    /// `output_count` rows, with weights for each: the one at index i is the blur of the rows around `rows[i + support]`.
    /// No radius is greater than `support`.
    void (*blur_columns)(
        const kernels_rows *rows, size_t count, const kernels_weights *weights, size_t support,
        const kernels_rows *outputs, size_t output_count);
    /// One row between three downsampled ones, by three weights.
    void (*upsample_columns)(
        const kernels_rows *rows, size_t count, const float *weights, kernels_rows destination);
    /// One row to `factor` values for every one: at x, the sum of the values before, at and after x / factor. `weights`
    /// has those of the values before, from phase 0 to `factor` - 1 and again until there are 16; then those of the values
    /// themselves and of those after. Reads up to 17 values past the last that it needs; writes up to a multiple of 16.
    void (*upsample_row)(
        kernels_rows source, size_t count, size_t factor, const float *weights, kernels_rows destination);
    /// Linear to sRGB-encoded, red, green and blue alone: what `mix` gives where the mask is 1 and there is no alpha.
    void (*encode)(kernels_rows blurred, size_t count, kernels_rows rows);
    /// Mixes blurred (linear, premultiplied) into sharp (sRGB-encoded), in place in `sharp`. `mask` has `count` values.
    void (*mix)(kernels_rows sharp, kernels_rows blurred, const float *mask, size_t count);
} kernels_level;

/// The levels this processor family has, lowest first; `*count` gets their number. The first runs everywhere.
const kernels_level *const *kernels_levels(size_t *count);

/// One embedded .cl file.
typedef struct kernels_source {
    /// The file's stem.
    const char *name;
    const char *text;
} kernels_source;

/// The embedded files, in no particular order; `*count` gets their number.
const kernels_source *kernels_sources(size_t *count);
