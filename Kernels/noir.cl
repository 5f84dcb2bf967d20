// noir.cl: BT.709 luma through a curve that is odd around its midpoint. Described by
// Sources/Filters/Noir.swift.
ARGUMENTS(noir)
{
    float midpoint;
    float value;           // the curve's, at the midpoint
    float coefficients[6]; // of odd powers of the distance from the midpoint
};

POINT(noir, c, at, arguments)
{
    const float x = luma_709(c->r, c->g, c->b) - arguments->midpoint;
    GLOBAL const float *a = arguments->coefficients;
    // Powers in pairs make short dependency chains, which a processor can overlap.
    const float x2 = x * x, x4 = x2 * x2;
    const float slope = (a[0] + a[1] * x2) + x4 * ((a[2] + a[3] * x2) + x4 * (a[4] + a[5] * x2));
    make_grey(c, arguments->value + x * slope);
}
