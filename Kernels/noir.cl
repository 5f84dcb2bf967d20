// noir.cl: BT.709 luma through a curve. Described by Sources/Filters/Noir.swift.
// arguments: the curve, as Sources/Filters/Curve.swift makes it.
PIXEL_FUNCTION noir(PRIVATE float *r, PRIVATE float *g, PRIVATE float *b, TABLE arguments)
{
    const float y = curve(unit(0.2126f * *r + 0.7152f * *g + 0.0722f * *b), arguments);
    *r = y;
    *g = y;
    *b = y;
}
