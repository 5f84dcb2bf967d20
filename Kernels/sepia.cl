// sepia.cl: W3C Filter Effects `sepia()`. Described by Sources/Filters/Sepia.swift.
ARGUMENTS(sepia) { float intensity; };

POINT(sepia, c, at, arguments)
{
    const float a = arguments->intensity, k = 1.0f - a;
    const float R = c->r, G = c->g, B = c->b;
    c->r = (a * 0.393f + k) * R + (a * 0.769f) * G + (a * 0.189f) * B;
    c->g = (a * 0.349f) * R + (a * 0.686f + k) * G + (a * 0.168f) * B;
    c->b = (a * 0.272f) * R + (a * 0.534f) * G + (a * 0.131f + k) * B;
}
