// The text around a filter's .cl file that is compiled while the program runs, embedded. Its order is that of
// include/kernels_filter.h.
#include "Kernels.h"

// clang-format off
static const kernels_source parts[] = {
    { "kernels_params.h", (const char[]){
#embed "include/kernels_params.h" suffix(, 0)
    } },
    { "Kernels.h", (const char[]){
#embed "include/Kernels.h" suffix(, 0)
    } },
    { "pixel.h", (const char[]){
#embed "pixel.h" suffix(, 0)
    } },
    { "stem.h", (const char[]){
#embed "stem.h" suffix(, 0)
    } },
    { "common.cl", (const char[]){
#embed "../common.cl" suffix(, 0)
    } },
    { "srgb.cl", (const char[]){
#embed "../srgb.cl" suffix(, 0)
    } },
    { "point.cl", (const char[]){
#embed "../point.cl" suffix(, 0)
    } },
    { "filter_loop.h", (const char[]){
#embed "filter_loop.h" suffix(, 0)
    } },
    { NULL, NULL },
    { "filter_object.h", (const char[]){
#embed "filter_object.h" suffix(, 0)
    } },
};
// clang-format on

const kernels_source *kernels_filter_parts(size_t *count)
{
    *count = sizeof parts / sizeof *parts;
    return parts;
}
