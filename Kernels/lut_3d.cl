// lut_3d.cl: a cube of colours, interpolated in tetrahedra. Described by Sources/Filters/LookUp.swift.
ARGUMENTS(lut_3d)
{
    float intensity;
    float last;                // the last node's index along each axis
    float scale[3], offset[3]; // from a value to its place on an axis
    float values[ANY];         // red, green and blue of each node; red's index changes fastest
};

FUNCTION float in_tetrahedron(float a, float b, float c, float d, float first, float second, float third)
{
    return ((1.0f - first) * a + (first - second) * b) + ((second - third) * c + third * d);
}

POINT(lut_3d, c, at, lut)
{
    const float last = lut->last;
    const float x = place_in_table(c->r * lut->scale[0] + lut->offset[0], last);
    const float y = place_in_table(c->g * lut->scale[1] + lut->offset[1], last);
    const float z = place_in_table(c->b * lut->scale[2] + lut->offset[2], last);
    const int i = entry_before(x, last), j = entry_before(y, last), k = entry_before(z, last);
    const float r = x - (float)i, g = y - (float)j, b = z - (float)k;

    // The shares of the three axes, greatest first, and the floats from a node to its neighbour along each.
    const int size = (int)last + 1, along_r = 3, along_g = 3 * size, along_b = 3 * size * size;
    const int g_first = g > r;
    const float rg_more = g_first ? g : r, rg_less = g_first ? r : g;
    const int along_more = g_first ? along_g : along_r, along_less = g_first ? along_r : along_g;
    const int b_first = b > rg_more, b_last = b <= rg_less;
    const float first = b_first ? b : rg_more, third = b_last ? b : rg_less;
    const float second = b_first ? rg_more : b_last ? rg_less : b;
    const int along_first = b_first ? along_b : along_more;
    const int along_second = b_first ? along_more : b_last ? along_less : along_b;

    // From the node before to the node behind, over two others: the corners of a tetrahedron.
    TABLE p = lut->values + (i * along_r + j * along_g + k * along_b);
    TABLE q = p + along_first;
    TABLE s = q + along_second;
    TABLE t = p + (along_r + along_g + along_b);
    const float R = unit(in_tetrahedron(p[0], q[0], s[0], t[0], first, second, third));
    const float G = unit(in_tetrahedron(p[1], q[1], s[1], t[1], first, second, third));
    const float B = unit(in_tetrahedron(p[2], q[2], s[2], t[2], first, second, third));
    c->r = c->r + lut->intensity * (R - c->r);
    c->g = c->g + lut->intensity * (G - c->g);
    c->b = c->b + lut->intensity * (B - c->b);
}
