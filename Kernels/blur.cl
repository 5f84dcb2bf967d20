// blur.cl: gaussian in linear light with premultiplied alpha, mixed with the sharp photo by a mask.
// Described by Sources/Stages/MaskedBlur.swift and Gaussian.swift.
// Borders: the photo's edge pixels are repeated outwards.

// Adds the pair of taps at one distance. A macro, so that it also works on vectors.
#define BLUR_TAP(sum, weight, before, after) ((sum) + (weight) * ((before) + (after)))

// An upsampled value: the weighted sum of the nearest downsampled value and its two neighbours.
#define BLUR_UPSAMPLE(weights, before, nearest, after) \
    ((weights)[1] * (nearest) + (weights)[0] * (before) + (weights)[2] * (after))

// The mix of sharp (sRGB-encoded) and blurred, in linear light.
FUNCTION float linear_mix(float sharp, float blurred, float mask)
{
    return mask * blurred + (1.0f - mask) * linear_value(sharp);
}

// A mask of 0 keeps the exact sharp value.
FUNCTION float encoded_mix(float sharp, float linear, float mask)
{
    const float encoded = encoded_value(linear);
    return mask != 0.0f ? encoded : sharp;
}

FUNCTION float mixed_opaque(float sharp, float blurred, float mask)
{
    return encoded_mix(sharp, linear_mix(sharp, blurred, mask), mask);
}

// The same for a pixel with alpha: `blurred` is premultiplied; `inverse` is 1 / the mixed alpha before that is limited, or
// 0.
FUNCTION float mixed_premultiplied(float sharp, float alpha, float blurred, float inverse, float mask)
{
    const float premultiplied = mask * blurred + (1.0f - mask) * (linear_value(sharp) * alpha);
    const float encoded = encoded_value(premultiplied * inverse);
    return mask != 0.0f ? encoded : sharp;
}

// Not limited: where a sharpened alpha exceeds 1, so do the premultiplied colours.
FUNCTION float mixed_alpha(float sharp, float blurred, float mask)
{
    return mask != 0.0f ? mask * blurred + (1.0f - mask) * sharp : sharp;
}
