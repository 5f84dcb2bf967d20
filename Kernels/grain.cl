// grain.cl: noise like that of film, strongest in the mid-tones. Described by Sources/Filters/Grain.swift.
ARGUMENTS(grain) { float amount, seed; };

POINT(grain, c, at, arguments)
{
    // The sum of two random numbers, so -1...1.
    const uint bits = hash_of(at.x, at.y, (uint)(int)arguments->seed);
    const int sum = (int)(bits & 0xffffu) + (int)(bits >> 16);
    const float noise = (float)sum * (1.0f / 65535.0f) - 1.0f;
    const float luma = luma_709(c->r, c->g, c->b);
    const float change = arguments->amount * noise * (4.0f * luma * (1.0f - luma));
    c->r = c->r + change;
    c->g = c->g + change;
    c->b = c->b + change;
}
