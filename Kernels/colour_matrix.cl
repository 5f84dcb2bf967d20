// colour_matrix.cl: a matrix over red, green and blue. Described by Sources/Filters/ColourMatrix.swift.
ARGUMENTS(colour_matrix) { float red[3], green[3], blue[3]; };

POINT(colour_matrix, c, at, m)
{
    const float R = c->r, G = c->g, B = c->b;
    c->r = m->red[0] * R + m->red[1] * G + m->red[2] * B;
    c->g = m->green[0] * R + m->green[1] * G + m->green[2] * B;
    c->b = m->blue[0] * R + m->blue[1] * G + m->blue[2] * B;
}
