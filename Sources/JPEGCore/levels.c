// The table of instruction-set levels.
#include "level.h"

extern const jpegcore_level jpegcore_baseline;
#if defined(__x86_64__)
extern const jpegcore_level jpegcore_v3, jpegcore_v4;
#endif

static const jpegcore_level *const levels[] = {
    &jpegcore_baseline,
#if defined(__x86_64__)
    &jpegcore_v3,
    &jpegcore_v4,
#endif
};

const jpegcore_level *const *jpegcore_levels(size_t *count)
{
    *count = sizeof levels / sizeof *levels;
    return levels;
}

const char *jpegcore_level_name(const jpegcore_level *level) { return level->name; }

bool jpegcore_level_is_supported(const jpegcore_level *level) { return level->is_supported(); }
