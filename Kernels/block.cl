// block.cl: the pixels that one work-item of strip.cl takes, and where they lie in a strip. BLOCK_W is the host's choice;
// it comes with the file of its kind: block_words.cl for GPUs, block_loops.cl for CPUs. Those define
//   load_block, store_block: between a strip's memory and the block; `columns` and `rows` are those that the photo has
//     from x and y on, at least 1, with no more columns than BLOCK_W;
//   EACH_PIXEL(i, columns): a loop over the block's pixels that are loaded; EACH_COLUMN(i, columns): over those of one row;
//   UNROLLED: stands before a loop over all;
//   load_blurred, where there is a blur: a run of one plane's `row` of the blur, widened along x, from pixel x on. In
//     `weights` those of the shrunk pixel before are repeated to PATTERN values, then its own, then those of the one after.

#define BLOCK_H (IN_V > OUT_V ? IN_V : OUT_V)
#define PIXELS (BLOCK_W * BLOCK_H)
#define CHROMA_SHARE (1.0f / (float)(OUT_H * OUT_V))
#define PATTERN (FACTOR > 16 ? FACTOR : 16)

typedef struct {
    float r[PIXELS], g[PIXELS], b[PIXELS];
#if HAS_ALPHA
    float a[PIXELS];
#endif
} pixel_block;

// Where the planes lie in a strip's memory: byte offsets, and bytes a row. For IN_FLOATS and OUT_FLOATS: floats.
typedef struct {
    int stride, second, third, chroma_stride;
} plane_places;

#define PLACES(name) int name##_stride, int name##_second, int name##_third, int name##_chroma_stride
#define PLACES_OF(name) { name##_stride, name##_second, name##_third, name##_chroma_stride }

#if defined(OUT_YCC)
// The sum over a column of OUT_V pixels, then over OUT_H columns: cpu/store.h adds in the same order.
FUNCTION float block_sum(const float *values, int first)
{
    float sum = 0.0f;
#pragma unroll
    for (int column = 0; column < OUT_H; column++) {
        float of_column = values[first + column];
#pragma unroll
        for (int row = 1; row < OUT_V; row++) of_column = of_column + values[first + row * BLOCK_W + column];
        sum = column == 0 ? of_column : sum + of_column;
    }
    return sum;
}
#endif
