#include "decoder.h"
#include "stuffing.h"
#include <stdlib.h>

// Bits are stuffed and written when they exceed this, which the first-level cache holds.
enum { PIECE_SIZE = 16 * 1024 };
enum { MOST_PIECE_BYTES = PIECE_SIZE + MOST_GROUP_BLOCKS * MOST_CODED_BLOCK_BYTES + 8 };

struct jpegcore_encoder {
    const jpegcore_level *level;
    jpegcore_scan scan;
    mcu_groups groups;
    quantization quantization[JPEGCORE_MOST_COMPONENTS];
    encoding_table table;
    uint8_t components[MOST_GROUP_BLOCKS]; // of each block in a group
    jpegcore_write write;
    void *context;
    jpegcore_symbol_counts *counts; // NULL if they are not wanted

    int row;
    int last_dc[JPEGCORE_MOST_COMPONENTS];
    bit_writer writer;
    int16_t *coefficients; // of a group
    uint8_t *piece;        // MOST_PIECE_BYTES
    uint8_t *stuffed;      // twice as many
};

// Samples' transform is scaled by 8, and so are the steps. Granlund and Montgomery, "Division by invariant integers
// using multiplication", 1994.
static quantization make_quantization(const uint16_t steps[64])
{
    quantization table;
    for (int n = 0; n < 64; n++) {
        const uint32_t divisor = (uint32_t)steps[n] * 8;
        uint32_t shift = 16 + 31 - (uint32_t)__builtin_clz(divisor);
        uint32_t reciprocal = (uint32_t)(((uint64_t)1 << shift) / divisor);
        const uint32_t rest = (uint32_t)(((uint64_t)1 << shift) % divisor);
        uint32_t correction = divisor / 2; // rounds
        if (rest == 0) {
            // A power of two: one bit too large.
            reciprocal /= 2;
            shift--;
        } else if (rest <= divisor / 2) {
            correction++;
        } else {
            reciprocal++;
        }
        table.reciprocals[n] = (uint16_t)reciprocal;
        table.corrections[n] = (uint16_t)correction;
        table.scales[n] = (uint16_t)(1 << (32 - shift));
    }
    return table;
}

static void prepare(jpegcore_encoder *encoder)
{
    encoder->groups = make_mcu_groups(&encoder->scan);
    fill_zigzag_masks(&encoder->table);
    for (int c = 0; c < encoder->scan.component_count; c++) {
        const jpegcore_component *component = &encoder->scan.components[c];
        encoder->quantization[c] = make_quantization(component->quant_table);
        fill_encoding_table(&encoder->table, c, &component->dc, &component->ac);
    }
    for (int n = 0; n < encoder->groups.size * encoder->groups.block_count; n++)
        encoder->components[n] = encoder->groups.component[n % encoder->groups.block_count];
}

jpegcore_encoder *jpegcore_encoder_create(
    const jpegcore_scan *scan, const jpegcore_level *level, jpegcore_write write, void *context)
{
    jpegcore_encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL) return NULL;
    encoder->coefficients = zeroed_blocks(MOST_GROUP_BLOCKS);
    encoder->piece = malloc(MOST_PIECE_BYTES);
    encoder->stuffed = malloc(2 * MOST_PIECE_BYTES);
    if (encoder->coefficients == NULL || encoder->piece == NULL || encoder->stuffed == NULL) {
        jpegcore_encoder_destroy(encoder);
        return NULL;
    }
    encoder->level = level;
    encoder->scan = *scan;
    encoder->write = write;
    encoder->context = context;
    encoder->writer = (bit_writer) { 0, 0, encoder->piece };
    prepare(encoder);
    return encoder;
}

void jpegcore_encoder_destroy(jpegcore_encoder *encoder)
{
    if (encoder == NULL) return;
    free_blocks(encoder->coefficients);
    free(encoder->piece);
    free(encoder->stuffed);
    free(encoder);
}

// Writes the whole bytes of the piece.
static void write_piece(jpegcore_encoder *encoder)
{
    const size_t count =
        stuff(encoder->piece, (size_t)(encoder->writer.next - encoder->piece), encoder->stuffed);
    encoder->writer.next = encoder->piece;
    encoder->write(encoder->context, encoder->stuffed, count);
}

// Blocks of an MCU without samples get the DC coefficient of the block before them in the scan's row of blocks, or
// of the last block above: their difference is 0 then.
static void fill_dummy_blocks(jpegcore_encoder *encoder, int column, int mcu)
{
    int16_t *block = encoder->coefficients + mcu * encoder->groups.block_count * 64;
    for (int c = 0; c < encoder->scan.component_count; c++) {
        const int across = encoder->scan.components[c].horizontal_factor;
        for (int y = 0; y < encoder->scan.components[c].vertical_factor; y++) {
            const int count = block_row_at(&encoder->scan, c, y, encoder->row, column + mcu, 1).count;
            for (int x = 0; x < across; x++, block += 64) {
                if (x < count) continue;
                memset(block, 0, 64 * sizeof *block);
                block[0] = block[-64];
            }
        }
    }
}

