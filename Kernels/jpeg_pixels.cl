// jpeg_pixels.cl: from planes to RGB pixels, as libjpeg-turbo upsamples and converts by default (jdsample.c,
// jdcolor.c). Part of jpeg_decode.cl.
//
// Chroma that two pixels share along an axis is interpolated where the host says so: three parts of the nearest
// sample, and one of the next. Otherwise, samples are repeated. Outside a plane, its nearest sample is repeated.

// A chroma plane at the four pixels from (x, y) on; x is a multiple of 4.
FUNCTION int4
upsampled(__global const uchar *plane, uint stride, __global const jpeg_pixels *to, int x, int y)
{
    const int right = ((int)to->width - 1) >> to->across_shift;
    const int bottom = ((int)to->height - 1) >> to->down_shift;
    const bool smooth_across = to->smooth_across != 0, smooth_down = to->smooth_down != 0;
    const int row = y >> to->down_shift, first = (x >> to->across_shift) - (smooth_across ? 1 : 0);
    // All columns that the four pixels need. Limits are vectors, because Oclgrind misreads others.
    const int4 columns = clamp((int4)(first, first + 1, first + 2, first + 3), (int4)(0), (int4)(right));
    __global const uchar *nearest = plane + (uint)row * stride;
    int4 sums = (int4)(nearest[columns.x], nearest[columns.y], nearest[columns.z], nearest[columns.w]);
    if (smooth_down) {
        const int other = clamp(row + ((y & 1) != 0 ? 1 : -1), 0, bottom);
        __global const uchar *next = plane + (uint)other * stride;
        sums = 3 * sums + (int4)(next[columns.x], next[columns.y], next[columns.z], next[columns.w]);
    }
    if (smooth_across) {
        const int4 half_unit = smooth_down ? (int4)(8, 7, 8, 7) : (int4)(1, 2, 1, 2);
        return (3 * sums.yyzz + sums.xzyw + half_unit) >> (smooth_down ? 4 : 2);
    }
    if (smooth_down) sums = (sums + ((y & 1) != 0 ? 2 : 1)) >> 2;
    return to->across_shift == 0 ? sums : to->across_shift == 1 ? sums.xxyy : sums.xxxx;
}

// The constants of jdcolor.c, in 16 bits.
#define FIX_0_34414 22554
#define FIX_0_71414 46802
#define FIX_1_40200 91881
#define FIX_1_77200 116130
#define HALF_OF_16_BITS 32768

// A work-item has four pixels of a row. Dimension 1 has the rows. Planes and pixels have room for whole work-items.
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void rgb_pixels(
    __global const jpeg_scan *scan, __global const uchar *samples, __global uchar *pixels)
{
    __global const jpeg_pixels *to = &scan->pixels;
    __global const jpeg_component *parts = scan->components;
    const int x = 4 * (int)get_global_id(0), y = (int)get_group_id(1);
    if (x < (int)to->width) {
        const int4 luma = convert_int4(
            *(__global const uchar4 *)(samples + parts[0].plane + (uint)y * parts[0].stride + x));
        const int4 cb = upsampled(samples + parts[1].plane, parts[1].stride, to, x, y) - 128;
        const int4 cr = upsampled(samples + parts[2].plane, parts[2].stride, to, x, y) - 128;
        const int4 to_green = HALF_OF_16_BITS - FIX_0_34414 * cb - FIX_0_71414 * cr;
        const uchar4 r = convert_uchar4_sat(luma + ((FIX_1_40200 * cr + HALF_OF_16_BITS) >> 16));
        const uchar4 g = convert_uchar4_sat(luma + (to_green >> 16));
        const uchar4 b = convert_uchar4_sat(luma + ((FIX_1_77200 * cb + HALF_OF_16_BITS) >> 16));
        __global uchar4 *words = (__global uchar4 *)(pixels + (uint)y * to->stride + 3 * x);
        words[0] = (uchar4)(r.x, g.x, b.x, r.y);
        words[1] = (uchar4)(g.y, b.y, r.z, g.z);
        words[2] = (uchar4)(b.z, r.w, g.w, b.w);
    }
}
