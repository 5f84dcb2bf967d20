// Blurred rows back to sRGB, alone or mixed with the sharp ones. Included by level.h.

#if defined(LEVEL_ENCODE)
// ENCODED_OCTAVES for each value of the exponent's four low bits.
static const float octaves[16] = {
#define OCTAVES(index) ENCODED_OCTAVES((index) << 23), ENCODED_OCTAVES(((index) + 1u) << 23)
    OCTAVES(0u), OCTAVES(2u), OCTAVES(4u), OCTAVES(6u), OCTAVES(8u), OCTAVES(10u), OCTAVES(12u), OCTAVES(14u),
#undef OCTAVES
};
#include LEVEL_ENCODE

// As encoded_value, but looks up the octaves. Writes whole vectors.
FUNCTION void encode_values(const float *restrict source, size_t count, float *restrict destination)
{
    for (size_t i = 0; i < count; i += sizeof(floats) / sizeof(float)) {
        const floats x = unit_vector(*(const floats *)(source + i));
        const words bits = (words)x;
        const floats m = (floats)ENCODED_M(bits);
        const floats power = ENCODED_POLYNOMIAL(m, m * m) * octaves_vector(bits);
        *(floats *)(destination + i) = ENCODED_CHOICE(x, power);
    }
}
#else
FUNCTION void encode_values(const float *restrict source, size_t count, float *restrict destination)
{
    for (size_t i = 0; i < count; i++) destination[i] = encoded_value(source[i]);
}
#endif

static void encode(kernels_rows blurred, size_t count, kernels_rows rows)
{
    encode_values(blurred.red, count, rows.red);
    encode_values(blurred.green, count, rows.green);
    encode_values(blurred.blue, count, rows.blue);
}

// Not inlined: in its caller's loop, clang no longer sees that the rows do not overlap.
__attribute__((noinline)) static void mix_opaque(
    float *restrict sharp, const float *restrict blurred, const float *restrict mask, size_t count)
{
    // Several loops: in a single one, the dependency chain of a pixel is too long for the processor to overlap
    // pixels.
    float linear[256] = { 0 }, encoded[256];
    for (size_t x = 0; x < count; x += 256) {
        const size_t n = count - x < 256 ? count - x : 256;
        for (size_t i = 0; i < n; i++) linear[i] = linear_mix(sharp[x + i], blurred[x + i], mask[x + i]);
        encode_values(linear, n, encoded);
        for (size_t i = 0; i < n; i++) sharp[x + i] = mask[x + i] != 0.0f ? encoded[i] : sharp[x + i];
    }
}

__attribute__((noinline)) static void mix_premultiplied(
    float *restrict sharp, const float *restrict blurred, const float *restrict alpha,
    const float *restrict inverse, const float *restrict mask, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sharp[i] = mixed_premultiplied(sharp[i], alpha[i], blurred[i], inverse[i], mask[i]);
}

// Writes the mixed alpha, limited, to `result` and 1 / the mixed alpha to `inverse`.
__attribute__((noinline)) static void mix_alpha(
    const float *restrict sharp, const float *restrict blurred, float *restrict result,
    float *restrict inverse, const float *restrict mask, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float alpha = mixed_alpha(sharp[i], blurred[i], mask[i]);
        result[i] = unit(alpha);
        inverse[i] = inverse_alpha(alpha);
    }
}

static void mix(kernels_rows sharp, kernels_rows blurred, const float *mask, size_t count)
{
    float *const channels[3] = { sharp.red, sharp.green, sharp.blue };
    const float *const blurs[3] = { blurred.red, blurred.green, blurred.blue };
    if (!sharp.alpha) {
        for (int channel = 0; channel < 3; channel++)
            mix_opaque(channels[channel], blurs[channel], mask, count);
        return;
    }
    for (size_t x = 0; x < count; x += TILE) {
        const size_t n = count - x < TILE ? count - x : TILE;
        float alpha[TILE], inverse[TILE];
        mix_alpha(sharp.alpha + x, blurred.alpha + x, alpha, inverse, mask + x, n);
        for (int channel = 0; channel < 3; channel++)
            mix_premultiplied(
                channels[channel] + x, blurs[channel] + x, sharp.alpha + x, inverse, mask + x, n);
        memcpy(sharp.alpha + x, alpha, n * sizeof(float));
    }
}
