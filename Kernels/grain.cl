// grain.cl: noise like that of film, in grains of one pixel. Described by Sources/Filters/Grain.swift.
ARGUMENTS(grain) { float amount, seed; };

POINT(grain, c, at, arguments)
{
    add_grain(c, arguments->amount, (float)grain_sum(at.x, at.y, (uint)(int)arguments->seed));
}
