// border.cl: a frame of one colour. Described by Sources/Filters/Border.swift.
ARGUMENTS(border)
{
    float left, top, right,
        bottom; // of what is inside, as shown; right and bottom are the first places outside
    float colour[3];
};

PAINT(border, c, alpha, at, a)
{
    const colour frame = { a->colour[0], a->colour[1], a->colour[2] };
    const float left = a->left, top = a->top, right = a->right, bottom = a->bottom;
    const float x = (float)at.x, y = (float)at.y;
    const int outside = (x < left) | (x >= right) | (y < top) | (y >= bottom);
    c->r = outside ? frame.r : c->r;
    c->g = outside ? frame.g : c->g;
    c->b = outside ? frame.b : c->b;
    *alpha = outside ? 1.0f : *alpha;
}
