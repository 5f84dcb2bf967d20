// mix_blur.cl: mixes a strip's pixels with their blur and runs the point stages that follow, for OpenCL
// devices.
// A work-item takes one block; see block.cl. The host defines these macros before this file:
//   MASK_BY_ROW: 1 if the mask changes by row, 0 if by column;
//   UPSAMPLES: 1 if the blur is still downsampled along x, else 0;
//   BLENDS: 1 if a function blends photo and blur, else 0; then RUN_BLEND(c, blurred, at) calls it.
// Up to 16 pixels to the right of the photo may be read and written: strips are allocated with that padding.
// Borders: if a block crosses the photo's edge, chroma averages copies of the edge pixels.

// Loads a `row` of one plane of the blur from pixel x on, upsampled along x. `weights` has three for each
// pixel of a downsampled one: for the previous, the own and the next downsampled pixel.
FUNCTION void load_blurred(
    __global const float *row, TABLE weights, int factor_log2, int x, int columns, PRIVATE float *values)
{
#pragma unroll
    for (int i = 0; i < BLOCK_W; i++) {
        if (i >= columns) continue;
#if UPSAMPLES
        // Column 0 of the blur lies one to the left of the photo.
        __global const float *nearest = row + ((x + i) >> factor_log2) + 1;
        TABLE own = weights + 3 * ((x + i) & ((1 << factor_log2) - 1));
        values[i] = BLUR_UPSAMPLE(own, nearest[-1], nearest[0], nearest[1]);
#else
        values[i] = row[x + i];
#endif
    }
}

__kernel void mix_blur(
    __global const uchar *restrict in, __global const float *restrict blurred, __global uchar *restrict out,
    TABLE arguments, TABLE mask, TABLE weights, kernels_mix_params params)
{
    const int x = (int)get_global_id(0) * BLOCK_W, y = (int)get_global_id(1) * BLOCK_H;
    if (x >= params.width || y >= params.rows) return;
    const int columns = min(params.width - x, BLOCK_W);
    pixel_block p;
    load_block(in, params.in, x, params.in_row + y, &p);
    run_points_before(&p, arguments, params.view, x, params.photo_row + y);
#pragma unroll
    for (int v = 0; v < BLOCK_H; v++) {
        const int row = params.photo_row + y + v;
        if (y + v >= params.rows || (MASK_BY_ROW && mask[row] == 0.0f)) continue;
        __global const float *at = blurred + (y + v) * params.blurred.stride;
        const int plane = params.blurred.plane;
        float red[BLOCK_W], green[BLOCK_W], blue[BLOCK_W];
        load_blurred(at, weights, params.factor_log2, x, columns, red);
        load_blurred(at + plane, weights, params.factor_log2, x, columns, green);
        load_blurred(at + 2 * plane, weights, params.factor_log2, x, columns, blue);
#if HAS_ALPHA
        float alpha[BLOCK_W];
        load_blurred(at + 3 * plane, weights, params.factor_log2, x, columns, alpha);
#endif
#pragma unroll
        for (int i = 0; i < BLOCK_W; i++) {
            if (i >= columns) continue;
            const int pixel = v * BLOCK_W + i;
#if BLENDS
#if HAS_ALPHA
            const float inverse = inverse_alpha(alpha[i]);
#else
            const float inverse = 1.0f;
#endif
            const colour straight = { red[i] * inverse, green[i] * inverse, blue[i] * inverse };
            colour c = { p.r[pixel], p.g[pixel], p.b[pixel] };
            RUN_BLEND(c, straight, place_of(params.view, x + i, row))
            p.r[pixel] = c.r;
            p.g[pixel] = c.g;
            p.b[pixel] = c.b;
#else
            const float m = mask[MASK_BY_ROW ? row : x + i];
#if HAS_ALPHA
            const float a = p.a[pixel], mixed = mixed_alpha(a, alpha[i], m);
            const float inverse = inverse_alpha(mixed);
            p.r[pixel] = mixed_premultiplied(p.r[pixel], a, red[i], inverse, m);
            p.g[pixel] = mixed_premultiplied(p.g[pixel], a, green[i], inverse, m);
            p.b[pixel] = mixed_premultiplied(p.b[pixel], a, blue[i], inverse, m);
            p.a[pixel] = mixed;
#else
            p.r[pixel] = mixed_opaque(p.r[pixel], red[i], m);
            p.g[pixel] = mixed_opaque(p.g[pixel], green[i], m);
            p.b[pixel] = mixed_opaque(p.b[pixel], blue[i], m);
#endif
#endif
        }
    }
    run_points_after(&p, arguments, params.view, x, params.photo_row + y);
    store_block(out, params.out, x, params.out_row + y, columns, params.rows - y, &p);
}
