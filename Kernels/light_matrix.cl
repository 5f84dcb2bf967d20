// light_matrix.cl: a matrix over red, green and blue in linear light. Described by
// Sources/Filters/WhiteBalance.swift.
ARGUMENTS(light_matrix) { float red[3], green[3], blue[3]; };

POINT(light_matrix, c, at, m)
{
    const float R = linear_value(c->r), G = linear_value(c->g), B = linear_value(c->b);
    c->r = encoded_value(m->red[0] * R + m->red[1] * G + m->red[2] * B);
    c->g = encoded_value(m->green[0] * R + m->green[1] * G + m->green[2] * B);
    c->b = encoded_value(m->blue[0] * R + m->blue[1] * G + m->blue[2] * B);
}
