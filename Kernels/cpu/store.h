// Planar floats to samples. Included by level.h.

// `channels` and `maximum` are constants at each call, so each case becomes a loop of its own.
#define STORE_INTERLEAVED(name, sample)                                                                    \
    FUNCTION void name(                                                                                    \
        kernels_rows rows, const int channels, const int maximum, size_t count,                            \
        sample *restrict destination)                                                                      \
    {                                                                                                      \
        const float *restrict red = rows.red, *restrict green = rows.green, *restrict blue = rows.blue;    \
        const float *restrict alpha = rows.alpha;                                                          \
        for (size_t i = 0; i < count; i++) {                                                               \
            sample *restrict pixel = destination + i * (size_t)channels;                                   \
            pixel[0] = (sample)quantise(red[i], maximum);                                                  \
            if (channels > 2) pixel[1] = (sample)quantise(green[i], maximum);                              \
            if (channels > 2) pixel[2] = (sample)quantise(blue[i], maximum);                               \
            if (channels == 2 || channels == 4) pixel[channels - 1] = (sample)quantise(alpha[i], maximum); \
        }                                                                                                  \
    }

STORE_INTERLEAVED(store_bytes, uint8_t)
STORE_INTERLEAVED(store_words, uint16_t)

#define STORE_CASES(store, maximum)                              \
    switch (channels) {                                          \
    case 1: store(rows, 1, maximum, count, destination); break;  \
    case 2: store(rows, 2, maximum, count, destination); break;  \
    case 3: store(rows, 3, maximum, count, destination); break;  \
    default: store(rows, 4, maximum, count, destination); break; \
    }

static void store8(kernels_rows rows, int channels, size_t count, uint8_t *destination)
{
    STORE_CASES(store_bytes, 255)
}

static void store16(kernels_rows rows, int channels, size_t count, uint16_t *destination)
{
    STORE_CASES(store_words, 65535)
}

static void store_luma(kernels_rows rows, size_t count, uint8_t *y)
{
    const float *restrict red = rows.red, *restrict green = rows.green, *restrict blue = rows.blue;
    uint8_t *restrict luma = y;
    for (size_t i = 0; i < count; i++) luma[i] = (uint8_t)luma_sample(red[i], green[i], blue[i]);
}

// Sums each column of `vertical` pixels, then `horizontal` columns. store.cl adds in the same order. Columns
// from `count` on repeat the last one.
FUNCTION float block_sum(
    const float *const *rows, const size_t first, const size_t horizontal, const size_t vertical,
    const size_t count)
{
    float sum = 0.0f;
    for (size_t column = 0; column < horizontal; column++) {
        const size_t i = first + column < count ? first + column : count - 1;
        float of_column = rows[0][i];
        for (size_t row = 1; row < vertical; row++) of_column = of_column + rows[row][i];
        sum = column == 0 ? of_column : sum + of_column;
    }
    return sum;
}

FUNCTION void store_block(
    const float *const *red, const float *const *green, const float *const *blue, const size_t first,
    const size_t horizontal, const size_t vertical, const size_t count, uint8_t *restrict cb,
    uint8_t *restrict cr)
{
    const float share = 1.0f / (float)(horizontal * vertical);
    const float r = block_sum(red, first, horizontal, vertical, count);
    const float g = block_sum(green, first, horizontal, vertical, count);
    const float b = block_sum(blue, first, horizontal, vertical, count);
    cb[first / horizontal] = (uint8_t)cb_sample(r, g, b, share);
    cr[first / horizontal] = (uint8_t)cr_sample(r, g, b, share);
}

// `horizontal` and `vertical` are constants at each call.
FUNCTION void store_chroma_planes(
    const kernels_rows *rows, const size_t horizontal, const size_t vertical, size_t count,
    uint8_t *restrict cb, uint8_t *restrict cr)
{
    const float *red[4], *green[4], *blue[4];
    for (size_t row = 0; row < vertical; row++) {
        red[row] = rows[row].red;
        green[row] = rows[row].green;
        blue[row] = rows[row].blue;
    }
    const size_t whole = count / horizontal;
    for (size_t c = 0; c < whole; c++)
        store_block(red, green, blue, c * horizontal, horizontal, vertical, (size_t)-1, cb, cr);
    if (whole * horizontal < count)
        store_block(red, green, blue, whole * horizontal, horizontal, vertical, count, cb, cr);
}

static void store_chroma(
    const kernels_rows *rows, int horizontal, int vertical, size_t count, uint8_t *cb, uint8_t *cr)
{
#define CHROMA_CASE(h, v) \
    if (horizontal == h && vertical == v) store_chroma_planes(rows, h, v, count, cb, cr)
    CHROMA_CASE(1, 1);
    CHROMA_CASE(1, 2);
    CHROMA_CASE(1, 4);
    CHROMA_CASE(2, 1);
    CHROMA_CASE(2, 2);
    CHROMA_CASE(2, 4);
    CHROMA_CASE(4, 1);
    CHROMA_CASE(4, 2);
    CHROMA_CASE(4, 4);
#undef CHROMA_CASE
}

static void limit_rows(kernels_rows rows, size_t count)
{
    float *const channels[3] = { rows.red, rows.green, rows.blue };
    for (int channel = 0; channel < 3; channel++) {
        float *restrict values = channels[channel];
        for (size_t i = 0; i < count; i++) values[i] = unit(values[i]);
    }
}

static void flatten(kernels_rows rows, size_t count)
{
    float *restrict red = rows.red, *restrict green = rows.green, *restrict blue = rows.blue;
    const float *restrict alpha = rows.alpha;
    for (size_t i = 0; i < count; i++) {
        red[i] = over_white(red[i], alpha[i]);
        green[i] = over_white(green[i], alpha[i]);
        blue[i] = over_white(blue[i], alpha[i]);
    }
}
