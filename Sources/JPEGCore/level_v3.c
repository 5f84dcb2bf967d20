// AVX2 and BMI2 (x86-64-v3).
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>
#include "level.h"
#pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
#include "lanes_v3.h"
#define LEVEL jpegcore_v3
#define LEVEL_NAME "x86-64-v3"
#define LEVEL_IS_SUPPORTED __builtin_cpu_supports("x86-64-v3")
#define ENTROPY_ENCODER "block_encoder.h"
#include "level_functions.h"
#pragma clang attribute pop
#endif
