// summary: More light in bright areas
// parameter: amount = 0.5 in 0...1, how much light
// parameter: tint = #ffe0b0, the colour of the light
ARGUMENTS(glow) { float amount, tint[3]; };

POINT(glow, c, at, a)
{
    const float luma = luma_709(c->r, c->g, c->b), light = a->amount * luma * luma;
    c->r = c->r + light * a->tint[0] * (1.0f - c->r);
    c->g = c->g + light * a->tint[1] * (1.0f - c->g);
    c->b = c->b + light * a->tint[2] * (1.0f - c->b);
}
