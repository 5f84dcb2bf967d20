#include "decoder.h"
#include <stdlib.h>

static dequantization make_dequantization(const uint16_t steps[64])
{
    dequantization table;
    for (int n = 0; n < 64; n++) {
        table.steps[n] = steps[n];
        table.limits[n] = (uint16_t)((n == 0 ? DC_LIMIT : AC_LIMIT) / (steps[n] > 0 ? steps[n] : 1));
    }
    return table;
}

static bool have_same_codes(const jpegcore_component *a, const jpegcore_component *b)
{
    return memcmp(&a->dc, &b->dc, sizeof a->dc) == 0 && memcmp(&a->ac, &b->ac, sizeof a->ac) == 0;
}

static void prepare(jpegcore_decoder *decoder)
{
    const jpegcore_scan *scan = &decoder->scan;
    const decoding_tables *tables[JPEGCORE_MOST_COMPONENTS];
    for (int c = 0; c < scan->component_count; c++) {
        const jpegcore_component *component = &scan->components[c];
        // Components with the same codes share the tables, so that fewer are in the cache.
        int same = 0;
        while (!have_same_codes(&scan->components[same], component)) same++;
        tables[c] = &decoder->tables[same];
        if (same == c) fill_decoding_tables(&decoder->tables[c], &component->dc, &component->ac);
        decoder->dequantization[c] = make_dequantization(component->quant_table);
    }
    decoder->groups = make_mcu_groups(scan);
    const int count = decoder->groups.block_count;
    decoder->block_count = (size_t)scan->mcus_across * (size_t)scan->mcus_down * (size_t)count;
    for (int n = 0; n < count; n++) {
        const int next = (n + 1) % count;
        decoder->phases[n] = (block_phase) { .tables = tables[decoder->groups.component[n]],
                                             .ac = tables[decoder->groups.component[n]]->ac.entries,
                                             .next_dc = tables[decoder->groups.component[next]]->dc.entries,
                                             .next = &decoder->phases[next] };
    }
    decoder->mcus_to_restart = decoder->row_to_restart = scan->restart_interval;
    decoder->position_count = 1; // the first byte
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

static void destroy(jpegcore_decoder *decoder)
{
    free(decoder->tables);
    free(decoder->coefficients);
    free(decoder->second.coefficients);
    free(decoder);
}

jpegcore_decoder *jpegcore_decoder_create(const jpegcore_scan *scan, const jpegcore_level *level)
{
    jpegcore_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    void *coefficients = NULL;
    const size_t byte_count = (MOST_GROUP_BLOCKS + SPARE_BLOCKS) * 64 * sizeof(int16_t);
    decoder->tables = malloc((size_t)scan->component_count * sizeof *decoder->tables);
    if (decoder->tables == NULL || posix_memalign(&coefficients, 64, byte_count) != 0) {
        destroy(decoder);
        return NULL;
    }
    decoder->coefficients = memset(coefficients, 0, byte_count);
    decoder->level = level;
    decoder->scan = *scan;
    prepare(decoder);
    prepare_speculation(decoder);
    const bit_reader begin = reader_at(&decoder->bytes, 0);
    decoder->stream = make_stream(&begin, decoder->phases, decoder->coefficients);
    return decoder;
}

void jpegcore_decoder_destroy(jpegcore_decoder *decoder)
{
    if (decoder != NULL) destroy(decoder);
}

size_t jpegcore_decoder_consumed(const jpegcore_decoder *decoder) { return decoder->consumed; }

size_t jpegcore_decoder_second_stream_blocks(const jpegcore_decoder *decoder)
{
    return decoder->second.adopted;
}

size_t waiting_blocks(const jpegcore_decoder *decoder)
{
    return (size_t)(decoder->stream.end - decoder->coefficients) / 64 - decoder->first;
}

// MARK: Bytes

const uint8_t *stop_position(const unstuffed_bytes *bytes)
{
    if (bytes->is_at_marker) return bytes->bytes + bytes->count + sizeof(uint64_t);
    return bytes->count <= UNSTUFFED_PADDING ? bytes->bytes : bytes->bytes + bytes->count - UNSTUFFED_PADDING;
}

void provide_bytes(jpegcore_decoder *decoder, size_t wanted, const uint8_t *bytes, size_t count)
{
    unstuffed_bytes *unstuffed = &decoder->bytes;
    const size_t bit = bit_offset(decoder->stream.reader, unstuffed->bytes);
    if (unstuffed->is_at_marker || unstuffed->count >= bit / 8 + wanted) return;
    unstuff(unstuffed, bit / 8, bytes, count);
    decoder->stream.reader = reader_at(unstuffed, bit % 8);
}

// Bits between the position and a marker; negative if data was read that is not there.
static ptrdiff_t bits_to_marker(const jpegcore_decoder *decoder)
{
    const size_t bit = bit_offset(decoder->stream.reader, decoder->bytes.bytes);
    return (ptrdiff_t)(8 * decoder->bytes.count) - (ptrdiff_t)bit;
}

// At the end of an interval (T.81, F.2.2.4).
static jpegcore_status pass_restart(jpegcore_decoder *decoder, const uint8_t *bytes, size_t count)
{
    unstuffed_bytes *unstuffed = &decoder->bytes;
    if (!unstuffed->is_at_marker) return JPEGCORE_MORE;
    if (bits_to_marker(decoder) >= 8 || bytes[unstuffed->source + 1] != 0xD0 + decoder->next_restart)
        return JPEGCORE_IRREGULAR;
    skip_marker(unstuffed);
    unstuff(unstuffed, 0, bytes, count);
    decoder->stream.reader = reader_at(unstuffed, 0);
    decoder->mcus_to_restart = decoder->scan.restart_interval;
    decoder->next_restart = (decoder->next_restart + 1) & 7;
    return JPEGCORE_ROW;
}

// MARK: Blocks

void move_to_front(jpegcore_decoder *decoder)
{
    if (decoder->first == 0) return;
    const size_t distance = decoder->first * 64, count = (waiting_blocks(decoder) + 1) * 64;
    int16_t *const to = decoder->coefficients, *const from = to + distance;
    memmove(to, from, count * sizeof *to);
    int16_t *const rest = to + (count > distance ? count : distance);
    memset(rest, 0, (size_t)(from + count - rest) * sizeof *to);
    decoder->first = 0;
    decoder->stream.last -= distance;
    decoder->stream.end -= distance;
}

// Decodes until `wanted` blocks wait, with one stream.
static jpegcore_status decode_plainly(
    jpegcore_decoder *decoder, size_t wanted, const uint8_t *bytes, size_t count)
{
    const bool has_restarts = decoder->scan.restart_interval > 0;
    const size_t in_mcu = (size_t)decoder->groups.block_count;
    block_stream *stream = &decoder->stream;
    move_to_front(decoder);
    for (;;) {
        provide_bytes(decoder, ENOUGH_BYTES, bytes, count);
        const size_t waiting = waiting_blocks(decoder);
        if (waiting >= wanted) return JPEGCORE_ROW;
        size_t most = wanted - waiting;
        if (has_restarts && decoder->mcus_to_restart == 0) {
            const jpegcore_status status = pass_restart(decoder, bytes, count);
            if (status != JPEGCORE_ROW) return status;
        }
        const size_t to_restart = (size_t)decoder->mcus_to_restart * in_mcu - waiting % in_mcu;
        if (has_restarts && to_restart < most) most = to_restart;
        const uint8_t *stop = stop_position(&decoder->bytes);
        if (stream->reader.next >= stop)
            return decoder->bytes.is_at_marker ? JPEGCORE_IRREGULAR : JPEGCORE_MORE;
        if (!is_between_blocks(stream)) {
            decoder->level->step_stream(stream); // to the end of a block of two streams
            if (stream->limit == NULL) return JPEGCORE_IRREGULAR;
            continue;
        }
        const int done =
            decoder->level->decode_blocks(&stream->reader, stream->phase, stream->end - 63, (int)most, stop);
        if (done < 0 || (decoder->bytes.is_at_marker && bits_to_marker(decoder) < 0))
            return JPEGCORE_IRREGULAR;
        const size_t now = waiting + (size_t)done;
        decoder->mcus_to_restart -= (int)(now / in_mcu - waiting / in_mcu);
        *stream = make_stream(
            &stream->reader, &decoder->phases[now % in_mcu], stream->end - 63 + (size_t)done * 64);
    }
}

jpegcore_status decode_group(jpegcore_decoder *decoder, int *mcu_count, const uint8_t *bytes, size_t count)
{
    const int left = decoder->scan.mcus_across - decoder->column;
    *mcu_count = left < decoder->groups.size ? left : decoder->groups.size;
    const size_t wanted = (size_t)(*mcu_count * decoder->groups.block_count);
    while (waiting_blocks(decoder) < wanted) {
        if (decode_speculatively(decoder, wanted, bytes, count)) continue;
        if (decoder->stream.limit == NULL && decoder->second.is_running) return JPEGCORE_IRREGULAR;
        return decode_plainly(decoder, wanted, bytes, count);
    }
    return JPEGCORE_ROW;
}

const int16_t *predict_group(jpegcore_decoder *decoder, int mcu_count)
{
    const int interval = decoder->scan.restart_interval, in_mcu = decoder->groups.block_count;
    int16_t *const coefficients = decoder->coefficients + decoder->first * 64, *block = coefficients;
    for (int mcu = 0; mcu < mcu_count; mcu++) {
        const size_t index = decoder->transformed / (size_t)in_mcu + (size_t)mcu;
        if (interval > 0 && index % (size_t)interval == 0)
            memset(decoder->last_dc, 0, sizeof decoder->last_dc);
        for (int n = 0; n < in_mcu; n++, block += 64) {
            int *last = &decoder->last_dc[decoder->groups.component[n]];
            *last = (int)((unsigned int)*last + (unsigned int)block[0]);
            block[0] = (int16_t)*last;
        }
    }
    return coefficients;
}

void release_group(jpegcore_decoder *decoder, int mcu_count)
{
    const size_t block_count = (size_t)(mcu_count * decoder->groups.block_count);
    memset(decoder->coefficients + decoder->first * 64, 0, block_count * 64 * sizeof(int16_t));
    decoder->first += block_count;
    decoder->transformed += block_count;
    decoder->column += mcu_count;
}

// Transforms the MCUs that wait first. Returns false if their coefficients are too large.
static bool transform_group(
    jpegcore_decoder *decoder, int mcu_count, uint8_t *const planes[], const size_t bytes_per_row[])
{
    const jpegcore_scan *scan = &decoder->scan;
    const int16_t *const coefficients = predict_group(decoder, mcu_count);
    for (int c = 0; c < scan->component_count; c++) {
        for (int y = 0; y < scan->components[c].vertical_factor; y++) {
            const block_row blocks = block_row_at(scan, c, y, decoder->row, decoder->column, mcu_count);
            uint8_t *samples = planes[c] + blocks.sample_y * bytes_per_row[c] + blocks.sample_x;
            if (!decoder->level->inverse_transform(
                    scan->components[c].block_size, coefficients + blocks.first_coefficient,
                    decoder->groups.offsets[c], (size_t)blocks.count, &decoder->dequantization[c], samples,
                    bytes_per_row[c]))
                return false;
        }
    }
    release_group(decoder, mcu_count);
    return true;
}

// MARK: Rows

void remember_position(jpegcore_decoder *decoder)
{
    const size_t bit = bit_offset(decoder->stream.reader, decoder->bytes.bytes);
    const block_position position = { .block = decoder->transformed + waiting_blocks(decoder),
                                      .offset = source_offset(&decoder->bytes, bit / 8),
                                      .bit = (int)(bit % 8) };
    // The last one is of use only if it lies behind this row.
    const size_t row_end =
        (size_t)(decoder->row + 1) * (size_t)decoder->scan.mcus_across * (size_t)decoder->groups.block_count;
    const bool replaces = decoder->position_count == MOST_POSITIONS
        || (decoder->position_count > 1 && position.block <= row_end);
    decoder->positions[replaces ? decoder->position_count - 1 : decoder->position_count++] = position;
}

void end_row(jpegcore_decoder *decoder)
{
    if (waiting_blocks(decoder) == 0 && is_between_blocks(&decoder->stream)) remember_position(decoder);
    int passed = 0;
    while (passed + 1 < decoder->position_count
           && decoder->positions[passed + 1].block <= decoder->transformed)
        passed++;
    decoder->position_count -= passed;
    memmove(
        decoder->positions, decoder->positions + passed,
        (size_t)decoder->position_count * sizeof *decoder->positions);
    decoder->consumed = decoder->positions[0].offset;
    rebase(&decoder->bytes, decoder->consumed);
    for (int n = 0; n < decoder->position_count; n++) decoder->positions[n].offset -= decoder->consumed;
    decoder->row++;
    decoder->column = 0;
    decoder->row_to_restart = decoder->mcus_to_restart;
    decoder->row_next_restart = decoder->next_restart;
    memcpy(decoder->row_last_dc, decoder->last_dc, sizeof decoder->row_last_dc);
}

jpegcore_status jpegcore_decoder_read_row(
    jpegcore_decoder *decoder, const uint8_t *bytes, size_t count, uint8_t *const planes[],
    const size_t bytes_per_row[])
{
    while (decoder->column < decoder->scan.mcus_across) {
        int mcu_count;
        const jpegcore_status status = decode_group(decoder, &mcu_count, bytes, count);
        if (status != JPEGCORE_ROW) return status;
        if (!transform_group(decoder, mcu_count, planes, bytes_per_row)) return JPEGCORE_IRREGULAR;
    }
    end_row(decoder);
    return JPEGCORE_ROW;
}

jpegcore_checkpoint jpegcore_decoder_checkpoint(jpegcore_decoder *decoder, const uint8_t *bytes, size_t count)
{
    block_position at = decoder->positions[0];
    const size_t row_begin =
        (size_t)decoder->row * (size_t)decoder->scan.mcus_across * (size_t)decoder->groups.block_count;
    if (at.block < row_begin) {
        // Two streams have passed the row's begin: one decodes again, from the last position that is known.
        int16_t block[(1 + SPARE_BLOCKS) * 64];
        unstuffed_bytes *unstuffed = &decoder->bytes;
        *unstuffed = (unstuffed_bytes) { .source = at.offset, .known_source = at.offset };
        unstuff(unstuffed, 0, bytes, count);
        decoder->stream.reader = reader_at(unstuffed, (size_t)at.bit);
        for (; at.block < row_begin; at.block++) {
            provide_bytes(decoder, ENOUGH_BYTES, bytes, count);
            const block_phase *phase = &decoder->phases[at.block % (size_t)decoder->groups.block_count];
            decoder->level->decode_blocks(&decoder->stream.reader, phase, block, 1, stop_position(unstuffed));
        }
        const size_t bit = bit_offset(decoder->stream.reader, unstuffed->bytes);
        at.offset = source_offset(unstuffed, bit / 8);
        at.bit = (int)(bit % 8);
    }
    jpegcore_checkpoint checkpoint = { .row = decoder->row,
                                       .offset = at.offset,
                                       .bit = at.bit,
                                       .mcus_to_restart = decoder->row_to_restart,
                                       .next_restart = decoder->row_next_restart };
    memcpy(checkpoint.last_dc, decoder->row_last_dc, sizeof checkpoint.last_dc);
    return checkpoint;
}
