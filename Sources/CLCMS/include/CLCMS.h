// CLCMS: conversion from a colour profile to sRGB, with LittleCMS. Its formats are macros, and its errors come
// through a callback without a result, so Swift cannot use it alone.
#ifndef CLCMS_H
#define CLCMS_H

#include <stdbool.h>
#include <stddef.h>

// What samples are converted from. The result of grey is grey; all else becomes RGB.
typedef enum clcms_colours {
    CLCMS_COLOURS_GREY,
    CLCMS_COLOURS_RGB,
    CLCMS_COLOURS_INVERTED_CMYK // 255 is no ink
} clcms_colours;

typedef struct clcms_format {
    clcms_colours colours;
    bool has_alpha; // behind the colours of each pixel, in the result too
    bool is_16_bit; // in native byte order; else 8 bits
} clcms_format;

typedef struct clcms_transform clcms_transform;

// NULL if memory is short. Otherwise check clcms_transform_failure. Copies what it needs of the profile.
clcms_transform *clcms_transform_create(const void *profile, size_t byte_count, clcms_format format);
void clcms_transform_destroy(clcms_transform *transform);
// Why the profile cannot be used; NULL if it can.
const char *clcms_transform_failure(const clcms_transform *transform);

// Converts interleaved pixels. `to` may be `from`, except for inks; alpha stays as it is in `to`.
void clcms_transform_convert(
    const clcms_transform *transform, const void *from, void *to, size_t pixel_count);

#endif
