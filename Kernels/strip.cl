// strip.cl: whole kernels over a strip of rows, for OpenCL devices. The host puts before this file, as macros:
//   IN_YCC or IN_CHANNELS and IN_DEPTH, or IN_FLOATS; IN_H, IN_V: the layout to load from; OUT_... likewise;
//   HAS_ALPHA, FLATTENS: 0 or 1; POINTS_BEFORE(r, g, b), POINTS_AFTER(r, g, b): the fused point stages;
//   MASK_BY_ROW, WIDENS: 0 or 1, where there is a blur: whether the mask changes by row, whether the blur was shrunk;
//   BLOCK_W: see block.cl.
// One work-item takes BLOCK_W x BLOCK_H pixels: whole chroma samples, in whole 32-bit words of every plane.
// Memory to the right of the photo, up to 16 pixels, may be read and written: strips have room for it.
// Borders: chroma of a block that reaches over the photo's edge counts the edge's pixels again.

FUNCTION void run_points_before(pixel_block *p, int columns, TABLE arguments)
{
    EACH_PIXEL(i, columns) {
        float r = p->r[i], g = p->g[i], b = p->b[i];
        POINTS_BEFORE(r, g, b)
        p->r[i] = r;
        p->g[i] = g;
        p->b[i] = b;
    }
}

FUNCTION void run_points_after(pixel_block *p, int columns, TABLE arguments)
{
    EACH_PIXEL(i, columns) {
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
    const int columns = min(width - x, BLOCK_W);
    const plane_places in_places = PLACES_OF(in), out_places = PLACES_OF(out);
    pixel_block p;
    load_block(in, in_places, x, in_row + y, columns, &p);
    run_points_before(&p, columns, arguments);
    run_points_after(&p, columns, arguments);
    store_block(out, out_places, x, out_row + y, columns, rows - y, &p);
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
    const int columns = min(width - x, BLOCK_W);
    const plane_places in_places = PLACES_OF(in);
    pixel_block p;
    load_block(in, in_places, x, y, columns, &p);
    run_points_before(&p, columns, arguments);
    UNROLLED
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
    const int columns = min(width - x, BLOCK_W);
    const plane_places in_places = PLACES_OF(in), out_places = PLACES_OF(out);
    pixel_block p;
    load_block(in, in_places, x, in_row + y, columns, &p);
    run_points_before(&p, columns, arguments);
    UNROLLED
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
    run_points_after(&p, columns, arguments);
    store_block(out, out_places, x, out_row + y, columns, rows - y, &p);
}
#endif
