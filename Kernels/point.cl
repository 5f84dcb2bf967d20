// point.cl: what a filter's point function is given. Its .cl file declares the arguments and the function:
//
//   // fade.cl: ...
//   ARGUMENTS(fade) { float slope, lift[3]; };
//   POINT(fade, c, at, a) { c->r = a->slope * c->r + a->lift[0]; ... }
//
// The members of ARGUMENTS are floats and arrays of floats; the last may be an array of ANY length. The host reads their
// names there, and fills them by name (Sources/Stages/PointKernel.swift). `c` is in 0...1 before the call and limited
// to it afterwards.
//
// PAINT(frame, c, alpha, at, a) { ... } instead of POINT: a function that may change `*alpha` too. Of a photo without
// alpha it is 1, and what the function makes of it is dropped.

// sRGB-encoded, straight alpha.
typedef struct colour {
    float r, g, b;
} colour;

// A pixel's place in the photo as it is shown, from the left and from the top, and the size of that photo.
typedef struct place {
    int x, y;
    int width, height;
} place;

#define ARGUMENTS(name)                               \
    typedef struct name##_arguments name##_arguments; \
    struct name##_arguments
// OpenCL has no arrays without a length. This one is beyond every table's.
#define ANY 0x1000000
#define ARGUMENTS_OF(name) GLOBAL const name##_arguments *

FUNCTION void limit(PRIVATE colour *c)
{
    c->r = unit(c->r);
    c->g = unit(c->g);
    c->b = unit(c->b);
}

// Each also defines `run_name`, which the host calls, and whether the function changes alpha. The name only occurs as a part
// of others: it may be a keyword, or a macro, of OpenCL.
#define POINT(name, c, at, a)                                                                        \
    enum { name##_paints = 0 };                                                                      \
    FUNCTION void point_##name(PRIVATE colour *c, const place at, GLOBAL const name##_arguments *a); \
    FUNCTION void run_##name(                                                                        \
        PRIVATE colour *c, PRIVATE float *alpha, const place at, GLOBAL const name##_arguments *a)   \
    {                                                                                                \
        point_##name(c, at, a);                                                                      \
        limit(c);                                                                                    \
    }                                                                                                \
    FUNCTION void point_##name(PRIVATE colour *c, const place at, GLOBAL const name##_arguments *a)
#define PAINT(name, c, alpha, at, a)                                                                \
    enum { name##_paints = 1 };                                                                     \
    FUNCTION void point_##name(                                                                     \
        PRIVATE colour *c, PRIVATE float *alpha, const place at, GLOBAL const name##_arguments *a); \
    FUNCTION void run_##name(                                                                       \
        PRIVATE colour *c, PRIVATE float *alpha, const place at, GLOBAL const name##_arguments *a)  \
    {                                                                                               \
        point_##name(c, alpha, at, a);                                                              \
        limit(c);                                                                                   \
        *alpha = unit(*alpha);                                                                      \
    }                                                                                               \
    FUNCTION void point_##name(                                                                     \
        PRIVATE colour *c, PRIVATE float *alpha, const place at, GLOBAL const name##_arguments *a)

// Composites a colour over a pixel, on sRGB-encoded values, as browsers do. An opacity of 0 leaves the pixel's exact
// values.
FUNCTION void paint_over(PRIVATE colour *c, PRIVATE float *alpha, colour over, float opacity)
{
    const float below = *alpha * (1.0f - opacity);
    const float sum = opacity + below;
    const float scale = sum < 1.0f ? inverse_alpha(sum) : 1.0f;
    const float own = opacity * scale, rest = below * scale;
    c->r = opacity > 0.0f ? over.r * own + c->r * rest : c->r;
    c->g = opacity > 0.0f ? over.g * own + c->g * rest : c->g;
    c->b = opacity > 0.0f ? over.b * own + c->b * rest : c->b;
    *alpha = opacity > 0.0f ? sum : *alpha;
}

FUNCTION void make_grey(PRIVATE colour *c, float value)
{
    c->r = value;
    c->g = value;
    c->b = value;
}

// Multiplies the light of a pixel by a gain of at most 1. `root` is gain^(1/2.4).
FUNCTION void dim(PRIVATE colour *c, float gain, float root)
{
    c->r = dimmed_value(c->r, gain, root);
    c->g = dimmed_value(c->g, gain, root);
    c->b = dimmed_value(c->b, gain, root);
}

// A place in a table, limited to its entries 0...last.
FUNCTION float place_in_table(float place, float last)
{
    return place < 0.0f ? 0.0f : place < last ? place : last;
}

// The entry before a place in a table; never the last.
FUNCTION int entry_before(float place, float last)
{
    return place < last - 1.0f ? (int)place : (int)last - 1;
}

// Where a stored pixel is shown.
FUNCTION place place_of(kernels_view view, int column, int row)
{
    place at;
    at.x = view.left + column * view.x_by_column + row * view.x_by_row;
    at.y = view.top + column * view.y_by_column + row * view.y_by_row;
    at.width = view.width;
    at.height = view.height;
    return at;
}

// Wellons' "lowbias32".
FUNCTION uint mixed_bits(uint h)
{
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ (h >> 16);
}

// 32 bits that look random, of both coordinates and a seed.
FUNCTION uint hash_of(int x, int y, uint seed)
{
    return mixed_bits(mixed_bits((uint)x * 0x9e3779b1u + seed) + (uint)y * 0x85ebca77u);
}

// The sum of two random numbers of 16 bits, 0...131070: its density is a triangle.
FUNCTION int grain_sum(int x, int y, uint seed)
{
    const uint bits = hash_of(x, y, seed);
    return (int)(bits & 0xffffu) + (int)(bits >> 16);
}

// Adds noise to a pixel, strongest in the mid-tones. `sum` is one of `grain_sum`, or lies between some.
FUNCTION void add_grain(PRIVATE colour *c, float amount, float sum)
{
    const float noise = sum * (1.0f / 65535.0f) - 1.0f;
    const float luma = luma_709(c->r, c->g, c->b);
    const float change = amount * noise * (4.0f * luma * (1.0f - luma));
    c->r = c->r + change;
    c->g = c->g + change;
    c->b = c->b + change;
}
