// median.cl: the median of an odd number of values. Used by median_3.cl and median_5.cl.
// Source: the "forgetful" selection of M. McGuire, "A fast, small-radius GPU median filter" (2008): of slightly more than
// half of the values, the least and the greatest cannot be the median. They give way to the next value, until three are
// left.

FUNCTION void sort_pair(PRIVATE float *low, PRIVATE float *high)
{
    const float one = *low, other = *high;
    *low = one < other ? one : other;
    *high = one < other ? other : one;
}

// Moves the least of `size` values to the front and the greatest to the end.
FUNCTION void part_extremes(PRIVATE float *values, int size)
{
#pragma unroll
    for (int i = 0; i < size / 2; i++) sort_pair(&values[i], &values[size - 1 - i]);
#pragma unroll
    for (int i = 1; i < (size + 1) / 2; i++) sort_pair(&values[0], &values[i]);
#pragma unroll
    for (int i = size / 2; i < size - 1; i++) sort_pair(&values[i], &values[size - 1]);
}

// Changes `values`. `count` is odd.
FUNCTION float median_of(PRIVATE float *values, int count)
{
#pragma unroll
    for (int size = count / 2 + 2; size > 3; size--) {
        part_extremes(values, size);
        // The next value replaces the least; the greatest is left behind.
        values[0] = values[count - size + 3];
    }
    part_extremes(values, 3);
    return values[1];
}
