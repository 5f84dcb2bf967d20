// median_3.cl: the median of 3 x 3 pixels, of each channel. Described by Sources/Filters/Median.swift.
ARGUMENTS(median_3) { float amount; };

WINDOW(median_3, 1, c, w, at, a)
{
    float red[9], green[9], blue[9];
#pragma unroll
    for (int i = 0; i < 9; i++) {
        const int x = i % 3 - 1, y = i / 3 - 1;
        red[i] = RED(w, x, y);
        green[i] = GREEN(w, x, y);
        blue[i] = BLUE(w, x, y);
    }
    c->r = c->r + a->amount * (median_of(red, 9) - c->r);
    c->g = c->g + a->amount * (median_of(green, 9) - c->g);
    c->b = c->b + a->amount * (median_of(blue, 9) - c->b);
}
