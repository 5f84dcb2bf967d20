// Inflates a zlib stream (RFC 1950, 1951). What zlib would not take is an error here, too, and some streams that it
// would: see README.md.
#include "inflate.h"
#include "level.h"
#include <endian.h>
#include <stdlib.h>

pngcore_inflater *pngcore_inflater_create(const pngcore_level *level, pngcore_source source)
{
    pngcore_inflater *inflater = malloc(sizeof *inflater);
    if (inflater == NULL) return NULL;
    inflater->level = level;
    inflater->source = source;
    inflater->state = AT_STREAM;
    inflater->is_last = inflater->has_failed = false;
    inflater->next = inflater->end = NULL;
    inflater->bits = 0;
    inflater->bit_count = 0;
    inflater->checksum = 1;
    inflater->at = inflater->window;
    return inflater;
}

void pngcore_inflater_destroy(pngcore_inflater *inflater) { free(inflater); }

// MARK: Input

static bool has_input(pngcore_inflater *inflater)
{
    while (inflater->next == inflater->end) {
        const ptrdiff_t count = inflater->source.next(inflater->source.context, &inflater->next);
        if (count < 0) inflater->has_failed = true;
        if (count <= 0) {
            inflater->next = inflater->end = NULL;
            return false;
        }
        inflater->end = inflater->next + count;
    }
    return true;
}

// To 57 bits or more; fewer only at the end of the input.
static void refill(pngcore_inflater *inflater)
{
    while (inflater->bit_count <= 56 && has_input(inflater)) {
        inflater->bits |= (uint64_t)*inflater->next++ << inflater->bit_count;
        inflater->bit_count += 8;
    }
}

static uint32_t take(pngcore_inflater *inflater, unsigned count)
{
    const uint32_t bits = (uint32_t)(inflater->bits & (((uint64_t)1 << count) - 1));
    inflater->bits >>= count;
    inflater->bit_count -= (int)count;
    return bits;
}

// The next bits, of at most 32; `bit_count` is below 0 afterwards if the input ends before.
static uint32_t read_bits(pngcore_inflater *inflater, unsigned count)
{
    refill(inflater);
    return take(inflater, count);
}

// MARK: Codes

// Sorts the symbols by their codes. Returns false for a code that zlib would not take: of more symbols than there are codes,
// or of fewer, unless it is a single one of 1 bit.
static bool make_code(canonical_code *code, const uint8_t *lengths, int count)
{
    memset(code->count, 0, sizeof code->count);
    for (int symbol = 0; symbol < count; symbol++) code->count[lengths[symbol]]++;
    code->count[0] = 0;
    int left = 1, used = 0;
    uint16_t places[MOST_CODE_BITS + 1];
    for (int length = 1; length <= MOST_CODE_BITS; length++) {
        left = 2 * left - code->count[length];
        if (left < 0) return false;
        places[length] = (uint16_t)used;
        used += code->count[length];
    }
    for (int symbol = 0; symbol < count; symbol++)
        if (lengths[symbol] != 0) code->symbols[places[lengths[symbol]]++] = (uint16_t)symbol;
    return left == 0 || (used == 1 && code->count[1] == 1);
}

static unsigned reversed(unsigned code, int length)
{
    unsigned result = 0;
    for (int n = 0; n < length; n++) result |= (code >> n & 1) << (length - 1 - n);
    return result;
}

typedef table_entry (*entry_of_symbol)(int symbol, int length);

static table_entry litlen_entry(int symbol, int length)
{
    if (symbol < END_OF_BLOCK)
        return (table_entry)symbol << ENTRY_VALUE_SHIFT | 1 << ENTRY_COUNT_SHIFT | ENTRY_LITERALS
            | (unsigned)length;
    if (symbol == END_OF_BLOCK) return (unsigned)(ENTRY_END | length);
    // The fixed code has two symbols more.
    if (symbol >= LITLEN_COUNT) return (unsigned)(ENTRY_INVALID | length);
    const unsigned number = (unsigned)symbol - FIRST_LENGTH;
    return (table_entry)length_base(number) << ENTRY_VALUE_SHIFT
        | length_extra_bits(number) << ENTRY_EXTRA_SHIFT | (unsigned)length;
}

