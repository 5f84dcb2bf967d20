#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_random {
    uint64_t state;
} fuzz_random;

// Steele, Lea and Flood's SplitMix64.
static inline uint64_t fuzz_next(fuzz_random *random)
{
    uint64_t z = random->state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

// 0 to `count` - 1; `count` is positive.
static inline size_t fuzz_below(fuzz_random *random, size_t count) { return fuzz_next(random) % count; }

#endif
