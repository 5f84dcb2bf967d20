// strip.cl: whole kernels over a strip of rows, for OpenCL devices. The host puts before this file, as macros:
//   IN_YCC or IN_CHANNELS and IN_DEPTH, or IN_FLOATS; IN_H, IN_V: the layout to load from; OUT_... likewise;
//   HAS_ALPHA, FLATTENS: 0 or 1; POINTS_BEFORE(r, g, b), POINTS_AFTER(r, g, b): the fused point stages;
//   MASK_BY_ROW, FACTOR, where there is a blur: 0 or 1, whether the mask changes by row; pixels shrunk to one along x;
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

// The first point stages' result in linear light, premultiplied. `photo_row`, `in_row` and `to_row` are where the `rows`
// rows begin in the photo, in the strip and in the result, which has no rows before the photo's row `first_row`.
__kernel void linearise(
    __global const uchar *restrict in, __global float *restrict linear, TABLE arguments, TABLE needed,
    int width, int rows, int photo_row, int in_row, int to_row, int first_row, PLACES(in), int stride, int plane)
{
    const int x = (int)get_global_id(0) * BLOCK_W, y = (int)get_global_id(1) * BLOCK_H;
    if (x >= width || y >= rows) return;
    const int columns = min(width - x, BLOCK_W);
    const plane_places in_places = PLACES_OF(in);
    pixel_block p;
    load_block(in, in_places, x, in_row + y, columns, &p);
    run_points_before(&p, columns, arguments);
    UNROLLED
    for (int v = 0; v < BLOCK_H; v++) {
        const int row = photo_row + y + v;
        if (y + v >= rows || row < first_row || needed[row] == 0.0f) continue;
        __global float *restrict red = linear + (to_row + y + v) * stride + x;
        __global float *restrict green = red + plane, *restrict blue = green + plane;
#if HAS_ALPHA
        __global float *restrict alpha = blue + plane;
#endif
        EACH_COLUMN(i, columns) {
            const int pixel = v * BLOCK_W + i;
            float r = linear_value(p.r[pixel]);
            float g = linear_value(p.g[pixel]);
            float b = linear_value(p.b[pixel]);
#if HAS_ALPHA
            r = r * p.a[pixel];
            g = g * p.a[pixel];
            b = b * p.a[pixel];
            alpha[i] = p.a[pixel];
#endif
            red[i] = r;
            green[i] = g;
            blue[i] = b;
        }
    }
}

#if !HAS_ALPHA
// One channel of a row of the block. `mask` has one value for all columns, or one for each.
FUNCTION void mix_opaque(PRIVATE float *restrict sharp, PRIVATE float *restrict blurred, TABLE mask, int columns)
{
    // In two steps: in one, a pixel's operations are too long a chain to work on many pixels at once.
    EACH_COLUMN(i, columns) blurred[i] = linear_mix(sharp[i], blurred[i], mask[MASK_BY_ROW ? 0 : i]);
    EACH_COLUMN(i, columns) sharp[i] = encoded_mix(sharp[i], blurred[i], mask[MASK_BY_ROW ? 0 : i]);
}
#endif

// Sharp and blurred, mixed by the mask; then the point stages that follow. `blurred` begins at the result's first row.
__kernel void mix_blur(
    __global const uchar *restrict in, __global const float *restrict blurred, __global uchar *restrict out,
    TABLE arguments, TABLE mask, TABLE weights, int width, int rows, int photo_row, int in_row, int out_row,
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
    for (int v = 0; v < BLOCK_H; v++) {
        if (y + v >= rows || (MASK_BY_ROW && mask[photo_row + y + v] == 0.0f)) continue;
        __global const float *at = blurred + (y + v) * stride;
        float red[BLOCK_W], green[BLOCK_W], blue[BLOCK_W];
        load_blurred(at, weights, x, columns, red);
        load_blurred(at + plane, weights, x, columns, green);
        load_blurred(at + 2 * plane, weights, x, columns, blue);
#if HAS_ALPHA
        float alpha[BLOCK_W];
        load_blurred(at + 3 * plane, weights, x, columns, alpha);
        EACH_COLUMN(i, columns) {
            const int pixel = v * BLOCK_W + i;
            const float m = mask[MASK_BY_ROW ? photo_row + y + v : x + i];
            const float a = p.a[pixel], mixed = mixed_alpha(a, alpha[i], m);
            const float inverse = inverse_alpha(mixed);
            p.r[pixel] = mixed_premultiplied(p.r[pixel], a, red[i], inverse, m);
            p.g[pixel] = mixed_premultiplied(p.g[pixel], a, green[i], inverse, m);
            p.b[pixel] = mixed_premultiplied(p.b[pixel], a, blue[i], inverse, m);
            p.a[pixel] = mixed;
        }
#else
        TABLE m = mask + (MASK_BY_ROW ? photo_row + y + v : x);
        mix_opaque(p.r + v * BLOCK_W, red, m, columns);
        mix_opaque(p.g + v * BLOCK_W, green, m, columns);
        mix_opaque(p.b + v * BLOCK_W, blue, m, columns);
#endif
    }
    run_points_after(&p, columns, arguments);
    store_block(out, out_places, x, out_row + y, columns, rows - y, &p);
}
#endif
