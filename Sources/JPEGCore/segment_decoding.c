// Decodes segments of a scan, two at once in one thread: see segments.c.
#include "segment.h"

// Before a marker, a segment stops early enough to end its last MCU.
enum { STOP_DISTANCE = 1024 };

// Begins a segment: only the first one's position in the scan is known.
static bool begin_segment(const segment_task *task, segment *at)
{
    const scan_coding *coding = &task->decoder->coding;
    block_run *run = &at->run;
    const bool is_first = at == task->decoder->window.segments;
    const bool is_behind_marker = !is_first && has_restarts(task->decoder);
    memset(run->coefficients, 0, at->dirty * 64 * sizeof *run->coefficients);
    at->dirty = MEMORY_BLOCKS;
    at->has_met_next = false;
    const block_position begin = {
        .offset = at->begin,
        .mcus_to_restart = coding->scan.restart_interval,
        .next_restart = is_behind_marker ? (task->from.bytes[at->begin - 1] + 1) & 7 : 0,
    };
    go_to_position(coding, run, is_first ? &task->begin : &begin);
    if (has_restarts(task->decoder)) return true;
    unstuff(&run->bytes, 0, task->from.bytes, at->end);
    at->end_index = run->bytes.count;
    unstuff(&run->bytes, 0, task->from.bytes, at->end + MEETING_BYTES);
    bit_reader reader = reader_at(&run->bytes, (size_t)task->begin.bit);
    int done = 0;
    if (!is_first) {
        at->retries = synchronise(coding, &run->bytes, 0, run->coefficients, SYNC_BLOCKS, &reader);
        if (at->retries < 0) return false;
        done = SYNC_BLOCKS;
    }
    const block_phase *phase = &coding->phases[done % coding->groups.block_count];
    run->stream = make_stream(&reader, phase, run->coefficients + done * 64);
    return true;
}

// The next segment's begin, or a position before the bytes' end.
static const uint8_t *segment_stop(const segment *at)
{
    const uint8_t *bytes = at->run.bytes.bytes, *end = bytes + at->end_index;
    const uint8_t *stop = safe_stop(&at->run.bytes);
    stop = stop - bytes < STOP_DISTANCE ? bytes : stop - STOP_DISTANCE;
    return stop < end ? stop : end;
}

// Decodes on, one block after the other, and the next segment's first blocks too, until both meet between two MCUs.
static bool meet_next(const scan_coding *coding, segment *at, int retries)
{
    block_run *run = &at->run;
    const uint8_t *stop = safe_stop(&run->bytes);
    const block_phase *phase = coding->phases;
    bit_reader next = reader_at(&run->bytes, 8 * (at->end_index + (size_t)retries * RETRY_DISTANCE));
    _Alignas(64) int16_t block[(1 + SPARE_BLOCKS) * 64] = { 0 };
    at->next_retries = retries;
    at->next_skipped = 0;
    memset(at->next_skipped_sums, 0, sizeof at->next_skipped_sums);
    for (;;) {
        const size_t own_bit = stream_bit(run), next_bit = bit_offset(next, run->bytes.bytes);
        if (own_bit == next_bit && run->stream.phase == phase && phase == coding->phases) return true;
        if (own_bit <= next_bit) {
            if (waiting_blocks(run) >= CAPACITY_BLOCKS + MEETING_BLOCKS) return false;
            const int done = decode_next_blocks(coding, run, 1, stop);
            at->is_regular = done >= 0;
            if (done != 1) return false;
            continue;
        }
        const int done = coding->level->decode_blocks(&next, phase, block, 1, stop);
        if (done < 0 && at->next_skipped < SYNC_BLOCKS && retries + 1 < MOST_RETRIES)
            return meet_next(coding, at, retries + 1);
        if (done != 1) return false;
        const size_t in_mcu = (size_t)coding->groups.block_count;
        at->next_skipped_sums[coding->groups.component[at->next_skipped % in_mcu]] += block[0];
        at->next_skipped++;
        memset(block, 0, sizeof block);
        phase = phase->next;
    }
}

// Decodes to the end of an MCU. Returns false if the data is irregular.
static bool end_mcu(const scan_coding *coding, block_run *run)
{
    while (run->stream.phase != coding->phases)
        if (decode_next_blocks(coding, run, 1, safe_stop(&run->bytes)) != 1) return false;
    return true;
}

