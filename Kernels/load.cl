// load.cl: loads a work-item's block from a strip, or from planes of floats. See block.cl.
//   load_block: from (x, y) on. Pixels outside the photo have undefined values.

FUNCTION uint word_at(__global const uchar *memory, int offset)
{
    return *(__global const uint *)(memory + offset);
}

FUNCTION float byte_of(uint word, int index) { return (float)(int)((word >> (8 * index)) & 0xffu); }

#if defined(IN_YCC)
FUNCTION void load_block(__global const uchar *in, kernels_planes at, int x, int y, PRIVATE pixel_block *p)
{
#pragma unroll
    for (int v = 0; v < BLOCK_H; v += IN_V) {
#pragma unroll
        for (int h = 0; h < BLOCK_W; h += 4 * IN_H) {
            const int chroma = (y + v) / IN_V * at.chroma_stride + (x + h) / IN_H;
            const uint cb = word_at(in, at.second + chroma), cr = word_at(in, at.third + chroma);
#pragma unroll
            for (int dy = 0; dy < IN_V; dy++) {
#pragma unroll
                for (int i = 0; i < 4 * IN_H; i += 4) {
                    const uint luma = word_at(in, (y + v + dy) * at.stride + x + h + i);
#pragma unroll
                    for (int j = 0; j < 4; j++) {
                        float to_red, to_green, to_blue;
                        const int sample = (i + j) / IN_H, pixel = (v + dy) * BLOCK_W + h + i + j;
                        chroma_offsets(
                            byte_of(cb, sample), byte_of(cr, sample), &to_red, &to_green, &to_blue);
                        p->r[pixel] = channel_value(byte_of(luma, j), to_red);
                        p->g[pixel] = channel_value(byte_of(luma, j), to_green);
                        p->b[pixel] = channel_value(byte_of(luma, j), to_blue);
                    }
                }
            }
        }
    }
}
#elif defined(IN_FLOATS)
FUNCTION float float_at(__global const uchar *memory, int offset)
{
    return *(__global const float *)(memory + offset);
}

FUNCTION void load_block(__global const uchar *in, kernels_planes at, int x, int y, PRIVATE pixel_block *p)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        const int pixel = (y + i / BLOCK_W) * at.stride + 4 * (x + i % BLOCK_W);
        p->r[i] = float_at(in, pixel);
        p->g[i] = float_at(in, at.second + pixel);
        p->b[i] = float_at(in, at.third + pixel);
#if HAS_ALPHA
        p->a[i] = float_at(in, at.fourth + pixel);
#endif
    }
}
#else
#define IN_BYTES (IN_CHANNELS * IN_DEPTH / 8)
#if IN_DEPTH == 8
#define IN_SAMPLE(words, i) byte_of(words[(i) / 4], (i) % 4)
#define IN_SCALE (1.0f / 255.0f)
#else
#define IN_SAMPLE(words, i) (float)(int)((words[(i) / 2] >> (16 * ((i) % 2))) & 0xffffu)
#define IN_SCALE (1.0f / 65535.0f)
#endif
FUNCTION void load_block(__global const uchar *in, kernels_planes at, int x, int y, PRIVATE pixel_block *p)
{
#pragma unroll
    for (int v = 0; v < BLOCK_H; v++) {
        uint words[BLOCK_W * IN_BYTES / 4];
#pragma unroll
        for (int i = 0; i < BLOCK_W * IN_BYTES / 4; i++)
            words[i] = word_at(in, (y + v) * at.stride + x * IN_BYTES + 4 * i);
#pragma unroll
        for (int i = 0; i < BLOCK_W; i++) {
            const int pixel = v * BLOCK_W + i, sample = i * IN_CHANNELS;
            p->r[pixel] = IN_SAMPLE(words, sample) * IN_SCALE;
            p->g[pixel] = IN_SAMPLE(words, sample + (IN_CHANNELS > 2 ? 1 : 0)) * IN_SCALE;
            p->b[pixel] = IN_SAMPLE(words, sample + (IN_CHANNELS > 2 ? 2 : 0)) * IN_SCALE;
#if HAS_ALPHA
            p->a[pixel] = IN_SAMPLE(words, sample + IN_CHANNELS - 1) * IN_SCALE;
#endif
        }
    }
}
#endif
