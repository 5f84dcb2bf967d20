#include "profile.h"

bool clcms_describes_device(cmsHPROFILE profile)
{
    switch (cmsGetDeviceClass(profile)) {
    case cmsSigInputClass:
    case cmsSigDisplayClass:
    case cmsSigOutputClass:
    case cmsSigColorSpaceClass: return true;
    default: return false;
    }
}

bool clcms_has_tables(cmsHPROFILE profile)
{
    // Those of the relative colorimetric intent, and of the perceptual one, which takes its place.
    const cmsTagSignature tags[] = { cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigDToB0Tag, cmsSigDToB1Tag };
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (cmsIsTag(profile, tags[i])) return true;
    return false;
}
