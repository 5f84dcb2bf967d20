// threshold.cl: black or white. Described by Sources/Filters/Threshold.swift.
ARGUMENTS(threshold) { float level; };

POINT(threshold, c, at, arguments)
{
    make_grey(c, luma_709(c->r, c->g, c->b) < arguments->level ? 0.0f : 1.0f);
}
