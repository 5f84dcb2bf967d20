// sepia_luminance.cl: sepia that keeps each pixel's luma. Described by Sources/Filters/Sepia.swift.
// arguments[0]: intensity a, 0...1; arguments[1...3]: a times the tone, whose luma is 0.
PIXEL_FUNCTION sepia_luminance(PRIVATE float *r, PRIVATE float *g, PRIVATE float *b, TABLE arguments)
{
    const float a = arguments[0], k = 1.0f - a;
    const float R = *r, G = *g, B = *b;
    const float luma = luma_709(R, G, B);
    const float squared = luma * luma, fourth = squared * squared;
    // The share of the tone. It fades towards white, so the result stays in 0...1.
    const float share = luma - luma * (fourth * fourth);
    const float grey = a * luma;
    *r = unit((k * R + grey) + arguments[1] * share);
    *g = unit((k * G + grey) + arguments[2] * share);
    *b = unit((k * B + grey) + arguments[3] * share);
}
