// The blend of STEM, and its loop over a run of pixels.
#include CL_FILE

static void JOIN(STEM, _rows)(
    kernels_rows sharp, kernels_rows blurred, size_t count, const float *restrict arguments,
    const kernels_view *photo, int column, int row)
{
    const JOIN(STEM, _arguments) *const own = (const JOIN(STEM, _arguments) *)arguments;
    const kernels_view view = *photo;
    const float *const alpha = blurred.alpha;
// The rows do not overlap.
#pragma clang loop vectorize(assume_safety)
    for (size_t i = 0; i < count; i++) {
        const float inverse = alpha ? inverse_alpha(alpha[i]) : 1.0f;
        const colour straight = { blurred.red[i] * inverse, blurred.green[i] * inverse,
                                  blurred.blue[i] * inverse };
        colour c = { sharp.red[i], sharp.green[i], sharp.blue[i] };
        JOIN(run_, STEM)(&c, straight, place_of(view, column + (int)i, row), own);
        sharp.red[i] = c.r;
        sharp.green[i] = c.g;
        sharp.blue[i] = c.b;
    }
}
#undef STEM
