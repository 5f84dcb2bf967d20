// opencl.cl: defines for OpenCL the macros that the .cl files use; cpu/pixel.h defines them for C.
#pragma OPENCL FP_CONTRACT OFF

#define FUNCTION inline __attribute__((always_inline))
#define PRIVATE __private
#define GLOBAL __global
#define TABLE __global const float *
#define BITS_OF_FLOAT(x) as_uint(x)
#define FLOAT_OF_BITS(x) as_float(x)

// A window of planes of floats around a pixel; see window.cl and, for C, cpu/window.h.
typedef struct window {
    __global const float *planes;
    int stride, plane;
    // The pixel's place. Rows are counted from the planes' first one: offsets from the photo's first may exceed 32 bits.
    int x, y;
    // The photo's last column, and its first and last rows.
    int right, top, bottom;
} window;

FUNCTION float window_value(const window w, int plane, int x, int y)
{
    const int column = clamp(w.x + x, 0, w.right), row = clamp(w.y + y, w.top, w.bottom);
    return w.planes[plane * w.plane + row * w.stride + column];
}

#define RED(w, x, y) window_value(w, 0, x, y)
#define GREEN(w, x, y) window_value(w, 1, x, y)
#define BLUE(w, x, y) window_value(w, 2, x, y)
