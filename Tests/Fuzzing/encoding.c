#include "encoding.h"
#include "random.h"
#include <stdlib.h>
#include <string.h>

static uint8_t changed(uint8_t sample, fuzz_samples samples, uint8_t noise)
{
    switch (samples) {
    case FUZZ_SAMPLES_DECODED: return sample;
    case FUZZ_SAMPLES_NOISY: return sample ^ (noise & 7);
    case FUZZ_SAMPLES_NOISE: return noise;
    case FUZZ_SAMPLES_EXTREME: return noise & 1 ? 255 : 0;
    }
    return sample;
}

void fuzz_change_samples(fuzz_decoded *photo, const fuzz_input *input)
{
    fuzz_random random = { input->count };
    if (input->samples == FUZZ_SAMPLES_DECODED) return;
    for (int c = 0; c < photo->header.component_count; c++)
        for (size_t n = 0; n < photo->planes[c].count; n++) {
            uint8_t *sample = &photo->planes[c].samples[n];
            *sample = changed(*sample, input->samples, (uint8_t)fuzz_next(&random));
        }
}

// A scratch file in memory.
typedef struct scratch {
    fuzz_file file;
    size_t position;
} scratch;

static bool append(void *context, const uint8_t *bytes, size_t count)
{
    fuzz_file *file = context;
    if (file->count + count > file->capacity) {
        file->capacity = 2 * (file->count + count);
        file->bytes = realloc(file->bytes, file->capacity);
        if (file->bytes == NULL) abort();
    }
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
    return true;
}

static ptrdiff_t read_back(void *context, uint8_t *buffer, size_t capacity)
{
    scratch *from = context;
    const size_t left = from->file.count - from->position, count = left < capacity ? left : capacity;
    memcpy(buffer, from->file.bytes + from->position, count);
    from->position += count;
    return (ptrdiff_t)count;
}

static uint16_t clamped(uint16_t step) { return step < 1 ? 1 : step > 8191 ? 8191 : step; }

// As JPEGEncoder.swift and JPEGCoding.swift make them.
static cjpeg_writer_settings settings_for(const cjpeg_header *header, const fuzz_input *input)
{
    const bool is_grey = header->colours == CJPEG_COLOURS_GREY;
    cjpeg_writer_settings settings = { .width = header->width,
                                       .height = header->height,
                                       .grey = is_grey,
                                       .horizontal_factor =
                                           is_grey ? 1 : header->components[0].horizontal_factor,
                                       .vertical_factor = is_grey ? 1 : header->components[0].vertical_factor,
                                       .quality = input->quality,
                                       .restart_rows = input->restart_rows };
    for (int c = 0; c < header->component_count; c++) {
        // Without all tables, the app does not keep them.
        if (!header->components[c].has_quant_table) settings.quality = 90;
        for (int n = 0; n < 64; n++)
            settings.quant_tables[c][n] = clamped(header->components[c].quant_table[n]);
    }
    return settings;
}

static cjpeg_status write_photo(cjpeg_writer *writer, const fuzz_decoded *photo, const fuzz_input *input)
{
    const cjpeg_writer_settings settings = settings_for(&photo->header, input);
    cjpeg_status status = cjpeg_writer_start(writer, &settings);
    for (int row = 0; row < photo->row_count && status == CJPEG_STATUS_OK; row++) {
        uint8_t *starts[3];
        size_t bytes_per_row[3];
        fuzz_row_starts(photo, row, starts, bytes_per_row);
        status = cjpeg_writer_write_raw(writer, starts, bytes_per_row);
    }
    return status == CJPEG_STATUS_OK ? cjpeg_writer_finish(writer) : status;
}

fuzz_file fuzz_encode(const fuzz_decoded *photo, const fuzz_input *input, const jpegcore_level *level)
{
    fuzz_file file = { 0 };
    scratch data = { 0 };
    cjpeg_writer *writer = cjpeg_writer_create(append, &file, level);
    if (writer == NULL) abort();
    if (input->optimizes) cjpeg_writer_optimize(writer, (cjpeg_scratch) { append, read_back, &data });
    file.status = write_photo(writer, photo, input);
    cjpeg_writer_destroy(writer);
    free(data.file.bytes);
    return file;
}
