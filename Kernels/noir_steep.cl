// noir_steep.cl: BT.709 luma through a curve that is too steep for noir.cl. Described by Sources/Filters/Noir.swift.
// arguments: the curve, as Sources/Filters/Curve.swift makes it.
PIXEL_FUNCTION noir_steep(PRIVATE float *r, PRIVATE float *g, PRIVATE float *b, TABLE arguments)
{
    const float y = curve(unit(luma_709(*r, *g, *b)), arguments);
    *r = y;
    *g = y;
    *b = y;
}
