// Segments of one scan, decoded and transformed in several threads.
//
// A window of segments is decoded at once. Where the scan has restart intervals, each segment begins behind an RSTn
// marker. Elsewhere it begins at any byte, as a second stream does (see speculation.c): it soon decodes the right
// blocks, but at first wrong ones. To know them, a segment goes on past the next one's begin, decodes that one's first
// blocks too, and stops where both are between two MCUs at the same bit. From there on, the next segment is right if this
// one is: all that follows depends on nothing else but the DC coefficients before. The first segment continues the
// scan, so the segments up to the first that does not meet the next are right. Decoding goes on behind them.
//
// Blocks keep their DC differences; of these, each segment gives the sum, so that all segments can be transformed at
// once. What is irregular is left to one thread, which decides which rows are returned.
#include "segment.h"
#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>

// Bytes of a block before any segment was decoded.
enum { USUAL_BLOCK_BYTES = 12 };
// After a window without segments, one thread decodes this many blocks.
enum { PAUSE_BLOCKS = 1000 };
// A window of which less than half was right weighs as much as this many others; with more than MOST_FAILURES, one
// thread is faster.
enum { FAILURE_WEIGHT = 4, MOST_FAILURES = 24 };

// MARK: Planning

// Coefficients of `count` segments.
static size_t coefficient_count(int count) { return (size_t)count * MEMORY_BLOCKS * 64; }

