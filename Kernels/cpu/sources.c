// The text of the .cl files, embedded.
#include "Kernels.h"
#include "stem.h"

// OpenCL uses the same layout: 32-bit ints without padding.
_Static_assert(sizeof(kernels_planes) == 5 * 4, "kernels_planes");
_Static_assert(sizeof(kernels_float_planes) == 2 * 4, "kernels_float_planes");
_Static_assert(sizeof(kernels_view) == 8 * 4, "kernels_view");
_Static_assert(sizeof(kernels_points_params) == (5 + 2 * 5 + 8) * 4, "kernels_points_params");
_Static_assert(sizeof(kernels_linearise_params) == (6 + 5 + 2 + 8) * 4, "kernels_linearise_params");
_Static_assert(sizeof(kernels_mix_params) == (6 + 2 * 5 + 2 + 8) * 4, "kernels_mix_params");
_Static_assert(sizeof(kernels_downsample_x_params) == (7 + 2 * 2) * 4, "kernels_downsample_x_params");
_Static_assert(sizeof(kernels_downsample_y_params) == (8 + 2 * 2) * 4, "kernels_downsample_y_params");
_Static_assert(sizeof(kernels_blur_x_params) == (7 + 2 * 2) * 4, "kernels_blur_x_params");
_Static_assert(sizeof(kernels_blur_y_params) == (6 + 2 * 2) * 4, "kernels_blur_y_params");
_Static_assert(sizeof(kernels_upsample_y_params) == (5 + 2 * 2) * 4, "kernels_upsample_y_params");
_Static_assert(sizeof(kernels_upsample_x_params) == (5 + 2 * 2) * 4, "kernels_upsample_x_params");
_Static_assert(sizeof(kernels_resize_y_params) == (5 + 2 * 2) * 4, "kernels_resize_y_params");
_Static_assert(sizeof(kernels_window_params) == (6 + 2 * 2 + 8) * 4, "kernels_window_params");
_Static_assert(sizeof(kernels_resize_x_params) == (4 + 2 * 2) * 4, "kernels_resize_x_params");

// `#embed` takes one file and cannot be part of a macro, so each file takes three lines.
// clang-format off
static const kernels_source sources[] = {
    { "opencl", (const char[]){
#embed "../opencl.cl" suffix(, 0)
    } },
    { "params", (const char[]){
#embed "include/kernels_params.h" suffix(, 0)
    } },
    { "common", (const char[]){
#embed "../common.cl" suffix(, 0)
    } },
    { "srgb", (const char[]){
#embed "../srgb.cl" suffix(, 0)
    } },
    { "point", (const char[]){
#embed "../point.cl" suffix(, 0)
    } },
    { "window", (const char[]){
#embed "../window.cl" suffix(, 0)
    } },
    { "median", (const char[]){
#embed "../median.cl" suffix(, 0)
    } },
    { "blend", (const char[]){
#embed "../blend.cl" suffix(, 0)
    } },
    { "window_pass", (const char[]){
#embed "../window_pass.cl" suffix(, 0)
    } },
    { "jpeg_decode", (const char[]){
#embed "../jpeg_decode.cl" suffix(, 0)
    } },
    { "jpeg_encode", (const char[]){
#embed "../jpeg_encode.cl" suffix(, 0)
    } },
    { "prefix_sum", (const char[]){
#embed "../prefix_sum.cl" suffix(, 0)
    } },
    { "jpeg_unstuff", (const char[]){
#embed "../jpeg_unstuff.cl" suffix(, 0)
    } },
    { "jpeg_synchronise", (const char[]){
#embed "../jpeg_synchronise.cl" suffix(, 0)
    } },
    { "jpeg_coefficients", (const char[]){
#embed "../jpeg_coefficients.cl" suffix(, 0)
    } },
    { "jpeg_samples", (const char[]){
#embed "../jpeg_samples.cl" suffix(, 0)
    } },
    { "jpeg_pixels", (const char[]){
#embed "../jpeg_pixels.cl" suffix(, 0)
    } },
    { "jpeg_quantise", (const char[]){
#embed "../jpeg_quantise.cl" suffix(, 0)
    } },
    { "jpeg_code", (const char[]){
#embed "../jpeg_code.cl" suffix(, 0)
    } },
    { "jpeg_optimal_codes", (const char[]){
#embed "../jpeg_optimal_codes.cl" suffix(, 0)
    } },
    { "jpeg_stuff", (const char[]){
#embed "../jpeg_stuff.cl" suffix(, 0)
    } },
    { "ycc", (const char[]){
#embed "../ycc.cl" suffix(, 0)
    } },
    { "blur", (const char[]){
#embed "../blur.cl" suffix(, 0)
    } },
    { "planes", (const char[]){
#embed "../planes.cl" suffix(, 0)
    } },
    { "blur_passes", (const char[]){
#embed "../blur_passes.cl" suffix(, 0)
    } },
    { "resample_passes", (const char[]){
#embed "../resample_passes.cl" suffix(, 0)
    } },
    { "resize_passes", (const char[]){
#embed "../resize_passes.cl" suffix(, 0)
    } },
    { "block", (const char[]){
#embed "../block.cl" suffix(, 0)
    } },
    { "load", (const char[]){
#embed "../load.cl" suffix(, 0)
    } },
    { "store", (const char[]){
#embed "../store.cl" suffix(, 0)
    } },
    { "points", (const char[]){
#embed "../points.cl" suffix(, 0)
    } },
    { "filter_points", (const char[]){
#embed "../filter_points.cl" suffix(, 0)
    } },
    { "linearise", (const char[]){
#embed "../linearise.cl" suffix(, 0)
    } },
    { "mix_blur", (const char[]){
#embed "../mix_blur.cl" suffix(, 0)
    } },
#define FILTER_ENTRY "filter_source.h"
#include "filters.h"
#include "windows.h"
#include "blends.h"
#undef FILTER_ENTRY
};
// clang-format on

const kernels_source *kernels_sources(size_t *count)
{
    *count = sizeof sources / sizeof *sources;
    return sources;
}
