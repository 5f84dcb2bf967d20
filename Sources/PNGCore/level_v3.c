// AVX2 and BMI2 (x86-64-v3).
#if defined(__x86_64__)
#include "PNGCore.h"
#include "level.h"
#pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
#define LANE_COUNT 32
#define LEVEL pngcore_v3
#define LEVEL_NAME "x86-64-v3"
#define LEVEL_IS_SUPPORTED __builtin_cpu_supports("x86-64-v3")
#include "level_functions.h"
#pragma clang attribute pop
#endif
