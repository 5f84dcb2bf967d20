// bloom.cl: light that spills from bright areas. Described by Sources/Filters/Bloom.swift.
ARGUMENTS(bloom)
{
    float amount, threshold;
    float range; // 1 / (1 - threshold)
};

// Adds light as a second projector would: it never exceeds white.
FUNCTION float bloom_value(float value, float glow)
{
    const float light = linear_value(value);
    return encoded_value(light + unit(glow) * (1.0f - light));
}

BLEND(bloom, c, blurred, at, a)
{
    const float luminance = luma_709(blurred.r, blurred.g, blurred.b);
    const float share = a->amount * unit((luminance - a->threshold) * a->range);
    c->r = bloom_value(c->r, share * blurred.r);
    c->g = bloom_value(c->g, share * blurred.g);
    c->b = bloom_value(c->b, share * blurred.b);
}
