// The table of instruction-set levels.
#include "PNGCore.h"
#include "level.h"

extern const pngcore_level pngcore_baseline;
#if defined(__x86_64__)
extern const pngcore_level pngcore_v3, pngcore_v4;
#endif

static const pngcore_level *const levels[] = {
    &pngcore_baseline,
#if defined(__x86_64__)
    &pngcore_v3,
    &pngcore_v4,
#endif
};

const pngcore_level *const *pngcore_levels(size_t *count)
{
    *count = sizeof levels / sizeof *levels;
    return levels;
}

const char *pngcore_level_name(const pngcore_level *level) { return level->name; }

bool pngcore_level_is_supported(const pngcore_level *level) { return level->is_supported(); }

void pngcore_filter_row(
    const pngcore_level *level, const uint8_t *row, const uint8_t *above, size_t count, size_t pixel_bytes,
    uint8_t *filtered)
{
    level->filter_row(row, above, count, pixel_bytes, filtered);
}
