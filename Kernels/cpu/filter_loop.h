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
        for (size_t i = 0; i < count; i++) {                                                         \
            colour c = { before(red[i]), before(green[i]), before(blue[i]) };                        \
            STEM(&c, place_of(view, column + (int)i, row), own);                                     \
            limit(&c);                                                                               \
            red[i] = c.r;                                                                            \
            green[i] = c.g;                                                                          \
            blue[i] = c.b;                                                                           \
        }                                                                                            \
    }
