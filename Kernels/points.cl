// points.cl: the point stages before and after a blur, fused, over a cell. The host defines these macros
// before it:
//   POINTS_BEFORE(c, alpha, at) and, if needed, POINTS_AFTER(c, alpha, at): the calls of the point functions;
//   FLATTENS: 1 if pixels with alpha are composited over white at the end, else 0.
// `column` and `row` are those of the cell's first pixel in the stored photo.

#if HAS_ALPHA
#define ALPHA_OF(p, i) p->a[i]
#define SET_ALPHA(p, i, value) p->a[i] = value
#else
#define ALPHA_OF(p, i) 1.0f
#define SET_ALPHA(p, i, value)
#endif

FUNCTION void run_points_before(
    PRIVATE pixel_cell *p, TABLE arguments, kernels_view view, int column, int row)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        colour c = { p->r[i], p->g[i], p->b[i] };
        const place at = place_of(view, column + i % CELL_W, row + i / CELL_W);
        float alpha = ALPHA_OF(p, i);
        POINTS_BEFORE(c, alpha, at)
        p->r[i] = c.r;
        p->g[i] = c.g;
        p->b[i] = c.b;
        SET_ALPHA(p, i, alpha);
    }
}

#ifdef POINTS_AFTER
FUNCTION void run_points_after(PRIVATE pixel_cell *p, TABLE arguments, kernels_view view, int column, int row)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        colour c = { p->r[i], p->g[i], p->b[i] };
        const place at = place_of(view, column + i % CELL_W, row + i / CELL_W);
        float alpha = ALPHA_OF(p, i);
        POINTS_AFTER(c, alpha, at)
#if FLATTENS
        c.r = over_white(c.r, alpha);
        c.g = over_white(c.g, alpha);
        c.b = over_white(c.b, alpha);
#endif
        p->r[i] = c.r;
        p->g[i] = c.g;
        p->b[i] = c.b;
        SET_ALPHA(p, i, alpha);
    }
}
#endif
