// Downsampling before a blur, and upsampling after it. Included by level.h, after blur_passes.h.

// The values of even and of odd index in two vectors.
#define EVEN(first, second) \
    __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD(first, second) \
    __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)

// Loads 16 x `factor` values, grouped by phase: their index modulo `factor`. `factor` is a constant at each
// call.
FUNCTION void load_phases(const float *source, const size_t factor, lane *phases)
{
    lane halves[8];
#pragma unroll
    for (size_t i = 0; i < factor; i++) phases[i] = ((const lane *)source)[i];
        // `groups` groups of vectors, by index modulo `groups`, become twice as many.
#pragma unroll
    for (size_t groups = 1; groups < factor; groups *= 2) {
        const size_t half = factor / groups / 2;
#pragma unroll
        for (size_t i = 0; i < factor / 2; i++) {
            const lane first = phases[2 * i], second = phases[2 * i + 1];
            halves[i] = EVEN(first, second);
            halves[groups * half + i] = ODD(first, second);
        }
#pragma unroll
        for (size_t i = 0; i < factor; i++) phases[i] = halves[i];
    }
}

// The values at a place in the three downsampled pixels around each of 16, from the phases of these 16 and of
// the next.
FUNCTION void values_at(
    const size_t place, const size_t factor, const lane *own, const lane *next, lane *values)
{
    const lane a = own[place % factor], b = next[place % factor];
    switch (place / factor) {
    case 0: *values = a; break;
    case 1:
        *values = __builtin_shufflevector(a, b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
        break;
    default: *values = __builtin_shufflevector(a, b, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
    }
}

FUNCTION void downsample_vectors(
    const float *source, size_t count, const size_t factor, const float *weights, float *destination)
{
    lane own[8], next[8];
    const size_t middle = factor + factor / 2;
    source -= factor;
    load_phases(source, factor, own);
    for (size_t x = 0; x < count; x += LANE) {
        load_phases(source + (x + LANE) * factor, factor, next);
        lane sum, before, after;
#pragma unroll
        for (size_t k = 0; k < (3 * factor - 2) / 2; k++) {
            values_at(middle - 1 - k, factor, own, next, &before);
            values_at(middle + k, factor, own, next, &after);
            sum = k == 0 ? weights[0] * (before + after) : BLUR_TAP(sum, weights[k], before, after);
        }
        *(lane *)(destination + x) = sum;
#pragma unroll
        for (size_t i = 0; i < factor; i++) own[i] = next[i];
    }
}

static void downsample_channel(
    const float *source, size_t count, size_t factor, const float *weights, float *destination)
{
    switch (factor) {
    case 2: downsample_vectors(source, count, 2, weights, destination); break;
    case 4: downsample_vectors(source, count, 4, weights, destination); break;
    case 8: downsample_vectors(source, count, 8, weights, destination); break;
    default:
        for (size_t i = 0; i < count; i++) {
            const float *after = source + i * factor + factor / 2, *before = after - 1;
            float sum = weights[0] * (*before + *after);
            for (size_t k = 1; k < (3 * factor - 2) / 2; k++)
                sum = BLUR_TAP(sum, weights[k], *(before - k), *(after + k));
            destination[i] = sum;
        }
    }
}

static void downsample_row(
    kernels_rows source, size_t count, size_t factor, const float *weights, kernels_rows destination)
{
    for (int channel = 0; channel < channel_count(source); channel++)
        downsample_channel(
            channel_of(source, channel), count, factor, weights, channel_of(destination, channel));
}

static void downsample_columns(
    const kernels_rows *rows, size_t count, size_t pairs, const float *weights, kernels_rows destination)
{
    for (int channel = 0; channel < channel_count(destination); channel++)
        for (size_t x = 0; x < count; x += TILE) {
            lane sum[LANES];
            const float *before = channel_of(rows[pairs - 1], channel),
                        *after = channel_of(rows[pairs], channel);
            for (int j = 0; j < LANES; j++)
                sum[j] = weights[0] * (((const lane *)(before + x))[j] + ((const lane *)(after + x))[j]);
            for (size_t k = 1; k < pairs; k++)
                blur_add(
                    sum, channel_of(rows[pairs - 1 - k], channel) + x,
                    channel_of(rows[pairs + k], channel) + x, weights + k, 0);
            blur_end(sum, channel_of(destination, channel) + x);
        }
}

static void upsample_columns(
    const kernels_rows *rows, size_t count, const float *weights, kernels_rows destination)
{
    for (int channel = 0; channel < channel_count(destination); channel++) {
        const float *before = channel_of(rows[0], channel), *nearest = channel_of(rows[1], channel);
        const float *after = channel_of(rows[2], channel);
        float *values = channel_of(destination, channel);
        for (size_t i = 0; i < count; i += LANE)
            *(lane *)(values + i) = BLUR_UPSAMPLE(
                weights, *(const lane *)(before + i), *(const lane *)(nearest + i),
                *(const lane *)(after + i));
    }
}

// SPREAD_n repeats each value n times.
#define SPREAD_2(values) \
    __builtin_shufflevector(values, values, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)
#define SPREAD_4(values) \
    __builtin_shufflevector(values, values, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)
#define SPREAD_8(values) \
    __builtin_shufflevector(values, values, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)

#define UPSAMPLE(factor)                                                                           \
    case factor:                                                                                   \
        for (size_t x = 0; x < count; x += LANE, source += LANE / factor) {                        \
            const lane before = *(const lane *)(source - 1), nearest = *(const lane *)source;      \
            const lane after = *(const lane *)(source + 1);                                        \
            *(lane *)(destination + x) = BLUR_UPSAMPLE(                                            \
                lanes, SPREAD_##factor(before), SPREAD_##factor(nearest), SPREAD_##factor(after)); \
        }                                                                                          \
        break

static void upsample_channel(
    const float *source, size_t count, size_t factor, const float *weights, float *restrict destination)
{
    const lane *const lanes = (const lane *)weights;
    switch (factor) {
        UPSAMPLE(2);
        UPSAMPLE(4);
        UPSAMPLE(8);
    default:
        for (size_t x = 0; x < count; x += LANE) {
            const float *nearest = source + x / factor;
            for (size_t i = 0; i < LANE; i++) {
                const float phase[3] = {
                    weights[x % factor + i],
                    weights[factor + x % factor + i],
                    weights[2 * factor + x % factor + i],
                };
                destination[x + i] = BLUR_UPSAMPLE(phase, nearest[-1], nearest[0], nearest[1]);
            }
        }
    }
}
#undef UPSAMPLE

static void upsample_row(
    kernels_rows source, size_t count, size_t factor, const float *weights, kernels_rows destination)
{
    for (int channel = 0; channel < channel_count(source); channel++)
        upsample_channel(
            channel_of(source, channel), count, factor, weights, channel_of(destination, channel));
}
