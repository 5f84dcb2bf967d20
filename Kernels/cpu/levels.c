// The table of instruction-set levels.
#include "Kernels.h"

extern const kernels_level kernels_baseline;
#if defined(__x86_64__)
extern const kernels_level kernels_v3, kernels_v4;
#endif

static const kernels_level *const levels[] = {
    &kernels_baseline,
#if defined(__x86_64__)
    &kernels_v3,
    &kernels_v4,
#endif
};

const kernels_level *const *kernels_levels(size_t *count)
{
    *count = sizeof levels / sizeof *levels;
    return levels;
}
