// block_words.cl: how a work-item of strip.cl loads and stores its pixels on a GPU: few pixels, in registers, in whole
// 32-bit words of every plane; work-items beside each other take words beside each other. BLOCK_W is a multiple of
// 4 x the chroma's subsampling.

#define UNROLLED _Pragma("unroll")
#define EACH_PIXEL(i, columns) _Pragma("unroll") for (int i = 0; i < PIXELS; i++)
#define EACH_COLUMN(i, columns) _Pragma("unroll") for (int i = 0; i < BLOCK_W; i++) if (i < (columns))

FUNCTION uint word_at(__global const uchar *memory, int offset)
{
    return *(__global const uint *)(memory + offset);
}

FUNCTION float byte_of(uint word, int index)
{
    return (float)(int)((word >> (8 * index)) & 0xffu);
}

#if defined(IN_YCC)
FUNCTION void load_block(__global const uchar *in, plane_places at, int x, int y, int columns, pixel_block *p)
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
                        chroma_offsets(byte_of(cb, sample), byte_of(cr, sample), &to_red, &to_green, &to_blue);
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
FUNCTION void load_block(__global const uchar *memory, plane_places at, int x, int y, int columns, pixel_block *p)
{
    __global const float *in = (__global const float *)memory;
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        const int from = (y + i / BLOCK_W) * at.stride + x + i % BLOCK_W;
        p->r[i] = in[from];
        p->g[i] = in[at.second + from];
        p->b[i] = in[at.third + from];
#if HAS_ALPHA
        p->a[i] = in[at.chroma_stride + from];
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
FUNCTION void load_block(__global const uchar *in, plane_places at, int x, int y, int columns, pixel_block *p)
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

#if defined(OUT_YCC)
// Pixels outside the photo become copies of its last column and row.
FUNCTION void repeat_edges(pixel_block *p, int columns, int rows)
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

FUNCTION void store_block(__global uchar *out, plane_places at, int x, int y, int columns, int rows, pixel_block *p)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i += 4) {
        uint luma = 0;
#pragma unroll
        for (int j = 0; j < 4; j++) luma |= (uint)luma_sample(p->r[i + j], p->g[i + j], p->b[i + j]) << (8 * j);
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
                const float r = block_sum(p->r, first), g = block_sum(p->g, first), b = block_sum(p->b, first);
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
FUNCTION void store_block(
    __global uchar *memory, plane_places at, int x, int y, int columns, int rows, pixel_block *p)
{
    __global float *out = (__global float *)memory;
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        if (i / BLOCK_W < rows && i % BLOCK_W < columns) {
            const int to = (y + i / BLOCK_W) * at.stride + x + i % BLOCK_W;
            out[to] = p->r[i];
            out[at.second + to] = p->g[i];
            out[at.third + to] = p->b[i];
#if HAS_ALPHA
            out[at.chroma_stride + to] = p->a[i];
#endif
        }
    }
}
#else
#define OUT_BYTES (OUT_CHANNELS * OUT_DEPTH / 8)
#define OUT_WORD_SAMPLES (32 / OUT_DEPTH)
#define OUT_MAXIMUM (OUT_DEPTH == 8 ? 255 : 65535)
FUNCTION uint sample_of(const pixel_block *p, int pixel, int channel)
{
    float value = p->r[pixel];
    if (OUT_CHANNELS > 2 && channel == 1) value = p->g[pixel];
    if (OUT_CHANNELS > 2 && channel == 2) value = p->b[pixel];
#if HAS_ALPHA
    if ((OUT_CHANNELS == 2 || OUT_CHANNELS == 4) && channel == OUT_CHANNELS - 1) value = p->a[pixel];
#endif
    return (uint)quantise(value, OUT_MAXIMUM);
}

FUNCTION void store_block(__global uchar *out, plane_places at, int x, int y, int columns, int rows, pixel_block *p)
{
#pragma unroll
    for (int v = 0; v < BLOCK_H; v++) {
#pragma unroll
        for (int i = 0; i < BLOCK_W * OUT_BYTES / 4; i++) {
            uint word = 0;
#pragma unroll
            for (int j = 0; j < OUT_WORD_SAMPLES; j++) {
                const int sample = i * OUT_WORD_SAMPLES + j;
                word |= sample_of(p, v * BLOCK_W + sample / OUT_CHANNELS, sample % OUT_CHANNELS) << (OUT_DEPTH * j);
            }
            if (v < rows) *(__global uint *)(out + (y + v) * at.stride + x * OUT_BYTES + 4 * i) = word;
        }
    }
}
#endif

#ifdef FACTOR
FUNCTION void load_blurred(__global const float *row, __global const float *weights, int x, int columns, PRIVATE float *values)
{
    EACH_COLUMN(i, columns) {
#if FACTOR == 1
        values[i] = row[x + i];
#else
        // Column 0 is one to the left of the photo.
        __global const float *nearest = row + (x + i) / FACTOR + 1;
        const int phase = (x + i) % FACTOR;
        const float own[3] = { weights[phase], weights[PATTERN + phase], weights[2 * PATTERN + phase] };
        values[i] = BLUR_WIDEN(own, nearest[-1], nearest[0], nearest[1]);
#endif
    }
}
#endif
