// Decoding of two streams of blocks in one thread: while one waits for the result of a look-up, the other goes on. A
// step has no branch but for rare symbols, because each stream's mispredicted branches would stop both. A single
// stream is faster with block_decoder.h. Include it after that.
#include "level.h"

// Loads before a select, not the selected one after it: the next look-up waits for it.
INLINE const void *loaded(const void *pointer)
{
    __asm__("" : "+r"(pointer));
    return pointer;
}

// Decodes a symbol that a step cannot: a long one, or one before a symbol of the next block. An irregular one is left
// where it is.
static __attribute__((noinline, cold)) void decode_rare_symbol(block_stream *stream)
{
    int16_t *const block = stream->end - 63;
    const bool is_dc = stream->last < block;
    const decoding_table *table = is_dc ? &stream->phase->tables->dc : &stream->phase->tables->ac;
    const bit_reader at = refill(stream->reader);
    const decoding_entry entry = table->entries[peek(at, LOOKAHEAD)];
    uint64_t length = entry >> 24 & 63;
    size_t number = (size_t)(stream->last - block) + (entry >> 8 & 255);
    int16_t value = (int16_t)(entry >> 32);
    if ((uint8_t)entry == 0) {
        const long_symbol symbol = read_long(at, table, entry);
        const int run = is_dc ? 0 : symbol.symbol >> 4;
        length = symbol.length;
        number = (size_t)(stream->last - block) + (size_t)run + 1;
        value = (int16_t)symbol.value;
        if (!is_dc && symbol.value == 0 && run != 15) number = 63; // the end of the block
    }
    if (length == 0 || number > 63) {
        stream->limit = NULL;
        return;
    }
    block[coefficient_index(number)] = value;
    stream->reader = refill(drop(at, length));
    stream->last = block + number;
    stream->entries = stream->phase->ac;
    if (number < 63) return;
    stream->entries = stream->phase->next_dc;
    stream->phase = stream->phase->next;
    stream->last = stream->end;
    stream->end += 64;
}

// A stream in registers. Its bits end with a one, so that a step need not count them: zeros follow.
typedef struct fast_stream {
    uint64_t bits;
    const uint8_t *next;
    const decoding_entry *entries;
    const block_phase *phase;
    int16_t *last, *end;
    const int16_t *limit;
} fast_stream;

INLINE uint64_t end_with_one(uint64_t bits, uint64_t count)
{
    const uint64_t rest = 63 - (count & 63);
    return (bits >> rest | 1) << rest;
}

INLINE fast_stream load_stream(const block_stream *from)
{
    return (fast_stream) { end_with_one(from->reader.bits, from->reader.count),
                           from->reader.next,
                           from->entries,
                           from->phase,
                           from->last,
                           from->end,
                           from->limit };
}

INLINE block_stream store_stream(fast_stream from)
{
    const int count = 63 - __builtin_ctzll(from.bits);
    return (block_stream) { { from.bits & (from.bits - 1), (uint64_t)count, from.next },
                            from.entries,
                            from.phase,
                            from.last,
                            from.end,
                            from.limit };
}

INLINE fast_stream refill_stream(fast_stream stream)
{
    const int count = 63 - __builtin_ctzll(stream.bits);
    const bit_reader at =
        refill((bit_reader) { stream.bits & (stream.bits - 1), (uint64_t)count, stream.next });
    stream.bits = end_with_one(at.bits, at.count);
    stream.next = at.next;
    return stream;
}

// Only a copy is in memory, so that streams stay in registers.
INLINE fast_stream rare_step(fast_stream stream)
{
    block_stream copy = store_stream(stream);
    decode_rare_symbol(&copy);
    return load_stream(&copy);
}

// Needs LOOKAHEAD bits.
INLINE fast_stream step(fast_stream stream)
{
    const decoding_entry entry = stream.entries[stream.bits >> (64 - LOOKAHEAD)];
    int16_t *const last = stream.last + (entry >> 16 & 255);
    const ptrdiff_t bytes_behind = (const char *)last - (const char *)stream.end;
    // A symbol within the block, its last coefficient (0), or its end (66 to 128 coefficients): see END_OF_BLOCK.
    if (unlikely(((bytes_behind - 2) & 128) == 0)) return rare_step(stream);
    int16_t *const block = stream.end - 63;
    const size_t before = (size_t)(stream.last - block);
    stream.bits <<= entry & 63;
    block[coefficient_index(before + (entry >> 8 & 255))] = (int16_t)(entry >> 32);
    block[coefficient_index(before + (entry >> 16 & 255))] = (int16_t)(entry >> 48);
    const decoding_entry *ac = loaded(stream.phase->ac), *next_dc = loaded(stream.phase->next_dc);
    const block_phase *next = loaded(stream.phase->next);
    const bool ends = bytes_behind >= 0;
    stream.entries = __builtin_unpredictable(ends) ? next_dc : ac;
    stream.phase = __builtin_unpredictable(ends) ? next : stream.phase;
    stream.last = __builtin_unpredictable(ends) ? stream.end : last;
    stream.end = __builtin_unpredictable(ends) ? stream.end + 64 : stream.end;
    return stream;
}

static void decode_streams(
    block_stream *first, const uint8_t *first_stop, block_stream *second, const uint8_t *second_stop)
{
    fast_stream a = load_stream(first), b = load_stream(second);
    while (a.end < a.limit && b.end < b.limit && a.next < first_stop && b.next < second_stop) {
        a = refill_stream(a);
        b = refill_stream(b);
#pragma clang loop unroll(full)
        for (int n = 0; n < STREAM_STEPS; n++) {
            a = step(a);
            b = step(b);
        }
    }
    *first = store_stream(a);
    *second = store_stream(b);
}

static void decode_stream(block_stream *stream, const uint8_t *stop)
{
    fast_stream at = load_stream(stream);
    while (at.end < at.limit && at.next < stop) {
        at = refill_stream(at);
#pragma clang loop unroll(full)
        for (int n = 0; n < STREAM_STEPS; n++) at = step(at);
    }
    *stream = store_stream(at);
}

static void step_stream(block_stream *stream)
{
    *stream = store_stream(step(refill_stream(load_stream(stream))));
}
