#include "CLCMS.h"
#include "profile.h"
#include <string.h>

static cmsHPROFILE create_linear_srgb(cmsContext context)
{
    // As in LittleCMS's own sRGB.
    const cmsCIExyY white = { 0.3127, 0.3290, 1 };
    const cmsCIExyYTRIPLE primaries = { { 0.64, 0.33, 1 }, { 0.30, 0.60, 1 }, { 0.15, 0.06, 1 } };
    cmsToneCurve *line = cmsBuildGamma(context, 1);
    if (line == NULL) return NULL;
    cmsToneCurve *const lines[] = { line, line, line };
    const cmsHPROFILE linear = cmsCreateRGBProfileTHR(context, &white, &primaries, lines);
    cmsFreeToneCurve(line);
    return linear;
}

enum { count = 65536 };

static bool read_curves(cmsHPROFILE profile, float *curves)
{
    const cmsTagSignature tags[] = { cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag };
    const cmsToneCurve *first = NULL;
    for (int channel = 0; channel < 3; channel++) {
        const cmsToneCurve *curve = cmsReadTag(profile, tags[channel]);
        if (curve == NULL) return false;
        float *values = curves + channel * count;
        if (curve == first) {
            memcpy(values, curves, count * sizeof *curves);
            continue;
        }
        if (channel == 0) first = curve;
        for (int i = 0; i < count; i++) values[i] = cmsEvalToneCurveFloat(curve, (float)i / (count - 1));
    }
    return true;
}

// Finds what LittleCMS does between the curves, with black point compensation, from what it makes of four colours.
static bool find_factors(cmsHTRANSFORM to_linear, const float *curves, float *factors)
{
    const float colours[4][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, 0 } };
    float results[4][3];
    cmsDoTransform(to_linear, colours, results, 4);
    for (int row = 0; row < 3; row++) {
        double rest = results[3][row];
        for (int channel = 0; channel < 3; channel++) {
            const float *curve = curves + channel * count;
            const double black = curve[0], span = curve[count - 1] - black;
            if (!(span > 0)) return false;
            const double factor = ((double)results[channel][row] - results[3][row]) / span;
            factors[4 * row + channel] = (float)factor;
            rest -= factor * black;
        }
        factors[4 * row + 3] = (float)rest;
    }
    return true;
}

static bool read(cmsContext context, cmsHPROFILE profile, float *curves, float *factors)
{
    const bool is_matrix = clcms_describes_device(profile) && cmsGetColorSpace(profile) == cmsSigRgbData
        && cmsGetPCS(profile) == cmsSigXYZData && !clcms_has_tables(profile);
    if (!is_matrix || !read_curves(profile, curves)) return false;
    const cmsHPROFILE linear = create_linear_srgb(context);
    if (linear == NULL) return false;
    const cmsHTRANSFORM to_linear = cmsCreateTransformTHR(
        context, profile, TYPE_RGB_FLT, linear, TYPE_RGB_FLT, INTENT_RELATIVE_COLORIMETRIC,
        cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOOPTIMIZE);
    cmsCloseProfile(linear);
    if (to_linear == NULL) return false;
    const bool is_found = find_factors(to_linear, curves, factors);
    cmsDeleteTransform(to_linear);
    return is_found;
}

bool clcms_matrix_read(const void *bytes, size_t byte_count, float *curves, float *factors)
{
    const cmsContext context = cmsCreateContext(NULL, NULL);
    if (context == NULL) return false;
    const cmsHPROFILE profile = cmsOpenProfileFromMemTHR(context, bytes, (cmsUInt32Number)byte_count);
    const bool is_read = profile != NULL && read(context, profile, curves, factors);
    if (profile != NULL) cmsCloseProfile(profile);
    cmsDeleteContext(context);
    return is_read;
}