static void transform_samples(
    jpegcore_encoder *encoder, int column, int mcu_count, const uint8_t *const planes[],
    const size_t bytes_per_row[])
{
    const jpegcore_scan *scan = &encoder->scan;
    for (int c = 0; c < scan->component_count; c++) {
        for (int y = 0; y < scan->components[c].vertical_factor; y++) {
            const block_row blocks = block_row_at(scan, c, y, encoder->row, column, mcu_count);
            const uint8_t *samples = planes[c] + blocks.sample_y * bytes_per_row[c] + blocks.sample_x;
            encoder->level->forward_transform(
                samples, bytes_per_row[c], (size_t)blocks.count, &encoder->quantization[c],
                encoder->coefficients + blocks.first_coefficient, encoder->groups.offsets[c]);
        }
    }
    const bool is_last_row = encoder->row == scan->mcus_down - 1;
    for (int mcu = 0; mcu < mcu_count; mcu++)
        if (is_last_row || column + mcu == scan->mcus_across - 1) fill_dummy_blocks(encoder, column, mcu);
}

void jpegcore_encoder_count_symbols(jpegcore_encoder *encoder, jpegcore_symbol_counts counts[])
{
    encoder->counts = counts;
}

// Ones fill the last byte (T.81, F.1.2.3).
static void fill_last_byte(jpegcore_encoder *encoder)
{
    const uint64_t free_bits = (8 - encoder->writer.count) % 8;
    encoder->writer = put(encoder->writer, ((uint64_t)1 << free_bits) - 1, free_bits);
}

// Writes RSTn where an interval ends and another one begins (T.81, F.1.1.5.2).
static void begin_row(jpegcore_encoder *encoder)
{
    const int rows = encoder->scan.restart_interval / encoder->scan.mcus_across;
    if (rows == 0 || encoder->row == 0 || encoder->row % rows != 0) return;
    fill_last_byte(encoder);
    write_piece(encoder);
    const uint8_t marker[] = { 0xFF, (uint8_t)(0xD0 | ((encoder->row / rows - 1) & 7)) };
    encoder->write(encoder->context, marker, sizeof marker);
    memset(encoder->last_dc, 0, sizeof encoder->last_dc);
}

// Codes the blocks of a group of MCUs.
static void encode_group(jpegcore_encoder *encoder, const int16_t *coefficients, int mcu_count)
{
    const int count = mcu_count * encoder->groups.block_count;
    if (encoder->counts != NULL)
        encoder->level->count_symbols(
            encoder->counts, &encoder->table, encoder->components, encoder->last_dc, coefficients, count);
    encoder->writer = encoder->level->encode_blocks(
        encoder->writer, &encoder->table, encoder->components, encoder->last_dc, coefficients, count);
    if (encoder->writer.next >= encoder->piece + PIECE_SIZE) write_piece(encoder);
}

void jpegcore_encoder_write_row(
    jpegcore_encoder *encoder, const uint8_t *const planes[], const size_t bytes_per_row[])
{
    begin_row(encoder);
    for (int column = 0; column < encoder->scan.mcus_across; column += encoder->groups.size) {
        const int left = encoder->scan.mcus_across - column;
        const int mcu_count = left < encoder->groups.size ? left : encoder->groups.size;
        transform_samples(encoder, column, mcu_count, planes, bytes_per_row);
        encode_group(encoder, encoder->coefficients, mcu_count);
    }
    encoder->row++;
}

jpegcore_status jpegcore_encoder_transcode_row(
    jpegcore_encoder *encoder, jpegcore_decoder *from, const uint8_t *bytes, size_t count)
{
    const int row = from->run.row;
    from->consumed = 0;
    while (from->run.row == row) {
        int mcu_count;
        const jpegcore_status status = decode_group(from, (scan_bytes) { bytes, count }, &mcu_count);
        if (status != JPEGCORE_ROW) return status;
        if (from->run.column == 0) begin_row(encoder);
        encode_group(encoder, predict_group(&from->coding, &from->run, mcu_count), mcu_count);
        release_group(&from->coding, &from->run, mcu_count);
    }
    from->consumed = end_row(from);
    encoder->row++;
    return JPEGCORE_ROW;
}

void jpegcore_encoder_finish(jpegcore_encoder *encoder)
{
    fill_last_byte(encoder);
    write_piece(encoder);
}
