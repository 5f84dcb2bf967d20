// common.cl: functions that all kernels share.
// Compiled twice: by the OpenCL driver for devices (after opencl.cl), by clang for the CPU (after
// cpu/pixel.h).
//
// Kernels use only + - *, comparisons, casts and table look-ups, in a fixed order, so every device gives the
// same bits.

// A value that is at least 0, limited to 0...1.
FUNCTION float at_most_one(float x) { return x < 1.0f ? x : 1.0f; }

// A value, limited to 0...1.
FUNCTION float unit(float x) { return at_most_one(x > 0.0f ? x : 0.0f); }

// The integer part of a value, limited to 0...maximum. Integer limits are free in vector code: packing
// includes them.
FUNCTION int sample_value(float x, int maximum)
{
    const int sample = (int)x;
    const int positive = sample > 0 ? sample : 0;
    return positive < maximum ? positive : maximum;
}

// A value in 0...1 as a sample: floor(maximum * x + 0.5), limited to 0...maximum.
FUNCTION int quantise(float x, int maximum) { return sample_value(x * (float)maximum + 0.5f, maximum); }

// A function on 0...1, interpolated linearly between the 1025 values in `table` (see
// Sources/Stages/Curve.swift). x must be in 0...1.
FUNCTION float curve(float x, TABLE table)
{
    const float position = x * 1024.0f;
    const int index = (int)position;
    const float low = table[index];
    return low + (position - (float)index) * (table[index + 1] - low);
}

// A value of a pixel with alpha, composited over white (on sRGB-encoded values, as browsers do).
FUNCTION float over_white(float x, float alpha) { return x * alpha + (1.0f - alpha); }

FUNCTION float luma_709(float r, float g, float b) { return 0.2126f * r + 0.7152f * g + 0.0722f * b; }

// 1 / x for x in 2^-20...2^20, to the last bit or two: Newton's iteration. The first estimate comes from the
// float's bits.
FUNCTION float reciprocal(float x)
{
    float y = FLOAT_OF_BITS(0x7ef311c7u - BITS_OF_FLOAT(x));
    y = y * (2.0f - x * y);
    y = y * (2.0f - x * y);
    y = y * (2.0f - x * y);
    return y * (2.0f - x * y);
}

// 1 / alpha; 0 for a pixel that is practically transparent.
FUNCTION float inverse_alpha(float alpha)
{
    const float least = 9.5367431640625e-7f;
    return alpha < least ? 0.0f : reciprocal(alpha < least ? least : alpha);
}
