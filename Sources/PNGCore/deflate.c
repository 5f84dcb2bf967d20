// Deflates pieces (RFC 1951). See README.md for the choices.
#include "PNGCore.h"
#include "level.h"
#include "string_search.h"
#include <stdlib.h>

enum {
    BLOCK_BYTES = 128 * 1024,
    SAMPLE_BYTES = 32 * 1024, // of a piece, deflated in both ways before the choice
    HASH_BITS = 17,
    HASH_COUNT = 1 << HASH_BITS,
    MATCH_BYTES = 4,       // the least of a match
    LONG_MATCH_BYTES = 12, // is taken without a look at the next position
    // Every fourth byte of a block begins a run or a match at most, and one has literals only.
    MOST_RUNS = BLOCK_BYTES * 3 / 2 / 4 + 2,
    // Estimates for symbols that did not occur in the block before, and for the first block.
    UNKNOWN_LITLEN_BITS = 12,
    UNKNOWN_RUN_BITS = 9,
    FIRST_LENGTH_BITS = 6,
    FIRST_RUN_BITS = 2
};

// The bits that the symbols of runs will take, with their extra bits.
typedef struct estimates {
    uint8_t literal[256], length[MOST_MATCH + 1];
    uint8_t distance; // of 1
} estimates;

struct pngcore_deflater {
    const pngcore_level *level;
    estimates bits;
    symbol_counts counts; // of the block
    size_t run_count;
    symbol_run runs[MOST_RUNS];
    uint16_t recent[HASH_COUNT]; // positions modulo 65536
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

// MARK: Choosing

static uint8_t estimate(uint8_t length, unsigned unknown, unsigned extra)
{
    return (uint8_t)((length > 0 ? length : unknown) + extra);
}

// Estimates what follows by the lengths of a block's codes. `run`: that of the distance 1.
static void learn(estimates *bits, const uint8_t *litlen, uint8_t run)
{
    for (int value = 0; value < 256; value++)
        bits->literal[value] = estimate(litlen[value], UNKNOWN_LITLEN_BITS, 0);
    for (unsigned length = 3; length <= MOST_MATCH; length++) {
        const unsigned symbol = length_symbol(length);
        bits->length[length] =
            estimate(litlen[FIRST_LENGTH + symbol], UNKNOWN_LITLEN_BITS, length_extra_bits(symbol));
    }
    bits->distance = estimate(run, UNKNOWN_RUN_BITS, 0);
}

// Makes the codes of the block that was parsed, and learns from them.
static void make_lengths(pngcore_deflater *deflater, uint8_t *litlen, uint8_t *distance)
{
    pngcore_code_lengths(deflater->counts.litlen, LITLEN_COUNT, MOST_LITLEN_BITS, litlen);
    pngcore_code_lengths(deflater->counts.distance, DISTANCE_COUNT, MOST_DISTANCE_BITS, distance);
    learn(&deflater->bits, litlen, distance[0]);
}

// Estimates a piece by how often its first bytes occur.
static void begin_piece(pngcore_deflater *deflater, const uint8_t *bytes, size_t count)
{
    uint32_t counts[256];
    uint8_t litlen[LITLEN_COUNT];
    for (int value = 0; value < 256; value++) counts[value] = 1;
    count_bytes(bytes, count, counts);
    memset(litlen, FIRST_LENGTH_BITS, sizeof litlen);
    pngcore_code_lengths(counts, 256, MOST_LITLEN_BITS, litlen);
    learn(&deflater->bits, litlen, FIRST_RUN_BITS);
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

// Whether matches make a sample in the middle of the piece smaller by a worthwhile share. Learns from it.
static bool profits_from_matches(pngcore_deflater *deflater, const uint8_t *bytes, size_t count)
{
    enum { WORTHWHILE_PERCENT = 5 };
    const uint8_t *from = bytes, *end = bytes + count;
    if (count > SAMPLE_BYTES) {
        from += (count - SAMPLE_BYTES) / 2;
        end = from + SAMPLE_BYTES;
    }
    const estimates at_first = deflater->bits;
    begin_block(deflater);
    parse_runs(deflater, bytes, from, end);
    const uint64_t with_runs = symbol_bits(deflater);
    const estimates of_runs = deflater->bits;
    deflater->bits = at_first;
    const uint8_t *history = from - bytes > WINDOW ? from - WINDOW : bytes;
    memset(deflater->recent, 0, sizeof deflater->recent);
    remember_all(deflater, bytes, history, from);
    begin_block(deflater);
    parse_matches(deflater, bytes, from, end);
    const bool profits = symbol_bits(deflater) * 100 < with_runs * (100 - WORTHWHILE_PERCENT);
    if (!profits) deflater->bits = of_runs;
    return profits;
}

// MARK: Writing

// The symbols that code the lengths of both codes (RFC 1951, 3.2.7).
typedef struct length_symbols {
    size_t count;
    uint8_t symbols[LITLEN_COUNT + DISTANCE_COUNT], extra[LITLEN_COUNT + DISTANCE_COUNT];
} length_symbols;

enum { REPEAT = 16, SHORT_ZEROS = 17, LONG_ZEROS = 18, LENGTH_SYMBOL_COUNT = 19 };

static void add_symbol(length_symbols *to, int symbol, size_t extra)
{
    to->symbols[to->count] = (uint8_t)symbol;
    to->extra[to->count++] = (uint8_t)extra;
}

static void add_lengths(length_symbols *to, uint8_t length, size_t times)
{
    if (length == 0) {
        for (; times >= 11; times -= times < 138 ? times : 138)
            add_symbol(to, LONG_ZEROS, (times < 138 ? times : 138) - 11);
        if (times >= 3) add_symbol(to, SHORT_ZEROS, times - 3);
        if (times >= 3) return;
    } else {
        add_symbol(to, length, 0);
        for (times--; times >= 3; times -= times < 6 ? times : 6)
            add_symbol(to, REPEAT, (times < 6 ? times : 6) - 3);
    }
    for (; times > 0; times--) add_symbol(to, length, 0);
}

static length_symbols code_lengths_as_symbols(const uint8_t *lengths, size_t count)
{
    length_symbols made = { 0 };
    for (size_t at = 0, run; at < count; at += run) {
        run = 1;
        while (at + run < count && lengths[at + run] == lengths[at]) run++;
        add_lengths(&made, lengths[at], run);
    }
    return made;
}

static void write_lengths(bit_sink *sink, const uint8_t *lengths, size_t litlen_count, size_t distance_count)
{
    static const uint8_t order[LENGTH_SYMBOL_COUNT] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                        11, 4,  12, 3, 13, 2, 14, 1, 15 };
    static const uint8_t extra_bits[LENGTH_SYMBOL_COUNT] = {
        [REPEAT] = 2, [SHORT_ZEROS] = 3, [LONG_ZEROS] = 7
    };
    const length_symbols symbols = code_lengths_as_symbols(lengths, litlen_count + distance_count);
    uint32_t counts[LENGTH_SYMBOL_COUNT] = { 0 };
    for (size_t n = 0; n < symbols.count; n++) counts[symbols.symbols[n]]++;
    uint8_t own_lengths[LENGTH_SYMBOL_COUNT];
    uint16_t codes[LENGTH_SYMBOL_COUNT];
    pngcore_code_lengths(counts, LENGTH_SYMBOL_COUNT, MOST_LENGTHS_BITS, own_lengths);
    pngcore_codes(own_lengths, LENGTH_SYMBOL_COUNT, codes);
    size_t used = LENGTH_SYMBOL_COUNT;
    while (used > 4 && own_lengths[order[used - 1]] == 0) used--;
    put(sink, litlen_count - FIRST_LENGTH, 5);
    put(sink, distance_count - 1, 5);
    put(sink, used - 4, 4);
    drain(sink);
    for (size_t n = 0; n < used; n++) {
        put(sink, own_lengths[order[n]], 3);
        drain(sink);
    }
    for (size_t n = 0; n < symbols.count; n++) {
        const uint8_t symbol = symbols.symbols[n];
        put(sink, codes[symbol], own_lengths[symbol]);
        put(sink, symbols.extra[n], extra_bits[symbol]);
        drain(sink);
    }
}

static void pack(const uint8_t *lengths, int count, packed_code *packed)
{
    uint16_t codes[LITLEN_COUNT] = { 0 };
    pngcore_codes(lengths, count, codes);
    for (int n = 0; n < count; n++) packed[n] = (packed_code)codes[n] << 8 | lengths[n];
}

static bit_sink write_block(pngcore_deflater *deflater, const uint8_t *bytes, bool is_last, bit_sink sink)
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
    write_lengths(&sink, lengths, litlen_count, distance_count);
    sink = deflater->level->write_symbols(sink, &codes, bytes, deflater->runs, deflater->run_count);
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

// A block's literals take at most 14 bits each, and a match fewer than its bytes as literals. Codes take less than 400
// bytes.
size_t pngcore_deflate_bound(size_t count) { return count * 2 + (count / BLOCK_BYTES + 1) * 400 + 64; }

size_t pngcore_deflate(
    pngcore_deflater *deflater, pngcore_effort effort, const uint8_t *bytes, size_t count, bool is_last,
    uint8_t *to)
{
    begin_piece(deflater, bytes, count < SAMPLE_BYTES ? count : SAMPLE_BYTES);
    const bool has_matches = effort == PNGCORE_EFFORT_MATCHES && profits_from_matches(deflater, bytes, count);
    memset(deflater->recent, 0, sizeof deflater->recent);
    bit_sink sink = { .next = to };
    const uint8_t *at = bytes, *end = bytes + count;
    do {
        const uint8_t *block_end = end - at < BLOCK_BYTES * 3 / 2 ? end : at + BLOCK_BYTES;
        begin_block(deflater);
        if (has_matches) parse_matches(deflater, bytes, at, block_end);
        else parse_runs(deflater, bytes, at, block_end);
        sink = write_block(deflater, at, is_last && block_end == end, sink);
        at = block_end;
    } while (at < end);
    return (size_t)(end_piece(sink, is_last) - to);
}
