// mix_blur.cl: mixes a strip's pixels with their blur and runs the point stages that follow, for OpenCL
// devices.
// A work-item takes one block; see block.cl. The host defines these macros before this file:
//   MASK_BY_ROW: 1 if the mask changes by row, 0 if by column;
//   UPSAMPLES: 1 if the blur is still downsampled along x, else 0;
//   BLENDS: 1 if a function blends photo and blur, else 0; then RUN_BLEND(c, blurred, at) calls it.
// Up to 16 pixels to the right of the photo may be read and written: strips are allocated with that padding.
// Borders: if a block crosses the photo's edge, chroma averages copies of the edge pixels.

// Pixel x of a `row` of one plane of the blur, upsampled along x. `weights` has three for each pixel of a downsampled
// one: for the previous, the own and the next downsampled pixel.
FUNCTION float blurred_value(__global const float *row, TABLE weights, int factor_log2, int x)
{
#if UPSAMPLES
    // Column 0 of the blur lies one to the left of the photo.
    __global const float *nearest = row + (x >> factor_log2) + 1;
    TABLE own = weights + 3 * (x & ((1 << factor_log2) - 1));
    return BLUR_UPSAMPLE(own, nearest[-1], nearest[0], nearest[1]);
#else
    return row[x];
#endif
}

__kernel void mix_blur(
    __global const uchar *restrict in, __global const float *restrict blurred, __global uchar *restrict out,
    TABLE arguments, TABLE mask, TABLE weights, kernels_mix_params params)
{
    const int x = (int)get_global_id(0) * BLOCK_W, y = (int)get_global_id(1) * BLOCK_H;
    if (x >= params.width || y >= params.rows) return;
    const int columns = params.width - x, rows = params.rows - y;
    float share_of_row[BLOCK_H];
    __global const float *red[BLOCK_H], *green[BLOCK_H], *blue[BLOCK_H];
#if HAS_ALPHA
    __global const float *alpha[BLOCK_H];
#endif
#pragma unroll
    for (int v = 0; v < BLOCK_H; v++) {
        share_of_row[v] = v >= rows ? 0.0f : MASK_BY_ROW ? mask[params.photo_row + y + v] : 1.0f;
        red[v] = blurred + (y + v) * params.blurred.stride;
        green[v] = red[v] + params.blurred.plane;
        blue[v] = green[v] + params.blurred.plane;
#if HAS_ALPHA
        alpha[v] = blue[v] + params.blurred.plane;
#endif
    }
    loaded_words loaded;
    load_words(in, params.in, x, params.in_row + y, &loaded);
    stored_words stored = NO_WORDS;
#pragma unroll
    for (int column = 0; column < BLOCK_W; column += CELL_W) {
        pixel_cell p;
        load_cell(in, params.in, x, params.in_row + y, &loaded, column, &p);
        run_points_before(&p, arguments, params.view, x + column, params.photo_row + y);
#pragma unroll
        for (int i = 0; i < PIXELS; i++) {
            const int h = column + i % CELL_W, v = i / CELL_W;
            if (h >= columns || share_of_row[v] == 0.0f) continue;
            const float r = blurred_value(red[v], weights, params.factor_log2, x + h);
            const float g = blurred_value(green[v], weights, params.factor_log2, x + h);
            const float b = blurred_value(blue[v], weights, params.factor_log2, x + h);
#if HAS_ALPHA
            const float own = p.a[i], a = blurred_value(alpha[v], weights, params.factor_log2, x + h);
#endif
#if BLENDS
#if HAS_ALPHA
            const float inverse = inverse_alpha(a);
#else
            const float inverse = 1.0f;
#endif
            const colour straight = { r * inverse, g * inverse, b * inverse };
            colour c = { p.r[i], p.g[i], p.b[i] };
            RUN_BLEND(c, straight, place_of(params.view, x + h, params.photo_row + y + v))
            p.r[i] = c.r;
            p.g[i] = c.g;
            p.b[i] = c.b;
#else
            const float m = MASK_BY_ROW ? share_of_row[v] : mask[x + h];
#if HAS_ALPHA
            const float mixed = mixed_alpha(own, a, m), inverse = inverse_alpha(mixed);
            p.r[i] = mixed_premultiplied(p.r[i], own, r, inverse, m);
            p.g[i] = mixed_premultiplied(p.g[i], own, g, inverse, m);
            p.b[i] = mixed_premultiplied(p.b[i], own, b, inverse, m);
            p.a[i] = unit(mixed);
#else
            p.r[i] = mixed_opaque(p.r[i], r, m);
            p.g[i] = mixed_opaque(p.g[i], g, m);
            p.b[i] = mixed_opaque(p.b[i], b, m);
#endif
#endif
        }
        run_points_after(&p, arguments, params.view, x + column, params.photo_row + y);
        store_cell(out, params.out, x, params.out_row + y, column, columns - column, rows, &p, &stored);
    }
    store_words(out, params.out, x, params.out_row + y, rows, &stored);
}
