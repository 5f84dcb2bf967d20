#include "decoding.h"
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Executions should be fast.
enum { MOST_PIXELS = 12 * 1024, MOST_PASSES = 4, MOST_METADATA = 1 << 16, MOST_POISONED = 4096 };

typedef struct chunks {
    const uint8_t *bytes;
    size_t left, size;
} chunks;

static ptrdiff_t read_chunk(void *context, uint8_t *buffer, size_t capacity)
{
    chunks *from = context;
    size_t count = from->left < from->size ? from->left : from->size;
    if (count > capacity) count = capacity;
    // Nobody may read behind what was given. The whole buffer would take a fifth of the time.
    const size_t behind = capacity - count;
    ASAN_UNPOISON_MEMORY_REGION(buffer, count);
    ASAN_POISON_MEMORY_REGION(buffer + count, behind < MOST_POISONED ? behind : MOST_POISONED);
    memcpy(buffer, from->bytes, count);
    from->bytes += count;
    from->left -= count;
    return (ptrdiff_t)count;
}

static bool is_factor(int value) { return value == 1 || value == 2 || value == 4; }

// As JPEGHeader.swift and JPEGDecoder.swift decide.
static bool has_planes(const cjpeg_header *header)
{
    const cjpeg_component *luma = &header->components[0];
    if (header->colours == CJPEG_COLOURS_GREY) return luma->vertical_factor == 1;
    if (header->colours != CJPEG_COLOURS_YCC) return false;
    for (int c = 1; c < 3; c++)
        if (header->components[c].horizontal_factor != 1 || header->components[c].vertical_factor != 1)
            return false;
    return is_factor(luma->horizontal_factor) && is_factor(luma->vertical_factor)
        && luma->horizontal_factor * luma->vertical_factor <= 8;
}

static fuzz_plane make_plane(const cjpeg_component *component, size_t block_size, size_t margin)
{
    const size_t width = block_size * (size_t)component->blocks_across;
    const size_t height = block_size * (size_t)component->blocks_down;
    fuzz_plane plane = { .width = width, .bytes_per_row = width + margin };
    plane.rows_at_once = block_size * (size_t)component->vertical_factor;
    plane.count = (height - 1) * plane.bytes_per_row + width;
    plane.samples = malloc(plane.count);
    if (plane.samples == NULL) abort();
    memset(plane.samples, FUZZ_FILLING, plane.count);
    return plane;
}

void fuzz_row_starts(const fuzz_decoded *photo, int row, uint8_t *starts[3], size_t bytes_per_row[3])
{
    for (int c = 0; c < photo->header.component_count; c++) {
        const fuzz_plane *plane = &photo->planes[c];
        bytes_per_row[c] = plane->bytes_per_row;
        starts[c] = plane->samples + (size_t)row * plane->rows_at_once * plane->bytes_per_row;
    }
}

// One after the other: threads would make executions differ. The last one begins.
static void perform(void *context, size_t count, void (*work)(void *argument, size_t index), void *argument)
{
    (void)context;
    while (count > 0) work(argument, --count);
}

static cjpeg_status read_rows(cjpeg_reader *reader, fuzz_decoded *decoded, int rows_at_once)
{
    for (int row = 0; row < decoded->row_count; row += rows_at_once) {
        const int left = decoded->row_count - row, count = left < rows_at_once ? left : rows_at_once;
        uint8_t *starts[3];
        size_t bytes_per_row[3];
        fuzz_row_starts(decoded, row, starts, bytes_per_row);
        const cjpeg_status status = cjpeg_reader_read_raw(reader, starts, bytes_per_row, count);
        if (status != CJPEG_STATUS_OK) return status;
        decoded->decoded_rows += count;
    }
    return cjpeg_reader_finish(reader);
}

static cjpeg_status decode(cjpeg_reader *reader, fuzz_decoded *decoded, const fuzz_input *input)
{
    cjpeg_header *header = &decoded->header;
    cjpeg_status status = cjpeg_reader_read_header(reader, header);
    if (status != CJPEG_STATUS_OK || !has_planes(header)) return status;
    if ((int64_t)header->width * header->height > MOST_PIXELS) return status;
    if (input->thread_count > 1) cjpeg_reader_use_threads(reader, input->thread_count, perform, NULL);
    status = cjpeg_reader_start(reader, CJPEG_OUTPUT_RAW, input->denominator);
    if (status != CJPEG_STATUS_OK) return status;
    const int row_height = 8 * header->components[0].vertical_factor;
    decoded->row_count = (header->height + row_height - 1) / row_height;
    for (int c = 0; c < header->component_count; c++)
        decoded->planes[c] =
            make_plane(&header->components[c], (size_t)(8 / input->denominator), input->margin);
    return read_rows(reader, decoded, input->rows_at_once);
}

fuzz_decoded fuzz_decode(const fuzz_input *input, size_t chunk_size, const jpegcore_level *level)
{
    fuzz_decoded decoded = { 0 };
    chunks from = { input->bytes, input->count, chunk_size };
    cjpeg_reader *reader =
        cjpeg_reader_create(read_chunk, &from, MOST_PASSES, MOST_METADATA, input->is_lenient, level);
    if (reader == NULL) abort();
    decoded.status = decode(reader, &decoded, input);
    snprintf(decoded.message, sizeof decoded.message, "%s", cjpeg_reader_message(reader));
    snprintf(decoded.note, sizeof decoded.note, "%s", cjpeg_reader_note(reader));
    decoded.late_segment_count = cjpeg_reader_late_segment_count(reader);
    cjpeg_reader_destroy(reader);
    return decoded;
}

void fuzz_release(fuzz_decoded *decoded)
{
    for (int c = 0; c < 3; c++) free(decoded->planes[c].samples);
}
