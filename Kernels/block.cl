// block.cl: the pixels that one work-item holds in registers.
// load.cl and store.cl move them in whole 32-bit words of each plane. Neighbouring work-items access
// neighbouring words. The host chooses BLOCK_W, a multiple of 4 x the chroma's horizontal subsampling.

#define BLOCK_H (IN_V > OUT_V ? IN_V : OUT_V)
#define PIXELS (BLOCK_W * BLOCK_H)

typedef struct {
    float r[PIXELS], g[PIXELS], b[PIXELS];
#if HAS_ALPHA
    float a[PIXELS];
#endif
} pixel_block;
