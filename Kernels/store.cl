// store.cl: stores a work-item's block to a strip, or to planes of floats. See block.cl.
//   store_block: at (x, y). `columns` and `rows` count the photo's pixels from there on, at least 1.
//   Columns outside the photo are written if they share a word with the photo; rows outside are not.

#if defined(OUT_YCC)
#define CHROMA_SHARE (1.0f / (float)(OUT_H * OUT_V))

// Sums each column of OUT_V pixels, then OUT_H columns. cpu/store.h adds in the same order.
FUNCTION float block_sum(PRIVATE const float *values, int first)
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

// Overwrites pixels outside the photo with its last column and row.
FUNCTION void repeat_edges(PRIVATE pixel_block *p, int columns, int rows)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        if (i % BLOCK_W > 0 && i % BLOCK_W >= columns) {
            p->r[i] = p->r[i - 1];
            p->g[i] = p->g[i - 1];
            p->b[i] = p->b[i - 1];
        }
    }
#pragma unroll
    for (int i = BLOCK_W; i < PIXELS; i++) {
        if (i / BLOCK_W >= rows) {
            p->r[i] = p->r[i - BLOCK_W];
            p->g[i] = p->g[i - BLOCK_W];
            p->b[i] = p->b[i - BLOCK_W];
        }
    }
}

FUNCTION void store_block(
    __global uchar *out, kernels_planes at, int x, int y, int columns, int rows, PRIVATE pixel_block *p)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i += 4) {
        uint luma = 0;
#pragma unroll
        for (int j = 0; j < 4; j++)
            luma |= (uint)luma_sample(p->r[i + j], p->g[i + j], p->b[i + j]) << (8 * j);
        if (i / BLOCK_W < rows)
            *(__global uint *)(out + (y + i / BLOCK_W) * at.stride + x + i % BLOCK_W) = luma;
    }
    repeat_edges(p, columns, rows);
#pragma unroll
    for (int v = 0; v < BLOCK_H; v += OUT_V) {
#pragma unroll
        for (int h = 0; h < BLOCK_W; h += 4 * OUT_H) {
            uint cb = 0, cr = 0;
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const int first = v * BLOCK_W + h + j * OUT_H;
                const float r = block_sum(p->r, first), g = block_sum(p->g, first),
                            b = block_sum(p->b, first);
                cb |= (uint)cb_sample(r, g, b, CHROMA_SHARE) << (8 * j);
                cr |= (uint)cr_sample(r, g, b, CHROMA_SHARE) << (8 * j);
            }
            if (v < rows) {
                const int chroma = (y + v) / OUT_V * at.chroma_stride + (x + h) / OUT_H;
                *(__global uint *)(out + at.second + chroma) = cb;
                *(__global uint *)(out + at.third + chroma) = cr;
            }
        }
    }
}
#elif defined(OUT_FLOATS)
FUNCTION void store_float(__global uchar *memory, int offset, float value)
{
    *(__global float *)(memory + offset) = value;
}

FUNCTION void store_block(
    __global uchar *out, kernels_planes at, int x, int y, int columns, int rows, PRIVATE pixel_block *p)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        if (i / BLOCK_W < rows && i % BLOCK_W < columns) {
            const int pixel = (y + i / BLOCK_W) * at.stride + 4 * (x + i % BLOCK_W);
            store_float(out, pixel, p->r[i]);
            store_float(out, at.second + pixel, p->g[i]);
            store_float(out, at.third + pixel, p->b[i]);
#if HAS_ALPHA
            store_float(out, at.fourth + pixel, p->a[i]);
#endif
        }
    }
}
#else
#define OUT_BYTES (OUT_CHANNELS * OUT_DEPTH / 8)
#define OUT_WORD_SAMPLES (32 / OUT_DEPTH)
#define OUT_MAXIMUM (OUT_DEPTH == 8 ? 255 : 65535)
FUNCTION uint sample_of(PRIVATE const pixel_block *p, int pixel, int channel)
{
    float value = p->r[pixel];
    if (OUT_CHANNELS > 2 && channel == 1) value = p->g[pixel];
    if (OUT_CHANNELS > 2 && channel == 2) value = p->b[pixel];
#if HAS_ALPHA
    if ((OUT_CHANNELS == 2 || OUT_CHANNELS == 4) && channel == OUT_CHANNELS - 1) value = p->a[pixel];
#endif
    return (uint)quantise(value, OUT_MAXIMUM);
}

FUNCTION void store_block(
    __global uchar *out, kernels_planes at, int x, int y, int columns, int rows, PRIVATE pixel_block *p)
{
#pragma unroll
    for (int v = 0; v < BLOCK_H; v++) {
#pragma unroll
        for (int i = 0; i < BLOCK_W * OUT_BYTES / 4; i++) {
            uint word = 0;
#pragma unroll
            for (int j = 0; j < OUT_WORD_SAMPLES; j++) {
                const int sample = i * OUT_WORD_SAMPLES + j;
                word |= sample_of(p, v * BLOCK_W + sample / OUT_CHANNELS, sample % OUT_CHANNELS)
                    << (OUT_DEPTH * j);
            }
            if (v < rows) *(__global uint *)(out + (y + v) * at.stride + x * OUT_BYTES + 4 * i) = word;
        }
    }
}
#endif
