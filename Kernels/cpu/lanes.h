// The vectors and channels of blurs. Included by level.h.

// Vectors of 16 floats; the compiler splits them into the level's registers.
typedef float lane __attribute__((vector_size(64), aligned(4), may_alias));
#define LANE 16

// Pixels summed at once: LANES vectors, whose sums stay in registers during the loop over taps.
#define TILE 64
#define LANES 4

// Three, or four with alpha.
FUNCTION int channel_count(kernels_rows rows) { return rows.alpha ? 4 : 3; }

FUNCTION float *channel_of(kernels_rows rows, int channel)
{
    return channel == 0 ? rows.red : channel == 1 ? rows.green : channel == 2 ? rows.blue : rows.alpha;
}

// The same without branches, for loops over rows.
FUNCTION float *channel_at(const kernels_rows *rows, int channel) { return *(&rows->red + channel); }
