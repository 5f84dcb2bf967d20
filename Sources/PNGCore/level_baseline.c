// Runs on every processor: x86-64 with SSE2, arm64 with NEON.
#include "PNGCore.h"
#include "level.h"
#define LANE_COUNT 16
#define LEVEL pngcore_baseline
#define LEVEL_NAME "baseline"
#define LEVEL_IS_SUPPORTED true
#include "level_functions.h"
