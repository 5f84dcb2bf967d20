#include "decoder.h"
#include <assert.h>
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

static void prepare(scan_coding *coding)
{
    const jpegcore_scan *scan = &coding->scan;
    const decoding_tables *tables[JPEGCORE_MOST_COMPONENTS];
    for (int c = 0; c < scan->component_count; c++) {
        const jpegcore_component *component = &scan->components[c];
        // Components with the same codes share the tables, so that fewer are in the cache.
        int same = 0;
        while (!have_same_codes(&scan->components[same], component)) same++;
        tables[c] = &coding->tables[same];
        if (same == c) fill_decoding_tables(&coding->tables[c], &component->dc, &component->ac);
        coding->dequantization[c] = make_dequantization(component->quant_table);
    }
    coding->groups = make_mcu_groups(scan);
    const int count = coding->groups.block_count;
    coding->block_count = (size_t)scan->mcus_across * (size_t)scan->mcus_down * (size_t)count;
    for (int n = 0; n < count; n++) {
        const int next = (n + 1) % count;
        coding->phases[n] = (block_phase) { .tables = tables[coding->groups.component[n]],
                                            .ac = tables[coding->groups.component[n]]->ac.entries,
                                            .next_dc = tables[coding->groups.component[next]]->dc.entries,
                                            .next = &coding->phases[next] };
    }
}

static void destroy(jpegcore_decoder *decoder)
{
    give_up_segments(decoder);
    free(decoder->coding.tables);
    free_blocks(decoder->run.coefficients);
    free_blocks(decoder->second.coefficients);
    free(decoder);
}

