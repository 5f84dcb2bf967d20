// Deflates pieces (RFC 1951). See README.md for the choices.
#include "PNGCore.h"
#include "level.h"
#include "string_search.h"
#include <stdlib.h>

enum {
    SAMPLE_BYTES = 32 * 1024, // of a piece, deflated in all ways before the choice
    HASH_BITS = 17,
    HASH_COUNT = 1 << HASH_BITS,
    MATCH_BYTES = 4,       // the least of a match
    LONG_MATCH_BYTES = 12, // is taken without a look at the next position
    // Every fourth byte of a block begins a run or a match at most, and one has literals only.
    MOST_RUNS = MOST_BLOCK_BYTES / 4 + 2,
    // Estimates for symbols that did not occur in the block before, and for the first block.
    UNKNOWN_LITLEN_BITS = 12,
    UNKNOWN_DISTANCE_BITS = 9,
    FIRST_LENGTH_BITS = 6,
    FIRST_RUN_BITS = 2,
    FIRST_DISTANCE_BITS = 4,
    // Matches of pixels count as so much shorter. Literals have shorter codes the fewer they are, which the estimates do not know.
    PIXEL_MATCH_BONUS_BITS = 3
};

struct pngcore_deflater {
    const pngcore_level *level;
    pngcore_rows rows;
    estimates bits;
    symbol_counts counts; // of the block
    size_t run_count;
    symbol_run runs[MOST_RUNS];
    uint16_t recent[HASH_COUNT]; // positions modulo 65536
    pixel_symbols pixels;
};

pngcore_deflater *pngcore_deflater_create(const pngcore_level *level)
{
    pngcore_deflater *deflater = calloc(1, sizeof *deflater);
    if (deflater != NULL) deflater->level = level;
    return deflater;
}

size_t pngcore_deflater_size(void) { return sizeof(pngcore_deflater); }

void pngcore_deflater_destroy(pngcore_deflater *deflater) { free(deflater); }

// MARK: Parsing

static void begin_block(pngcore_deflater *deflater)
{
    deflater->run_count = 0;
    memset(&deflater->counts, 0, sizeof deflater->counts);
    deflater->counts.litlen[END_OF_BLOCK] = 1;
    deflater->pixels.count = 0;
}

// Adds the literals from `literals` on, and a match at `at`.
static void add_match(
    pngcore_deflater *deflater, const uint8_t *literals, const uint8_t *at, size_t length, unsigned distance)
{
    const size_t count = (size_t)(at - literals);
    count_bytes(literals, count, deflater->counts.litlen);
    deflater->runs[deflater->run_count++] =
        (symbol_run) { (uint32_t)count, (uint16_t)length, (uint16_t)distance };
    if (length == 0) return;
    deflater->counts.litlen[FIRST_LENGTH + length_symbol((unsigned)length)]++;
    deflater->counts.distance[distance_symbol(distance)]++;
}

static size_t most_match(const uint8_t *at, const uint8_t *end)
{
    return end - at < MOST_MATCH ? (size_t)(end - at) : MOST_MATCH;
}

// The bits that a run of one byte saves.
static int run_saving(const estimates *bits, uint8_t byte, size_t length)
{
    return (int)length * bits->literal[byte] - bits->length[length] - bits->distance;
}

// Finds runs of equal bytes from `from` to `end`. `start` is the piece's.
static void parse_runs(
    pngcore_deflater *deflater, const uint8_t *start, const uint8_t *from, const uint8_t *end)
{
    const uint8_t *literals = from, *at = from + (from == start);
    while (end - at > RUN_MARGIN) {
        at = find_run(at, end);
        if (end - at <= RUN_MARGIN) break;
        const size_t length = match_length(at, at - 1, most_match(at, end));
        if (length >= RUN_BYTES && run_saving(&deflater->bits, *at, length) > 0) {
            add_match(deflater, literals, at, length, 1);
            literals = at + length;
        }
        at += length;
    }
    add_match(deflater, literals, end, 0, 0);
}

