// clock_faults.c: a preloaded library that moves the wall clock of the tested tool. The monotonic clock stays.
//
// CLOCK_OFFSET     seconds that the clock is ahead
// CLOCK_JUMPS      the seed of jumps: every 20 ms, the clock jumps up to 20 years forward or back
//
// libfaketime leaves shared memory behind when a process is killed, and needs its own command in front of Swift's
// programs, which otherwise lose their arguments.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int real_clock(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    return real(clock, now);
}

// How many seconds the clock is ahead now.
static time_t offset(void)
{
    const char *fixed = getenv("CLOCK_OFFSET"), *seed = getenv("CLOCK_JUMPS");
    if (fixed) return atoll(fixed);
    if (!seed) return 0;
    struct timespec now;
    real_clock(CLOCK_MONOTONIC, &now);
    const uint64_t step = (uint64_t)now.tv_sec * 50 + (uint64_t)now.tv_nsec / 20000000;
    uint64_t z = (step + strtoull(seed, NULL, 10)) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    const int64_t years_20 = 20ll * 365 * 86400;
    return (time_t)((int64_t)((z ^ (z >> 31)) % (uint64_t)(2 * years_20)) - years_20);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int result = real_clock(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    struct timespec time;
    if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
    *now = (struct timeval) { time.tv_sec, time.tv_nsec / 1000 };
    return 0;
}

time_t time(time_t *result)
{
    struct timespec now = { 0 };
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
