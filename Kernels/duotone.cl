// duotone.cl: luma between two colours. Described by Sources/Filters/Duotone.swift.
ARGUMENTS(duotone) { float shadows[3], range[3]; }; // range: highlights less shadows

POINT(duotone, c, at, tones)
{
    const float luma = luma_709(c->r, c->g, c->b);
    c->r = tones->shadows[0] + luma * tones->range[0];
    c->g = tones->shadows[1] + luma * tones->range[1];
    c->b = tones->shadows[2] + luma * tones->range[2];
}
