// Two streams in one thread from the same photo.
//
// Huffman decoding waits for its own results, so a second stream costs little time. It begins some KiB ahead, at any
// bit: a decoder that begins in the middle of the data soon decodes the same symbols as one that has decoded from the
// start (self-synchronisation; Klein and Wiseman, "Parallel Huffman decoding with applications to JPEG files", 2003).
// After SYNC_BLOCKS blocks, which are thrown away, it keeps its blocks. If the first stream later arrives between two
// blocks at that very bit and phase, these blocks are right, because all that follows depends on nothing else but the
// DC coefficients before, which are added later. Then the first stream continues where the second one is.
#include "decoder.h"
#include <stdlib.h>

#ifndef JPEGCORE_SHORT_STREAMS
// Blocks that each stream decodes in a round, on average: many compared with SYNC_BLOCKS.
enum { ROUND_BLOCKS = 1200 };
enum { LEAST_DISTANCE = 2 * 1024, MOST_DISTANCE = 16 * 1024 };
#else
enum { ROUND_BLOCKS = 60, LEAST_DISTANCE = 48, MOST_DISTANCE = 1024 };
#endif
// Memory before the second stream's blocks, for those of the first that wait: at least this many.
enum { FRONT_BLOCKS = 360 };
// The first stream stops this many bytes before the second one's begin: more than STREAM_STEPS look-ups take, each
// with at most 31 bits.
enum { STOP_DISTANCE = 32 };
// A failure weighs as much as this many successes; with more than MOST_FAILURES, one stream is faster.
enum { FAILURE_WEIGHT = 4, MOST_FAILURES = 24 };

// Waiting blocks fit: at most a group, those of the last look-ups, and those between the stop and the begin, of at least
// 2 bits each.
_Static_assert(
    FRONT_BLOCKS > MOST_GROUP_BLOCKS + STREAM_STEPS + 8 * (STOP_DISTANCE + 8) / 2, "waiting blocks fit");

// A whole number of MCUs, so that waiting blocks begin one.
static size_t front_blocks(const jpegcore_decoder *decoder)
{
    const size_t in_mcu = (size_t)decoder->coding.groups.block_count;
    return (FRONT_BLOCKS + in_mcu - 1) / in_mcu * in_mcu;
}

static size_t memory_blocks(const jpegcore_decoder *decoder)
{
    return front_blocks(decoder) + STREAM_BLOCKS + MOST_GROUP_BLOCKS + STREAM_STEPS + SPARE_BLOCKS;
}

void prepare_speculation(jpegcore_decoder *decoder)
{
    const scan_coding *coding = &decoder->coding;
    if (!coding->level->profits_from_streams || coding->scan.restart_interval > 0
        || coding->block_count < 4 * STREAM_BLOCKS)
        return;
    int16_t *first = zeroed_blocks(memory_blocks(decoder));
    int16_t *second = zeroed_blocks(memory_blocks(decoder));
    if (first == NULL || second == NULL) {
        free_blocks(first);
        free_blocks(second);
        return;
    }
    free_blocks(decoder->run.coefficients);
    decoder->run.coefficients = first;
    decoder->second = (speculation) { .distance = MOST_DISTANCE / 2, .coefficients = second };
}

static void give_up(jpegcore_decoder *decoder)
{
    speculation *second = &decoder->second;
    const size_t used = (size_t)(second->stream.end - second->coefficients) + SPARE_BLOCKS * 64;
    memset(second->coefficients, 0, used * sizeof *second->coefficients);
    second->is_running = false;
    second->failures += FAILURE_WEIGHT;
}

int synchronise(
    const scan_coding *coding, const unstuffed_bytes *bytes, size_t index, int16_t *blocks, int count,
    bit_reader *reader)
{
    for (int retries = 0; retries < MOST_RETRIES; retries++) {
        *reader = reader_at(bytes, 8 * (index + (size_t)retries * RETRY_DISTANCE));
        const int done =
            coding->level->decode_blocks(reader, coding->phases, blocks, count, safe_stop(bytes));
        if (done >= 0) return done == count ? retries : -1;
        memset(blocks, 0, (size_t)(count + SPARE_BLOCKS) * 64 * sizeof *blocks);
    }
    return -1;
}