static table_entry distance_entry(int symbol, int length)
{
    if (symbol >= DISTANCE_COUNT) return (unsigned)(ENTRY_INVALID | length);
    return (table_entry)distance_base((unsigned)symbol) << ENTRY_VALUE_SHIFT
        | distance_extra_bits((unsigned)symbol) << ENTRY_EXTRA_SHIFT | (unsigned)length;
}

// Fills a table by the lowest bits of the input.
static void fill_table(
    table_entry *table, int table_bits, const canonical_code *code, entry_of_symbol entry_of)
{
    const unsigned size = 1U << table_bits;
    for (unsigned n = 0; n < size; n++) table[n] = ENTRY_INVALID;
    const uint16_t *symbol = code->symbols;
    unsigned next = 0;
    for (int length = 1; length <= MOST_CODE_BITS; length++, next *= 2)
        for (int n = 0; n < code->count[length]; n++, next++, symbol++) {
            const unsigned bits = reversed(next, length);
            if (length > table_bits) {
                table[bits & (size - 1)] = ENTRY_LONG;
                continue;
            }
            const table_entry entry = entry_of(*symbol, length);
            for (unsigned at = bits; at < size; at += 1U << length) table[at] = entry;
        }
}

// Lets an entry of one literal give up to three more that follow it within the table's bits.
static void join_literals(table_entry *table)
{
    table_entry single[1 << LITLEN_BITS];
    memcpy(single, table, sizeof single);
    for (unsigned n = 0; n < 1 << LITLEN_BITS; n++) {
        table_entry entry = single[n];
        if (!(entry & ENTRY_LITERALS)) continue;
        unsigned bits = entry_bits(entry);
        uint32_t literals = entry_value(entry), count = 1;
        for (; count < 4; count++) {
            const table_entry next = single[n >> bits];
            if (!(next & ENTRY_LITERALS) || bits + entry_bits(next) > LITLEN_BITS) break;
            literals |= entry_value(next) << 8 * count;
            bits += entry_bits(next);
        }
        literals = htole32(literals);
        table[n] =
            (table_entry)literals << ENTRY_VALUE_SHIFT | count << ENTRY_COUNT_SHIFT | ENTRY_LITERALS | bits;
    }
}

// The symbol of a code by its bits, one after the other. Sets its length; the length is 0 for no code.
static int find_symbol(const canonical_code *code, uint64_t bits, int *length)
{
    int first = 0, place = 0, own = 0;
    for (*length = 1; *length <= MOST_CODE_BITS; ++*length, bits >>= 1) {
        own |= (int)(bits & 1);
        const int count = code->count[*length];
        if (own - count < first) return code->symbols[place + (own - first)];
        place += count;
        first = (first + count) << 1;
        own <<= 1;
    }
    *length = 0;
    return 0;
}

static table_entry long_entry(const canonical_code *code, uint64_t bits, entry_of_symbol entry_of)
{
    int length = 0;
    const int symbol = find_symbol(code, bits, &length);
    return length == 0 ? ENTRY_INVALID : entry_of(symbol, length);
}

table_entry pngcore_long_litlen(const pngcore_inflater *inflater, uint64_t bits)
{
    return long_entry(&inflater->litlen_code, bits, litlen_entry);
}

table_entry pngcore_long_distance(const pngcore_inflater *inflater, uint64_t bits)
{
    return long_entry(&inflater->distance_code, bits, distance_entry);
}

static bool make_tables(
    pngcore_inflater *inflater, const uint8_t *litlen, int litlen_count, const uint8_t *distances,
    int distance_count)
{
    if (!make_code(&inflater->litlen_code, litlen, litlen_count)) return false;
    // A block of literals has no codes of distances.
    bool has_distances = false;
    for (int n = 0; n < distance_count; n++) has_distances |= distances[n] != 0;
    if (!make_code(&inflater->distance_code, distances, distance_count) && has_distances) return false;
    fill_table(inflater->litlen, LITLEN_BITS, &inflater->litlen_code, litlen_entry);
    join_literals(inflater->litlen);
    fill_table(inflater->distance, DISTANCE_BITS, &inflater->distance_code, distance_entry);
    return true;
}

