#if defined(__aarch64__)
#include "blake3-1.3.1/blake3_neon.c"
#endif
