// strip.cl: whole kernels over a strip of rows, for OpenCL devices. The host puts before this file, as macros:
//   IN_YCC or IN_CHANNELS and IN_DEPTH, or IN_FLOATS; IN_H, IN_V: the layout to load from; OUT_... likewise;
//   HAS_ALPHA, FLATTENS: 0 or 1; POINTS_BEFORE(r, g, b), POINTS_AFTER(r, g, b): the fused point stages;
//   MASK_BY_ROW, WIDENS: 0 or 1, where there is a blur: whether the mask changes by row, whether the blur was shrunk.
// One work-item takes BLOCK_W x BLOCK_H pixels: whole 32-bit words of every plane, whole chroma samples.
// Memory to the right of the photo, up to 16 pixels, may be read and written: strips have room for it.
// Borders: chroma of a block that reaches over the photo's edge counts the edge's pixels again.

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define BLOCK_W (4 * MAX(IN_H, OUT_H))
#define BLOCK_H MAX(IN_V, OUT_V)
#define PIXELS (BLOCK_W * BLOCK_H)

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

FUNCTION uint word_at(__global const uchar *memory, int offset)
{
    return *(__global const uint *)(memory + offset);
}

FUNCTION float byte_of(uint word, int index)
{
    return (float)(int)((word >> (8 * index)) & 0xffu);
}

#if defined(IN_YCC)
FUNCTION void load_block(__global const uchar *in, plane_places at, int x, int y, pixel_block *p)
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
FUNCTION void load_block(__global const uchar *memory, plane_places at, int x, int y, pixel_block *p)
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
FUNCTION void load_block(__global const uchar *in, plane_places at, int x, int y, pixel_block *p)
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

// The sum over a column of OUT_V pixels, then over OUT_H columns: cpu/store.h adds in the same order.
FUNCTION float block_mean(const float *values, int first)
{
    float sum = 0.0f;
#pragma unroll
    for (int column = 0; column < OUT_H; column++) {
        float of_column = values[first + column];
#pragma unroll
        for (int row = 1; row < OUT_V; row++) of_column = of_column + values[first + row * BLOCK_W + column];
        sum = column == 0 ? of_column : sum + of_column;
    }
    return sum * (1.0f / (float)(OUT_H * OUT_V));
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
                const float r = block_mean(p->r, first), g = block_mean(p->g, first), b = block_mean(p->b, first);
                cb |= (uint)cb_sample(r, g, b) << (8 * j);
                cr |= (uint)cr_sample(r, g, b) << (8 * j);
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
#define OUT_MAXIMUM (OUT_DEPTH == 8 ? 255.0f : 65535.0f)
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

FUNCTION void run_points_before(pixel_block *p, TABLE arguments)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        float r = p->r[i], g = p->g[i], b = p->b[i];
        POINTS_BEFORE(r, g, b)
        p->r[i] = r;
        p->g[i] = g;
        p->b[i] = b;
    }
}

FUNCTION void run_points_after(pixel_block *p, TABLE arguments)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        float r = p->r[i], g = p->g[i], b = p->b[i];
        POINTS_AFTER(r, g, b)
#if FLATTENS
        r = over_white(r, p->a[i]);
        g = over_white(g, p->a[i]);
        b = over_white(b, p->a[i]);
#endif
        p->r[i] = r;
        p->g[i] = g;
        p->b[i] = b;
    }
}

// Point stages alone. `in_row` and `out_row` are where the `rows` rows begin in the two strips.
__kernel void filter_points(
    __global const uchar *restrict in, __global uchar *restrict out, TABLE arguments, int width, int rows, int in_row,
    int out_row, PLACES(in), PLACES(out))
{
    const int x = (int)get_global_id(0) * BLOCK_W, y = (int)get_global_id(1) * BLOCK_H;
    if (x >= width || y >= rows) return;
    const plane_places in_places = PLACES_OF(in), out_places = PLACES_OF(out);
    pixel_block p;
    load_block(in, in_places, x, in_row + y, &p);
    run_points_before(&p, arguments);
    run_points_after(&p, arguments);
    store_block(out, out_places, x, out_row + y, width - x, rows - y, &p);
}

