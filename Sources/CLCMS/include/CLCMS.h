// CLCMS: conversion from a colour profile to sRGB, with LittleCMS. Its formats are macros, and its errors come
// through a callback without a result, so Swift cannot use it alone.
#ifndef CLCMS_H
#define CLCMS_H

#include <stdbool.h>
#include <stddef.h>

// What samples are converted from. The result of grey is grey, also through a profile of RGB, which gives equal red, green
// and blue a lightness; all else becomes RGB.
typedef enum clcms_colours {
    CLCMS_COLOURS_GREY,
    CLCMS_COLOURS_RGB,
    CLCMS_COLOURS_INVERTED_CMYK // 255 is no ink
} clcms_colours;

typedef struct clcms_format {
    clcms_colours colours;
    bool has_alpha; // after the colours of each pixel, in the result too
    bool is_16_bit; // in native byte order; else 8 bits
} clcms_format;

typedef struct clcms_transform clcms_transform;

// NULL if memory is short. Otherwise check clcms_transform_failure. Copies what it needs of the profile.
clcms_transform *clcms_transform_create(const void *profile, size_t byte_count, clcms_format format);
void clcms_transform_destroy(clcms_transform *transform);
// Why the profile cannot be used; NULL if it can.
const char *clcms_transform_failure(const clcms_transform *transform);

// Converts interleaved pixels. `to` may be `from`, except for inks; alpha stays as it is in `to`. One thread at a time.
void clcms_transform_convert(clcms_transform *transform, const void *from, void *to, size_t pixel_count);

// Reads a profile of RGB without tables.
//
// `curves` becomes linear values of encoded ones, from 0 to 65535: all of red, of green, and of blue. `factors` becomes three
// rows, for red, green, blue and 1, from these to linear light in sRGB's primaries. False if the profile is of another kind,
// cannot be used, or memory is short.
bool clcms_matrix_read(const void *profile, size_t byte_count, float curves[3 * 65536], float factors[12]);

#endif
