// The loop over a run of pixels that calls the point function of STEM.
// `before` is applied to each channel before the point function.
#define FILTER_LOOP(name, before)                                                                    \
    static void name(                                                                                \
        kernels_rows rows, size_t count, const float *restrict arguments, const kernels_view *photo, \
        int column, int row)                                                                         \
    {                                                                                                \
        float *restrict red = rows.red, *restrict green = rows.green, *restrict blue = rows.blue;    \
        const JOIN(STEM, _arguments) *const own = (const JOIN(STEM, _arguments) *)arguments;         \
        const kernels_view view = *photo;                                                            \
        if (JOIN(STEM, _paints) && rows.alpha) {                                                     \
            float *restrict alpha = rows.alpha;                                                      \
            for (size_t i = 0; i < count; i++) {                                                     \
                colour c = { before(red[i]), before(green[i]), before(blue[i]) };                    \
                JOIN(run_, STEM)(&c, &alpha[i], place_of(view, column + (int)i, row), own);          \
                red[i] = c.r;                                                                        \
                green[i] = c.g;                                                                      \
                blue[i] = c.b;                                                                       \
            }                                                                                        \
            return;                                                                                  \
        }                                                                                            \
        for (size_t i = 0; i < count; i++) {                                                         \
            colour c = { before(red[i]), before(green[i]), before(blue[i]) };                        \
            float opaque = 1.0f;                                                                     \
            JOIN(run_, STEM)(&c, &opaque, place_of(view, column + (int)i, row), own);                \
            red[i] = c.r;                                                                            \
            green[i] = c.g;                                                                          \
            blue[i] = c.b;                                                                           \
        }                                                                                            \
    }
