// ycc.cl: between the planes of a JPEG and RGB. Full-range JFIF (BT.601), as ITU-T T.871 defines it.

// What one chroma sample (0...255) adds to the luma of each channel, in steps of 1/255.
FUNCTION void chroma_offsets(float cb, float cr, PRIVATE float *red, PRIVATE float *green, PRIVATE float *blue)
{
    cb = cb - 128.0f;
    cr = cr - 128.0f;
    *red = 1.402f * cr;
    *green = -0.344136286f * cb - 0.714136286f * cr;
    *blue = 1.772f * cb;
}

// A channel's value, not limited to 0...1, from luma (0...255) and the chroma's offset.
FUNCTION float channel_value(float luma, float offset)
{
    return (luma + offset) * (1.0f / 255.0f);
}

FUNCTION int luma_sample(float r, float g, float b)
{
    return quantise(0.299f * r + 0.587f * g + 0.114f * b, 255.0f);
}

// Chroma of the mean of the pixels that share the sample; (128/255 shifts zero to the middle).
FUNCTION int cb_sample(float r, float g, float b)
{
    return quantise((0.5f * b - 0.168735892f * r - 0.331264108f * g) + 128.0f / 255.0f, 255.0f);
}

FUNCTION int cr_sample(float r, float g, float b)
{
    return quantise((0.5f * r - 0.418687589f * g - 0.081312411f * b) + 128.0f / 255.0f, 255.0f);
}
