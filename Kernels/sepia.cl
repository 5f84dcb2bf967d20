// sepia.cl: W3C Filter Effects `sepia()`. Described by Sources/Filters/Sepia.swift.
// arguments[0]: intensity, 0...1, so all coefficients are at least 0.
PIXEL_FUNCTION sepia(PRIVATE float *r, PRIVATE float *g, PRIVATE float *b, TABLE arguments)
{
    const float a = arguments[0], k = 1.0f - a;
    const float R = *r, G = *g, B = *b;
    *r = at_most_one((a * 0.393f + k) * R + (a * 0.769f) * G + (a * 0.189f) * B);
    *g = at_most_one((a * 0.349f) * R + (a * 0.686f + k) * G + (a * 0.168f) * B);
    *b = at_most_one((a * 0.272f) * R + (a * 0.534f) * G + (a * 0.131f + k) * B);
}