// Decodes a segment that two streams may have begun.
static bool end_segment(const segment_task *task, segment *at)
{
    const scan_coding *coding = &task->decoder->coding;
    block_run *run = &at->run;
    const uint8_t *stop = segment_stop(at);
    while (run->stream.limit != NULL && !is_between_blocks(&run->stream))
        coding->level->step_stream(&run->stream);
    if (run->stream.limit == NULL) return false;
    const size_t waiting = waiting_blocks(run);
    if (waiting < CAPACITY_BLOCKS && decode_next_blocks(coding, run, CAPACITY_BLOCKS - waiting, stop) < 0)
        return false;
    if (!end_mcu(coding, run)) return false;
    if (stop == run->bytes.bytes + at->end_index && waiting_blocks(run) < CAPACITY_BLOCKS)
        at->has_met_next = meet_next(coding, at, 0);
    return at->is_regular && (at->has_met_next || end_mcu(coding, run));
}

// Decodes whole intervals, and stops before the RSTn marker at the end.
static bool decode_intervals(const segment_task *task, segment *at)
{
    const scan_coding *coding = &task->decoder->coding;
    block_run *run = &at->run;
    const size_t interval = (size_t)coding->scan.restart_interval;
    const size_t in_mcu = (size_t)coding->groups.block_count;
    size_t mcus = (size_t)run->mcus_to_restart;
    at->retries = at->next_retries = 0;
    at->next_skipped = 0;
    memset(at->next_skipped_sums, 0, sizeof at->next_skipped_sums);
    do {
        // The run may begin before a marker too.
        const size_t wanted = waiting_blocks(run) + (mcus > 0 ? mcus : interval) * in_mcu;
        if (decode_plainly(coding, run, wanted, task->from) != JPEGCORE_ROW) return false;
        if (!is_at_restart(run, task->from)) return false;
        mcus = interval;
        if (run->bytes.source + 2 >= at->end) break;
    } while (waiting_blocks(run) + mcus * in_mcu <= CAPACITY_BLOCKS);
    at->has_met_next = run->bytes.source + 2 == at->end;
    return true;
}

// The sums of DC differences (T.81, F.2.2.1). With restart intervals, nobody needs them: prediction begins anew.
static void sum_dc(const scan_coding *coding, segment *at)
{
    const int16_t *block = at->run.coefficients, *end = block + waiting_blocks(&at->run) * 64;
    unsigned int sums[JPEGCORE_MOST_COMPONENTS] = { 0 };
    while (block < end)
        for (int n = 0; n < coding->groups.block_count; n++, block += 64)
            sums[coding->groups.component[n]] += (unsigned int)block[0];
    for (int c = 0; c < JPEGCORE_MOST_COMPONENTS; c++) at->dc_sums[c] = (int)sums[c];
}

// Two neighbouring segments are two streams.
void decode_segment_pair(void *argument, size_t index)
{
    const segment_task *task = argument;
    const scan_coding *coding = &task->decoder->coding;
    segment *pair = task->decoder->window.segments + 2 * index;
    const int count = task->planned - 2 * (int)index < 2 ? 1 : 2;
    for (int n = 0; n < count; n++) pair[n].is_regular = begin_segment(task, &pair[n]);
    const bool has_streams = coding->level->profits_from_streams && !has_restarts(task->decoder);
    if (has_streams && count == 2 && pair[0].is_regular && pair[1].is_regular) {
        for (int n = 0; n < count; n++)
            pair[n].run.stream.limit = pair[n].run.coefficients + CAPACITY_BLOCKS * 64;
        coding->level->decode_streams(
            &pair[0].run.stream, segment_stop(&pair[0]), &pair[1].run.stream, segment_stop(&pair[1]));
    }
    for (int n = 0; n < count; n++) {
        segment *at = &pair[n];
        if (!at->is_regular) continue;
        at->is_regular = has_restarts(task->decoder) ? decode_intervals(task, at) : end_segment(task, at);
        if (!at->is_regular) continue;
        at->end_position = position_of(&at->run);
        sum_dc(coding, at);
    }
}
