// Blur in linear light. Included by level.h.

static void linearise(kernels_rows rows, size_t count, const float *to_linear, kernels_rows linear)
{
    const float *const sources[3] = { rows.red, rows.green, rows.blue };
    float *const destinations[3] = { linear.red, linear.green, linear.blue };
    for (int channel = 0; channel < 3; channel++) {
        const float *restrict source = sources[channel], *restrict alpha = rows.alpha;
        float *restrict destination = destinations[channel];
        if (alpha)
            for (size_t i = 0; i < count; i++) destination[i] = linear_value(source[i], to_linear) * alpha[i];
        else
            for (size_t i = 0; i < count; i++) destination[i] = linear_value(source[i], to_linear);
    }
    if (rows.alpha) memcpy(linear.alpha, rows.alpha, count * sizeof(float));
}

// Pixels whose sums stay in registers while the taps go by.
#define TILE 64

static void blur_row(
    const float *source, size_t count, const float *weights, size_t radius, float *restrict destination)
{
    size_t x = 0;
    for (; x + TILE <= count; x += TILE) {
        float sum[TILE];
        for (size_t j = 0; j < TILE; j++) sum[j] = weights[0] * source[x + j];
        for (size_t k = 1; k <= radius; k++) {
            const float *restrict before = source + x - k, *restrict after = source + x + k;
            const float weight = weights[k];
            for (size_t j = 0; j < TILE; j++) sum[j] = blur_tap(sum[j], weight, before[j], after[j]);
        }
        for (size_t j = 0; j < TILE; j++) destination[x + j] = sum[j];
    }
    for (; x < count; x++) {
        float sum = weights[0] * source[x];
        for (size_t k = 1; k <= radius; k++) sum = blur_tap(sum, weights[k], source[x - k], source[x + k]);
        destination[x] = sum;
    }
}

static void blur_columns(
    const float *const *rows, size_t count, const float *weights, size_t radius, float *const *outputs,
    size_t output_count)
{
    size_t x = 0;
    for (; x + TILE <= count; x += TILE)
        for (size_t o = 0; o < output_count; o++) {
            const float *const *centre = rows + o + radius;
            float sum[TILE];
            for (size_t j = 0; j < TILE; j++) sum[j] = weights[0] * centre[0][x + j];
            for (size_t k = 1; k <= radius; k++) {
                const float *restrict before = centre[-(ptrdiff_t)k] + x, *restrict after = centre[k] + x;
                const float weight = weights[k];
                for (size_t j = 0; j < TILE; j++) sum[j] = blur_tap(sum[j], weight, before[j], after[j]);
            }
            for (size_t j = 0; j < TILE; j++) outputs[o][x + j] = sum[j];
        }
    for (size_t o = 0; o < output_count; o++) {
        const float *const *centre = rows + o + radius;
        for (size_t i = x; i < count; i++) {
            float sum = weights[0] * centre[0][i];
            for (size_t k = 1; k <= radius; k++)
                sum = blur_tap(sum, weights[k], centre[-(ptrdiff_t)k][i], centre[k][i]);
            outputs[o][i] = sum;
        }
    }
}

FUNCTION void mix_opaque(
    float *restrict sharp, const float *restrict blurred, const float *restrict mask, const size_t step,
    size_t count, const float *restrict to_linear, const float *restrict from_linear)
{
    for (size_t i = 0; i < count; i++)
        sharp[i] = mixed(sharp[i], blurred[i], mask[i * step], to_linear, from_linear);
}

FUNCTION void mix_with_alpha(
    kernels_rows sharp, kernels_rows blurred, const float *restrict mask, const size_t step, size_t count,
    const float *restrict to_linear, const float *restrict from_linear)
{
    for (size_t i = 0; i < count; i++) {
        const float m = mask[i * step], a = sharp.alpha[i];
        const float alpha = mixed_alpha(a, blurred.alpha[i], m), inverse = inverse_alpha(alpha);
        sharp.red[i] = mixed_premultiplied(sharp.red[i], a, blurred.red[i], inverse, m, to_linear, from_linear);
        sharp.green[i] = mixed_premultiplied(sharp.green[i], a, blurred.green[i], inverse, m, to_linear, from_linear);
        sharp.blue[i] = mixed_premultiplied(sharp.blue[i], a, blurred.blue[i], inverse, m, to_linear, from_linear);
        sharp.alpha[i] = alpha;
    }
}

static void mix(
    kernels_rows sharp, kernels_rows blurred, const float *mask, size_t mask_step, size_t count,
    const float *to_linear, const float *from_linear)
{
    if (sharp.alpha) {
        mix_with_alpha(sharp, blurred, mask, mask_step, count, to_linear, from_linear);
        return;
    }
    float *const channels[3] = { sharp.red, sharp.green, sharp.blue };
    const float *const blurs[3] = { blurred.red, blurred.green, blurred.blue };
    for (int channel = 0; channel < 3; channel++) {
        if (mask_step == 0)
            mix_opaque(channels[channel], blurs[channel], mask, 0, count, to_linear, from_linear);
        else
            mix_opaque(channels[channel], blurs[channel], mask, 1, count, to_linear, from_linear);
    }
}
