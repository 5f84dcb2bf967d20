// tone_curve.cl: a curve for each channel, from tables. Described by Sources/Filters/ToneCurveStage.swift.
ARGUMENTS(tone_curve)
{
    float first[3]; // where each channel's table begins
    float values[ANY];
};

// A function on 0...1, interpolated linearly between values in `table`: at 0; at 64 places in each octave from
// 2^-18 to 1/4, by the bits of the float; and at every 1024th from 1/4 to 1. x must be in 0...1.
FUNCTION float tone(float x, TABLE table)
{
    const uint bits = BITS_OF_FLOAT(x);
    const int octave_step = (int)(bits >> 17) - ((127 - 18) << 6);
    const float octave_share = (float)(int)(bits & 0x1ffffu) * (1.0f / 131072.0f);
    const float position = x * 1024.0f - 256.0f;
    const int even_step = (int)position;

    const int is_even = x >= 0.25f, is_tiny = octave_step < 0;
    const int step = is_even ? 1025 + even_step : is_tiny ? 0 : 1 + octave_step;
    const float share = is_even ? position - (float)even_step : is_tiny ? x * 262144.0f : octave_share;
    const float low = table[step];
    return low + share * (table[step + 1] - low);
}

POINT(tone_curve, c, at, arguments)
{
    TABLE values = arguments->values;
    c->r = tone(c->r, values + (int)arguments->first[0]);
    c->g = tone(c->g, values + (int)arguments->first[1]);
    c->b = tone(c->b, values + (int)arguments->first[2]);
}
