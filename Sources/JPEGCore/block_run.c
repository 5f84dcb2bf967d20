#include "block_run.h"
#include <assert.h>
#include <stdlib.h>

// Coefficients begin at multiples of this.
enum { ALIGNMENT = 64 };

// The allocation is kept before the blocks. posix_memalign of glibc before 2.38 takes new memory although enough was freed
// (sourceware.org bug 14581): a server that decoded 17,000 photos grew from 0.2 to 2.8 GB.
int16_t *zeroed_blocks(size_t count)
{
    char *memory = calloc(count * 64 * sizeof(int16_t) + ALIGNMENT, 1);
    if (!memory) return NULL;
    char *blocks = memory + ALIGNMENT - (uintptr_t)memory % ALIGNMENT;
    ((void **)blocks)[-1] = memory;
    return (int16_t *)blocks;
}

void free_blocks(int16_t *blocks)
{
    if (blocks) free(((void **)blocks)[-1]);
}

block_stream make_stream(const bit_reader *reader, const block_phase *phase, int16_t *block)
{
    return (block_stream) { .reader = *reader,
                            .entries = phase->tables->dc.entries,
                            .phase = phase,
                            .last = block - 1,
                            .end = block + 63,
                            .limit = block + 63 };
}

// MARK: Positions

block_position position_of(block_run *run)
{
    const size_t bit = stream_bit(run);
    return (block_position) { .block = next_block(run),
                              .offset = source_offset(&run->bytes, bit / 8),
                              .bit = (int)(bit % 8),
                              .mcus_to_restart = run->mcus_to_restart,
                              .next_restart = run->next_restart };
}

void place_run(const scan_coding *coding, block_run *run, size_t block)
{
    assert(block % (size_t)coding->groups.block_count == 0);
    const size_t mcu = block / (size_t)coding->groups.block_count;
    run->transformed = block;
    run->row = (int)(mcu / (size_t)coding->scan.mcus_across);
    run->column = (int)(mcu % (size_t)coding->scan.mcus_across);
}

void go_to_position(const scan_coding *coding, block_run *run, const block_position *at)
{
    // In the middle of an MCU, the blocks before it wait too: zeros.
    const size_t before = at->block % (size_t)coding->groups.block_count;
    begin_unstuffing(&run->bytes, at->offset);
    const bit_reader reader = reader_at(&run->bytes, (size_t)at->bit);
    run->stream = make_stream(&reader, &coding->phases[before], run->coefficients + before * 64);
    run->first = 0;
    place_run(coding, run, at->block - before);
    run->mcus_to_restart = at->mcus_to_restart;
    run->next_restart = at->next_restart;
}

// MARK: Bytes

static const uint8_t *stop_position(const unstuffed_bytes *bytes)
{
    return bytes->is_at_marker ? bytes->bytes + bytes->count + sizeof(uint64_t) : safe_stop(bytes);
}

void provide_bytes(block_run *run, size_t wanted, scan_bytes from)
{
    const size_t bit = stream_bit(run);
    if (run->bytes.is_at_marker || run->bytes.count >= bit / 8 + wanted) return;
    unstuff(&run->bytes, bit / 8, from.bytes, from.count);
    run->stream.reader = reader_at(&run->bytes, bit % 8);
}

ptrdiff_t bits_to_marker(const block_run *run)
{
    return (ptrdiff_t)(8 * run->bytes.count) - (ptrdiff_t)stream_bit(run);
}

bool is_at_restart(const block_run *run, scan_bytes from)
{
    return run->bytes.is_at_marker && bits_to_marker(run) < 8
        && from.bytes[run->bytes.source + 1] == 0xD0 + run->next_restart;
}

// At the end of an interval (T.81, F.2.2.4).
static jpegcore_status pass_restart(const scan_coding *coding, block_run *run, scan_bytes from)
{
    if (!run->bytes.is_at_marker && bits_to_marker(run) < 8) return JPEGCORE_MORE;
    if (!is_at_restart(run, from)) return JPEGCORE_IRREGULAR;
    begin_unstuffing(&run->bytes, run->bytes.source + 2);
    unstuff(&run->bytes, 0, from.bytes, from.count);
    run->stream.reader = reader_at(&run->bytes, 0);
    run->mcus_to_restart = coding->scan.restart_interval;
    run->next_restart = (run->next_restart + 1) & 7;
    return JPEGCORE_ROW;
}

// MARK: Blocks

void move_to_front(block_run *run)
{
    if (run->first == 0) return;
    const size_t distance = run->first * 64, count = (waiting_blocks(run) + 1) * 64;
    int16_t *const to = run->coefficients, *const from = to + distance;
    memmove(to, from, count * sizeof *to);
    int16_t *const rest = to + (count > distance ? count : distance);
    memset(rest, 0, (size_t)(from + count - rest) * sizeof *to);
    run->first = 0;
    run->stream.last -= distance;
    run->stream.end -= distance;
}

