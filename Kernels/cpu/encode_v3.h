// `unit` and ENCODED_OCTAVES for each value of an AVX register. Included by level.h.

// A register's values; ?: chooses value by value.
typedef float floats __attribute__((ext_vector_type(8), aligned(4), may_alias));
typedef uint words __attribute__((ext_vector_type(8)));

FUNCTION floats unit_vector(floats x)
{
    return (floats)_mm256_min_ps(_mm256_max_ps((__m256)x, _mm256_setzero_ps()), _mm256_set1_ps(1.0f));
}

// A permutation takes three bits of the index; the fourth chooses between two results.
FUNCTION floats octaves_vector(words bits)
{
    const __m256i indices = (__m256i)(bits >> 23);
    const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(octaves), indices);
    const __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(octaves + 8), indices);
    return (floats)_mm256_blendv_ps(low, high, (__m256)(bits << 5));
}
