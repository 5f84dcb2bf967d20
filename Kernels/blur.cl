// blur.cl: gaussian in linear light with premultiplied alpha, mixed with the sharp photo by a mask.
// Described by Sources/Filters/Stage.swift (MaskedBlur); tables by Sources/Compute/TransferTables.swift.
// Borders: the photo's edge pixels are repeated outwards.

// One more pair of neighbours at the same distance on both sides; a macro, so that it serves vectors too.
#define BLUR_TAP(sum, weight, before, after) ((sum) + (weight) * ((before) + (after)))

// sRGB-encoded to linear light; `table` as for `curve`.
FUNCTION float linear_value(float x, TABLE table)
{
    return curve(unit(x), table);
}

// Linear light to sRGB-encoded. Below 2^-12 the encoding is the line 12.92 x; above, `table` holds it at 128 steps an
// octave, and the float's own bits are the index: the error stays small where the curve is steep.
FUNCTION float encoded_value(float x, TABLE table)
{
    const float smallest = 0.000244140625f;
    x = unit(x);
    const uint bits = BITS_OF_FLOAT(x > smallest ? x : smallest) - (115u << 23);
    const int index = (int)(bits >> 16);
    const float fraction = (float)(int)(bits & 0xffffu) * (1.0f / 65536.0f);
    const float low = table[index];
    const float above = low + fraction * (table[index + 1] - low);
    return x < smallest ? 12.92f * x : above;
}

// 1 / x for x in 2^-20...1, to the last bit or two: Newton's iteration from the bits' own estimate.
FUNCTION float reciprocal(float x)
{
    float y = FLOAT_OF_BITS(0x7ef311c7u - BITS_OF_FLOAT(x));
    y = y * (2.0f - x * y);
    y = y * (2.0f - x * y);
    y = y * (2.0f - x * y);
    return y * (2.0f - x * y);
}

// The mix of sharp (sRGB-encoded) and blurred (linear); a mask of 0 keeps the exact sharp value.
FUNCTION float mixed(float sharp, float blurred, float mask, TABLE to_linear, TABLE from_linear)
{
    const float linear = mask * blurred + (1.0f - mask) * linear_value(sharp, to_linear);
    const float encoded = encoded_value(linear, from_linear);
    return mask > 0.0f ? encoded : sharp;
}

// As `mixed`, for a pixel with alpha: `blurred` is premultiplied, `inverse` is 1 / the mixed alpha, or 0.
FUNCTION float mixed_premultiplied(
    float sharp, float alpha, float blurred, float inverse, float mask, TABLE to_linear, TABLE from_linear)
{
    const float premultiplied = mask * blurred + (1.0f - mask) * (linear_value(sharp, to_linear) * alpha);
    const float encoded = encoded_value(premultiplied * inverse, from_linear);
    return mask > 0.0f ? encoded : sharp;
}

FUNCTION float mixed_alpha(float sharp, float blurred, float mask)
{
    return mask > 0.0f ? unit(mask * blurred + (1.0f - mask) * sharp) : sharp;
}

// 1 / alpha; 0 where the pixel is as good as transparent.
FUNCTION float inverse_alpha(float alpha)
{
    const float least = 9.5367431640625e-7f;
    return alpha < least ? 0.0f : reciprocal(alpha < least ? least : alpha);
}
