// blur.cl: gaussian in linear light with premultiplied alpha, mixed with the sharp photo by a mask.
// Described by Sources/Filters/Stage.swift (MaskedBlur) and Gaussian.swift.
// Borders: the photo's edge pixels are repeated outwards.

// Adds the pair of taps at one distance. A macro, so that it also works on vectors.
#define BLUR_TAP(sum, weight, before, after) ((sum) + (weight) * ((before) + (after)))

// An upsampled value: the weighted sum of the nearest downsampled value and its two neighbours.
#define BLUR_UPSAMPLE(weights, before, nearest, after) \
    ((weights)[1] * (nearest) + (weights)[0] * (before) + (weights)[2] * (after))

// Polynomials are summed in pairs: a processor computes several pairs at once.

// sRGB-encoded to linear light (IEC 61966-2-1). The curve is a polynomial, exact at 1, fitted for the least
// error after encoding the value again: 4.7e-6.
FUNCTION float linear_value(float x)
{
    x = unit(x);
    const float xx = x * x;
    const float low = (0.0008532656356692314f + 0.03530588001012802f * x)
        + (0.48627570271492004f + 0.8485461473464966f * x) * xx;
    const float high = (-0.7854018211364746f + 0.722305417060852f * x)
        + (-0.407245397567749f + 0.09936079382896423f * x) * xx;
    const float y = low + high * (xx * xx);
    return x > 0.04045f ? y : x * (1.0f / 12.92f);
}

// Linear light to sRGB-encoded, within 2e-6. For x = m 2^-k, the power of x is a polynomial in m (1...2),
// times a power of two that depends on the four low bits of k. Macros, so that they also work on vectors and
// constants.
#define ENCODED_M(bits) ((0x7fffffu & (bits)) | 0x3f800000u)

#define ENCODED_POLYNOMIAL(m, mm)                                         \
    ((0.3971641957759857f + 1.0044597387313843f * (m))                    \
     + ((-0.5173344016075134f + 0.21879389882087708f * (m))               \
        + (-0.053739309310913086f + 0.0056558637879788876f * (m)) * (mm)) \
         * (mm))

// The exponent's bits are those of 127 - k: if bit i is 0, it stands for the factor 2^(-5 x 2^i / 12).
#define ENCODED_OCTAVES(bits)                                       \
    ((((0x800000u & (bits)) == 0u ? 0.7491535544395447f : 1.0f)     \
      * ((0x1000000u & (bits)) == 0u ? 0.5612310171127319f : 1.0f)) \
     * (((0x2000000u & (bits)) == 0u ? 0.31498026847839355f : 1.0f) \
        * ((0x4000000u & (bits)) == 0u ? 0.09921256452798843f : 1.0f)))

#define ENCODED_CHOICE(x, power) ((x) > 0.0031308f ? (power)-0.055f : 12.92f * (x))

FUNCTION float encoded_value(float x)
{
    x = unit(x);
    const uint bits = BITS_OF_FLOAT(x);
    const float m = FLOAT_OF_BITS(ENCODED_M(bits));
    return ENCODED_CHOICE(x, ENCODED_POLYNOMIAL(m, m * m) * ENCODED_OCTAVES(bits));
}

// 1 / x for x in 2^-20...1, to the last bit or two: Newton's iteration. The first estimate comes from the
// float's bits.
FUNCTION float reciprocal(float x)
{
    float y = FLOAT_OF_BITS(0x7ef311c7u - BITS_OF_FLOAT(x));
    y = y * (2.0f - x * y);
    y = y * (2.0f - x * y);
    y = y * (2.0f - x * y);
    return y * (2.0f - x * y);
}

// The mix of sharp (sRGB-encoded) and blurred, in linear light.
FUNCTION float linear_mix(float sharp, float blurred, float mask)
{
    return mask * blurred + (1.0f - mask) * linear_value(sharp);
}

// A mask of 0 keeps the exact sharp value.
FUNCTION float encoded_mix(float sharp, float linear, float mask)
{
    const float encoded = encoded_value(linear);
    return mask > 0.0f ? encoded : sharp;
}

FUNCTION float mixed_opaque(float sharp, float blurred, float mask)
{
    return encoded_mix(sharp, linear_mix(sharp, blurred, mask), mask);
}

// The same for a pixel with alpha: `blurred` is premultiplied; `inverse` is 1 / the mixed alpha, or 0.
FUNCTION float mixed_premultiplied(float sharp, float alpha, float blurred, float inverse, float mask)
{
    const float premultiplied = mask * blurred + (1.0f - mask) * (linear_value(sharp) * alpha);
    const float encoded = encoded_value(premultiplied * inverse);
    return mask > 0.0f ? encoded : sharp;
}

FUNCTION float mixed_alpha(float sharp, float blurred, float mask)
{
    return mask > 0.0f ? unit(mask * blurred + (1.0f - mask) * sharp) : sharp;
}

// 1 / alpha; 0 for a pixel that is practically transparent.
FUNCTION float inverse_alpha(float alpha)
{
    const float least = 9.5367431640625e-7f;
    return alpha < least ? 0.0f : reciprocal(alpha < least ? least : alpha);
}
