// Swift's Foundation of Debian 12 asks for glibc 2.36 for this one function. With it inside, the tool starts on older
// systems too, Ubuntu 22.04 among them.
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

uint32_t arc4random(void)
{
    uint32_t value;
    // Never interrupted, and never short, for so few bytes, once the kernel has its first randomness.
    if (getrandom(&value, sizeof value, 0) != sizeof value) abort();
    return value;
}
