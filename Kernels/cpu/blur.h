// Blur in linear light. Included by level.h.

static void linearise(kernels_rows rows, size_t count, kernels_rows linear)
{
    const float *const sources[3] = { rows.red, rows.green, rows.blue };
    float *const destinations[3] = { linear.red, linear.green, linear.blue };
    for (int channel = 0; channel < 3; channel++) {
        const float *restrict source = sources[channel], *restrict alpha = rows.alpha;
        float *restrict destination = destinations[channel];
        if (alpha)
            for (size_t i = 0; i < count; i++) destination[i] = linear_value(source[i]) * alpha[i];
        else
            for (size_t i = 0; i < count; i++) destination[i] = linear_value(source[i]);
    }
    if (rows.alpha) memcpy(linear.alpha, rows.alpha, count * sizeof(float));
}

// Vectors of 16 floats become as many registers as the level needs. The first values of one, each a few times:
typedef float lane __attribute__((vector_size(64), aligned(4), may_alias));
#define LANE 16
#define SPREAD_2(values) __builtin_shufflevector(values, values, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)
#define SPREAD_4(values) __builtin_shufflevector(values, values, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)
#define SPREAD_8(values) __builtin_shufflevector(values, values, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)

// Pixels that are summed at once: LANES vectors, whose sums stay in registers while the taps go by.
#define TILE 64
#define LANES 4

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

// `factor` and `pairs` are constants where this is called for the factors that photos need most.
FUNCTION void shrink_by(
    const float *restrict source, size_t count, const size_t factor, const size_t pairs, const float *restrict weights,
    float *restrict destination)
{
    const float *restrict after = source + factor / 2, *restrict before = after - 1;
    for (size_t i = 0; i < count; i++) {
        float sum = weights[0] * (before[i * factor] + after[i * factor]);
        for (size_t k = 1; k < pairs; k++)
            sum = BLUR_TAP(sum, weights[k], (before - k)[i * factor], (after + k)[i * factor]);
        destination[i] = sum;
    }
}

static void shrink_row(const float *source, size_t count, size_t factor, const float *weights, float *destination)
{
    switch (factor) {
    case 2: shrink_by(source, count, 2, 2, weights, destination); break;
    case 4: shrink_by(source, count, 4, 5, weights, destination); break;
    case 8: shrink_by(source, count, 8, 11, weights, destination); break;
    default: shrink_by(source, count, factor, (3 * factor - 2) / 2, weights, destination); break;
    }
}

static void shrink_columns(
    const float *const *rows, size_t count, size_t pairs, const float *weights, float *restrict destination)
{
    for (size_t x = 0; x < count; x += TILE) {
        const size_t end = x + TILE < count ? x + TILE : count;
        for (size_t i = x; i < end; i++) destination[i] = weights[0] * (rows[pairs - 1][i] + rows[pairs][i]);
        for (size_t k = 1; k < pairs; k++) {
            const float *restrict before = rows[pairs - 1 - k], *restrict after = rows[pairs + k];
            for (size_t i = x; i < end; i++)
                destination[i] = BLUR_TAP(destination[i], weights[k], before[i], after[i]);
        }
    }
}

static void widen_columns(const float *const *rows, size_t count, const float *weights, float *restrict destination)
{
    const float *restrict before = rows[0], *restrict nearest = rows[1], *restrict after = rows[2];
    for (size_t i = 0; i < count; i++) destination[i] = BLUR_WIDEN(weights, before[i], nearest[i], after[i]);
}

#define WIDEN(factor)                                                                                             \
    case factor:                                                                                                  \
        for (size_t x = 0; x < count; x += LANE, source += LANE / factor) {                                       \
            const lane before = *(const lane *)(source - 1), nearest = *(const lane *)source;                     \
            const lane after = *(const lane *)(source + 1);                                                       \
            *(lane *)(destination + x) =                                                                          \
                BLUR_WIDEN(lanes, SPREAD_##factor(before), SPREAD_##factor(nearest), SPREAD_##factor(after));     \
        }                                                                                                         \
        break

static void widen_row(
    const float *source, size_t count, size_t factor, const float *weights, float *restrict destination)
{
    lane lanes[3];
    for (size_t i = 0; i < LANE; i++)
        for (size_t tap = 0; tap < 3; tap++) lanes[tap][i] = weights[3 * (i % factor) + tap];
    switch (factor) {
        WIDEN(2);
        WIDEN(4);
        WIDEN(8);
    default:
        for (size_t x = 0; x < count; x++) {
            const float *restrict phase = weights + 3 * (x % factor), *nearest = source + x / factor;
            destination[x] = BLUR_WIDEN(phase, nearest[-1], nearest[0], nearest[1]);
        }
    }
}
#undef WIDEN

static void encode(kernels_rows blurred, size_t count, kernels_rows rows)
{
    const float *const sources[3] = { blurred.red, blurred.green, blurred.blue };
    float *const destinations[3] = { rows.red, rows.green, rows.blue };
    for (int channel = 0; channel < 3; channel++) {
        const float *restrict source = sources[channel];
        float *restrict destination = destinations[channel];
        for (size_t i = 0; i < count; i++) destination[i] = encoded_value(source[i]);
    }
}

// Not inlined: in its caller's loop, clang no longer sees that the rows are apart.
__attribute__((noinline)) static void mix_opaque(
    float *restrict sharp, const float *restrict blurred, const float *restrict mask, size_t count)
{
    // In two steps: in one, a pixel's operations are too long a chain to work on many pixels at once.
    float linear[256];
    for (size_t x = 0; x < count; x += 256) {
        const size_t n = count - x < 256 ? count - x : 256;
        for (size_t i = 0; i < n; i++) linear[i] = linear_mix(sharp[x + i], blurred[x + i], mask[x + i]);
        for (size_t i = 0; i < n; i++) sharp[x + i] = encoded_mix(sharp[x + i], linear[i], mask[x + i]);
    }
}

__attribute__((noinline)) static void mix_premultiplied(
    float *restrict sharp, const float *restrict blurred, const float *restrict alpha,
    const float *restrict inverse, const float *restrict mask, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sharp[i] = mixed_premultiplied(sharp[i], alpha[i], blurred[i], inverse[i], mask[i]);
}

// Gets the mixed alpha into `result`, and 1 / it into `inverse`.
__attribute__((noinline)) static void mix_alpha(
    const float *restrict sharp, const float *restrict blurred, float *restrict result, float *restrict inverse,
    const float *restrict mask, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float alpha = mixed_alpha(sharp[i], blurred[i], mask[i]);
        result[i] = alpha;
        inverse[i] = inverse_alpha(alpha);
    }
}

static void mix(kernels_rows sharp, kernels_rows blurred, const float *mask, size_t count)
{
    float *const channels[3] = { sharp.red, sharp.green, sharp.blue };
    const float *const blurs[3] = { blurred.red, blurred.green, blurred.blue };
    if (!sharp.alpha) {
        for (int channel = 0; channel < 3; channel++) mix_opaque(channels[channel], blurs[channel], mask, count);
        return;
    }
    for (size_t x = 0; x < count; x += TILE) {
        const size_t n = count - x < TILE ? count - x : TILE;
        float alpha[TILE], inverse[TILE];
        mix_alpha(sharp.alpha + x, blurred.alpha + x, alpha, inverse, mask + x, n);
        for (int channel = 0; channel < 3; channel++)
            mix_premultiplied(channels[channel] + x, blurs[channel] + x, sharp.alpha + x, inverse, mask + x, n);
        memcpy(sharp.alpha + x, alpha, n * sizeof(float));
    }
}
