// window.cl: what a filter's function of a window of pixels is given. Its .cl file declares arguments and function:
//
//   // smooth.cl: ...
//   ARGUMENTS(smooth) { float amount; };
//   WINDOW(smooth, 1, c, w, at, a) { c->r = ... RED(w, -1, 0) ... }
//
// The number is the radius: the most columns and rows from the pixel itself that the function reads, at most 7. RED(w, x,
// y), GREEN and BLUE are the values x columns to the right and y rows below, sRGB-encoded, in the photo as stored; at the
// photo's edge the nearest pixel is repeated. `c` holds the pixel's own values before the call, and its result afterwards,
// limited to 0...1. Alpha does not change.

#define WINDOW(name, radius, c, w, at, a)                                                     \
    FUNCTION void window_##name(                                                              \
        PRIVATE colour *c, const window w, const place at, GLOBAL const name##_arguments *a); \
    FUNCTION void run_##name(                                                                 \
        PRIVATE colour *c, const window w, const place at, GLOBAL const name##_arguments *a)  \
    {                                                                                         \
        window_##name(c, w, at, a);                                                           \
        limit(c);                                                                             \
    }                                                                                         \
    FUNCTION void window_##name(                                                              \
        PRIVATE colour *c, const window w, const place at, GLOBAL const name##_arguments *a)
