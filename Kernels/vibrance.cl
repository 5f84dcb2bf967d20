// vibrance.cl: more or less colour, mainly where there is little. Described by Sources/Filters/Vibrance.swift.
ARGUMENTS(vibrance) { float amount; };

POINT(vibrance, c, at, arguments)
{
    const float R = c->r, G = c->g, B = c->b;
    const float more = R > G ? R : G, less = R > G ? G : R;
    const float chroma = (more > B ? more : B) - (less < B ? less : B);
    const float luma = luma_709(R, G, B), gain = 1.0f + arguments->amount * (1.0f - chroma);
    c->r = luma + gain * (R - luma);
    c->g = luma + gain * (G - luma);
    c->b = luma + gain * (B - luma);
}
