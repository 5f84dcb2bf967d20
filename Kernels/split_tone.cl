// split_tone.cl: one tint for shadows, another for highlights. Described by Sources/Filters/SplitTone.swift.
ARGUMENTS(split_tone)
{
    float shift;                     // of the luma at which both tints are equal
    float shadows[3], highlights[3]; // what each adds; their luma is 0
};

POINT(split_tone, c, at, tones)
{
    const float luma = luma_709(c->r, c->g, c->b);
    const float t = unit(luma + tones->shift), share = t * t * (3.0f - 2.0f * t);
    const float strength = 4.0f * luma * (1.0f - luma), rest = 1.0f - share;
    c->r = c->r + strength * (rest * tones->shadows[0] + share * tones->highlights[0]);
    c->g = c->g + strength * (rest * tones->shadows[1] + share * tones->highlights[1]);
    c->b = c->b + strength * (rest * tones->shadows[2] + share * tones->highlights[2]);
}
