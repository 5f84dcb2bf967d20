// linearise.cl: runs the point stages before a blur or a resampling, then converts to linear light, premultiplied. The
// result is the input of blur_passes.cl, resample_passes.cl and resize_passes.cl. A work-item takes one block; see
// block.cl. The host defines CONVERTS before this file: 0 if values are kept as they are.

__kernel void linearise(
    __global const uchar *restrict in, __global float *restrict linear, TABLE arguments, TABLE needed,
    kernels_linearise_params params)
{
    const int x = (int)get_global_id(0) * BLOCK_W, y = (int)get_global_id(1) * BLOCK_H;
    if (x >= params.width || y >= params.rows) return;
    const int columns = params.width - x;
    bool is_needed[BLOCK_H];
    __global float *red[BLOCK_H], *green[BLOCK_H], *blue[BLOCK_H];
#if HAS_ALPHA
    __global float *alpha[BLOCK_H];
#endif
#pragma unroll
    for (int v = 0; v < BLOCK_H; v++) {
        const int row = params.photo_row + y + v;
        is_needed[v] = y + v < params.rows && row >= params.first_photo_row && needed[row] != 0.0f;
        red[v] = linear + (params.to_row + y + v) * params.to.stride + x;
        green[v] = red[v] + params.to.plane;
        blue[v] = green[v] + params.to.plane;
#if HAS_ALPHA
        alpha[v] = blue[v] + params.to.plane;
#endif
    }
    loaded_words loaded;
    load_words(in, params.in, x, params.in_row + y, &loaded);
#pragma unroll
    for (int column = 0; column < BLOCK_W; column += CELL_W) {
        pixel_cell p;
        load_cell(in, params.in, x, params.in_row + y, &loaded, column, &p);
        run_points_before(&p, arguments, params.view, x + column, params.photo_row + y);
#pragma unroll
        for (int i = 0; i < PIXELS; i++) {
            const int h = column + i % CELL_W, v = i / CELL_W;
            if (h >= columns || !is_needed[v]) continue;
            float r = p.r[i], g = p.g[i], b = p.b[i];
#if CONVERTS
            r = linear_value(r);
            g = linear_value(g);
            b = linear_value(b);
#if HAS_ALPHA
            r = r * p.a[i];
            g = g * p.a[i];
            b = b * p.a[i];
#endif
#endif
            red[v][h] = r;
            green[v][h] = g;
            blue[v][h] = b;
#if HAS_ALPHA
            alpha[v][h] = p.a[i];
#endif
        }
    }
}
