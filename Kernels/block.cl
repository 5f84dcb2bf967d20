// block.cl: what one work-item takes: a block, which is a row of cells, one cell after the other. A cell's pixels are in
// registers together. load.cl and store.cl move a block in whole 32-bit words of each plane. Neighbouring work-items access
// neighbouring words. The host chooses BLOCK_W, a multiple of 4 x the chroma's horizontal subsampling, and CELL_W, a
// multiple of that subsampling which divides BLOCK_W.

#define BLOCK_H (IN_V > OUT_V ? IN_V : OUT_V)
#define PIXELS (CELL_W * BLOCK_H)

typedef struct {
    float r[PIXELS], g[PIXELS], b[PIXELS];
#if HAS_ALPHA
    float a[PIXELS];
#endif
} pixel_cell;
