// grain_coarse.cl: noise like that of film, in grains larger than a pixel. Described by Sources/Filters/Grain.swift.
ARGUMENTS(grain_coarse)
{
    float amount, seed;
    // From pixels to points of a lattice: the cosine and the sine of its angle, divided by the grains' size.
    float cosine, sine;
};

FUNCTION int grain_floor(float x)
{
    const int whole = (int)x;
    return x < (float)whole ? whole - 1 : whole;
}

FUNCTION float grain_step(float t) { return t * t * (3.0f - 2.0f * t); }

POINT(grain_coarse, c, at, a)
{
    const float x = (float)at.x, y = (float)at.y;
    const float u = a->cosine * x + a->sine * y, v = a->cosine * y - a->sine * x;
    const int column = grain_floor(u), row = grain_floor(v);
    const float right = grain_step(u - (float)column), below = grain_step(v - (float)row);
    const uint seed = (uint)(int)a->seed;
    const float top_left = (float)grain_sum(column, row, seed);
    const float top_right = (float)grain_sum(column + 1, row, seed);
    const float bottom_left = (float)grain_sum(column, row + 1, seed);
    const float bottom_right = (float)grain_sum(column + 1, row + 1, seed);
    const float top = top_left + right * (top_right - top_left);
    const float bottom = bottom_left + right * (bottom_right - bottom_left);
    add_grain(c, a->amount, top + below * (bottom - top));
}
