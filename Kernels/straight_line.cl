// straight_line.cl: each value times a slope, plus an intercept. Described by
// Sources/Filters/StraightLine.swift.
ARGUMENTS(straight_line) { float slope, intercept; };

POINT(straight_line, c, at, line)
{
    c->r = line->slope * c->r + line->intercept;
    c->g = line->slope * c->g + line->intercept;
    c->b = line->slope * c->b + line->intercept;
}
