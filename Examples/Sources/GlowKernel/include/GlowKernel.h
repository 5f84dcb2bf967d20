/// The kernel of the filter `glow`.
#pragma once
#include <Kernels.h>

const kernels_filter *_Nonnull glow_kernel(void);