static bool begin_round(jpegcore_decoder *decoder, scan_bytes from)
{
    const scan_coding *coding = &decoder->coding;
    speculation *second = &decoder->second;
    const size_t left = coding->block_count - next_block(&decoder->run);
    if (second->failures > MOST_FAILURES || left < 3 * STREAM_BLOCKS) return false;
    const size_t wanted = 2 * second->distance + UNSTUFFED_PADDING;
    provide_bytes(&decoder->run, wanted, from);
    const size_t position = stream_bit(&decoder->run) / 8;
    if (decoder->run.bytes.count < position + wanted) return false;

    const int sync_blocks = SYNC_BLOCKS / coding->groups.block_count * coding->groups.block_count;
    int16_t *const blocks = second->coefficients + front_blocks(decoder) * 64;
    bit_reader reader = { 0 };
    const int retries =
        synchronise(coding, &decoder->run.bytes, position + second->distance, blocks, sync_blocks, &reader);
    second->stream = make_stream(&reader, coding->phases, blocks);
    memset(blocks, 0, (size_t)(sync_blocks + SPARE_BLOCKS) * 64 * sizeof *blocks);
    if (retries < 0) {
        second->failures += FAILURE_WEIGHT;
        return false;
    }
    second->stream.limit = blocks + STREAM_BLOCKS * 64;
    second->begin = bit_offset(reader, decoder->run.bytes.bytes);
    second->first_block = next_block(&decoder->run);
    second->is_running = true;
    return true;
}

// Continues at the second stream's position, with its blocks.
static void adopt(jpegcore_decoder *decoder)
{
    speculation *second = &decoder->second;
    const size_t waiting = waiting_blocks(&decoder->run), byte_count = waiting * 64 * sizeof(int16_t);
    int16_t *from = decoder->run.coefficients + decoder->run.first * 64;
    const size_t first = front_blocks(decoder) - waiting;
    memcpy(second->coefficients + first * 64, from, byte_count);
    memset(from, 0, byte_count);
    int16_t *const free_blocks = decoder->run.coefficients;
    decoder->run.coefficients = second->coefficients;
    decoder->run.first = first;
    decoder->run.stream = second->stream;
    second->coefficients = free_blocks;
    second->is_running = false;
    second->adopted += waiting_blocks(&decoder->run) - waiting;
    if (second->failures > 0) second->failures--;
}

// The first stream has arrived where the second one began, or soon will. Returns false if its data is irregular.
static bool join_streams(jpegcore_decoder *decoder)
{
    const scan_coding *coding = &decoder->coding;
    speculation *second = &decoder->second;
    block_stream *stream = &decoder->run.stream;
    while (!is_between_blocks(stream) || stream_bit(&decoder->run) < second->begin) {
        coding->level->step_stream(stream);
        if (stream->limit == NULL) return false;
    }
    remember_position(decoder, position_of(&decoder->run));
    const size_t now = next_block(&decoder->run), passed = now - second->first_block + 1;
    const size_t distance = second->distance * ROUND_BLOCKS / passed;
    const size_t ahead = (size_t)(second->stream.end - second->coefficients) / 64 - front_blocks(decoder);
    second->distance = distance < LEAST_DISTANCE ? LEAST_DISTANCE
        : distance > MOST_DISTANCE               ? MOST_DISTANCE
                                                 : distance;
    const bool is_right = stream_bit(&decoder->run) == second->begin && stream->phase == coding->phases
        && now + ahead + 2 * STREAM_STEPS < coding->block_count;
    if (is_right) adopt(decoder);
    else give_up(decoder);
    return true;
}

bool decode_speculatively(jpegcore_decoder *decoder, size_t wanted, scan_bytes from, bool is_last)
{
    const scan_coding *coding = &decoder->coding;
    speculation *second = &decoder->second;
    block_stream *stream = &decoder->run.stream;
    if (second->coefficients == NULL) return false;
    move_to_front(&decoder->run);
    stream->limit = decoder->run.coefficients + wanted * 64 + 63;
    if (!second->is_running && (is_last || !begin_round(decoder, from))) return false;
    const uint8_t *second_stop = safe_stop(&decoder->run.bytes);
    const uint8_t *stop = decoder->run.bytes.bytes + second->begin / 8 - STOP_DISTANCE;
    if (second->stream.end < second->stream.limit && second->stream.reader.next < second_stop)
        coding->level->decode_streams(stream, stop, &second->stream, second_stop);
    else coding->level->decode_stream(stream, stop);
    const bool is_regular = stream->limit != NULL && (stream->reader.next < stop || join_streams(decoder));
    return is_regular || waiting_blocks(&decoder->run) >= wanted;
}
