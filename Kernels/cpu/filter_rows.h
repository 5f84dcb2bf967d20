// The pixel function of STEM, and its loop over a run of pixels.
#include CL_FILE

static void JOIN(STEM, _rows)(kernels_rows rows, size_t count, const float *restrict arguments)
{
    float *restrict red = rows.red, *restrict green = rows.green, *restrict blue = rows.blue;
    for (size_t i = 0; i < count; i++) {
        float r = red[i], g = green[i], b = blue[i];
        STEM(&r, &g, &b, arguments);
        red[i] = r;
        green[i] = g;
        blue[i] = b;
    }
}
#undef STEM
