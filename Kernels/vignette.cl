// vignette.cl: less light towards the corners. Described by Sources/Filters/Vignette.swift.
ARGUMENTS(vignette)
{
    float amount; // of the light that the corners lose
    // From pixels to distances from the centre; the square of a corner's is 1.
    float x_scale, y_scale;
    float begin; // square of the distance at which it begins
    float range; // 1 / (1 - begin)
};

POINT(vignette, c, at, v)
{
    const float x = (float)(2 * at.x + 1 - at.width) * v->x_scale;
    const float y = (float)(2 * at.y + 1 - at.height) * v->y_scale;
    const float t = unit((x * x + y * y - v->begin) * v->range);
    const float gain = 1.0f - v->amount * (t * t * (3.0f - 2.0f * t));
    dim(c, gain, root_of_light(gain));
}
