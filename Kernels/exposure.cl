// exposure.cl: much more light. Described by Sources/Filters/Exposure.swift.
ARGUMENTS(exposure) { float gain; }; // of linear light

POINT(exposure, c, at, arguments)
{
    c->r = encoded_value(arguments->gain * linear_value(c->r));
    c->g = encoded_value(arguments->gain * linear_value(c->g));
    c->b = encoded_value(arguments->gain * linear_value(c->b));
}