// The first MATCH_BYTES, above zeros.
static uint64_t load_start(const uint8_t *at) { return htole64(load64(at)) << (64 - 8 * MATCH_BYTES); }

static unsigned hash_of(uint64_t start) { return (unsigned)(start * 0x9E3779B185EBCA87 >> (64 - HASH_BITS)); }

static void remember_all(
    pngcore_deflater *deflater, const uint8_t *start, const uint8_t *from, const uint8_t *to)
{
    for (const uint8_t *at = from; at < to; at++)
        deflater->recent[hash_of(load_start(at))] = (uint16_t)(at - start);
}

typedef struct match {
    size_t length;
    unsigned distance;
} match;

// The match of a position with the last one of the same hash; length 0 if there is none. `first`: its start.
INLINE match
match_with(uint16_t recent, uint64_t first, const uint8_t *start, const uint8_t *at, const uint8_t *end)
{
    const unsigned distance = (uint16_t)((uint16_t)(at - start) - recent);
    if (distance == 0 || distance > WINDOW || distance > (size_t)(at - start)
        || load_start(at - distance) != first)
        return (match) { 0, 0 };
    const uint8_t *rest = at + MATCH_BYTES;
    const size_t length = match_length(rest, rest - distance, most_match(at, end) - MATCH_BYTES);
    return (match) { MATCH_BYTES + length, distance };
}

// Finds matches from `from` to `end`. A short one is left if the next position has a longer one.
static void parse_matches(
    pngcore_deflater *deflater, const uint8_t *start, const uint8_t *from, const uint8_t *end)
{
    const uint8_t *literals = from, *at = from;
    while (end - at > RUN_MARGIN) {
        const uint64_t first = load_start(at);
        uint16_t *recent = &deflater->recent[hash_of(first)];
        const match found = match_with(*recent, first, start, at, end);
        *recent = (uint16_t)(at - start);
        if (found.length == 0) {
            at++;
            continue;
        }
        if (found.length < LONG_MATCH_BYTES) {
            const uint64_t second = load_start(at + 1);
            const uint16_t place = deflater->recent[hash_of(second)];
            if (match_with(place, second, start, at + 1, end).length > found.length) {
                at++;
                continue;
            }
        }
        add_match(deflater, literals, at, found.length, found.distance);
        const uint8_t *next = at + found.length;
        remember_all(deflater, start, at + 1, end - next > RUN_MARGIN ? next : end - RUN_MARGIN);
        literals = at = next;
    }
    add_match(deflater, literals, end, 0, 0);
}

// MARK: Pixels

// Bytes of a row that are of no pixel, and the pixels behind them.
typedef struct row_part {
    size_t single_count, pixel_count;
} row_part;

static size_t smaller_of(size_t a, size_t b) { return a < b ? a : b; }

static row_part part_at(pngcore_rows rows, size_t position, size_t end)
{
    const size_t head = rows.row_bytes % rows.pixel_bytes, offset = position % rows.row_bytes;
    const size_t left = smaller_of(rows.row_bytes - offset, end - position);
    const size_t singles = offset < head ? smaller_of(head - offset, left) : 0;
    // What is left may be a part of a pixel, at the end of bytes that are no whole rows.
    if (left - singles < rows.pixel_bytes) return (row_part) { left, 0 };
    return (row_part) { singles, (left - singles) / rows.pixel_bytes };
}

static bool has_pixels(pngcore_rows rows)
{
    return rows.pixel_bytes >= LEAST_PIXEL_BYTES && rows.pixel_bytes <= MOST_PIXEL_BYTES;
}

// The last position up to this one at which a pixel or a row begins, if pixels may be symbols.
static size_t pixel_start(pngcore_rows rows, size_t position)
{
    if (!has_pixels(rows)) return position;
    const size_t head = rows.row_bytes % rows.pixel_bytes, offset = position % rows.row_bytes;
    return position - (offset < head ? offset : (offset - head) % rows.pixel_bytes);
}

