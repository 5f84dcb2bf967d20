#include "level.h"
#include "mcu_groups.h"
#include "unstuffing.h"
#include "zigzag.h"
#include <stdlib.h>

// A decoder may store zeros, or a symbol that it takes back, behind the last block.
enum { SPARE_BLOCKS = 3 };

struct jpegcore_decoder {
    const jpegcore_level *level;
    jpegcore_scan scan;
    mcu_layout layout;
    dequantization dequantization[JPEGCORE_MOST_COMPONENTS];
    mcu_groups groups;

    jpegcore_checkpoint checkpoint;
    size_t consumed;
    // The position.
    unstuffed_bytes bytes;
    bit_reader reader;
    int last_dc[JPEGCORE_MOST_COMPONENTS];
    int mcus_to_restart, next_restart;
    int column;              // MCUs of the row that are in the planes
    int group_count;         // further MCUs that are decoded
    decoding_tables *tables; // one for each component
    _Alignas(64) int16_t coefficients[(MOST_GROUP_BLOCKS + SPARE_BLOCKS) * 64];
};

static void seek(jpegcore_decoder *decoder, size_t byte, size_t bit)
{
    decoder->reader = drop(refill((bit_reader) { 0, 0, decoder->bytes.bytes + byte }), bit);
}

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
    decoder->layout.block_count = decoder->groups.block_count;
    for (int n = 0; n < decoder->groups.block_count; n++) {
        decoder->layout.component[n] = decoder->groups.component[n];
        decoder->layout.tables[n] = tables[decoder->groups.component[n]];
    }
}

jpegcore_decoder *jpegcore_decoder_create(const jpegcore_scan *scan, const jpegcore_level *level)
{
    jpegcore_decoder *decoder = NULL;
    if (posix_memalign((void **)&decoder, 64, sizeof *decoder) != 0) return NULL;
    memset(decoder, 0, sizeof *decoder);
    decoder->tables = malloc((size_t)scan->component_count * sizeof *decoder->tables);
    if (decoder->tables == NULL) {
        free(decoder);
        return NULL;
    }
    decoder->level = level;
    decoder->scan = *scan;
    decoder->mcus_to_restart = scan->restart_interval;
    decoder->checkpoint.mcus_to_restart = scan->restart_interval;
    prepare(decoder);
    seek(decoder, 0, 0);
    return decoder;
}

void jpegcore_decoder_destroy(jpegcore_decoder *decoder)
{
    if (decoder != NULL) free(decoder->tables);
    free(decoder);
}

size_t jpegcore_decoder_consumed(const jpegcore_decoder *decoder) { return decoder->consumed; }

const jpegcore_checkpoint *jpegcore_decoder_checkpoint(const jpegcore_decoder *decoder)
{
    return &decoder->checkpoint;
}

// Bits between the position and a marker; negative if data was read that is not there.
static ptrdiff_t bits_to_marker(const jpegcore_decoder *decoder)
{
    return (ptrdiff_t)(8 * decoder->bytes.count)
        - (ptrdiff_t)bit_offset(decoder->reader, decoder->bytes.bytes);
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
    seek(decoder, 0, 0);
    memset(decoder->last_dc, 0, sizeof decoder->last_dc);
    decoder->mcus_to_restart = decoder->scan.restart_interval;
    decoder->next_restart = (decoder->next_restart + 1) & 7;
    return JPEGCORE_ROW;
}

// The position up to which MCUs can be decoded without more bytes.
static const uint8_t *stop_position(const jpegcore_decoder *decoder)
{
    const unstuffed_bytes *bytes = &decoder->bytes;
    if (bytes->is_at_marker) return bytes->bytes + bytes->count + sizeof(uint64_t);
    return bytes->count <= UNSTUFFED_PADDING ? bytes->bytes : bytes->bytes + bytes->count - UNSTUFFED_PADDING;
}

static void provide_bytes(jpegcore_decoder *decoder, const uint8_t *bytes, size_t count)
{
    if (decoder->bytes.is_at_marker || decoder->reader.next < stop_position(decoder)) return;
    const size_t bit = bit_offset(decoder->reader, decoder->bytes.bytes);
    unstuff(&decoder->bytes, bit / 8, bytes, count);
    seek(decoder, 0, bit % 8);
}

