// exposure.cl: more or less light. Described by Sources/Filters/Exposure.swift.
ARGUMENTS(exposure) { float gain; }; // of linear light

POINT(exposure, c, at, arguments)
{
    const float gain = arguments->gain;
    c->r = encoded_value(gain * linear_value(c->r));
    c->g = encoded_value(gain * linear_value(c->g));
    c->b = encoded_value(gain * linear_value(c->b));
}
