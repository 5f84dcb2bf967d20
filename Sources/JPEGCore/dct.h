// What the forward and the inverse DCT share. Include it after the level's lanes.
#ifndef JPEGCORE_DCT_H
#define JPEGCORE_DCT_H

#include <stdint.h>

// Fractional bits of constants, and of values between the two passes.
enum { FIX_BITS = 13, PASS_BITS = 2 };

// The constants of jidctint.c and jfdctint.c, in FIX_BITS: FIX_0_298 is 0.298631336.
enum {
    FIX_1 = 1 << FIX_BITS,
    FIX_0_298 = 2446,  // sqrt(2) * (-c1 + c3 + c5 - c7), where ck is cos(k * pi / 16)
    FIX_0_390 = 3196,  // sqrt(2) * (c3 - c5)
    FIX_0_541 = 4433,  // sqrt(2) * c6
    FIX_0_765 = 6270,  // sqrt(2) * (c2 - c6)
    FIX_0_899 = 7373,  // sqrt(2) * (c3 - c7)
    FIX_1_175 = 9633,  // sqrt(2) * c3
    FIX_1_501 = 12299, // sqrt(2) * (c1 + c3 - c5 - c7)
    FIX_1_847 = 15137, // sqrt(2) * (c2 + c6)
    FIX_1_961 = 16069, // sqrt(2) * (c3 + c5)
    FIX_2_053 = 16819, // sqrt(2) * (c1 + c3 - c5 + c7)
    FIX_2_562 = 20995, // sqrt(2) * (c1 + c3)
    FIX_3_072 = 25172  // sqrt(2) * (c1 + c3 + c5 - c7)
};

INLINE lanes16 interleave16(lanes16 a, lanes16 b, int high)
{
    return high ? interleave_high16(a, b) : interleave_low16(a, b);
}

// Weights for the two values of each pair.
INLINE lanes16 pair(int first, int second)
{
    const int32_t both = (int32_t)((uint32_t)(uint16_t)first | (uint32_t)second << 16);
    return (lanes16)((lanes32) {} + both);
}

// Transposes each block.
INLINE void transpose(lanes16 rows[8])
{
    lanes16 a[8], b[8];
    for (int n = 0; n < 4; n++) {
        a[2 * n] = interleave_low16(rows[2 * n], rows[2 * n + 1]);
        a[2 * n + 1] = interleave_high16(rows[2 * n], rows[2 * n + 1]);
    }
    for (int n = 0; n < 8; n += 4) {
        b[n] = interleave_low32(a[n], a[n + 2]);
        b[n + 1] = interleave_high32(a[n], a[n + 2]);
        b[n + 2] = interleave_low32(a[n + 1], a[n + 3]);
        b[n + 3] = interleave_high32(a[n + 1], a[n + 3]);
    }
    for (int n = 0; n < 4; n++) {
        rows[2 * n] = interleave_low64(b[n], b[n + 4]);
        rows[2 * n + 1] = interleave_high64(b[n], b[n + 4]);
    }
}

#endif
