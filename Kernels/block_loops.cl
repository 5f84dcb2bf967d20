// block_loops.cl: how a work-item of strip.cl loads and stores its pixels on a CPU: many pixels, in rows that stay in the
// first-level cache, in loops that compilers turn into vectors. As cpu/load.h and cpu/store.h do it, to the same bits.
// BLOCK_W is a multiple of 16.

#define UNROLLED
#define EACH_PIXEL(i, columns)                    \
    for (int i##_row = 0; i##_row < BLOCK_H; i##_row++) \
        for (int i = i##_row * BLOCK_W; i < i##_row * BLOCK_W + (columns); i++)
#define EACH_COLUMN(i, columns) for (int i = 0; i < (columns); i++)

#if defined(IN_YCC)
// Chroma samples, each as often as it has pixels in a row; up to 16 pixels at a time.
FUNCTION void spread(__global const uchar *restrict chroma, int columns, PRIVATE uchar *restrict pixels)
{
    for (int i = 0; i < columns; i += 16) {
#if IN_H == 1
        vstore16(vload16(0, chroma + i), 0, pixels + i);
#elif IN_H == 2
        vstore16(vload8(0, chroma + i / 2).s0011223344556677, 0, pixels + i);
#else
        vstore16(vload4(0, chroma + i / 4).s0000111122223333, 0, pixels + i);
#endif
    }
}

FUNCTION void load_block(
    __global const uchar *restrict in, plane_places at, int x, int y, int columns, pixel_block *p)
{
    uchar cb[BLOCK_W], cr[BLOCK_W];
    for (int v = 0; v < BLOCK_H; v++) {
        if (v % IN_V == 0) {
            const int chroma = (y + v) / IN_V * at.chroma_stride + x / IN_H;
            spread(in + at.second + chroma, columns, cb);
            spread(in + at.third + chroma, columns, cr);
        }
        __global const uchar *restrict luma = in + (y + v) * at.stride + x;
        for (int i = 0; i < columns; i++) {
            float to_red, to_green, to_blue;
            chroma_offsets((float)(int)cb[i], (float)(int)cr[i], &to_red, &to_green, &to_blue);
            const float value = (float)(int)luma[i];
            p->r[v * BLOCK_W + i] = channel_value(value, to_red);
            p->g[v * BLOCK_W + i] = channel_value(value, to_green);
            p->b[v * BLOCK_W + i] = channel_value(value, to_blue);
        }
    }
}
#elif defined(IN_FLOATS)
FUNCTION void load_block(
    __global const uchar *restrict memory, plane_places at, int x, int y, int columns, pixel_block *p)
{
    for (int v = 0; v < BLOCK_H; v++) {
        __global const float *restrict in = (__global const float *)memory + (y + v) * at.stride + x;
        for (int i = 0; i < columns; i++) {
            p->r[v * BLOCK_W + i] = in[i];
            p->g[v * BLOCK_W + i] = in[at.second + i];
            p->b[v * BLOCK_W + i] = in[at.third + i];
#if HAS_ALPHA
            p->a[v * BLOCK_W + i] = in[at.chroma_stride + i];
#endif
        }
    }
}
#else
#if IN_DEPTH == 8
typedef uchar in_sample;
#define IN_SCALE (1.0f / 255.0f)
#else
typedef ushort in_sample;
#define IN_SCALE (1.0f / 65535.0f)
#endif
FUNCTION void load_block(
    __global const uchar *restrict in, plane_places at, int x, int y, int columns, pixel_block *p)
{
    for (int v = 0; v < BLOCK_H; v++) {
        __global const in_sample *restrict row = (__global const in_sample *)(in + (y + v) * at.stride) + x * IN_CHANNELS;
        for (int i = 0; i < columns; i++) {
            const int pixel = v * BLOCK_W + i, sample = i * IN_CHANNELS;
            p->r[pixel] = (float)(int)row[sample] * IN_SCALE;
            p->g[pixel] = (float)(int)row[sample + (IN_CHANNELS > 2 ? 1 : 0)] * IN_SCALE;
            p->b[pixel] = (float)(int)row[sample + (IN_CHANNELS > 2 ? 2 : 0)] * IN_SCALE;
#if HAS_ALPHA
            p->a[pixel] = (float)(int)row[sample + IN_CHANNELS - 1] * IN_SCALE;
#endif
        }
    }
}
#endif

#if defined(OUT_YCC)
// Pixels outside the photo, as far as they share chroma with some inside, become copies of its last column and row.
FUNCTION void repeat_edges(pixel_block *p, int columns, int rows)
{
    const int whole = (columns + OUT_H - 1) / OUT_H * OUT_H;
    for (int v = 0; v < BLOCK_H; v++) {
        for (int i = v * BLOCK_W + columns; i < v * BLOCK_W + whole; i++) {
            p->r[i] = p->r[i - 1];
            p->g[i] = p->g[i - 1];
            p->b[i] = p->b[i - 1];
        }
    }
    for (int v = rows; v < BLOCK_H; v++) {
        for (int i = v * BLOCK_W; i < v * BLOCK_W + whole; i++) {
            p->r[i] = p->r[i - BLOCK_W];
            p->g[i] = p->g[i - BLOCK_W];
            p->b[i] = p->b[i - BLOCK_W];
        }
    }
}

FUNCTION void store_block(
    __global uchar *restrict out, plane_places at, int x, int y, int columns, int rows, pixel_block *p)
{
    for (int v = 0; v < min(rows, BLOCK_H); v++) {
        __global uchar *restrict luma = out + (y + v) * at.stride + x;
        for (int i = 0; i < columns; i++) {
            const int pixel = v * BLOCK_W + i;
            luma[i] = (uchar)luma_sample(p->r[pixel], p->g[pixel], p->b[pixel]);
        }
    }
    repeat_edges(p, columns, rows);
    for (int v = 0; v < min(rows, BLOCK_H); v += OUT_V) {
        const int chroma = (y + v) / OUT_V * at.chroma_stride + x / OUT_H;
        __global uchar *restrict cb = out + at.second + chroma, *restrict cr = out + at.third + chroma;
        for (int c = 0; c < (columns + OUT_H - 1) / OUT_H; c++) {
            const int first = v * BLOCK_W + c * OUT_H;
            const float r = block_sum(p->r, first), g = block_sum(p->g, first), b = block_sum(p->b, first);
            cb[c] = (uchar)cb_sample(r, g, b, CHROMA_SHARE);
            cr[c] = (uchar)cr_sample(r, g, b, CHROMA_SHARE);
        }
    }
}
#elif defined(OUT_FLOATS)
FUNCTION void store_block(
    __global uchar *restrict memory, plane_places at, int x, int y, int columns, int rows, pixel_block *p)
{
    for (int v = 0; v < min(rows, BLOCK_H); v++) {
        __global float *restrict out = (__global float *)memory + (y + v) * at.stride + x;
        for (int i = 0; i < columns; i++) {
            out[i] = p->r[v * BLOCK_W + i];
            out[at.second + i] = p->g[v * BLOCK_W + i];
            out[at.third + i] = p->b[v * BLOCK_W + i];
#if HAS_ALPHA
            out[at.chroma_stride + i] = p->a[v * BLOCK_W + i];
#endif
        }
    }
}
#else
#if OUT_DEPTH == 8
typedef uchar out_sample;
#define OUT_MAXIMUM 255
#else
typedef ushort out_sample;
#define OUT_MAXIMUM 65535
#endif
FUNCTION void store_block(
    __global uchar *restrict out, plane_places at, int x, int y, int columns, int rows, pixel_block *p)
{
    for (int v = 0; v < min(rows, BLOCK_H); v++) {
        __global out_sample *restrict row = (__global out_sample *)(out + (y + v) * at.stride) + x * OUT_CHANNELS;
        for (int i = 0; i < columns; i++) {
            const int pixel = v * BLOCK_W + i, sample = i * OUT_CHANNELS;
            row[sample] = (out_sample)quantise(p->r[pixel], OUT_MAXIMUM);
#if OUT_CHANNELS > 2
            row[sample + 1] = (out_sample)quantise(p->g[pixel], OUT_MAXIMUM);
            row[sample + 2] = (out_sample)quantise(p->b[pixel], OUT_MAXIMUM);
#endif
#if OUT_CHANNELS == 2 || OUT_CHANNELS == 4
            row[sample + OUT_CHANNELS - 1] = (out_sample)quantise(p->a[pixel], OUT_MAXIMUM);
#endif
        }
    }
}
#endif

#ifdef FACTOR
// The values of shrunk pixels from `first` on, each as often as it has pixels, 16 in all.
#if FACTOR == 2
#define SPREAD(first) vload8(0, first).s0011223344556677
#elif FACTOR == 4
#define SPREAD(first) vload4(0, first).s0000111122223333
#elif FACTOR == 8
#define SPREAD(first) vload2(0, first).s0000000011111111
#else
#define SPREAD(first) (float16)(*(first))
#endif

FUNCTION void load_blurred(
    __global const float *restrict row, TABLE weights, int x, int columns, PRIVATE float *restrict values)
{
#if FACTOR == 1
    for (int i = 0; i < columns; i++) values[i] = row[x + i];
#else
    for (int i = 0; i < columns; i += 16) {
        // Column 0 is one to the left of the photo.
        __global const float *nearest = row + (x + i) / FACTOR + 1;
        TABLE own = weights + (x + i) % PATTERN;
        const float16 phases[3] = { vload16(0, own), vload16(0, own + PATTERN), vload16(0, own + 2 * PATTERN) };
        vstore16(BLUR_WIDEN(phases, SPREAD(nearest - 1), SPREAD(nearest), SPREAD(nearest + 1)), 0, values + i);
    }
#endif
}
#endif