#ifdef MASK_BY_ROW
// What stands before and after the passes of blur_passes.cl, whose header explains the parameters.

// The first point stages' result in linear light, premultiplied.
__kernel void linearise(
    __global const uchar *restrict in, __global float *restrict linear, TABLE arguments, TABLE needed,
    int width, int rows, int photo_row, PLACES(in), int stride, int plane)
{
    const int x = (int)get_global_id(0) * BLOCK_W, y = (int)get_global_id(1) * BLOCK_H;
    if (x >= width || y >= rows) return;
    const plane_places in_places = PLACES_OF(in);
    pixel_block p;
    load_block(in, in_places, x, y, &p);
    run_points_before(&p, arguments);
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        const int row = y + i / BLOCK_W;
        if (row < rows && needed[photo_row + row] > 0.0f && x + i % BLOCK_W < width) {
            const int to = row * stride + x + i % BLOCK_W;
            float r = linear_value(p.r[i]);
            float g = linear_value(p.g[i]);
            float b = linear_value(p.b[i]);
#if HAS_ALPHA
            r = r * p.a[i];
            g = g * p.a[i];
            b = b * p.a[i];
            linear[3 * plane + to] = p.a[i];
#endif
            linear[to] = r;
            linear[plane + to] = g;
            linear[2 * plane + to] = b;
        }
    }
}

// A blurred value of the pixel in column x, from a plane's row of the blur that is as tall as the photo.
FUNCTION float blurred_value(__global const float *row, TABLE weights, int factor, int x)
{
#if WIDENS
    // Column 0 is one to the left of the photo.
    __global const float *nearest = row + x / factor + 1;
    return BLUR_WIDEN(weights + 3 * (x % factor), nearest[-1], nearest[0], nearest[1]);
#else
    return row[x];
#endif
}

// Sharp and blurred, mixed by the mask; then the point stages that follow. `blurred` begins at the result's first row.
__kernel void mix_blur(
    __global const uchar *restrict in, __global const float *restrict blurred, __global uchar *restrict out,
    TABLE arguments, TABLE mask, TABLE weights, int factor, int width, int rows, int photo_row, int in_row, int out_row,
    PLACES(in), PLACES(out), int stride, int plane)
{
    const int x = (int)get_global_id(0) * BLOCK_W, y = (int)get_global_id(1) * BLOCK_H;
    if (x >= width || y >= rows) return;
    const plane_places in_places = PLACES_OF(in), out_places = PLACES_OF(out);
    pixel_block p;
    load_block(in, in_places, x, in_row + y, &p);
    run_points_before(&p, arguments);
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        const int row = y + i / BLOCK_W, column = x + i % BLOCK_W;
        if (row < rows && column < width) {
            const float m = mask[MASK_BY_ROW ? photo_row + row : column];
            if (m > 0.0f) {
                __global const float *at = blurred + row * stride;
                const float r = blurred_value(at, weights, factor, column);
                const float g = blurred_value(at + plane, weights, factor, column);
                const float b = blurred_value(at + 2 * plane, weights, factor, column);
#if HAS_ALPHA
                const float a = p.a[i];
                const float alpha = mixed_alpha(a, blurred_value(at + 3 * plane, weights, factor, column), m);
                const float inverse = inverse_alpha(alpha);
                p.r[i] = mixed_premultiplied(p.r[i], a, r, inverse, m);
                p.g[i] = mixed_premultiplied(p.g[i], a, g, inverse, m);
                p.b[i] = mixed_premultiplied(p.b[i], a, b, inverse, m);
                p.a[i] = alpha;
#else
                p.r[i] = encoded_mix(p.r[i], linear_mix(p.r[i], r, m), m);
                p.g[i] = encoded_mix(p.g[i], linear_mix(p.g[i], g, m), m);
                p.b[i] = encoded_mix(p.b[i], linear_mix(p.b[i], b, m), m);
#endif
            }
        }
    }
    run_points_after(&p, arguments);
    store_block(out, out_places, x, out_row + y, width - x, rows - y, &p);
}
#endif
