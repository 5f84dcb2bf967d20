// median_5.cl: the median of 5 x 5 pixels, of each channel. Described by Sources/Filters/Median.swift.
ARGUMENTS(median_5) { float amount; };

WINDOW(median_5, 2, c, w, at, a)
{
    float red[25], green[25], blue[25];
#pragma unroll
    for (int i = 0; i < 25; i++) {
        const int x = i % 5 - 2, y = i / 5 - 2;
        red[i] = RED(w, x, y);
        green[i] = GREEN(w, x, y);
        blue[i] = BLUE(w, x, y);
    }
    c->r = c->r + a->amount * (median_of(red, 25) - c->r);
    c->g = c->g + a->amount * (median_of(green, 25) - c->g);
    c->b = c->b + a->amount * (median_of(blue, 25) - c->b);
}
