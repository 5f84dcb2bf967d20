#include "photo.h"
#include "zigzag.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *path, const char *problem)
{
    fprintf(stderr, "error: %s: %s.\n", path, problem);
    exit(1);
}

void *allocate(size_t count)
{
    void *memory = calloc(count, 1);
    if (memory == NULL) fail("memory", "there is none left");
    return memory;
}

static void read_file(const char *path, photo *into)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail(path, "it cannot be opened");
    fseek(file, 0, SEEK_END);
    into->count = (size_t)ftell(file);
    rewind(file);
    into->bytes = allocate(into->count);
    if (fread(into->bytes, 1, into->count, file) != into->count) fail(path, "it cannot be read");
    fclose(file);
}

static int word(const uint8_t *at) { return at[0] << 8 | at[1]; }

// What the markers name until the scan's header binds it to components.
typedef struct tables {
    uint16_t quant[4][64];
    jpegcore_huffman_table huffman[2][4];
    int ids[3], quant_numbers[3];
} tables;

static void read_quant_tables(const uint8_t *at, const uint8_t *end, tables *into)
{
    for (; at < end; at += 65)
        for (int n = 0; n < 64; n++) into->quant[at[0] & 3][zigzag_to_rows[n]] = at[1 + n];
}

static void read_huffman_tables(const uint8_t *at, const uint8_t *end, tables *into)
{
    while (at < end) {
        jpegcore_huffman_table *table = &into->huffman[at[0] >> 4 & 1][at[0] & 3];
        int symbols = 0;
        for (int length = 1; length <= 16; length++) symbols += table->counts[length] = at[length];
        memcpy(table->symbols, at + 17, (size_t)symbols);
        at += 17 + symbols;
    }
}

static int divided(int value, int by) { return (value + by - 1) / by; }

static void read_frame(const char *path, const uint8_t *at, photo *into, tables *with)
{
    jpegcore_scan *scan = &into->scan;
    int most_across = 1, most_down = 1;
    into->height = word(at + 1);
    into->width = word(at + 3);
    scan->component_count = at[5];
    if (at[0] != 8 || (at[5] != 1 && at[5] != 3)) fail(path, "it is neither grey nor YCbCr of 8 bits");
    for (int c = 0; c < at[5]; c++) {
        const uint8_t *from = at + 6 + 3 * c;
        jpegcore_component *component = &scan->components[c];
        with->ids[c] = from[0];
        with->quant_numbers[c] = from[2] & 3;
        component->horizontal_factor = at[5] == 1 ? 1 : from[1] >> 4;
        component->vertical_factor = at[5] == 1 ? 1 : from[1] & 15;
        if (component->horizontal_factor > most_across) most_across = component->horizontal_factor;
        if (component->vertical_factor > most_down) most_down = component->vertical_factor;
    }
    for (int c = 0; c < at[5]; c++) {
        jpegcore_component *component = &scan->components[c];
        component->blocks_across =
            divided(divided(into->width * component->horizontal_factor, most_across), 8);
        component->blocks_down = divided(divided(into->height * component->vertical_factor, most_down), 8);
    }
    scan->mcus_across = divided(into->width, 8 * most_across);
    scan->mcus_down = divided(into->height, 8 * most_down);
}

static void read_scan(const char *path, const uint8_t *at, photo *into, const tables *with)
{
    if (at[0] != into->scan.component_count) fail(path, "it has several scans");
    for (int c = 0; c < at[0]; c++) {
        jpegcore_component *component = &into->scan.components[c];
        const uint8_t numbers = at[2 + 2 * c];
        if (at[1 + 2 * c] != with->ids[c]) fail(path, "its components are not in order");
        component->dc = with->huffman[0][numbers >> 4 & 3];
        component->ac = with->huffman[1][numbers & 3];
        memcpy(component->quant_table, with->quant[with->quant_numbers[c]], sizeof component->quant_table);
    }
}

photo read_photo(const char *path)
{
    photo read = { 0 };
    tables with = { 0 };
    read_file(path, &read);
    for (size_t at = 2; at + 4 <= read.count;) {
        const uint8_t marker = read.bytes[at + 1], *segment = read.bytes + at + 4;
        const size_t length = (size_t)word(read.bytes + at + 2);
        if (read.bytes[at] != 0xff || at + 2 + length > read.count) fail(path, "its markers are damaged");
        const uint8_t *end = read.bytes + at + 2 + length;
        at += 2 + length;
        switch (marker) {
        case 0xdb: read_quant_tables(segment, end, &with); break;
        case 0xc4: read_huffman_tables(segment, end, &with); break;
        case 0xc0: read_frame(path, segment, &read, &with); break;
        case 0xdd: read.scan.restart_interval = word(segment); break;
        case 0xda:
            if (read.width == 0) fail(path, "it is not baseline");
            read_scan(path, segment, &read, &with);
            read.data = at;
            return read;
        default: break;
        }
    }
    fail(path, "it has no scan");
}

plane make_plane(const jpegcore_component *component, int block_size)
{
    plane made = { .bytes_per_row = (size_t)(component->blocks_across * block_size),
                   .rows = (size_t)(component->blocks_down * block_size) };
    made.samples = allocate(made.bytes_per_row * made.rows);
    return made;
}

static void perform(void *context, size_t count, void (*work)(void *argument, size_t index), void *argument)
{
    (void)context;
    while (count > 0) work(argument, --count);
}

