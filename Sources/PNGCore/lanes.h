// Vectors of LANE_COUNT bytes. No instructions of a processor are named here: clang knows SSE2's, AVX's and NEON's.
typedef uint8_t lanes8 __attribute__((vector_size(LANE_COUNT)));
typedef uint16_t lanes16 __attribute__((vector_size(LANE_COUNT)));

INLINE lanes8 load_lanes(const uint8_t *from)
{
    lanes8 lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

INLINE void store_lanes(uint8_t *to, lanes8 lanes) { memcpy(to, &lanes, sizeof lanes); }
INLINE lanes8 smaller(lanes8 a, lanes8 b) { return __builtin_elementwise_min(a, b); }
INLINE lanes8 larger(lanes8 a, lanes8 b) { return __builtin_elementwise_max(a, b); }
// Lanes of `a` where `mask` is all ones, of `b` where it is zero.
INLINE lanes8 select_lanes(lanes8 mask, lanes8 a, lanes8 b) { return (a & mask) | (b & ~mask); }
