// noir_steep.cl: BT.709 luma through a curve too steep for noir.cl's polynomial. See
// Sources/Filters/Noir.swift.
ARGUMENTS(noir_steep) { float values[1026]; }; // see Sources/Stages/Curve.swift

POINT(noir_steep, c, at, arguments)
{
    make_grey(c, curve(unit(luma_709(c->r, c->g, c->b)), arguments->values));
}
