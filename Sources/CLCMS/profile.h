// What CLCMS's files share.
#pragma once
#include <lcms2.h>
#include <stdbool.h>

// Whether the profile gives colours of a device a meaning. Others join two devices or change colours.
bool clcms_describes_device(cmsHPROFILE profile);

// Whether the profile's meaning is in tables, which LittleCMS prefers to curves and a matrix.
bool clcms_has_tables(cmsHPROFILE profile);
