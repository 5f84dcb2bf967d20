// Blur in linear light. Included by level.h.

// No iteration touches what another one does: the tables are never written.
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")

static void linearise(kernels_rows rows, size_t count, const float *to_linear, kernels_rows linear)
{
    const float *restrict table = to_linear;
    const float *const sources[3] = { rows.red, rows.green, rows.blue };
    float *const destinations[3] = { linear.red, linear.green, linear.blue };
    for (int channel = 0; channel < 3; channel++) {
        const float *restrict source = sources[channel], *restrict alpha = rows.alpha;
        float *restrict destination = destinations[channel];
        if (alpha) {
            INDEPENDENT
            for (size_t i = 0; i < count; i++) destination[i] = linear_value(source[i], table) * alpha[i];
        } else {
            INDEPENDENT
            for (size_t i = 0; i < count; i++) destination[i] = linear_value(source[i], table);
        }
    }
    if (rows.alpha) memcpy(linear.alpha, rows.alpha, count * sizeof(float));
}

// Pixels that are summed at once: LANES vectors, whose sums stay in registers while the taps go by. A vector of 16
// floats becomes as many registers as the level needs.
#define TILE 64
#define LANES 4
typedef float lane __attribute__((vector_size(64), aligned(4), may_alias));

FUNCTION void blur_start(lane *sum, const float *centre, const float weight)
{
    for (int j = 0; j < LANES; j++) sum[j] = weight * ((const lane *)centre)[j];
}

FUNCTION void blur_add(lane *sum, const float *before, const float *after, const float weight)
{
    for (int j = 0; j < LANES; j++)
        sum[j] = BLUR_TAP(sum[j], weight, ((const lane *)before)[j], ((const lane *)after)[j]);
}

FUNCTION void blur_end(const lane *sum, float *destination)
{
    for (int j = 0; j < LANES; j++) ((lane *)destination)[j] = sum[j];
}

static void blur_row(
    const float *source, size_t count, const float *weights, size_t radius, float *restrict destination)
{
    size_t x = 0;
    for (; x + TILE <= count; x += TILE) {
        lane sum[LANES];
        blur_start(sum, source + x, weights[0]);
        for (size_t k = 1; k <= radius; k++) blur_add(sum, source + x - k, source + x + k, weights[k]);
        blur_end(sum, destination + x);
    }
    for (; x < count; x++) {
        float sum = weights[0] * source[x];
        for (size_t k = 1; k <= radius; k++) sum = BLUR_TAP(sum, weights[k], source[x - k], source[x + k]);
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
            lane sum[LANES];
            blur_start(sum, *centre + x, weights[0]);
            for (size_t k = 1; k <= radius; k++) blur_add(sum, *(centre - k) + x, *(centre + k) + x, weights[k]);
            blur_end(sum, outputs[o] + x);
        }
    for (size_t o = 0; o < output_count; o++) {
        const float *const *centre = rows + o + radius;
        for (size_t i = x; i < count; i++) {
            float sum = weights[0] * (*centre)[i];
            for (size_t k = 1; k <= radius; k++)
                sum = BLUR_TAP(sum, weights[k], (*(centre - k))[i], (*(centre + k))[i]);
            outputs[o][i] = sum;
        }
    }
}

// Not inlined: in its caller's loop, clang no longer sees that the rows are apart.
__attribute__((noinline)) static void mix_opaque(
    float *restrict sharp, const float *restrict blurred, const float *restrict mask, size_t count,
    const float *restrict to_linear, const float *restrict from_linear)
{
    INDEPENDENT
    for (size_t i = 0; i < count; i++) sharp[i] = mixed(sharp[i], blurred[i], mask[i], to_linear, from_linear);
}

__attribute__((noinline)) static void mix_premultiplied(
    float *restrict sharp, const float *restrict blurred, const float *restrict alpha,
    const float *restrict inverse, const float *restrict mask, size_t count, const float *restrict to_linear,
    const float *restrict from_linear)
{
    INDEPENDENT
    for (size_t i = 0; i < count; i++)
        sharp[i] = mixed_premultiplied(
            sharp[i], alpha[i], blurred[i], inverse[i], mask[i], to_linear, from_linear);
}

// Gets the mixed alpha into `blurred`, and 1 / it into `inverse`.
__attribute__((noinline)) static void mix_alpha(
    const float *restrict sharp, float *restrict blurred, float *restrict inverse, const float *restrict mask,
    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float alpha = mixed_alpha(sharp[i], blurred[i], mask[i]);
        blurred[i] = alpha;
        inverse[i] = inverse_alpha(alpha);
    }
}

static void mix(
    kernels_rows sharp, kernels_rows blurred, const float *mask, size_t count, const float *to_linear,
    const float *from_linear)
{
    float *const channels[3] = { sharp.red, sharp.green, sharp.blue };
    const float *const blurs[3] = { blurred.red, blurred.green, blurred.blue };
    for (size_t x = 0; x < count; x += TILE) {
        const size_t n = count - x < TILE ? count - x : TILE;
        float inverse[TILE];
        if (sharp.alpha) mix_alpha(sharp.alpha + x, blurred.alpha + x, inverse, mask + x, n);
        for (int channel = 0; channel < 3; channel++) {
            float *const values = channels[channel] + x;
            const float *const blur = blurs[channel] + x;
            if (sharp.alpha)
                mix_premultiplied(values, blur, sharp.alpha + x, inverse, mask + x, n, to_linear, from_linear);
            else
                mix_opaque(values, blur, mask + x, n, to_linear, from_linear);
        }
        if (sharp.alpha) memcpy(sharp.alpha + x, blurred.alpha + x, n * sizeof(float));
    }
}