int decode_next_blocks(const scan_coding *coding, block_run *run, size_t count, const uint8_t *stop)
{
    block_stream *stream = &run->stream;
    int16_t *const block = stream->end - 63;
    const size_t now = waiting_blocks(run);
    const int done = coding->level->decode_blocks(&stream->reader, stream->phase, block, (int)count, stop);
    if (done < 0) return done;
    const size_t phase = (now + (size_t)done) % (size_t)coding->groups.block_count;
    *stream = make_stream(&stream->reader, &coding->phases[phase], block + (size_t)done * 64);
    return done;
}

jpegcore_status decode_plainly(const scan_coding *coding, block_run *run, size_t wanted, scan_bytes from)
{
    const bool has_restarts = coding->scan.restart_interval > 0;
    const size_t in_mcu = (size_t)coding->groups.block_count;
    move_to_front(run);
    for (;;) {
        provide_bytes(run, ENOUGH_BYTES, from);
        const size_t waiting = waiting_blocks(run);
        if (waiting >= wanted) return JPEGCORE_ROW;
        size_t most = wanted - waiting;
        if (has_restarts && run->mcus_to_restart == 0) {
            const jpegcore_status status = pass_restart(coding, run, from);
            if (status != JPEGCORE_ROW) return status;
        }
        const size_t to_restart = (size_t)run->mcus_to_restart * in_mcu - waiting % in_mcu;
        if (has_restarts && to_restart < most) most = to_restart;
        const uint8_t *stop = stop_position(&run->bytes);
        if (run->stream.reader.next >= stop)
            return run->bytes.is_at_marker ? JPEGCORE_IRREGULAR : JPEGCORE_MORE;
        if (!is_between_blocks(&run->stream)) {
            coding->level->step_stream(&run->stream); // to the end of a block of two streams
            if (run->stream.limit == NULL) return JPEGCORE_IRREGULAR;
            continue;
        }
        const int done = decode_next_blocks(coding, run, most, stop);
        if (done < 0 || (run->bytes.is_at_marker && bits_to_marker(run) < 0)) return JPEGCORE_IRREGULAR;
        const size_t now = waiting + (size_t)done;
        if (has_restarts) run->mcus_to_restart -= (int)(now / in_mcu - waiting / in_mcu);
    }
}

// MARK: Samples

const int16_t *predict_group(const scan_coding *coding, block_run *run, int mcu_count)
{
    const int interval = coding->scan.restart_interval, in_mcu = coding->groups.block_count;
    int16_t *const coefficients = run->coefficients + run->first * 64, *block = coefficients;
    for (int mcu = 0; mcu < mcu_count; mcu++) {
        const size_t index = run->transformed / (size_t)in_mcu + (size_t)mcu;
        if (interval > 0 && index % (size_t)interval == 0) memset(run->last_dc, 0, sizeof run->last_dc);
        for (int n = 0; n < in_mcu; n++, block += 64) {
            int *last = &run->last_dc[coding->groups.component[n]];
            *last = (int)((unsigned int)*last + (unsigned int)block[0]);
            block[0] = (int16_t)*last;
        }
    }
    return coefficients;
}

void release_group(const scan_coding *coding, block_run *run, int mcu_count)
{
    const size_t block_count = (size_t)(mcu_count * coding->groups.block_count);
    memset(run->coefficients + run->first * 64, 0, block_count * 64 * sizeof *run->coefficients);
    run->first += block_count;
    run->transformed += block_count;
    run->column += mcu_count;
    if (run->column < coding->scan.mcus_across) return;
    run->row++;
    run->column = 0;
    memcpy(run->row_last_dc, run->last_dc, sizeof run->row_last_dc);
}

bool transform_group(const scan_coding *coding, block_run *run, int mcu_count, const scan_planes *to)
{
    const jpegcore_scan *scan = &coding->scan;
    const int16_t *const coefficients = predict_group(coding, run, mcu_count);
    for (int c = 0; c < scan->component_count; c++) {
        const jpegcore_component *component = &scan->components[c];
        const size_t rows_before =
            (size_t)(run->row - to->row) * (size_t)(component->vertical_factor * component->block_size);
        for (int y = 0; y < component->vertical_factor; y++) {
            const block_row blocks = block_row_at(scan, c, y, run->row, run->column, mcu_count);
            uint8_t *samples =
                to->samples[c] + (rows_before + blocks.sample_y) * to->bytes_per_row[c] + blocks.sample_x;
            if (!coding->level->inverse_transform(
                    component->block_size, coefficients + blocks.first_coefficient, coding->groups.offsets[c],
                    (size_t)blocks.count, &coding->dequantization[c], samples, to->bytes_per_row[c]))
                return false;
        }
    }
    release_group(coding, run, mcu_count);
    return true;
}