static void parse_pixel_block(pngcore_deflater *deflater, const uint8_t *start, size_t from, size_t end)
{
    const size_t pixel_bytes = deflater->rows.pixel_bytes;
    pixel_symbols *pixels = &deflater->pixels;
    symbol_counts *counts = &deflater->counts;
    memset(pixels->byte_counts, 0, sizeof pixels->byte_counts);
    memset(pixels->distance_counts, 0, sizeof pixels->distance_counts);
    for (row_part part; from < end; from += part.pixel_count * pixel_bytes) {
        part = part_at(deflater->rows, from, end);
        count_bytes(start + from, part.single_count, counts->litlen);
        from += part.single_count;
        deflater->level->parse_pixels(
            pixels, &deflater->bits, pixel_bytes, start + from, from, part.pixel_count);
    }
    for (size_t k = 0; k < MOST_PIXEL_BYTES; k++)
        for (int value = 0; value < 256; value++) counts->litlen[value] += pixels->byte_counts[0][k][value];
    for (int n = 0; n < DISTANCE_COUNT; n++) {
        counts->distance[n] += pixels->distance_counts[n];
        counts->litlen[FIRST_LENGTH + length_symbol((unsigned)pixel_bytes)] += pixels->distance_counts[n];
    }
}

static bit_sink write_pixel_block(
    pngcore_deflater *deflater, bit_sink sink, const block_codes *codes, const uint8_t *start, size_t from,
    size_t end)
{
    const size_t pixel_bytes = deflater->rows.pixel_bytes;
    const uint16_t *rests = deflater->pixels.rests;
    for (row_part part; from < end; from += part.pixel_count * pixel_bytes) {
        part = part_at(deflater->rows, from, end);
        const symbol_run singles = { .literal_count = (uint32_t)part.single_count };
        sink = deflater->level->write_symbols(sink, codes, start + from, &singles, 1);
        from += part.single_count;
        sink = deflater->level->write_pixels(sink, codes, pixel_bytes, start + from, rests, part.pixel_count);
        rests += part.pixel_count;
    }
    return sink;
}

// MARK: Choosing

// The ways to code a piece, the fastest first.
typedef enum way { RUNS, PIXELS, MATCHES } way;

static void forget(pngcore_deflater *deflater, way chosen)
{
    if (chosen == PIXELS) memset(deflater->pixels.recent, 0, sizeof deflater->pixels.recent);
    if (chosen == MATCHES) memset(deflater->recent, 0, sizeof deflater->recent);
}

static void parse(pngcore_deflater *deflater, way chosen, const uint8_t *start, size_t from, size_t end)
{
    begin_block(deflater);
    switch (chosen) {
    case RUNS: parse_runs(deflater, start, start + from, start + end); break;
    case PIXELS: parse_pixel_block(deflater, start, from, end); break;
    case MATCHES: parse_matches(deflater, start, start + from, start + end); break;
    }
}

static uint8_t estimate(uint8_t length, unsigned unknown, unsigned extra)
{
    return (uint8_t)((length > 0 ? length : unknown) + extra);
}

// Estimates what follows by the lengths of a block's codes.
static void learn(pngcore_deflater *deflater, const uint8_t *litlen, const uint8_t *distances)
{
    estimates *bits = &deflater->bits;
    for (int value = 0; value < 256; value++)
        bits->literal[value] = estimate(litlen[value], UNKNOWN_LITLEN_BITS, 0);
    for (unsigned length = 3; length <= MOST_MATCH; length++) {
        const unsigned symbol = length_symbol(length);
        bits->length[length] =
            estimate(litlen[FIRST_LENGTH + symbol], UNKNOWN_LITLEN_BITS, length_extra_bits(symbol));
    }
    bits->distance = estimate(distances[0], UNKNOWN_DISTANCE_BITS, 0);
    if (!has_pixels(deflater->rows)) return;
    memset(bits->pixel, UINT8_MAX, sizeof bits->pixel);
    // Two symbols share each highest bit, and both have `bit - 1` extra bits: the mean of their codes' lengths stands for either.
    // Where no pixel was a match, some may be again: as in the first block.
    const unsigned length = litlen[FIRST_LENGTH + length_symbol((unsigned)deflater->rows.pixel_bytes)];
    for (unsigned bit = 1; bit < DISTANCE_COUNT / 2; bit++) {
        const unsigned both = estimate(distances[2 * bit], UNKNOWN_DISTANCE_BITS, 0)
            + estimate(distances[2 * bit + 1], UNKNOWN_DISTANCE_BITS, 0);
        const unsigned all = estimate((uint8_t)length, FIRST_LENGTH_BITS, both / 2 + bit - 1);
        bits->pixel[bit] = (uint8_t)(all > PIXEL_MATCH_BONUS_BITS ? all - PIXEL_MATCH_BONUS_BITS : 0);
    }
}

