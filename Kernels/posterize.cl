// posterize.cl: few values of each channel. Described by Sources/Filters/Posterize.swift.
ARGUMENTS(posterize) { float steps, step; }; // between the levels, and 1 / steps

FUNCTION float nearest_level(float x, float steps, float step)
{
    return (float)(int)(x * steps + 0.5f) * step;
}

POINT(posterize, c, at, levels)
{
    c->r = nearest_level(c->r, levels->steps, levels->step);
    c->g = nearest_level(c->g, levels->steps, levels->step);
    c->b = nearest_level(c->b, levels->steps, levels->step);
}
