// noir_steep.cl: BT.709 luma through a curve too steep for noir.cl's polynomial. See
// Sources/Filters/Noir.swift.
// arguments: the curve's table; see Sources/Filters/Curve.swift.
PIXEL_FUNCTION noir_steep(PRIVATE float *r, PRIVATE float *g, PRIVATE float *b, TABLE arguments)
{
    const float y = curve(unit(luma_709(*r, *g, *b)), arguments);
    *r = y;
    *g = y;
    *b = y;
}