void jpegcore_decoder_use_threads(
    jpegcore_decoder *decoder, int thread_count, jpegcore_concurrently concurrently, void *context)
{
    const size_t interval_blocks =
        (size_t)decoder->coding.scan.restart_interval * (size_t)decoder->coding.groups.block_count;
    if (thread_count < 2 || interval_blocks > CAPACITY_BLOCKS) return;
    const int capacity = SEGMENTS_PER_THREAD * (thread_count < MOST_THREADS ? thread_count : MOST_THREADS);
    // Only pages that are written need memory, and they are zero.
    const size_t byte_count = coefficient_count(capacity) * sizeof(int16_t);
    segment *segments = malloc((size_t)capacity * sizeof *segments);
    int16_t *coefficients =
        mmap(NULL, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (segments == NULL || coefficients == MAP_FAILED) {
        free(segments);
        if (coefficients != MAP_FAILED) munmap(coefficients, byte_count);
        return;
    }
    for (int n = 0; n < capacity; n++) {
        segments[n].run.coefficients = coefficients + coefficient_count(n);
        segments[n].dirty = 0;
    }
    decoder->window = (segment_window) { .concurrently = concurrently,
                                         .context = context,
                                         .segments = segments,
                                         .capacity = capacity,
                                         .bytes = USUAL_BLOCK_BYTES,
                                         .blocks = 1 };
}

void give_up_segments(jpegcore_decoder *decoder)
{
    segment_window *window = &decoder->window;
    if (window->segments == NULL) return;
    munmap(window->segments->run.coefficients, coefficient_count(window->capacity) * sizeof(int16_t));
    free(window->segments);
    *window = (segment_window) { 0 };
}

bool can_decode_segments(const jpegcore_decoder *decoder, scan_bytes from)
{
    const segment_window *window = &decoder->window;
    const size_t block = next_block(&decoder->run), source = decoder->run.bytes.source;
    return window->concurrently != NULL && block >= window->pause_end
        && decoder->coding.block_count - block >= 2 * LEAST_BLOCKS
        && source + 4 * LEAST_DISTANCE + MEETING_BYTES <= from.count;
}

// The offset behind the next RSTn marker; that of the bytes' end if there is none.
static size_t next_interval(scan_bytes from, size_t offset)
{
    while (offset + 1 < from.count) {
        const uint8_t *found = memchr(from.bytes + offset, 0xFF, from.count - 1 - offset);
        if (found == NULL) break;
        offset = (size_t)(found - from.bytes) + 1;
        if (found[1] >= 0xD0 && found[1] <= 0xD7) return offset + 1;
    }
    return from.count;
}

// Plans segments that follow each other. Returns their number.
static int plan_segments(jpegcore_decoder *decoder, const block_position *begin, scan_bytes from)
{
    const segment_window *window = &decoder->window;
    const size_t left = decoder->coding.block_count - begin->block, capacity = (size_t)window->capacity;
    size_t blocks = left / capacity;
    blocks = blocks < LEAST_BLOCKS ? LEAST_BLOCKS : blocks > TARGET_BLOCKS ? TARGET_BLOCKS : blocks;
    const size_t most = left / blocks < capacity ? left / blocks : capacity;
    size_t distance = blocks * window->bytes / window->blocks;
    const size_t share = (from.count - begin->offset) / capacity;
    if (distance > share) distance = share;
    distance = distance < LEAST_DISTANCE ? LEAST_DISTANCE
        : distance > MOST_DISTANCE       ? MOST_DISTANCE
                                         : distance;
    size_t at = begin->offset;
    int count = 0;
    for (; (size_t)count < most; count++) {
        segment *next = &window->segments[count];
        next->begin = at;
        at += distance;
        if (at + MEETING_BYTES > from.count) break;
        // Behind a marker, or else not between a byte and its stuffed zero.
        if (has_restarts(decoder)) at = next_interval(from, at);
        else
            while (at < from.count && from.bytes[at - 1] == 0xFF) at++;
        if (at + MEETING_BYTES > from.count) break;
        next->end = at;
    }
    return count;
}

// MARK: Joining

// Whether a segment is right, if the one before is.
static bool is_met(const segment *before, const segment *at)
{
    return before->has_met_next && before->next_retries == at->retries
        && before->next_skipped <= waiting_blocks(&at->run);
}

// Puts a segment at a place in the scan; its blocks before `skipped` are wrong. Returns false if the scan ends within.
static bool place_segment(const scan_coding *coding, segment *at, size_t skipped, const block_run *end)
{
    block_run *run = &at->run;
    run->first = skipped;
    if (end->transformed + waiting_blocks(run) > coding->block_count) return false;
    assert(waiting_blocks(run) % (size_t)coding->groups.block_count == 0);
    place_run(coding, run, end->transformed);
    at->first_row = run->row;
    memcpy(run->last_dc, end->last_dc, sizeof run->last_dc);
    at->dirty = skipped; // once all others are transformed
    return true;
}

// Keeps the segments that are right, in a window of `planned`. The decoder's run continues behind them.
static void join_segments(jpegcore_decoder *decoder, int planned)
{
    const scan_coding *coding = &decoder->coding;
    segment_window *window = &decoder->window;
    block_run *end = &decoder->run;
    window->first = 0;
    for (window->count = 0; window->count < planned; window->count++) {
        segment *at = &window->segments[window->count], *before = window->count > 0 ? at - 1 : NULL;
        if (!at->is_regular || (before != NULL && !is_met(before, at))) break;
        if (!place_segment(coding, at, before == NULL ? 0 : before->next_skipped, end)) break;
        for (int c = 0; c < coding->scan.component_count; c++) {
            const int skipped = before == NULL ? 0 : before->next_skipped_sums[c];
            end->last_dc[c] =
                (int)((unsigned int)end->last_dc[c] + (unsigned int)at->dc_sums[c] - (unsigned int)skipped);
        }
        at->end_position.block = next_block(&at->run);
        go_to_position(coding, end, &at->end_position);
        remember_position(decoder, at->end_position);
    }
}

bool decode_segments(jpegcore_decoder *decoder, scan_bytes from)
{
    segment_window *window = &decoder->window;
    const scan_coding *coding = &decoder->coding;
    block_run *run = &decoder->run;
    if (!can_decode_segments(decoder, from) || decoder->second.is_running || waiting_blocks(run) > 0
        || !is_between_blocks(&run->stream))
        return false;
    segment_task task = { .decoder = decoder, .from = from, .begin = position_of(run) };
    const int planned = task.planned = plan_segments(decoder, &task.begin, from);
    if (planned < 2) {
        window->pause_end = task.begin.block + PAUSE_BLOCKS;
        return false;
    }
    window->concurrently(window->context, (size_t)(planned + 1) / 2, decode_segment_pair, &task);
    join_segments(decoder, planned);
    window->blocks = run->transformed - task.begin.block;
    if (window->blocks == 0) {
        give_up_segments(decoder);
        return false;
    }
    window->bytes = decoder->positions[decoder->position_count - 1].offset - task.begin.offset;
    if (2 * window->count < planned) window->failures += FAILURE_WEIGHT;
    else if (window->failures > 0) window->failures--;
    const bool is_at_end =
        window->segments[window->count - 1].run.bytes.is_at_marker && !has_restarts(decoder);
    if (is_at_end || window->failures > MOST_FAILURES) window->pause_end = coding->block_count;
    return true;
}

// MARK: Samples

const block_run *waiting_segment(const jpegcore_decoder *decoder)
{
    const segment_window *window = &decoder->window;
    return window->count > 0 ? &window->segments[window->first].run : NULL;
}

static void transform_segment(void *argument, size_t index)
{
    const segment_task *task = argument;
    const scan_coding *coding = &task->decoder->coding;
    const segment_window *window = &task->decoder->window;
    segment *at = &window->segments[(size_t)window->first + index];
    block_run *run = &at->run;
    while (at->is_regular && run->row < task->end_row && waiting_blocks(run) > 0) {
        const int left = coding->scan.mcus_across - run->column;
        const int waiting = (int)(waiting_blocks(run) / (size_t)coding->groups.block_count);
        int count = left < coding->groups.size ? left : coding->groups.size;
        if (waiting < count) count = waiting;
        at->is_regular = transform_group(coding, run, count, task->to);
    }
}

bool transform_segments(jpegcore_decoder *decoder, int end_row, const scan_planes *to)
{
    segment_window *window = &decoder->window;
    segment_task task = { .decoder = decoder, .end_row = end_row, .to = to };
    int count = 0;
    while (count < window->count && window->segments[window->first + count].run.row < end_row) count++;
    window->concurrently(window->context, (size_t)count, transform_segment, &task);
    for (int n = 0; n < count; n++)
        if (!window->segments[window->first + n].is_regular) return false;
    for (int n = 0; n < count; n++) {
        const segment *at = &window->segments[window->first + n];
        // The last one to end a row ended the last whole row.
        if (at->run.row > at->first_row)
            memcpy(decoder->row_last_dc, at->run.row_last_dc, sizeof decoder->row_last_dc);
    }
    while (window->count > 0 && waiting_blocks(&window->segments[window->first].run) == 0) {
        window->first++;
        window->count--;
    }
    return true;
}
