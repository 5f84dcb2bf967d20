// sepia_luminance.cl: sepia that keeps each pixel's luma. Described by Sources/Filters/Sepia.swift.
ARGUMENTS(sepia_luminance)
{
    float intensity;
    float tone[3]; // times the intensity; its luma is 0
};

POINT(sepia_luminance, c, at, arguments)
{
    const float a = arguments->intensity, k = 1.0f - a;
    const float R = c->r, G = c->g, B = c->b;
    const float luma = luma_709(R, G, B);
    const float squared = luma * luma, fourth = squared * squared;
    // The share of the tone. It fades towards white, so the result stays in 0...1.
    const float share = luma - luma * (fourth * fourth);
    const float grey = a * luma;
    c->r = (k * R + grey) + arguments->tone[0] * share;
    c->g = (k * G + grey) + arguments->tone[1] * share;
    c->b = (k * B + grey) + arguments->tone[2] * share;
}
