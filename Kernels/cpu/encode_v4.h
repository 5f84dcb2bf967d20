// `unit` and ENCODED_OCTAVES for each value of an AVX-512 register. Included by level.h.

// A register's values; ?: chooses value by value.
typedef float floats __attribute__((ext_vector_type(16), aligned(4), may_alias));
typedef uint words __attribute__((ext_vector_type(16)));

FUNCTION floats unit_vector(floats x)
{
    return (floats)_mm512_min_ps(_mm512_max_ps((__m512)x, _mm512_setzero_ps()), _mm512_set1_ps(1.0f));
}

FUNCTION floats octaves_vector(words bits)
{
    return (floats)_mm512_permutexvar_ps((__m512i)(bits >> 23), _mm512_loadu_ps(octaves));
}
