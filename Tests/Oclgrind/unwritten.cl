// summary: Reads a place that was never written, so that scripts/test-conformance sees that Oclgrind finds it
// parameter: first = 0.5 in 0...1, the value at place 0
// parameter: second = 0.25 in 0...1, the value at place 1
ARGUMENTS(unwritten) { float first, second; };

POINT(unwritten, c, at, a)
{
    int places[4];
    places[(int)(c->r * 3.9f)] = 0;
    GLOBAL const float *values = &a->first;
    c->g = values[places[(int)(c->b * 3.9f)] & 1];
}
