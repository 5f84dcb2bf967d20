// window_pass.cl: a function of a window of pixels, over planes of floats, for OpenCL devices. A work-item computes one
// pixel. The host defines before this file: HAS_ALPHA, and RUN_WINDOW(c, w, at), the call of the function.

__kernel void window_pass(
    __global const float *restrict from, __global float *restrict to, TABLE arguments,
    kernels_window_params params)
{
    if (COLUMN >= params.width || ROW >= params.rows) return;
    const int row = params.photo_row + ROW;
    const window w = {
        from,
        params.from.stride,
        params.from.plane,
        COLUMN,
        row - params.from_row,
        params.width - 1,
        -params.from_row,
        params.height - 1 - params.from_row,
    };
    colour c = { RED(w, 0, 0), GREEN(w, 0, 0), BLUE(w, 0, 0) };
    RUN_WINDOW(c, w, place_of(params.view, COLUMN, row))
    __global float *result = to + (params.to_row + ROW) * params.to.stride + COLUMN;
    result[0] = c.r;
    result[params.to.plane] = c.g;
    result[2 * params.to.plane] = c.b;
#if HAS_ALPHA
    result[3 * params.to.plane] = window_value(w, 3, 0, 0);
#endif
}
