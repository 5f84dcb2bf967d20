// unsharp.cl: an unsharp mask with a threshold. Described by Sources/Filters/Sharpen.swift.
ARGUMENTS(unsharp)
{
    float amount;
    float inverse; // 1 / threshold
};

FUNCTION float unsharp_value(float value, float blurred, float amount, float inverse)
{
    const float light = linear_value(value), difference = value - encoded_value(blurred);
    const float size = difference < 0.0f ? -difference : difference;
    const float sharpened = encoded_value(light + amount * (light - blurred));
    return value + unit(size * inverse - 1.0f) * (sharpened - value);
}

BLEND(unsharp, c, blurred, at, a)
{
    c->r = unsharp_value(c->r, blurred.r, a->amount, a->inverse);
    c->g = unsharp_value(c->g, blurred.g, a->amount, a->inverse);
    c->b = unsharp_value(c->b, blurred.b, a->amount, a->inverse);
}
