// Downsampling before a blur, and upsampling after it. Included by level.h, after blur_passes.h.

// Splits into values of even and of odd index. Reads and writes whole vectors.
FUNCTION void part(const float *source, size_t count, float *even, float *odd)
{
    for (size_t i = 0; i < count; i += LANE) {
        const lane first = *(const lane *)(source + 2 * i), second = *(const lane *)(source + 2 * i + LANE);
        *(lane *)(even + i) =
            __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        *(lane *)(odd + i) =
            __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    }
}

// Floats for one phase of a tile, from one value before the tile to one after it, in whole vectors.
#define PHASE (TILE + 2 * LANE)

// One tile. Its values are first grouped by phase, their index modulo `factor`. `factor` is a constant at
// each call.
FUNCTION void downsample_tile(
    const float *source, size_t count, const size_t factor, const float *restrict weights,
    float *restrict destination)
{
    float halves[2 * PHASE * 4], phases[PHASE * 8];
    const size_t n = count + 2;
    source -= factor;
    if (factor == 2) {
        part(source, n, phases, phases + PHASE);
    } else if (factor == 4) {
        part(source, 2 * n, halves, halves + 2 * PHASE);
        part(halves, n, phases, phases + 2 * PHASE);
        part(halves + 2 * PHASE, n, phases + PHASE, phases + 3 * PHASE);
    } else {
        float quarters[2 * PHASE * 4];
        part(source, 4 * n, halves, halves + 4 * PHASE);
        for (size_t i = 0; i < 2; i++)
            part(halves + 4 * i * PHASE, 2 * n, quarters + 2 * i * PHASE, quarters + 2 * (i + 2) * PHASE);
        for (size_t i = 0; i < 4; i++)
            part(quarters + 2 * i * PHASE, n, phases + i * PHASE, phases + (i + 4) * PHASE);
    }
    // The second value of pair k has phase factor / 2 + k within its downsampled pixel, counted from
    // `source`.
#define AT(place) (phases + ((place) % factor) * PHASE + (place) / factor)
    for (size_t i = 0; i < count; i += LANE) {
        const size_t middle = factor + factor / 2;
        lane sum = weights[0] * (*(const lane *)(AT(middle - 1) + i) + *(const lane *)(AT(middle) + i));
#pragma unroll
        for (size_t k = 1; k < (3 * factor - 2) / 2; k++)
            sum = BLUR_TAP(
                sum, weights[k], *(const lane *)(AT(middle - 1 - k) + i),
                *(const lane *)(AT(middle + k) + i));
        *(lane *)(destination + i) = sum;
    }
#undef AT
}

FUNCTION void downsample_tiles(
    const float *source, size_t count, const size_t factor, const float *weights, float *destination)
{
    for (size_t x = 0; x < count; x += TILE) {
        const size_t n = count - x < TILE ? count - x : TILE;
        downsample_tile(source + x * factor, n, factor, weights, destination + x);
    }
}

static void downsample_channel(
    const float *source, size_t count, size_t factor, const float *weights, float *destination)
{
    switch (factor) {
    case 2: downsample_tiles(source, count, 2, weights, destination); break;
    case 4: downsample_tiles(source, count, 4, weights, destination); break;
    case 8: downsample_tiles(source, count, 8, weights, destination); break;
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
