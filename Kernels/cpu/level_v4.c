// AVX-512 (x86-64-v4), tuned for processors on which 512-bit vectors are no slower than 256-bit ones.
#if defined(__x86_64__)
#define LEVEL kernels_v4
#define LEVEL_NAME "x86-64-v4"
#define LEVEL_IS_SUPPORTED __builtin_cpu_supports("x86-64-v4")
#define LEVEL_ENCODE "encode_v4.h"
#include <immintrin.h>
#include <stdint.h>
#include <string.h>
#pragma clang attribute push(__attribute__((target("arch=x86-64-v4,tune=znver4"))), apply_to = function)
#include "level.h"
#pragma clang attribute pop
#endif
