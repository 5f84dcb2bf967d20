// AVX-512 (x86-64-v4).
#if defined(__x86_64__)
#include "PNGCore.h"
#include "level.h"
#pragma clang attribute push(__attribute__((target("arch=x86-64-v4"))), apply_to = function)
#define LANE_COUNT 64
#define LEVEL pngcore_v4
#define LEVEL_NAME "x86-64-v4"
#define LEVEL_IS_SUPPORTED __builtin_cpu_supports("x86-64-v4")
#include "level_functions.h"
#pragma clang attribute pop
#endif
