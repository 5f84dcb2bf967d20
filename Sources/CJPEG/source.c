#include "source.h"
#include "failure.h"
#include <stdlib.h>
#include <string.h>

// Large enough for a row of MCUs, which the core may have to pass on, and for what its second stream decodes ahead.
#ifndef JPEGCORE_SHORT_STREAMS
enum { CAPACITY = 256 * 1024 };
#else
enum { CAPACITY = 16 * 1024 };
#endif

static void do_nothing(j_decompress_ptr info) { (void)info; }

// Reads more bytes, after those that libjpeg has not consumed. There is room for at least one.
static void read_on(j_decompress_ptr info)
{
    cjpeg_source *source = (cjpeg_source *)info->src;
    struct jpeg_source_mgr *manager = &source->manager;
    const size_t kept = manager->bytes_in_buffer;
    if (kept > 0 && manager->next_input_byte != source->buffer)
        memmove(source->buffer, manager->next_input_byte, kept);
    manager->next_input_byte = source->buffer;
    const ptrdiff_t count = source->read(source->context, source->buffer + kept, source->capacity - kept);
    if (count < 0) cjpeg_fail((j_common_ptr)info, CJPEG_STATUS_CALLBACK_FAILED, "");
    source->is_at_end = count == 0;
    manager->bytes_in_buffer += (size_t)count;
}

void cjpeg_source_top_up(j_decompress_ptr info, size_t enough)
{
    const cjpeg_source *source = (const cjpeg_source *)info->src;
    const size_t most = enough < source->capacity ? enough : source->capacity;
    if (!source->is_at_end && source->manager.bytes_in_buffer < most) read_on(info);
}

bool cjpeg_source_read_more(j_decompress_ptr info)
{
    const cjpeg_source *source = (const cjpeg_source *)info->src;
    info->src->bytes_in_buffer = 0;
    if (!source->is_at_end) read_on(info);
    return !source->is_at_end;
}

static boolean fill_input_buffer(j_decompress_ptr info)
{
    if (cjpeg_source_read_more(info)) return TRUE;
    if (info->input_scan_number == 0) cjpeg_fail((j_common_ptr)info, CJPEG_STATUS_TRUNCATED, "");
    cjpeg_damage((j_common_ptr)info, CJPEG_STATUS_TRUNCATED, "");
    static const JOCTET end[] = { 0xFF, JPEG_EOI };
    info->src->next_input_byte = end;
    info->src->bytes_in_buffer = sizeof end;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr info, long count)
{
    struct jpeg_source_mgr *source = info->src;
    if (count <= 0) return;
    while ((size_t)count > source->bytes_in_buffer) {
        count -= (long)source->bytes_in_buffer;
        fill_input_buffer(info);
    }
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
}

// Moves the bytes to a larger buffer, if there is memory for it.
static bool grow(cjpeg_source *source, size_t capacity)
{
    JOCTET *buffer = capacity > source->capacity ? malloc(capacity) : NULL;
    if (buffer == NULL) return false;
    memcpy(buffer, source->manager.next_input_byte, source->manager.bytes_in_buffer);
    free(source->buffer);
    source->buffer = buffer;
    source->capacity = capacity;
    source->manager.next_input_byte = buffer;
    return true;
}

void cjpeg_source_provide(j_decompress_ptr info, size_t enough)
{
    cjpeg_source *source = (cjpeg_source *)info->src;
    if (enough > source->capacity) grow(source, enough);
    while (!source->is_at_end && source->manager.bytes_in_buffer < enough
           && source->manager.bytes_in_buffer < source->capacity)
        read_on(info);
}

bool cjpeg_source_extend(j_decompress_ptr info, size_t most)
{
    cjpeg_source *source = (cjpeg_source *)info->src;
    const size_t kept = source->manager.bytes_in_buffer;
    if (source->is_at_end) return false;
    if (kept == source->capacity && !grow(source, 2 * kept < most ? 2 * kept : most)) return false;
    // A pipe gives little at once: twice the bytes let the caller get twice as far.
    do read_on(info);
    while (!source->is_at_end && source->manager.bytes_in_buffer < 2 * kept
           && source->manager.bytes_in_buffer < source->capacity);
    return source->manager.bytes_in_buffer > kept;
}

bool cjpeg_source_init(cjpeg_source *source, j_decompress_ptr info, cjpeg_read read, void *context)
{
    source->buffer = malloc(CAPACITY);
    if (source->buffer == NULL) return false;
    source->capacity = CAPACITY;
    source->read = read;
    source->context = context;
    source->manager.init_source = do_nothing;
    source->manager.fill_input_buffer = fill_input_buffer;
    source->manager.skip_input_data = skip_input_data;
    source->manager.resync_to_restart = jpeg_resync_to_restart;
    source->manager.term_source = do_nothing;
    info->src = &source->manager;
    return true;
}

void cjpeg_source_destroy(cjpeg_source *source) { free(source->buffer); }

// As in libjpeg, a length below 2 means an empty segment.
size_t cjpeg_source_read_length(j_decompress_ptr info)
{
    struct jpeg_source_mgr *source = info->src;
    size_t length = 0;
    for (int n = 0; n < 2; n++) {
        if (source->bytes_in_buffer == 0) fill_input_buffer(info);
        length = length << 8 | *source->next_input_byte++;
        source->bytes_in_buffer--;
    }
    return length < 2 ? 0 : length - 2;
}

void cjpeg_source_read_bytes(j_decompress_ptr info, uint8_t *bytes, size_t count)
{
    struct jpeg_source_mgr *source = info->src;
    while (count > 0) {
        if (source->bytes_in_buffer == 0) fill_input_buffer(info);
        const size_t part = count < source->bytes_in_buffer ? count : source->bytes_in_buffer;
        memcpy(bytes, source->next_input_byte, part);
        source->next_input_byte += part;
        source->bytes_in_buffer -= part;
        bytes += part;
        count -= part;
    }
}
