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
    const int rows = params.rows - y;
    loaded_words loaded;
    load_words(in, params.in, x, params.in_row + y, &loaded);
    stored_words stored = NO_WORDS;
#pragma unroll
    for (int column = 0; column < BLOCK_W; column += CELL_W) {
        pixel_cell p;
        load_cell(in, params.in, x, params.in_row + y, &loaded, column, &p);
        run_points_before(&p, arguments, params.view, x + column, params.photo_row + y);
        run_points_after(&p, arguments, params.view, x + column, params.photo_row + y);
        store_cell(
            out, params.out, x, params.out_row + y, column, params.width - x - column, rows, &p, &stored);
    }
    store_words(out, params.out, x, params.out_row + y, rows, &stored);
}
