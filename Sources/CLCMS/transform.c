#include "CLCMS.h"
#include <lcms2.h>
#include <stdio.h>
#include <stdlib.h>

struct clcms_transform {
    cmsContext context;
    cmsHTRANSFORM transform; // NULL if the profile cannot be used
    char message[160];
};

// LittleCMS reports the cause first, then what failed because of it.
static void keep_first(clcms_transform *transform, const char *text)
{
    if (transform->message[0] == '\0') snprintf(transform->message, sizeof transform->message, "%s", text);
}

static void take_error(cmsContext context, cmsUInt32Number code, const char *text)
{
    (void)code;
    keep_first(cmsGetContextUserData(context), text);
}

static cmsColorSpaceSignature space_of(clcms_colours colours)
{
    switch (colours) {
    case CLCMS_COLOURS_GREY: return cmsSigGrayData;
    case CLCMS_COLOURS_RGB: return cmsSigRgbData;
    case CLCMS_COLOURS_INVERTED_CMYK: return cmsSigCmykData;
    }
    return 0;
}

// Whether the profile gives colours of a device a meaning. Others join two devices or change colours.
static bool describes_device(cmsHPROFILE profile)
{
    switch (cmsGetDeviceClass(profile)) {
    case cmsSigInputClass:
    case cmsSigDisplayClass:
    case cmsSigOutputClass:
    case cmsSigColorSpaceClass: return true;
    default: return false;
    }
}

static cmsHPROFILE open_srgb(cmsContext context, clcms_colours from)
{
    if (from != CLCMS_COLOURS_GREY) return cmsCreate_sRGBProfileTHR(context);
    // IEC 61966-2-1, as ICC's type 3, which LittleCMS numbers from 1.
    const double parameters[] = { 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045 };
    cmsToneCurve *curve = cmsBuildParametricToneCurve(context, 4, parameters);
    if (curve == NULL) return NULL;
    const cmsHPROFILE grey = cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve);
    cmsFreeToneCurve(curve);
    return grey;
}

static cmsUInt32Number input_format(clcms_format format)
{
    const cmsUInt32Number depth = BYTES_SH(format.is_16_bit ? 2 : 1) | EXTRA_SH(format.has_alpha ? 1 : 0);
    switch (format.colours) {
    case CLCMS_COLOURS_GREY: return COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | depth;
    case CLCMS_COLOURS_RGB: return COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | depth;
    case CLCMS_COLOURS_INVERTED_CMYK: return COLORSPACE_SH(PT_CMYK) | CHANNELS_SH(4) | FLAVOR_SH(1) | depth;
    }
    return 0;
}

static cmsUInt32Number output_format(clcms_format format)
{
    if (format.colours == CLCMS_COLOURS_INVERTED_CMYK) format.colours = CLCMS_COLOURS_RGB;
    return input_format(format);
}

// By default, LittleCMS replaces a matrix for 16 bits by a coarse table, which is wrong by up to 6 % at the edge of
// sRGB. For 8 bits it keeps the matrix.
static cmsUInt32Number flags_for(cmsHPROFILE profile, clcms_format format)
{
    const bool keeps_matrix = format.is_16_bit && cmsIsMatrixShaper(profile);
    return cmsFLAGS_BLACKPOINTCOMPENSATION | (keeps_matrix ? cmsFLAGS_NOOPTIMIZE : cmsFLAGS_HIGHRESPRECALC);
}

static cmsHTRANSFORM to_srgb(cmsContext context, cmsHPROFILE profile, clcms_format format)
{
    const cmsHPROFILE srgb = open_srgb(context, format.colours);
    if (srgb == NULL) return NULL;
    const cmsHTRANSFORM transform = cmsCreateTransformTHR(
        context, profile, input_format(format), srgb, output_format(format), INTENT_RELATIVE_COLORIMETRIC,
        flags_for(profile, format));
    cmsCloseProfile(srgb);
    return transform;
}

static void begin(clcms_transform *transform, const void *bytes, size_t byte_count, clcms_format format)
{
    const cmsHPROFILE profile =
        cmsOpenProfileFromMemTHR(transform->context, bytes, (cmsUInt32Number)byte_count);
    if (profile == NULL) {
        keep_first(transform, "it is not an ICC profile");
        return;
    }
    if (!describes_device(profile)) keep_first(transform, "it is not the profile of a device");
    else if (cmsGetColorSpace(profile) != space_of(format.colours))
        keep_first(transform, "it is for other colours");
    else transform->transform = to_srgb(transform->context, profile, format);
    cmsCloseProfile(profile);
}

clcms_transform *clcms_transform_create(const void *profile, size_t byte_count, clcms_format format)
{
    clcms_transform *transform = calloc(1, sizeof *transform);
    if (transform == NULL) return NULL;
    transform->context = cmsCreateContext(NULL, transform);
    if (transform->context == NULL) {
        free(transform);
        return NULL;
    }
    cmsSetLogErrorHandlerTHR(transform->context, take_error);
    begin(transform, profile, byte_count, format);
    return transform;
}

void clcms_transform_destroy(clcms_transform *transform)
{
    if (transform == NULL) return;
    if (transform->transform != NULL) cmsDeleteTransform(transform->transform);
    cmsDeleteContext(transform->context);
    free(transform);
}

const char *clcms_transform_failure(const clcms_transform *transform)
{
    return transform->transform == NULL ? transform->message : NULL;
}

void clcms_transform_convert(const clcms_transform *transform, const void *from, void *to, size_t pixel_count)
{
    cmsDoTransform(transform->transform, from, to, (cmsUInt32Number)pixel_count);
}
