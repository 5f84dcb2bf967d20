// exposure_more.cl: more light, up to two stops. Described by Sources/Filters/Exposure.swift.
ARGUMENTS(exposure_more) { float gain, root; }; // of linear light, 1 to 4; gain^(1/2.4)

POINT(exposure_more, c, at, arguments)
{
    c->r = brightened_value(c->r, arguments->gain, arguments->root);
    c->g = brightened_value(c->g, arguments->gain, arguments->root);
    c->b = brightened_value(c->b, arguments->gain, arguments->root);
}
