// points.cl: the point stages before and after a blur, fused, over a block. The host defines these macros
// before it:
//   POINTS_BEFORE(r, g, b) and, if needed, POINTS_AFTER(r, g, b): the calls of the pixel functions;
//   FLATTENS: 1 if pixels with alpha are composited over white at the end, else 0.

FUNCTION void run_points_before(PRIVATE pixel_block *p, TABLE arguments)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        float r = p->r[i], g = p->g[i], b = p->b[i];
        POINTS_BEFORE(r, g, b)
        p->r[i] = r;
        p->g[i] = g;
        p->b[i] = b;
    }
}

#ifdef POINTS_AFTER
FUNCTION void run_points_after(PRIVATE pixel_block *p, TABLE arguments)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
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
#endif
