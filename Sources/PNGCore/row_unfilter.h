// Undoes the filter of a row (PNG, third edition, 9.2). Pixels wait for the one before, so what counts is how many steps a pixel
// needs from that.

// The bytes of a pixel, and some of the next ones.
typedef uint8_t pixel_bytes8 __attribute__((vector_size(8)));
typedef int16_t pixel_words __attribute__((vector_size(16)));

INLINE pixel_words load_pixel(const uint8_t *from)
{
    pixel_bytes8 bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(bytes, pixel_words);
}

INLINE void store_pixel(uint8_t *to, pixel_words pixel)
{
    const pixel_bytes8 bytes = __builtin_convertvector(pixel, pixel_bytes8);
    memcpy(to, &bytes, sizeof bytes);
}

INLINE pixel_words magnitude_of(pixel_words words) { return __builtin_elementwise_abs(words); }
INLINE pixel_words smaller_word(pixel_words a, pixel_words b) { return __builtin_elementwise_min(a, b); }
INLINE pixel_words select_words(pixel_words mask, pixel_words a, pixel_words b)
{
    return (a & mask) | (b & ~mask);
}

// Words that stay words: clang would choose among bytes, and widen the chosen ones while the next pixel waits.
INLINE pixel_words keep_words(pixel_words words)
{
#if defined(__x86_64__)
    __asm__("" : "+x"(words));
#elif defined(__aarch64__)
    __asm__("" : "+w"(words));
#endif
    return words;
}

// All ones where a is larger. AVX-512's comparisons give bits, from which masks are three cycles away.
INLINE pixel_words is_larger(pixel_words a, pixel_words b) { return keep_words((b - a) >> 15); }

INLINE pixel_words sum_of_bytes(pixel_words a, pixel_words b) { return keep_words((a + b) & 255); }

// All have the values 0 to 255.
INLINE pixel_words sub_pixel(pixel_words x, pixel_words left, pixel_words above, pixel_words corner)
{
    (void)above, (void)corner;
    return sum_of_bytes(x, left);
}

INLINE pixel_words average_pixel(pixel_words x, pixel_words left, pixel_words above, pixel_words corner)
{
    (void)corner;
    return sum_of_bytes(x, (left + above) >> 1);
}

// The three sums are made before it is known which one is taken.
INLINE pixel_words paeth_pixel(pixel_words x, pixel_words left, pixel_words above, pixel_words corner)
{
    const pixel_words by_left = above - corner, by_above = left - corner;
    const pixel_words to_left = magnitude_of(by_left), to_above = magnitude_of(by_above);
    const pixel_words to_corner = magnitude_of(by_left + by_above);
    const pixel_words other =
        select_words(is_larger(to_above, to_corner), sum_of_bytes(x, corner), sum_of_bytes(x, above));
    return select_words(is_larger(to_left, smaller_word(to_above, to_corner)), other, sum_of_bytes(x, left));
}

#define DEFINE_UNDO(name)                                                                              \
    INLINE void undo_##name(                                                                           \
        const uint8_t *filtered, const uint8_t *above, size_t count, size_t pixel_bytes, uint8_t *row) \
    {                                                                                                  \
        pixel_words left = { 0 }, corner = { 0 };                                                      \
        for (size_t at = 0; at < count; at += pixel_bytes) {                                           \
            const pixel_words up = load_pixel(above + at);                                             \
            left = name##_pixel(load_pixel(filtered + at), left, up, corner);                          \
            corner = up;                                                                               \
            store_pixel(row + at, left);                                                               \
        }                                                                                              \
    }
DEFINE_UNDO(sub)
DEFINE_UNDO(average)
DEFINE_UNDO(paeth)
#undef DEFINE_UNDO

// The filter whose pixels do not wait.
static void undo_up(const uint8_t *filtered, const uint8_t *above, size_t count, uint8_t *row)
{
    for (size_t at = 0; at < count; at += LANE_COUNT)
        store_lanes(row + at, load_lanes(filtered + at) + load_lanes(above + at));
}

INLINE void undo_filter(
    int filter, const uint8_t *filtered, const uint8_t *above, size_t count, size_t pixel_bytes, uint8_t *row)
{
    switch (filter) {
    case 1: undo_sub(filtered, above, count, pixel_bytes, row); break;
    case 3: undo_average(filtered, above, count, pixel_bytes, row); break;
    default: undo_paeth(filtered, above, count, pixel_bytes, row); break;
    }
}

static void unfilter_row(
    int filter, const uint8_t *filtered, const uint8_t *above, size_t count, size_t pixel_bytes, uint8_t *row)
{
    if (filter == 0) {
        memcpy(row, filtered, count);
        return;
    }
    if (filter == 2) {
        undo_up(filtered, above, count, row);
        return;
    }
    switch (pixel_bytes) {
#define CASE(number) \
    case number: undo_filter(filter, filtered, above, count, number, row); break
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(6);
        CASE(8);
#undef CASE
    }
}

// Copies samples of 16 bits from big-endian to the machine's order.
static void copy_samples(const uint8_t *from, size_t count, uint8_t *to)
{
    for (size_t at = 0; at < count; at += 2) {
        uint16_t sample;
        memcpy(&sample, from + at, sizeof sample);
        sample = be16toh(sample);
        memcpy(to + at, &sample, sizeof sample);
    }
}