// Makes the codes of the block that was parsed, and learns from them.
static void make_lengths(pngcore_deflater *deflater, uint8_t *litlen, uint8_t *distance)
{
    pngcore_code_lengths(deflater->counts.litlen, LITLEN_COUNT, MOST_LITLEN_BITS, litlen);
    pngcore_code_lengths(deflater->counts.distance, DISTANCE_COUNT, MOST_DISTANCE_BITS, distance);
    learn(deflater, litlen, distance);
}

// Estimates a piece by how often its first bytes occur.
static void begin_piece(pngcore_deflater *deflater, const uint8_t *bytes, size_t count)
{
    uint32_t counts[256];
    uint8_t litlen[LITLEN_COUNT], distance[DISTANCE_COUNT];
    for (int value = 0; value < 256; value++) counts[value] = 1;
    count_bytes(bytes, count, counts);
    memset(litlen, FIRST_LENGTH_BITS, sizeof litlen);
    pngcore_code_lengths(counts, 256, MOST_LITLEN_BITS, litlen);
    memset(distance, FIRST_DISTANCE_BITS, sizeof distance);
    distance[0] = FIRST_RUN_BITS;
    learn(deflater, litlen, distance);
}

// Bits of the block's symbols. Estimates by them what follows.
static uint64_t symbol_bits(pngcore_deflater *deflater)
{
    uint8_t litlen[LITLEN_COUNT], distance[DISTANCE_COUNT];
    const symbol_counts *counts = &deflater->counts;
    make_lengths(deflater, litlen, distance);
    uint64_t bits = 0;
    for (unsigned n = 0; n < LITLEN_COUNT; n++) {
        const unsigned extra = n < FIRST_LENGTH ? 0 : length_extra_bits(n - FIRST_LENGTH);
        bits += (uint64_t)counts->litlen[n] * (litlen[n] + extra);
    }
    for (unsigned n = 0; n < DISTANCE_COUNT; n++)
        bits += (uint64_t)counts->distance[n] * (distance[n] + distance_extra_bits(n));
    return bits;
}

// The way to code a piece: a slower one if it makes a sample in the middle smaller by a worthwhile share. Learns from it.
static way choose_way(pngcore_deflater *deflater, const uint8_t *bytes, size_t count)
{
    enum { WORTHWHILE_PERCENT = 5 };
    const size_t middle = count > SAMPLE_BYTES ? (count - SAMPLE_BYTES) / 2 : 0;
    const size_t from = pixel_start(deflater->rows, middle),
                 end = from + smaller_of(count - from, SAMPLE_BYTES);
    const size_t history = pixel_start(deflater->rows, from > WINDOW ? from - WINDOW : 0);
    const estimates at_first = deflater->bits;
    estimates of_best = at_first;
    uint64_t least = UINT64_MAX / 100;
    way best = RUNS;
    for (way tried = RUNS; tried <= MATCHES; tried++) {
        if (tried == PIXELS && !has_pixels(deflater->rows)) continue;
        deflater->bits = at_first;
        forget(deflater, tried);
        if (tried == PIXELS && history < from) {
            parse(deflater, PIXELS, bytes, history, from);
            symbol_bits(deflater);
        }
        if (tried == MATCHES) remember_all(deflater, bytes, bytes + history, bytes + from);
        parse(deflater, tried, bytes, from, end);
        const uint64_t bits = symbol_bits(deflater);
        if (bits * 100 >= least * (100 - WORTHWHILE_PERCENT)) continue;
        best = tried;
        least = bits;
        of_best = deflater->bits;
    }
    deflater->bits = of_best;
    return best;
}

