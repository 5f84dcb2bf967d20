// Samples to planar floats. Included by level.h.

// `channels` and `scale` are constants at each call, so each case becomes a loop of its own.
#define LOAD_INTERLEAVED(name, sample)                                                              \
    FUNCTION void name(                                                                             \
        const sample *restrict source, const int channels, const float scale, size_t count,         \
        kernels_rows rows)                                                                          \
    {                                                                                               \
        float *restrict red = rows.red, *restrict green = rows.green, *restrict blue = rows.blue;   \
        float *restrict alpha = rows.alpha;                                                         \
        for (size_t i = 0; i < count; i++) {                                                        \
            const sample *restrict pixel = source + i * (size_t)channels;                           \
            red[i] = (float)(int)pixel[0] * scale;                                                  \
            green[i] = (float)(int)pixel[channels > 2 ? 1 : 0] * scale;                             \
            blue[i] = (float)(int)pixel[channels > 2 ? 2 : 0] * scale;                              \
            if (channels == 2 || channels == 4) alpha[i] = (float)(int)pixel[channels - 1] * scale; \
        }                                                                                           \
    }

LOAD_INTERLEAVED(load_bytes, uint8_t)
LOAD_INTERLEAVED(load_words, uint16_t)

#define LOAD_CASES(load, scale)                          \
    switch (channels) {                                  \
    case 1: load(source, 1, scale, count, rows); break;  \
    case 2: load(source, 2, scale, count, rows); break;  \
    case 3: load(source, 3, scale, count, rows); break;  \
    default: load(source, 4, scale, count, rows); break; \
    }

static void load8(const uint8_t *source, int channels, size_t count, kernels_rows rows)
{
    LOAD_CASES(load_bytes, 1.0f / 255.0f)
}

static void load16(const uint16_t *source, int channels, size_t count, kernels_rows rows) {
    LOAD_CASES(load_words, 1.0f / 65535.0f)
}

// One run of pixels whose chroma begins at `cb` and `cr`. `horizontal` is a constant at each call.
FUNCTION void load_planes(
    const uint8_t *restrict y, const uint8_t *restrict cb, const uint8_t *restrict cr,
    const size_t horizontal, size_t count, kernels_rows rows)
{
    float *restrict red = rows.red, *restrict green = rows.green, *restrict blue = rows.blue;
    const size_t whole = count / horizontal;
    for (size_t c = 0; c < whole; c++) {
        float to_red, to_green, to_blue;
        chroma_offsets((float)(int)cb[c], (float)(int)cr[c], &to_red, &to_green, &to_blue);
        for (size_t j = 0; j < horizontal; j++) {
            const size_t i = c * horizontal + j;
            const float luma = (float)(int)y[i];
            red[i] = channel_value(luma, to_red);
            green[i] = channel_value(luma, to_green);
            blue[i] = channel_value(luma, to_blue);
        }
    }
    for (size_t i = whole * horizontal; i < count; i++) {
        float to_red, to_green, to_blue;
        chroma_offsets((float)(int)cb[whole], (float)(int)cr[whole], &to_red, &to_green, &to_blue);
        const float luma = (float)(int)y[i];
        red[i] = channel_value(luma, to_red);
        green[i] = channel_value(luma, to_green);
        blue[i] = channel_value(luma, to_blue);
    }
}

static void load_ycc(
    const uint8_t *y, const uint8_t *cb, const uint8_t *cr, int horizontal, size_t count, kernels_rows rows)
{
    switch (horizontal) {
    case 1: load_planes(y, cb, cr, 1, count, rows); break;
    case 2: load_planes(y, cb, cr, 2, count, rows); break;
    default: load_planes(y, cb, cr, 4, count, rows); break;
    }
}
