// filter_points.cl: point stages over a strip of rows, for OpenCL devices. A work-item takes one block; see
// block.cl.
// Up to 16 pixels to the right of the photo may be read and written: strips are allocated with that padding.
// Borders: if a block crosses the photo's edge, chroma averages copies of the edge pixels.

__kernel void filter_points(
    __global const uchar *restrict in, __global uchar *restrict out, TABLE arguments,
    kernels_points_params params)
{
    const int x = (int)get_global_id(0) * BLOCK_W, y = (int)get_global_id(1) * BLOCK_H;
    if (x >= params.width || y >= params.rows) return;
    const int columns = min(params.width - x, BLOCK_W);
    pixel_block p;
    load_block(in, params.in, x, params.in_row + y, &p);
    run_points_before(&p, arguments, params.view, x, params.photo_row + y);
    run_points_after(&p, arguments, params.view, x, params.photo_row + y);
    store_block(out, params.out, x, params.out_row + y, columns, params.rows - y, &p);
}
