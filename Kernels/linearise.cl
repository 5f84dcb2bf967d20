// linearise.cl: runs the point stages before a blur, then converts to linear light, premultiplied. The result
// is the input of blur_passes.cl and resample_passes.cl. A work-item takes one block; see block.cl.

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
