// AVX-512 with VBMI, VBMI2 and VNNI: more than x86-64-v4, but every processor since Ice Lake and Zen 4 has it.
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>
#include "level.h"
#pragma clang attribute push(                                                                        \
    __attribute__((target("arch=x86-64-v4,avx512vbmi,avx512vbmi2,avx512vnni,tune=icelake-server"))), \
    apply_to = function)
#include "lanes_v4.h"
#define LEVEL jpegcore_v4
#define LEVEL_NAME "x86-64-v4"
#define LEVEL_IS_SUPPORTED                                                       \
    (__builtin_cpu_supports("x86-64-v4") && __builtin_cpu_supports("avx512vbmi") \
     && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vnni"))
#define ENTROPY_ENCODER "batch_encoder.h"
#include "level_functions.h"
#pragma clang attribute pop
#endif
