// blend.cl: what a filter's blend of a photo with its blur is given. Its .cl file declares arguments and function:
//
//   // glow.cl: ...
//   ARGUMENTS(glow) { float amount; };
//   BLEND(glow, c, blurred, at, a) { ... }
//
// `c` holds the photo's values, sRGB-encoded and limited to 0...1, and the result afterwards. `blurred` is in linear light.
// Both have straight alpha. Alpha does not change.

#define BLEND(name, c, blurred, at, a)                                                              \
    FUNCTION void blend_##name(                                                                     \
        PRIVATE colour *c, const colour blurred, const place at, GLOBAL const name##_arguments *a); \
    FUNCTION void run_##name(                                                                       \
        PRIVATE colour *c, const colour blurred, const place at, GLOBAL const name##_arguments *a)  \
    {                                                                                               \
        limit(c);                                                                                   \
        blend_##name(c, blurred, at, a);                                                            \
        limit(c);                                                                                   \
    }                                                                                               \
    FUNCTION void blend_##name(                                                                     \
        PRIVATE colour *c, const colour blurred, const place at, GLOBAL const name##_arguments *a)
