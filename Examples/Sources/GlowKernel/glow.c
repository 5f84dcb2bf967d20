// The function of glow.cl, compiled for every instruction-set level.
#include "GlowKernel.h"
#include <kernels_filter.h>

#define STEM glow
#include "glow.cl"

static const char text[] = {
#embed "glow.cl" suffix(, 0)
};

KERNELS_FILTER(glow_kernel, text)
