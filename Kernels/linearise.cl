// linearise.cl: runs the point stages before a blur or a resampling, then converts to linear light, premultiplied. The
// result is the input of blur_passes.cl, resample_passes.cl and resize_passes.cl. A work-item takes one block; see
// block.cl. The host defines CONVERTS before this file: 0 if values are kept as they are.

__kernel void linearise(
    __global const uchar *restrict in, __global float *restrict linear, TABLE arguments, TABLE needed,
    kernels_linearise_params params)
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
        if (y + v >= params.rows || row < params.first_photo_row || needed[row] == 0.0f) continue;
        __global float *red = linear + (params.to_row + y + v) * params.to.stride + x;
        __global float *green = red + params.to.plane, *blue = green + params.to.plane;
#if HAS_ALPHA
        __global float *alpha = blue + params.to.plane;
#endif
#pragma unroll
        for (int i = 0; i < BLOCK_W; i++) {
            if (i >= columns) continue;
            const int pixel = v * BLOCK_W + i;
            float r = p.r[pixel], g = p.g[pixel], b = p.b[pixel];
#if CONVERTS
            r = linear_value(r);
            g = linear_value(g);
            b = linear_value(b);
#if HAS_ALPHA
            r = r * p.a[pixel];
            g = g * p.a[pixel];
            b = b * p.a[pixel];
#endif
#endif
#if HAS_ALPHA
            alpha[i] = p.a[pixel];
#endif
            red[i] = r;
            green[i] = g;
            blue[i] = b;
        }
    }
}
