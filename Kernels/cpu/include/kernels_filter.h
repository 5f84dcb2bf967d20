/// Compiles a filter of another package for every instruction-set level. The package's C target has one file:
///
///   #include <kernels_filter.h>
///
///   #define STEM glow
///   #include "glow.cl"
///
///   static const char text[] = {
///   #embed "glow.cl" suffix(, 0)
///   };
///   KERNELS_FILTER(glow_filter, text)
///
/// It defines `const kernels_filter *glow_filter(void)`, from which Swift makes a `PointKernel`.
#pragma once
#include "../pixel.h"
#include "../stem.h"
#include "Kernels.h"

#pragma STDC FP_CONTRACT OFF

#include "../../common.cl"
#include "../../srgb.cl"
#include "../../point.cl"
#include "../filter_loop.h"

// Two loops for one level. The functions that they call are inlined, and so compiled for the level.
#define KERNELS_LOOP(name, before, attributes) attributes FILTER_LOOP(name, before)
#define KERNELS_LOOPS(level, attributes)                       \
    KERNELS_LOOP(JOIN(STEM, JOIN(_rows, level)), , attributes) \
    KERNELS_LOOP(JOIN(STEM, JOIN(_unlimited_rows, level)), unit, attributes)
#define KERNELS_POINT(level) \
    { STRING(STEM), JOIN(STEM, JOIN(_rows, level)), JOIN(STEM, JOIN(_unlimited_rows, level)) },

#if defined(__x86_64__)
#define KERNELS_LEVEL_LOOPS                                       \
    KERNELS_LOOPS(_baseline, )                                    \
    KERNELS_LOOPS(_v3, __attribute__((target("arch=x86-64-v3")))) \
    KERNELS_LOOPS(_v4, __attribute__((target("arch=x86-64-v4,tune=znver4"))))
#define KERNELS_LEVEL_POINTS KERNELS_POINT(_baseline) KERNELS_POINT(_v3) KERNELS_POINT(_v4)
#else
#define KERNELS_LEVEL_LOOPS KERNELS_LOOPS(_baseline, )
#define KERNELS_LEVEL_POINTS KERNELS_POINT(_baseline)
#endif

#define KERNELS_FILTER(name, text)                                               \
    KERNELS_LEVEL_LOOPS                                                          \
    const kernels_filter *name(void)                                             \
    {                                                                            \
        static const kernels_named_point points[] = { KERNELS_LEVEL_POINTS };    \
        static const kernels_filter filter = { { STRING(STEM), text }, points }; \
        return &filter;                                                          \
    }