static bool make_fixed_tables(pngcore_inflater *inflater)
{
    uint8_t litlen[LITLEN_COUNT + 2], distances[DISTANCE_COUNT + 2];
    for (int n = 0; n < LITLEN_COUNT + 2; n++) litlen[n] = n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8;
    memset(distances, 5, sizeof distances);
    return make_tables(inflater, litlen, LITLEN_COUNT + 2, distances, DISTANCE_COUNT + 2);
}

// Reads the codes of a block (RFC 1951, 3.2.7).
static bool read_codes(pngcore_inflater *inflater)
{
    static const uint8_t order[] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
    enum { LENGTHS_COUNT = sizeof order, REPEAT = 16, ZEROS = 17 };
    const int litlen_count = (int)read_bits(inflater, 5) + 257,
              distance_count = (int)read_bits(inflater, 5) + 1;
    const int lengths_count = (int)read_bits(inflater, 4) + 4;
    if (litlen_count > LITLEN_COUNT || distance_count > DISTANCE_COUNT) return false;
    uint8_t lengths[LITLEN_COUNT + DISTANCE_COUNT] = { 0 };
    for (int n = 0; n < lengths_count; n++) lengths[order[n]] = (uint8_t)read_bits(inflater, 3);
    canonical_code code;
    if (!make_code(&code, lengths, LENGTHS_COUNT)) return false;
    memset(lengths, 0, sizeof lengths);
    for (int n = 0; n < litlen_count + distance_count;) {
        refill(inflater);
        int length = 0;
        const int symbol = find_symbol(&code, inflater->bits, &length);
        if (length == 0) return false;
        take(inflater, (unsigned)length);
        if (symbol < REPEAT) {
            lengths[n++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == REPEAT && n == 0) return false;
        const uint8_t repeated = symbol == REPEAT ? lengths[n - 1] : 0;
        int times = symbol == REPEAT ? 3 + (int)take(inflater, 2)
            : symbol == ZEROS        ? 3 + (int)take(inflater, 3)
                                     : 11 + (int)take(inflater, 7);
        if (n + times > litlen_count + distance_count) return false;
        for (; times > 0; times--) lengths[n++] = repeated;
    }
    if (inflater->bit_count < 0 || lengths[END_OF_BLOCK] == 0) return false;
    return make_tables(inflater, lengths, litlen_count, lengths + litlen_count, distance_count);
}

// MARK: Blocks

static void drop_rest_of_byte(pngcore_inflater *inflater)
{
    take(inflater, (unsigned)inflater->bit_count & 7);
}

static bool read_stream_header(pngcore_inflater *inflater)
{
    const uint32_t method = read_bits(inflater, 8), flags = read_bits(inflater, 8);
    inflater->state = AT_BLOCK;
    return inflater->bit_count >= 0 && (method & 15) == 8 && method >> 4 <= 7 && (flags & 32) == 0
        && (method << 8 | flags) % 31 == 0;
}

static bool begin_block(pngcore_inflater *inflater)
{
    if (inflater->is_last) {
        inflater->state = AT_TRAILER;
        return true;
    }
    inflater->is_last = read_bits(inflater, 1);
    const uint32_t kind = read_bits(inflater, 2);
    if (inflater->bit_count < 0) return false;
    inflater->state = kind == 0 ? IN_STORED : IN_CODED;
    switch (kind) {
    case 0: {
        drop_rest_of_byte(inflater);
        inflater->stored_left = read_bits(inflater, 16);
        const uint32_t inverse = read_bits(inflater, 16);
        return inflater->bit_count >= 0 && inflater->stored_left == (inverse ^ 0xffff);
    }
    case 1: return make_fixed_tables(inflater);
    case 2: return read_codes(inflater);
    default: return false;
    }
}

static bool copy_stored(pngcore_inflater *inflater, uint8_t *limit)
{
    while (inflater->stored_left > 0 && inflater->at < limit) {
        if (inflater->bit_count > 0) {
            *inflater->at++ = (uint8_t)take(inflater, 8);
            inflater->stored_left--;
            continue;
        }
        if (!has_input(inflater)) return false;
        size_t count = inflater->stored_left;
        if (count > (size_t)(inflater->end - inflater->next))
            count = (size_t)(inflater->end - inflater->next);
        if (count > (size_t)(limit - inflater->at)) count = (size_t)(limit - inflater->at);
        memcpy(inflater->at, inflater->next, count);
        inflater->at += count;
        inflater->next += count;
        inflater->stored_left -= (uint32_t)count;
    }
    if (inflater->stored_left == 0) inflater->state = AT_BLOCK;
    return true;
}

// Inflates one symbol, near an end of the input.
static bool inflate_symbol(pngcore_inflater *inflater)
{
    refill(inflater);
    table_entry entry = pngcore_long_litlen(inflater, inflater->bits);
    if (entry & ENTRY_INVALID) return false;
    take(inflater, entry_bits(entry));
    if (entry & ENTRY_LITERALS) {
        *inflater->at = (uint8_t)entry_value(entry);
        inflater->at += inflater->bit_count >= 0;
        return inflater->bit_count >= 0;
    }
    if (entry & ENTRY_END) {
        inflater->state = AT_BLOCK;
        return inflater->bit_count >= 0;
    }
    const size_t length = entry_value(entry) + take(inflater, entry_extra_bits(entry));
    entry = pngcore_long_distance(inflater, inflater->bits);
    if (entry & ENTRY_INVALID) return false;
    take(inflater, entry_bits(entry));
    const size_t distance = entry_value(entry) + take(inflater, entry_extra_bits(entry));
    if (inflater->bit_count < 0 || distance > (size_t)(inflater->at - inflater->window)) return false;
    for (size_t n = 0; n < length; n++, inflater->at++) *inflater->at = inflater->at[-(ptrdiff_t)distance];
    return true;
}

static bool inflate_coded(pngcore_inflater *inflater, const uint8_t *limit)
{
    while (inflater->state == IN_CODED && inflater->at < limit) {
        const bool is_fast = inflater->end - inflater->next > FAST_INPUT && inflater->bit_count < 64;
        if (!(is_fast ? inflater->level->inflate_symbols(inflater, limit) : inflate_symbol(inflater)))
            return false;
    }
    return true;
}

static bool inflate_step(pngcore_inflater *inflater, uint8_t *limit)
{
    switch (inflater->state) {
    case AT_STREAM: return read_stream_header(inflater);
    case AT_BLOCK: return begin_block(inflater);
    case IN_STORED: return copy_stored(inflater, limit);
    case IN_CODED: return inflate_coded(inflater, limit);
    default: return true;
    }
}

// Compares the checksum, which follows the last block.
static bool ends_well(pngcore_inflater *inflater)
{
    drop_rest_of_byte(inflater);
    uint32_t checksum = 0;
    for (int n = 0; n < 4; n++) checksum = checksum << 8 | read_bits(inflater, 8);
    inflater->state = AT_END;
    return inflater->bit_count >= 0 && checksum == inflater->checksum;
}

pngcore_inflation pngcore_inflate(pngcore_inflater *inflater, const uint8_t **bytes, size_t *count)
{
    *count = 0;
    if (inflater->state == AT_END) return PNGCORE_INFLATION_ENDED;
    const size_t all = (size_t)(inflater->at - inflater->window), kept = all < WINDOW ? all : WINDOW;
    memmove(inflater->window, inflater->at - kept, kept);
    uint8_t *const begin = inflater->window + kept, *const limit = begin + PORTION;
    inflater->at = begin;
    bool is_right = true;
    while (is_right && inflater->at < limit && inflater->state < AT_TRAILER)
        is_right = inflate_step(inflater, limit);
    if (inflater->has_failed) return PNGCORE_INFLATION_SOURCE_FAILED;
    if (!is_right) return PNGCORE_INFLATION_IRREGULAR;
    *bytes = begin;
    *count = (size_t)(inflater->at - begin);
    inflater->checksum = inflater->level->add_checksum(inflater->checksum, begin, *count);
    if (inflater->state < AT_TRAILER) return PNGCORE_INFLATION_CONTINUES;
    if (!ends_well(inflater))
        return inflater->has_failed ? PNGCORE_INFLATION_SOURCE_FAILED : PNGCORE_INFLATION_IRREGULAR;
    return PNGCORE_INFLATION_ENDED;
}

bool pngcore_inflater_has_more(pngcore_inflater *inflater)
{
    return inflater->bit_count >= 8 || has_input(inflater);
}
