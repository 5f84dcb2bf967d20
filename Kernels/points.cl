// points.cl: the point stages before and after a blur, fused, over a block. The host defines these macros
// before it:
//   POINTS_BEFORE(c, at) and, if needed, POINTS_AFTER(c, at): the calls of the point functions;
//   FLATTENS: 1 if pixels with alpha are composited over white at the end, else 0.
// `column` and `row` are those of the block's first pixel in the stored photo.

FUNCTION void run_points_before(
    PRIVATE pixel_block *p, TABLE arguments, kernels_view view, int column, int row)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        colour c = { p->r[i], p->g[i], p->b[i] };
        const place at = place_of(view, column + i % BLOCK_W, row + i / BLOCK_W);
        POINTS_BEFORE(c, at)
        p->r[i] = c.r;
        p->g[i] = c.g;
        p->b[i] = c.b;
    }
}

#ifdef POINTS_AFTER
FUNCTION void run_points_after(
    PRIVATE pixel_block *p, TABLE arguments, kernels_view view, int column, int row)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        colour c = { p->r[i], p->g[i], p->b[i] };
        const place at = place_of(view, column + i % BLOCK_W, row + i / BLOCK_W);
        POINTS_AFTER(c, at)
#if FLATTENS
        c.r = over_white(c.r, p->a[i]);
        c.g = over_white(c.g, p->a[i]);
        c.b = over_white(c.b, p->a[i]);
#endif
        p->r[i] = c.r;
        p->g[i] = c.g;
        p->b[i] = c.b;
    }
}
#endif
