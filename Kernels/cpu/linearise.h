// Rows to linear light, the input of a blur. Included by level.h.

static void linearise(kernels_rows rows, size_t count, kernels_rows linear)
{
    const float *const sources[3] = { rows.red, rows.green, rows.blue };
    float *const destinations[3] = { linear.red, linear.green, linear.blue };
    for (int channel = 0; channel < 3; channel++) {
        const float *restrict source = sources[channel], *restrict alpha = rows.alpha;
        float *restrict destination = destinations[channel];
        if (alpha)
            for (size_t i = 0; i < count; i++) destination[i] = linear_value(source[i]) * alpha[i];
        else
            for (size_t i = 0; i < count; i++) destination[i] = linear_value(source[i]);
    }
    if (rows.alpha) memcpy(linear.alpha, rows.alpha, count * sizeof(float));
}
