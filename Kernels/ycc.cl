// ycc.cl: conversion between a JPEG's planes and RGB. Full-range JFIF (BT.601), as ITU-T T.871 defines it.

// The offsets that chroma samples (0...255) add to the luma of each channel.
FUNCTION void chroma_offsets(
    float cb, float cr, PRIVATE float *red, PRIVATE float *green, PRIVATE float *blue)
{
    cb = cb - 128.0f;
    cr = cr - 128.0f;
    *red = (1.402f / 255.0f) * cr;
    *green = (-0.344136286f / 255.0f) * cb - (0.714136286f / 255.0f) * cr;
    *blue = (1.772f / 255.0f) * cb;
}

// A channel's value from luma (0...255) and the chroma's offset; not limited to 0...1.
FUNCTION float channel_value(float luma, float offset) { return luma * (1.0f / 255.0f) + offset; }

// The coefficients below are the standard's, times 255.

FUNCTION int luma_sample(float r, float g, float b)
{
    return sample_value((76.245f * r + 149.685f * g) + (29.07f * b + 0.5f), 255);
}

// Chroma of the mean of the pixels that share the sample, from their sums. `share` is 1 / their number, a
// power of two. 128 is the neutral value; 0.5 rounds.
FUNCTION int cb_sample(float r, float g, float b, float share)
{
    return sample_value(
        (127.5f * share * b - 43.02765246f * share * r) + (128.5f - 84.47234754f * share * g), 255);
}

FUNCTION int cr_sample(float r, float g, float b, float share)
{
    return sample_value(
        (127.5f * share * r - 106.765335195f * share * g) + (128.5f - 20.734664805f * share * b), 255);
}
