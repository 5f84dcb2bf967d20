#if defined(__x86_64__)
#include "blake3-1.3.1/blake3_avx2_x86-64_unix.S"
#endif
