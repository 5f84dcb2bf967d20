// store.cl: stores a work-item's block to a strip, or to planes of floats. See block.cl. `columns` and `rows` count the
// photo's pixels from the cell or block on.
//   NO_WORDS: the words of a block before its first cell;
//   store_cell: adds the cell that begins at a column of the block;
//   store_words: stores all words of the block at (x, y).
//   Columns outside the photo are written if their block has columns of the photo; rows outside are not.

#if defined(OUT_YCC)
// Words of one row of the block.
#define OUT_LUMA (BLOCK_W / 4)
#define OUT_CHROMA (BLOCK_W / OUT_H / 4)
#define CHROMA_SHARE (1.0f / (float)(OUT_H * OUT_V))
#define NO_WORDS            \
    {                       \
        { 0 }, { 0 }, { 0 } \
    }

typedef struct {
    uint luma[OUT_LUMA * BLOCK_H], cb[OUT_CHROMA * BLOCK_H / OUT_V], cr[OUT_CHROMA * BLOCK_H / OUT_V];
} stored_words;

// Sums each column of OUT_V pixels, then OUT_H columns. cpu/store.h adds in the same order.
FUNCTION float chroma_sum(PRIVATE const float *values, int first)
{
    float sum = 0.0f;
#pragma unroll
    for (int column = 0; column < OUT_H; column++) {
        float of_column = values[first + column];
#pragma unroll
        for (int row = 1; row < OUT_V; row++) of_column = of_column + values[first + row * CELL_W + column];
        sum = column == 0 ? of_column : sum + of_column;
    }
    return sum;
}

// Overwrites pixels outside the photo with its last column and row.
FUNCTION void repeat_edges(PRIVATE pixel_cell *p, int columns, int rows)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        if (i % CELL_W > 0 && i % CELL_W >= columns) {
            p->r[i] = p->r[i - 1];
            p->g[i] = p->g[i - 1];
            p->b[i] = p->b[i - 1];
        }
    }
#pragma unroll
    for (int i = CELL_W; i < PIXELS; i++) {
        if (i / CELL_W >= rows) {
            p->r[i] = p->r[i - CELL_W];
            p->g[i] = p->g[i - CELL_W];
            p->b[i] = p->b[i - CELL_W];
        }
    }
}

FUNCTION void store_cell(
    __global uchar *out, kernels_planes at, int x, int y, int column, int columns, int rows,
    PRIVATE pixel_cell *p, PRIVATE stored_words *words)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        const int h = column + i % CELL_W;
        words->luma[i / CELL_W * OUT_LUMA + h / 4] |= (uint)luma_sample(p->r[i], p->g[i], p->b[i])
            << (8 * (h % 4));
    }
    repeat_edges(p, columns, rows);
#pragma unroll
    for (int i = 0; i < PIXELS; i += OUT_H) {
        if (i / CELL_W % OUT_V > 0) continue;
        const float r = chroma_sum(p->r, i), g = chroma_sum(p->g, i), b = chroma_sum(p->b, i);
        const int sample = (column + i % CELL_W) / OUT_H;
        const int word = i / CELL_W / OUT_V * OUT_CHROMA + sample / 4;
        words->cb[word] |= (uint)cb_sample(r, g, b, CHROMA_SHARE) << (8 * (sample % 4));
        words->cr[word] |= (uint)cr_sample(r, g, b, CHROMA_SHARE) << (8 * (sample % 4));
    }
}

FUNCTION void store_words(
    __global uchar *out, kernels_planes at, int x, int y, int rows, PRIVATE const stored_words *words)
{
#pragma unroll
    for (int i = 0; i < OUT_LUMA * BLOCK_H; i++) {
        if (i / OUT_LUMA < rows)
            *(__global uint *)(out + (y + i / OUT_LUMA) * at.stride + x + 4 * (i % OUT_LUMA)) =
                words->luma[i];
    }
#pragma unroll
    for (int i = 0; i < OUT_CHROMA * BLOCK_H / OUT_V; i++) {
        if (i / OUT_CHROMA * OUT_V >= rows) continue;
        const int chroma = (y / OUT_V + i / OUT_CHROMA) * at.chroma_stride + x / OUT_H + 4 * (i % OUT_CHROMA);
        *(__global uint *)(out + at.second + chroma) = words->cb[i];
        *(__global uint *)(out + at.third + chroma) = words->cr[i];
    }
}
#elif defined(OUT_FLOATS)
// Cells are stored to memory.
#define NO_WORDS \
    {            \
        0        \
    }

typedef struct {
    int none;
} stored_words;

FUNCTION void store_float(__global uchar *memory, int offset, float value)
{
    *(__global float *)(memory + offset) = value;
}

FUNCTION void store_cell(
    __global uchar *out, kernels_planes at, int x, int y, int column, int columns, int rows,
    PRIVATE pixel_cell *p, PRIVATE stored_words *words)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        if (i / CELL_W < rows && i % CELL_W < columns) {
            const int pixel = (y + i / CELL_W) * at.stride + 4 * (x + column + i % CELL_W);
            store_float(out, pixel, p->r[i]);
            store_float(out, at.second + pixel, p->g[i]);
            store_float(out, at.third + pixel, p->b[i]);
#if HAS_ALPHA
            store_float(out, at.fourth + pixel, p->a[i]);
#endif
        }
    }
}

FUNCTION void store_words(
    __global uchar *out, kernels_planes at, int x, int y, int rows, PRIVATE const stored_words *words)
{
}
#else
#define OUT_BYTES (OUT_CHANNELS * OUT_DEPTH / 8)
#define OUT_WORDS (BLOCK_W * OUT_BYTES / 4)
#define OUT_WORD_SAMPLES (32 / OUT_DEPTH)
#define OUT_MAXIMUM (OUT_DEPTH == 8 ? 255 : 65535)
#define NO_WORDS \
    {            \
        {        \
            0    \
        }        \
    }

typedef struct {
    uint rows[OUT_WORDS * BLOCK_H];
} stored_words;

FUNCTION uint sample_of(PRIVATE const pixel_cell *p, int pixel, int channel)
{
    float value = p->r[pixel];
    if (OUT_CHANNELS > 2 && channel == 1) value = p->g[pixel];
    if (OUT_CHANNELS > 2 && channel == 2) value = p->b[pixel];
#if HAS_ALPHA
    if ((OUT_CHANNELS == 2 || OUT_CHANNELS == 4) && channel == OUT_CHANNELS - 1) value = p->a[pixel];
#endif
    return (uint)quantise(value, OUT_MAXIMUM);
}

FUNCTION void store_cell(
    __global uchar *out, kernels_planes at, int x, int y, int column, int columns, int rows,
    PRIVATE pixel_cell *p, PRIVATE stored_words *words)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
#pragma unroll
        for (int channel = 0; channel < OUT_CHANNELS; channel++) {
            const int sample = (column + i % CELL_W) * OUT_CHANNELS + channel;
            words->rows[i / CELL_W * OUT_WORDS + sample / OUT_WORD_SAMPLES] |= sample_of(p, i, channel)
                << (OUT_DEPTH * (sample % OUT_WORD_SAMPLES));
        }
    }
}

FUNCTION void store_words(
    __global uchar *out, kernels_planes at, int x, int y, int rows, PRIVATE const stored_words *words)
{
#pragma unroll
    for (int i = 0; i < OUT_WORDS * BLOCK_H; i++) {
        if (i / OUT_WORDS < rows)
            *(__global uint *)(out + (y + i / OUT_WORDS) * at.stride + x * OUT_BYTES + 4 * (i % OUT_WORDS)) =
                words->rows[i];
    }
}
#endif
