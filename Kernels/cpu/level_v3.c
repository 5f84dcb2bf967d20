// AVX2 (x86-64-v3).
#if defined(__x86_64__)
#define LEVEL kernels_v3
#define LEVEL_NAME "x86-64-v3"
#define LEVEL_IS_SUPPORTED __builtin_cpu_supports("x86-64-v3")
#define LEVEL_ENCODE "encode_v3.h"
#include <immintrin.h>
#include <stdint.h>
#include <string.h>
#pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
#include "level.h"
#pragma clang attribute pop
#endif
