// Blurs along rows and columns. Included by level.h.
// Both write whole tiles: the memory of rows and weights is padded to them.

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
        lane sum[LANES];
        blur_start(sum, source + x, weights.values, by_column);
        for (int32_t k = 1; k <= radius; k++) {
            weights.values += weights.stride;
            blur_add(sum, source + x - k, source + x + k, weights.values, by_column);
        }
        blur_end(sum, destination + x);
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

// One tile of a row of results.
FUNCTION void blur_columns_tile(
    const kernels_rows *centre, int channel, size_t x, kernels_weights weights, float *destination,
    const int by_column)
{
    const int32_t radius = radius_at(&weights, x, by_column);
    if (radius < 0) return;
    lane sum[LANES];
    blur_start(sum, channel_at(centre, channel) + x, weights.values, by_column);
    for (int32_t k = 1; k <= radius; k++) {
        weights.values += weights.stride;
        blur_add(
            sum, channel_at(centre - k, channel) + x, channel_at(centre + k, channel) + x, weights.values,
            by_column);
    }
    blur_end(sum, destination + x);
}

// Fetches a tile of rows into the first-level cache: the processor does not foresee the step to the next tile.
FUNCTION void fetch_tile(const kernels_rows *rows, size_t row_count, int channel, size_t x)
{
    for (size_t i = 0; i < row_count; i++)
        for (size_t j = 0; j < LANES; j++) __builtin_prefetch(channel_at(rows + i, channel) + x + j * LANE);
}

// The greatest radius of weights that are the same for all columns.
FUNCTION size_t greatest_radius(const kernels_weights *weights, size_t count)
{
    int32_t radius = 0;
    for (size_t i = 0; i < count; i++) radius = weights[i].radius > radius ? weights[i].radius : radius;
    return (size_t)radius;
}

static void blur_columns(
    const kernels_rows *rows, size_t count, const kernels_weights *weights, size_t support,
    const kernels_rows *outputs, size_t output_count)
{
    const size_t radius = greatest_radius(weights, output_count);
    for (int channel = 0; channel < channel_count(*rows); channel++)
        for (size_t x = 0; x < count; x += TILE) {
            if (x + TILE < count)
                fetch_tile(rows + support - radius, output_count + 2 * radius, channel, x + TILE);
            for (size_t o = 0; o < output_count; o++) {
                float *destination = channel_at(outputs + o, channel);
                const kernels_rows *centre = rows + o + support;
                if (weights[o].radii) blur_columns_tile(centre, channel, x, weights[o], destination, 1);
                else blur_columns_tile(centre, channel, x, weights[o], destination, 0);
            }
        }
}
