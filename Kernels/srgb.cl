// srgb.cl: between sRGB-encoded values and linear light (IEC 61966-2-1).
// Polynomials are summed in pairs: a processor computes several pairs at once.

// sRGB-encoded to linear light. The curve is a polynomial, exact at 1, fitted for the least
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

// Light times a gain, on encoded values. Above 0.04045 the encoded value is a multiple of a power of light, less
// 0.055. So the gain's power, `root` = gain^(1/2.4), multiplies x + 0.055: only values near black need polynomials.

// light^(1/2.4), within 2e-6, for light in 0...1; 0 below 2^-15.
FUNCTION float root_of_light(float light)
{
    const uint bits = BITS_OF_FLOAT(light);
    const float m = FLOAT_OF_BITS(ENCODED_M(bits));
    const float root = ENCODED_POLYNOMIAL(m, m * m) * ENCODED_OCTAVES(bits) * (1.0f / 1.055f);
    return light > 0.000030517578125f ? root : 0.0f;
}

// encoded_value(gain * linear_value(x)), within 1.4e-5, for x in 0...1 and a gain of at most 1.
FUNCTION float dimmed_value(float x, float gain, float root)
{
    const float scaled = root * (x + 0.055f);
    // 12.92 times the light, which is (scaled / 1.055)^2.4.
    const float dark = scaled
        * ((-0.007384985685348511f + 2.159267544746399f * scaled)
           + (32.15759754180908f - 78.25006103515625f * scaled) * (scaled * scaled));
    const float y = scaled > 0.09545f ? scaled - 0.055f : dark;
    return x > 0.04045f ? y : gain * x;
}

// encoded_value(gain * linear_value(x)), within 3e-6, for x in 0...1 and a gain of 1 to 4.
FUNCTION float brightened_value(float x, float gain, float root)
{
    // 12.92 times the light of a value up to 0.04045.
    const float z = gain * x, zz = z * z;
    const float low = (-0.016404898837208748f + 2.0351903438568115f * z)
        + (-22.126630783081055f + 205.01637268066406f * z) * zz;
    const float high = (-1209.774169921875f + 3984.4521484375f * z) - 5555.84912109375f * zz;
    const float dark = z > 0.04045f ? low + high * (zz * zz) : z;
    return x > 0.04045f ? root * (x + 0.055f) - 0.055f : dark;
}
