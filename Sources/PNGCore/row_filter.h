// The filters of a row (PNG, third edition, 9.2), and the choice of one. `left` is the byte of the pixel before, `above`
// that of the row above, `corner` that of the pixel before it.
#define FILTERS(apply) apply(0, none) apply(1, sub) apply(2, up) apply(3, average) apply(4, paeth)
enum { FILTER_COUNT = 5 };

INLINE lanes8 none_lanes(lanes8 x, lanes8 left, lanes8 above, lanes8 corner) { return x; }
INLINE lanes8 sub_lanes(lanes8 x, lanes8 left, lanes8 above, lanes8 corner) { return x - left; }
INLINE lanes8 up_lanes(lanes8 x, lanes8 left, lanes8 above, lanes8 corner) { return x - above; }

INLINE lanes8 average_lanes(lanes8 x, lanes8 left, lanes8 above, lanes8 corner)
{
    return x - ((left & above) + ((left ^ above) >> 1));
}

// The distances of left + above - corner from the three are |above - corner|, |left - corner| and, if both differ in the
// same direction, their sum, which is not the smallest; else the difference of the two.
INLINE lanes8 paeth_lanes(lanes8 x, lanes8 left, lanes8 above, lanes8 corner)
{
    const lanes8 to_left = larger(above, corner) - smaller(above, corner);
    const lanes8 to_above = larger(left, corner) - smaller(left, corner);
    const lanes8 is_one_direction = (lanes8)(above > corner) ^ (lanes8)(left < corner);
    const lanes8 to_corner = (larger(to_left, to_above) - smaller(to_left, to_above)) | is_one_direction;
    const lanes8 is_left = (lanes8)(to_left <= to_above) & (lanes8)(to_left <= to_corner);
    const lanes8 is_above = (lanes8)(to_above <= to_corner);
    return x - select_lanes(is_left, left, select_lanes(is_above, above, corner));
}

INLINE unsigned distance_between(int a, int b) { return (unsigned)(a < b ? b - a : a - b); }

INLINE uint8_t paeth_byte(uint8_t left, uint8_t above, uint8_t corner)
{
    const unsigned to_left = distance_between(above, corner), to_above = distance_between(left, corner);
    const unsigned to_corner = distance_between(left + above, 2 * corner);
    if (to_left <= to_above && to_left <= to_corner) return left;
    return to_above <= to_corner ? above : corner;
}

INLINE uint8_t filtered_byte(int filter, uint8_t x, uint8_t left, uint8_t above, uint8_t corner)
{
    switch (filter) {
    case 0: return x;
    case 1: return (uint8_t)(x - left);
    case 2: return (uint8_t)(x - above);
    case 3: return (uint8_t)(x - ((left + above) >> 1));
    default: return (uint8_t)(x - paeth_byte(left, above, corner));
    }
}

INLINE uint8_t byte_at(int filter, const uint8_t *row, const uint8_t *above, size_t at, size_t pixel_bytes)
{
    const bool has_left = at >= pixel_bytes;
    return filtered_byte(
        filter, row[at], has_left ? row[at - pixel_bytes] : 0, above[at],
        has_left ? above[at - pixel_bytes] : 0);
}

INLINE lanes16 magnitudes(lanes8 differences)
{
    const lanes8 sizes = smaller(differences, -differences);
    return ((lanes16)sizes & 0xff) + ((lanes16)sizes >> 8);
}

INLINE uint64_t sum_of(lanes16 lanes)
{
    uint64_t sum = 0;
    for (size_t n = 0; n < LANE_COUNT / 2; n++) sum += lanes[n];
    return sum;
}

INLINE void add_byte(
    const uint8_t *row, const uint8_t *above, size_t at, size_t pixel_bytes, uint64_t sums[FILTER_COUNT])
{
    for (int filter = 0; filter < FILTER_COUNT; filter++) {
        const uint8_t byte = byte_at(filter, row, above, at, pixel_bytes);
        sums[filter] += byte < 128 ? byte : 256U - byte;
    }
}

// A vector adds up to 256 to a lane of 16 bits.
enum { VECTORS_A_SUM = 255 };

static void sum_filters(
    const uint8_t *row, const uint8_t *above, size_t count, size_t pixel_bytes, uint64_t sums[FILTER_COUNT])
{
    size_t at = 0;
    for (; at < pixel_bytes && at < count; at++) add_byte(row, above, at, pixel_bytes, sums);
    while (count - at >= LANE_COUNT) {
        lanes16 totals[FILTER_COUNT] = { 0 };
        for (int n = 0; n < VECTORS_A_SUM && count - at >= LANE_COUNT; n++, at += LANE_COUNT) {
            const lanes8 x = load_lanes(row + at), left = load_lanes(row + at - pixel_bytes);
            const lanes8 up = load_lanes(above + at), corner = load_lanes(above + at - pixel_bytes);
#define ADD(number, name) totals[number] += magnitudes(name##_lanes(x, left, up, corner));
            FILTERS(ADD)
#undef ADD
        }
        for (int filter = 0; filter < FILTER_COUNT; filter++) sums[filter] += sum_of(totals[filter]);
    }
    for (; at < count; at++) add_byte(row, above, at, pixel_bytes, sums);
}

#define DEFINE_APPLY(number, name)                                                                     \
    static void apply_##name(                                                                          \
        const uint8_t *row, const uint8_t *above, size_t count, size_t pixel_bytes, uint8_t *filtered) \
    {                                                                                                  \
        size_t at = 0;                                                                                 \
        for (; at < pixel_bytes && at < count; at++)                                                   \
            filtered[at] = byte_at(number, row, above, at, pixel_bytes);                               \
        for (; count - at >= LANE_COUNT; at += LANE_COUNT)                                             \
            store_lanes(                                                                               \
                filtered + at,                                                                         \
                name##_lanes(                                                                          \
                    load_lanes(row + at), load_lanes(row + at - pixel_bytes), load_lanes(above + at),  \
                    load_lanes(above + at - pixel_bytes)));                                            \
        for (; at < count; at++) filtered[at] = byte_at(number, row, above, at, pixel_bytes);          \
    }
FILTERS(DEFINE_APPLY)
#undef DEFINE_APPLY

static void filter_row(
    const uint8_t *row, const uint8_t *above, size_t count, size_t pixel_bytes, uint8_t *filtered)
{
    uint64_t sums[FILTER_COUNT] = { 0 };
    sum_filters(row, above, count, pixel_bytes, sums);
    int best = 0;
    for (int filter = 1; filter < FILTER_COUNT; filter++)
        if (sums[filter] < sums[best]) best = filter;
    filtered[0] = (uint8_t)best;
    switch (best) {
#define APPLY(number, name) \
    case number: apply_##name(row, above, count, pixel_bytes, filtered + 1); break;
        FILTERS(APPLY)
#undef APPLY
    }
}
