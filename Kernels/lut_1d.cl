// lut_1d.cl: a table for each channel. Described by Sources/Filters/LookUp.swift.
ARGUMENTS(lut_1d)
{
    float intensity;
    float last;                // the last entry's index
    float scale[3], offset[3]; // from a value to its place in the table
    float values[ANY];         // red, green and blue of each entry
};

// The values at a place between two entries.
FUNCTION float between_entries(float place, float last, TABLE values)
{
    const float limited = place_in_table(place, last);
    const int before = entry_before(limited, last);
    const float low = values[3 * before];
    return low + (limited - (float)before) * (values[3 * before + 3] - low);
}

POINT(lut_1d, c, at, lut)
{
    TABLE values = lut->values;
    const float r = between_entries(c->r * lut->scale[0] + lut->offset[0], lut->last, values);
    const float g = between_entries(c->g * lut->scale[1] + lut->offset[1], lut->last, values + 1);
    const float b = between_entries(c->b * lut->scale[2] + lut->offset[2], lut->last, values + 2);
    c->r = c->r + lut->intensity * (unit(r) - c->r);
    c->g = c->g + lut->intensity * (unit(g) - c->g);
    c->b = c->b + lut->intensity * (unit(b) - c->b);
}
