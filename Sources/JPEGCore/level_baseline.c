// Runs on every processor: x86-64 with SSE2, arm64 with NEON.
#include "lanes_baseline.h"
#define LEVEL jpegcore_baseline
#define LEVEL_NAME "baseline"
#define LEVEL_IS_SUPPORTED true
#define ENTROPY_ENCODER "block_encoder.h"
#include "level_functions.h"