// MARK: Writing

static void pack(const uint8_t *lengths, int count, packed_code *packed)
{
    uint16_t codes[LITLEN_COUNT] = { 0 };
    pngcore_codes(lengths, count, codes);
    for (int n = 0; n < count; n++) packed[n] = (packed_code)codes[n] << 8 | lengths[n];
}

// Writes the block that was parsed.
static bit_sink write_block(
    pngcore_deflater *deflater, way chosen, const uint8_t *start, size_t from, size_t end, bool is_last,
    bit_sink sink)
{
    uint8_t lengths[LITLEN_COUNT + DISTANCE_COUNT], distance[DISTANCE_COUNT];
    block_codes codes;
    make_lengths(deflater, lengths, distance);
    pack(lengths, LITLEN_COUNT, codes.litlen);
    pack(distance, DISTANCE_COUNT, codes.distance);
    size_t litlen_count = LITLEN_COUNT, distance_count = DISTANCE_COUNT;
    while (litlen_count > FIRST_LENGTH && lengths[litlen_count - 1] == 0) litlen_count--;
    while (distance_count > 1 && distance[distance_count - 1] == 0) distance_count--;
    memcpy(lengths + litlen_count, distance, distance_count);
    put(&sink, is_last, 1);
    put(&sink, 2, 2); // with codes of its own
    sink = pngcore_write_lengths(sink, lengths, litlen_count, distance_count);
    sink = chosen == PIXELS
        ? write_pixel_block(deflater, sink, &codes, start, from, end)
        : deflater->level->write_symbols(sink, &codes, start + from, deflater->runs, deflater->run_count);
    put(&sink, code_bits(codes.litlen[END_OF_BLOCK]), code_length(codes.litlen[END_OF_BLOCK]));
    drain(&sink);
    return sink;
}

// Fills the last byte: by an empty block without codes, which begins at a byte, unless no block follows.
static uint8_t *end_piece(bit_sink sink, bool is_last)
{
    if (!is_last) put(&sink, 0, 3);
    if (sink.count % 8 != 0) put(&sink, 0, 8 - sink.count % 8);
    drain(&sink);
    if (!is_last) {
        put(&sink, 0xffff0000, 32);
        drain(&sink);
    }
    return sink.next;
}

// A block's literals take at most 14 bits each, and a match no more than its bytes as literals. Codes take less than 400 bytes.
size_t pngcore_deflate_bound(size_t count) { return count * 2 + (count / BLOCK_BYTES + 1) * 400 + 64; }

size_t pngcore_deflate(
    pngcore_deflater *deflater, pngcore_effort effort, pngcore_rows rows, const uint8_t *bytes, size_t count,
    bool is_last, uint8_t *to)
{
    deflater->rows = rows;
    begin_piece(deflater, bytes, smaller_of(count, SAMPLE_BYTES));
    const way chosen = effort == PNGCORE_EFFORT_MATCHES ? choose_way(deflater, bytes, count) : RUNS;
    forget(deflater, chosen);
    bit_sink sink = { .next = to };
    size_t from = 0;
    do {
        const size_t full = from + BLOCK_BYTES;
        const size_t end = count - from < MOST_BLOCK_BYTES ? count
            : chosen == PIXELS                             ? pixel_start(rows, full)
                                                           : full;
        parse(deflater, chosen, bytes, from, end);
        sink = write_block(deflater, chosen, bytes, from, end, is_last && end == count, sink);
        from = end;
    } while (from < count);
    return (size_t)(end_piece(sink, is_last) - to);
}
