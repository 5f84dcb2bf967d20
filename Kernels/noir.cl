// noir.cl: BT.709 luma through a curve that is odd around its midpoint. Described by
// Sources/Filters/Noir.swift.
// a: the midpoint, the curve's value there, the coefficients of odd powers of the distance from the midpoint.
PIXEL_FUNCTION noir(PRIVATE float *r, PRIVATE float *g, PRIVATE float *b, TABLE a)
{
    const float x = luma_709(*r, *g, *b) - a[0];
    // Powers in pairs make short dependency chains, which a processor can overlap.
    const float x2 = x * x, x4 = x2 * x2;
    const float slope = (a[2] + a[3] * x2) + x4 * ((a[4] + a[5] * x2) + x4 * (a[6] + a[7] * x2));
    const float y = unit(a[1] + x * slope);
    *r = y;
    *g = y;
    *b = y;
}