jpegcore_decoder *jpegcore_decoder_create(const jpegcore_scan *scan, const jpegcore_level *level)
{
    jpegcore_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    decoder->coding.tables = malloc((size_t)scan->component_count * sizeof *decoder->coding.tables);
    decoder->run.coefficients = zeroed_blocks(MOST_GROUP_BLOCKS + SPARE_BLOCKS);
    if (decoder->coding.tables == NULL || decoder->run.coefficients == NULL) {
        destroy(decoder);
        return NULL;
    }
    decoder->coding.level = level;
    decoder->coding.scan = *scan;
    prepare(&decoder->coding);
    prepare_speculation(decoder);
    const block_position begin = { .mcus_to_restart = scan->restart_interval };
    go_to_position(&decoder->coding, &decoder->run, &begin);
    remember_position(decoder, begin);
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

// MARK: Rows

void remember_position(jpegcore_decoder *decoder, block_position position)
{
    // The last one is of use only if it lies behind this row.
    const size_t row_end = blocks_before_row(&decoder->coding, decoder->row + 1);
    const bool replaces = decoder->position_count == MOST_POSITIONS
        || (decoder->position_count > 1 && position.block <= row_end);
    decoder->positions[replaces ? decoder->position_count - 1 : decoder->position_count++] = position;
}

size_t end_row(jpegcore_decoder *decoder)
{
    block_run *run = &decoder->run;
    const size_t row_end = blocks_before_row(&decoder->coding, decoder->row + 1);
    if (next_block(run) == row_end && is_between_blocks(&run->stream))
        remember_position(decoder, position_of(run));
    int passed = 0;
    while (passed + 1 < decoder->position_count && decoder->positions[passed + 1].block <= row_end) passed++;
    decoder->position_count -= passed;
    memmove(
        decoder->positions, decoder->positions + passed,
        (size_t)decoder->position_count * sizeof *decoder->positions);
    const size_t consumed = decoder->positions[0].offset;
    rebase(&run->bytes, consumed);
    for (int n = 0; n < decoder->position_count; n++) decoder->positions[n].offset -= consumed;
    decoder->row++;
    return consumed;
}

// The row of the next MCU to transform.
static int row_to_transform(const jpegcore_decoder *decoder)
{
    const block_run *segment = waiting_segment(decoder);
    return segment != NULL ? segment->row : decoder->run.row;
}

jpegcore_status decode_group(jpegcore_decoder *decoder, scan_bytes from, int *mcu_count)
{
    const scan_coding *coding = &decoder->coding;
    block_run *run = &decoder->run;
    const int left = coding->scan.mcus_across - run->column;
    *mcu_count = left < coding->groups.size ? left : coding->groups.size;
    const size_t wanted = (size_t)(*mcu_count * coding->groups.block_count);
    const bool is_last = can_decode_segments(decoder, from);
    while (waiting_blocks(run) < wanted) {
        if (decode_speculatively(decoder, wanted, from, is_last)) continue;
        if (run->stream.limit == NULL && decoder->second.is_running) return JPEGCORE_IRREGULAR;
        const jpegcore_status status = decode_plainly(coding, run, wanted, from);
        if (status != JPEGCORE_ROW) return status;
    }
    return JPEGCORE_ROW;
}

// Decodes and transforms a group of MCUs in one thread.
static jpegcore_status read_group(jpegcore_decoder *decoder, scan_bytes from, const scan_planes *to)
{
    block_run *run = &decoder->run;
    int mcu_count;
    const jpegcore_status status = decode_group(decoder, from, &mcu_count);
    if (status != JPEGCORE_ROW) return status;
    if (!transform_group(&decoder->coding, run, mcu_count, to)) return JPEGCORE_IRREGULAR;
    if (run->column == 0) memcpy(decoder->row_last_dc, run->last_dc, sizeof decoder->row_last_dc);
    return JPEGCORE_ROW;
}

// Decodes blocks again, up to one of the scan that begins an MCU.
static void skip_blocks(jpegcore_decoder *decoder, size_t end, scan_bytes from)
{
    const scan_coding *coding = &decoder->coding;
    block_run *run = &decoder->run;
    const size_t most = (size_t)(coding->groups.size * coding->groups.block_count);
    while (run->transformed < end) {
        const size_t left = end - run->transformed, wanted = left < most ? left : most;
        // The last blocks before the bytes' end are known to be there.
        if (decode_plainly(coding, run, wanted, from) != JPEGCORE_ROW)
            decode_next_blocks(
                coding, run, wanted - waiting_blocks(run), run->bytes.bytes + run->bytes.count);
        assert(waiting_blocks(run) == wanted);
        memset(run->coefficients, 0, wanted * 64 * sizeof *run->coefficients);
        run->first += wanted;
        run->transformed += wanted;
    }
    move_to_front(run);
}

// Goes back to the current row's begin, where one thread decodes again.
static void leave_segments(jpegcore_decoder *decoder, scan_bytes from)
{
    const jpegcore_checkpoint at = jpegcore_decoder_checkpoint(decoder, from.bytes, from.count);
    const block_position position = { .block = blocks_before_row(&decoder->coding, at.row),
                                      .offset = at.offset,
                                      .bit = at.bit,
                                      .mcus_to_restart = at.mcus_to_restart,
                                      .next_restart = at.next_restart };
    block_run *run = &decoder->run;
    go_to_position(&decoder->coding, run, &position);
    memcpy(run->last_dc, at.last_dc, sizeof run->last_dc);
    decoder->positions[0] = position;
    decoder->position_count = 1;
    give_up_segments(decoder);
}

// Decodes what is left of the rows before `end_row`, or a part of it.
static jpegcore_status read_further(
    jpegcore_decoder *decoder, int end_row, scan_bytes from, const scan_planes *to)
{
    if (decoder->window.count == 0 && !decode_segments(decoder, from)) return read_group(decoder, from, to);
    if (!transform_segments(decoder, end_row, to)) leave_segments(decoder, from);
    return JPEGCORE_ROW;
}

jpegcore_status jpegcore_decoder_read_rows(
    jpegcore_decoder *decoder, const uint8_t *bytes, size_t count, uint8_t *const planes[],
    const size_t bytes_per_row[], int row_count, int *read_count)
{
    scan_bytes from = { bytes, count };
    scan_planes to = { .row = decoder->row };
    memcpy(to.samples, planes, (size_t)decoder->coding.scan.component_count * sizeof *planes);
    memcpy(
        to.bytes_per_row, bytes_per_row,
        (size_t)decoder->coding.scan.component_count * sizeof *bytes_per_row);
    const int end = decoder->row + row_count;
    jpegcore_status status = JPEGCORE_ROW;
    decoder->consumed = 0;
    while (status == JPEGCORE_ROW && decoder->row < end) {
        status = read_further(decoder, end, from, &to);
        while (status == JPEGCORE_ROW && decoder->row < row_to_transform(decoder)) {
            const size_t consumed = end_row(decoder);
            from.bytes += consumed;
            from.count -= consumed;
            decoder->consumed += consumed;
        }
    }
    *read_count = decoder->row - to.row;
    return status;
}

jpegcore_status jpegcore_decoder_read_row(
    jpegcore_decoder *decoder, const uint8_t *bytes, size_t count, uint8_t *const planes[],
    const size_t bytes_per_row[])
{
    int read_count;
    return jpegcore_decoder_read_rows(decoder, bytes, count, planes, bytes_per_row, 1, &read_count);
}

jpegcore_checkpoint jpegcore_decoder_checkpoint(jpegcore_decoder *decoder, const uint8_t *bytes, size_t count)
{
    block_position at = decoder->positions[0];
    const size_t row_begin = blocks_before_row(&decoder->coding, decoder->row);
    if (at.block < row_begin) {
        // The row's begin was passed: one stream decodes again, from the last position that is known.
        go_to_position(&decoder->coding, &decoder->run, &at);
        skip_blocks(decoder, row_begin, (scan_bytes) { bytes, count });
        at = position_of(&decoder->run);
    }
    jpegcore_checkpoint checkpoint = { .row = decoder->row,
                                       .offset = at.offset,
                                       .bit = at.bit,
                                       .mcus_to_restart = at.mcus_to_restart,
                                       .next_restart = at.next_restart };
    memcpy(checkpoint.last_dc, decoder->row_last_dc, sizeof checkpoint.last_dc);
    return checkpoint;
}
