// Colours of 16 bits from a profile's curves and matrix to sRGB. Included by level.h.

// Pixels of a run, whose light stays in the first-level cache.
#define CONVERSION_RUN 512

// `channels` is a constant at each call.
FUNCTION void convert_run(
    uint16_t *restrict pixels, const size_t channels, size_t count,
    const kernels_colour_conversion *restrict conversion)
{
    float light[3][CONVERSION_RUN];
    for (size_t i = 0; i < count; i++)
        for (size_t channel = 0; channel < 3; channel++)
            light[channel][i] = conversion->curves[channel][pixels[i * channels + channel]];
    const float *restrict m = conversion->factors;
    for (size_t i = 0; i < count; i++) {
        const float r = light[0][i], g = light[1][i], b = light[2][i];
        light[0][i] = encoded_value((m[0] * r + m[1] * g) + (m[2] * b + m[3]));
        light[1][i] = encoded_value((m[4] * r + m[5] * g) + (m[6] * b + m[7]));
        light[2][i] = encoded_value((m[8] * r + m[9] * g) + (m[10] * b + m[11]));
    }
    for (size_t i = 0; i < count; i++)
        for (size_t channel = 0; channel < 3; channel++)
            pixels[i * channels + channel] = (uint16_t)quantise(light[channel][i], 65535);
}

static void convert_colours16(
    uint16_t *pixels, int channels, size_t count, const kernels_colour_conversion *conversion)
{
    for (size_t start = 0; start < count; start += CONVERSION_RUN) {
        const size_t length = count - start < CONVERSION_RUN ? count - start : CONVERSION_RUN;
        uint16_t *run = pixels + start * (size_t)channels;
        if (channels == 4) convert_run(run, 4, length, conversion);
        else convert_run(run, 3, length, conversion);
    }
}
