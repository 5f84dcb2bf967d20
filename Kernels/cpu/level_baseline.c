// Runs on every processor of its family: x86-64 with SSE2, arm64 with NEON.
#define LEVEL kernels_baseline
#define LEVEL_NAME "baseline"
#define LEVEL_IS_SUPPORTED 1
#include "level.h"