// Decodes MCUs of the group, until `group_count` is `wanted`.
static jpegcore_status decode_group(jpegcore_decoder *decoder, int wanted, const uint8_t *bytes, size_t count)
{
    const bool has_restarts = decoder->scan.restart_interval > 0;
    while (decoder->group_count < wanted) {
        int most = wanted - decoder->group_count;
        provide_bytes(decoder, bytes, count);
        if (has_restarts && decoder->mcus_to_restart == 0) {
            const jpegcore_status status = pass_restart(decoder, bytes, count);
            if (status != JPEGCORE_ROW) return status;
        }
        if (has_restarts && decoder->mcus_to_restart < most) most = decoder->mcus_to_restart;
        const uint8_t *stop = stop_position(decoder);
        if (decoder->reader.next >= stop)
            return decoder->bytes.is_at_marker ? JPEGCORE_IRREGULAR : JPEGCORE_MORE;
        const int done = decoder->level->decode_mcus(
            &decoder->reader, &decoder->layout, decoder->last_dc,
            decoder->coefficients + decoder->group_count * decoder->layout.block_count * 64, most, stop);
        if (done < 0 || (decoder->bytes.is_at_marker && bits_to_marker(decoder) < 0))
            return JPEGCORE_IRREGULAR;
        decoder->group_count += done;
        decoder->mcus_to_restart -= done;
    }
    return JPEGCORE_ROW;
}

static bool transform_group(
    const jpegcore_decoder *decoder, uint8_t *const planes[], const size_t bytes_per_row[])
{
    const jpegcore_scan *scan = &decoder->scan;
    for (int c = 0; c < scan->component_count; c++) {
        for (int y = 0; y < scan->components[c].vertical_factor; y++) {
            const block_row blocks =
                block_row_at(scan, c, y, decoder->checkpoint.row, decoder->column, decoder->group_count);
            uint8_t *samples = planes[c] + blocks.sample_y * bytes_per_row[c] + blocks.sample_x;
            if (!decoder->level->inverse_transform(
                    decoder->coefficients + blocks.first_coefficient, decoder->groups.offsets[c],
                    (size_t)blocks.count, &decoder->dequantization[c], samples, bytes_per_row[c]))
                return false;
        }
    }
    return true;
}

static void move_checkpoint(jpegcore_decoder *decoder)
{
    jpegcore_checkpoint *checkpoint = &decoder->checkpoint;
    const size_t bit = bit_offset(decoder->reader, decoder->bytes.bytes);
    decoder->consumed = source_offset(&decoder->bytes, bit / 8);
    rebase(&decoder->bytes, decoder->consumed);
    decoder->column = 0;
    checkpoint->row++;
    checkpoint->bit = (int)(bit % 8);
    checkpoint->mcus_to_restart = decoder->mcus_to_restart;
    checkpoint->next_restart = decoder->next_restart;
    memcpy(checkpoint->last_dc, decoder->last_dc, sizeof checkpoint->last_dc);
}

jpegcore_status jpegcore_decoder_read_row(
    jpegcore_decoder *decoder, const uint8_t *bytes, size_t count, uint8_t *const planes[],
    const size_t bytes_per_row[])
{
    while (decoder->column < decoder->scan.mcus_across) {
        const int left = decoder->scan.mcus_across - decoder->column;
        const int wanted = left < decoder->groups.size ? left : decoder->groups.size;
        if (decoder->group_count == 0)
            memset(
                decoder->coefficients, 0,
                sizeof(int16_t) * 64 * (size_t)(wanted * decoder->layout.block_count + SPARE_BLOCKS));
        const jpegcore_status status = decode_group(decoder, wanted, bytes, count);
        if (status != JPEGCORE_ROW) return status;
        if (!transform_group(decoder, planes, bytes_per_row)) return JPEGCORE_IRREGULAR;
        decoder->column += decoder->group_count;
        decoder->group_count = 0;
    }
    move_checkpoint(decoder);
    return JPEGCORE_ROW;
}
