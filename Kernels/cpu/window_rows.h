// The function of STEM of a window of pixels, and its loop over a run.
#include CL_FILE

static void JOIN(STEM, _rows)(
    const kernels_rows *rows, size_t count, const float *restrict arguments, const kernels_view *photo,
    int column, int row, kernels_rows result)
{
    const JOIN(STEM, _arguments) *const own = (const JOIN(STEM, _arguments) *)arguments;
    const kernels_view view = *photo;
// The result overlaps no row that is read.
#pragma clang loop vectorize(assume_safety)
    for (size_t i = 0; i < count; i++) {
        const window w = { rows, (ptrdiff_t)i };
        colour c = { RED(w, 0, 0), GREEN(w, 0, 0), BLUE(w, 0, 0) };
        JOIN(run_, STEM)(&c, w, place_of(view, column + (int)i, row), own);
        result.red[i] = c.r;
        result.green[i] = c.g;
        result.blue[i] = c.b;
    }
}
#undef STEM
