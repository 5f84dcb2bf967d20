// watermark.cl: a picture over the photo. Described by Sources/Filters/Watermark.swift.
ARGUMENTS(watermark)
{
    float left, top;     // where the picture is, as shown
    float width, height; // its size in pixels
    float opacity;
    float pixels[ANY]; // red, green, blue and alpha of each, sRGB-encoded, with straight alpha
};

PAINT(watermark, c, alpha, at, a)
{
    const int width = (int)a->width, height = (int)a->height;
    const int x = at.x - (int)a->left, y = at.y - (int)a->top;
    const int inside = x >= 0 && x < width && y >= 0 && y < height;
    const int pixel = inside ? 4 * (y * width + x) : 0;
    const colour over = { a->pixels[pixel], a->pixels[pixel + 1], a->pixels[pixel + 2] };
    paint_over(c, alpha, over, inside ? a->opacity * a->pixels[pixel + 3] : 0.0f);
}
