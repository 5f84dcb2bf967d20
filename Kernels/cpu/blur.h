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

// Vectors of 16 floats; the compiler splits them into the level's registers. SPREAD_n repeats each value n
// times.
typedef float lane __attribute__((vector_size(64), aligned(4), may_alias));
#define LANE 16
#define SPREAD_2(values) \
    __builtin_shufflevector(values, values, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)
#define SPREAD_4(values) \
    __builtin_shufflevector(values, values, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)
#define SPREAD_8(values) \
    __builtin_shufflevector(values, values, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)

// Pixels summed at once: LANES vectors, whose sums stay in registers during the loop over taps.
#define TILE 64
#define LANES 4

// `by_column` (a constant): each pixel has a weight of its own; otherwise all share one.
FUNCTION void blur_start(lane *sum, const float *centre, const float *weight, const int by_column)
{
    const float all = *weight;
    for (int j = 0; j < LANES; j++)
        if (by_column) sum[j] = ((const lane *)weight)[j] * ((const lane *)centre)[j];
        else sum[j] = all * ((const lane *)centre)[j];
}

FUNCTION void blur_add(
    lane *sum, const float *before, const float *after, const float *weight, const int by_column)
{
    const float all = *weight;
    for (int j = 0; j < LANES; j++) {
        const lane a = ((const lane *)before)[j], b = ((const lane *)after)[j];
        if (by_column) sum[j] = BLUR_TAP(sum[j], ((const lane *)weight)[j], a, b);
        else sum[j] = BLUR_TAP(sum[j], all, a, b);
    }
}

FUNCTION void blur_end(const lane *sum, float *destination)
{
    for (int j = 0; j < LANES; j++) ((lane *)destination)[j] = sum[j];
}

// Three, or four with alpha.
FUNCTION int channel_count(kernels_rows rows) { return rows.alpha ? 4 : 3; }

FUNCTION float *channel_of(kernels_rows rows, int channel)
{
    return channel == 0 ? rows.red : channel == 1 ? rows.green : channel == 2 ? rows.blue : rows.alpha;
}

// The radius of a tile; below 0 if nothing depends on its result. Advances `weights` to the tile.
FUNCTION int32_t radius_at(kernels_weights *weights, size_t x, const int by_column)
{
    if (!by_column) return weights->radius;
    weights->values += x;
    return weights->radii[x / TILE];
}

FUNCTION void blur_channel(
    const float *source, size_t count, const kernels_weights all, float *restrict destination,
    const int by_column)
{
    for (size_t x = 0; x < count; x += TILE) {
        kernels_weights weights = all;
        const int32_t radius = radius_at(&weights, x, by_column);
        if (radius < 0) continue;
        const float *const values = weights.values;
        if (x + TILE <= count) {
            lane sum[LANES];
            blur_start(sum, source + x, values, by_column);
            for (int32_t k = 1; k <= radius; k++)
                blur_add(sum, source + x - k, source + x + k, values + k * weights.stride, by_column);
            blur_end(sum, destination + x);
            continue;
        }
        for (size_t i = 0; x + i < count; i++) {
            const float *const own = values + (by_column ? i : 0), *const centre = source + x + i;
            float sum = own[0] * centre[0];
            for (int32_t k = 1; k <= radius; k++)
                sum = BLUR_TAP(sum, own[k * weights.stride], centre[-k], centre[k]);
            destination[x + i] = sum;
        }
    }
}

static void blur_row(
    kernels_rows source, size_t count, const kernels_weights *weights, kernels_rows destination)
{
    for (int channel = 0; channel < channel_count(source); channel++) {
        const float *from = channel_of(source, channel);
        float *to = channel_of(destination, channel);
        if (weights->radii) blur_channel(from, count, *weights, to, 1);
        else blur_channel(from, count, *weights, to, 0);
    }
}

// One row of results: a tile, or its first `count` pixels.
FUNCTION void blur_columns_tile(
    const kernels_rows *centre, int channel, size_t x, size_t count, const kernels_weights all,
    float *destination, const int by_column)
{
    kernels_weights weights = all;
    const int32_t radius = radius_at(&weights, x, by_column);
    if (radius < 0) return;
    const float *const values = weights.values;
    if (count == TILE) {
        lane sum[LANES];
        blur_start(sum, channel_of(*centre, channel) + x, values, by_column);
        for (int32_t k = 1; k <= radius; k++)
            blur_add(
                sum, channel_of(*(centre - k), channel) + x, channel_of(*(centre + k), channel) + x,
                values + k * weights.stride, by_column);
        blur_end(sum, destination + x);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const float *const own = values + (by_column ? i : 0);
        float sum = own[0] * channel_of(*centre, channel)[x + i];
        for (int32_t k = 1; k <= radius; k++)
            sum = BLUR_TAP(
                sum, own[k * weights.stride], channel_of(*(centre - k), channel)[x + i],
                channel_of(*(centre + k), channel)[x + i]);
        destination[x + i] = sum;
    }
}

static void blur_columns(
    const kernels_rows *rows, size_t count, const kernels_weights *weights, size_t support,
    const kernels_rows *outputs, size_t output_count)
{
    for (int channel = 0; channel < channel_count(*rows); channel++)
        for (size_t x = 0; x < count; x += TILE)
            for (size_t o = 0; o < output_count; o++) {
                const size_t n = count - x < TILE ? count - x : TILE;
                float *destination = channel_of(outputs[o], channel);
                const kernels_rows *centre = rows + o + support;
                if (weights[o].radii) blur_columns_tile(centre, channel, x, n, weights[o], destination, 1);
                else blur_columns_tile(centre, channel, x, n, weights[o], destination, 0);
            }
}

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
        const float *restrict before = channel_of(rows[0], channel),
                              *restrict nearest = channel_of(rows[1], channel);
        const float *restrict after = channel_of(rows[2], channel);
        float *restrict values = channel_of(destination, channel);
        for (size_t i = 0; i < count; i++)
            values[i] = BLUR_UPSAMPLE(weights, before[i], nearest[i], after[i]);
    }
}

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

// Not inlined: in its caller's loop, clang no longer sees that the rows do not overlap.
__attribute__((noinline)) static void mix_opaque(
    float *restrict sharp, const float *restrict blurred, const float *restrict mask, size_t count)
{
    // Two loops: in a single one, the dependency chain of a pixel is too long for the processor to overlap
    // pixels.
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

// Writes the mixed alpha to `result` and 1 / alpha to `inverse`.
__attribute__((noinline)) static void mix_alpha(
    const float *restrict sharp, const float *restrict blurred, float *restrict result,
    float *restrict inverse, const float *restrict mask, size_t count)
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