void decode_photo(const photo *from, int block_size, int thread_count, plane planes[3])
{
    jpegcore_scan scan = from->scan;
    uint8_t *rows[3] = { 0 };
    size_t bytes_per_row[3] = { 0 };
    for (int c = 0; c < scan.component_count; c++) {
        scan.components[c].block_size = block_size;
        planes[c] = make_plane(&scan.components[c], block_size);
        rows[c] = planes[c].samples;
        bytes_per_row[c] = planes[c].bytes_per_row;
    }
    size_t level_count;
    jpegcore_decoder *decoder = jpegcore_decoder_create(&scan, jpegcore_levels(&level_count)[0]);
    if (decoder == NULL) fail("memory", "there is none left");
    if (thread_count > 1) jpegcore_decoder_use_threads(decoder, thread_count, perform, NULL);
    int count = 0;
    jpegcore_decoder_read_rows(
        decoder, from->bytes + from->data, from->count - from->data, rows, bytes_per_row, scan.mcus_down,
        &count);
    jpegcore_decoder_destroy(decoder);
    if (count != scan.mcus_down) fail("a photo", "JPEGCore has not decoded all rows");
}

// MARK: Encoding

typedef struct buffer {
    uint8_t *bytes;
    size_t count, capacity;
} buffer;

static void append(void *context, const uint8_t *bytes, size_t count)
{
    buffer *into = context;
    if (into->count + count > into->capacity) {
        into->capacity = 2 * (into->count + count);
        into->bytes = realloc(into->bytes, into->capacity);
        if (into->bytes == NULL) fail("memory", "there is none left");
    }
    memcpy(into->bytes + into->count, bytes, count);
    into->count += count;
}

// Codes for all symbols of 8-bit samples, as the encoder requires.
static void set_codes(jpegcore_scan *scan, const jpegcore_symbol_counts counts[3])
{
    for (int c = 0; c < scan->component_count; c++) {
        jpegcore_symbol_counts all = counts[c];
        for (int size = 0; size <= 11; size++) all.dc[size]++;
        for (int run = 0; run < 16; run++)
            for (int size = 1; size <= 10; size++) all.ac[run << 4 | size]++;
        all.ac[0x00]++;
        all.ac[0xf0]++;
        scan->components[c].dc = jpegcore_optimal_table(all.dc);
        scan->components[c].ac = jpegcore_optimal_table(all.ac);
    }
}

static void write_data(
    const jpegcore_scan *scan, const plane planes[3], jpegcore_symbol_counts counts[3], buffer *into)
{
    size_t level_count;
    jpegcore_encoder *encoder = jpegcore_encoder_create(scan, jpegcore_levels(&level_count)[0], append, into);
    if (encoder == NULL) fail("memory", "there is none left");
    jpegcore_encoder_count_symbols(encoder, counts);
    for (int row = 0; row < scan->mcus_down; row++) {
        const uint8_t *rows[3] = { 0 };
        size_t bytes_per_row[3] = { 0 };
        for (int c = 0; c < scan->component_count; c++) {
            const size_t height = 8 * (size_t)scan->components[c].vertical_factor;
            bytes_per_row[c] = planes[c].bytes_per_row;
            rows[c] = planes[c].samples + (size_t)row * height * bytes_per_row[c];
        }
        jpegcore_encoder_write_row(encoder, rows, bytes_per_row);
    }
    jpegcore_encoder_finish(encoder);
    jpegcore_encoder_destroy(encoder);
}

static void write_codes(const jpegcore_huffman_table *table, uint8_t number, buffer *into)
{
    int symbols = 0;
    for (int length = 1; length <= 16; length++) symbols += table->counts[length];
    const uint8_t head[] = { 0xff, 0xc4, 0, (uint8_t)(19 + symbols), number };
    append(into, head, sizeof head);
    append(into, table->counts + 1, 16);
    append(into, table->symbols, (size_t)symbols);
}

// The photo's segments, with these codes: tables 0, 1, 2 are the components'.
static void write_head(const photo *of, const jpegcore_scan *scan, buffer *into)
{
    append(into, of->bytes, 2);
    for (size_t at = 2; at < of->data;) {
        const size_t length = 2 + (size_t)word(of->bytes + at + 2);
        if (of->bytes[at + 1] != 0xc4 && of->bytes[at + 1] != 0xda) append(into, of->bytes + at, length);
        if (of->bytes[at + 1] == 0xda) {
            for (int c = 0; c < scan->component_count; c++) {
                write_codes(&scan->components[c].dc, (uint8_t)c, into);
                write_codes(&scan->components[c].ac, (uint8_t)(0x10 | c), into);
            }
            append(into, of->bytes + at, length);
            uint8_t *header = into->bytes + into->count - length;
            for (int c = 0; c < scan->component_count; c++) header[6 + 2 * c] = (uint8_t)(c << 4 | c);
        }
        at += length;
    }
}

uint8_t *encode_photo(const photo *of, const plane planes[3], bool is_optimal, size_t *count)
{
    jpegcore_scan scan = of->scan;
    jpegcore_symbol_counts counts[3] = { 0 };
    buffer data = { 0 }, file = { 0 };
    for (int c = 0; c < scan.component_count; c++) scan.components[c].block_size = 8;
    set_codes(&scan, counts);
    write_data(&scan, planes, counts, &data);
    if (is_optimal) {
        set_codes(&scan, counts);
        data.count = 0;
        write_data(&scan, planes, counts, &data);
    }
    write_head(of, &scan, &file);
    append(&file, data.bytes, data.count);
    append(&file, (const uint8_t[]) { 0xff, 0xd9 }, 2);
    free(data.bytes);
    *count = file.count;
    return file.bytes;
}
