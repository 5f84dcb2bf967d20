#include "failure.h"
#include "reader.h"
#include <string.h>

// Approximate memory for a segment besides its bytes, here and in the caller.
enum { SEGMENT_COST = 128 };

typedef struct cjpeg_segment {
    struct cjpeg_segment *next;
    int code;
    size_t count;
    uint8_t bytes[];
} Segment;

void cjpeg_segments_init(cjpeg_segments *segments, size_t maximum)
{
    segments->end = &segments->first;
    segments->bytes_left = maximum;
}

static cjpeg_segments *segments_of(j_decompress_ptr info)
{
    return &((cjpeg_reader *)info->client_data)->segments;
}

static boolean save_segment(j_decompress_ptr info)
{
    cjpeg_segments *segments = segments_of(info);
    const size_t count = cjpeg_source_read_length(info);
    if (SEGMENT_COST + count > segments->bytes_left)
        cjpeg_fail((j_common_ptr)info, CJPEG_STATUS_TOO_MUCH_METADATA, "");
    segments->bytes_left -= SEGMENT_COST + count;
    Segment *segment = info->mem->alloc_large((j_common_ptr)info, JPOOL_PERMANENT, sizeof *segment + count);
    segment->next = NULL;
    segment->code = info->unread_marker;
    segment->count = count;
    cjpeg_source_read_bytes(info, segment->bytes, count);
    *segments->end = segment;
    segments->end = &segment->next;
    // libjpeg handles this segment only if it stores it itself.
    if (segment->code == JPEG_APP0 + 14 && count >= 12 && memcmp(segment->bytes, "Adobe", 5) == 0) {
        info->saw_Adobe_marker = TRUE;
        info->Adobe_transform = segment->bytes[11];
    }
    return TRUE;
}

static boolean skip_segment(j_decompress_ptr info)
{
    info->src->skip_input_data(info, (long)cjpeg_source_read_length(info));
    segments_of(info)->late_count++;
    return TRUE;
}

// For all but APP0, which libjpeg reads: JFIF, with the density, and thumbnails.
static void set_processor(j_decompress_ptr info, jpeg_marker_parser_method processor)
{
    for (int n = 1; n < 16; n++) jpeg_set_marker_processor(info, JPEG_APP0 + n, processor);
    jpeg_set_marker_processor(info, JPEG_COM, processor);
}

void cjpeg_segments_store(j_decompress_ptr info) { set_processor(info, save_segment); }

void cjpeg_segments_skip(j_decompress_ptr info) { set_processor(info, skip_segment); }

bool cjpeg_reader_next_marker(cjpeg_reader *reader, cjpeg_marker *marker)
{
    const Segment *segment = reader->segments.next;
    if (segment == NULL) return false;
    marker->code = segment->code;
    marker->bytes = segment->bytes;
    marker->count = segment->count;
    reader->segments.next = segment->next;
    return true;
}

int cjpeg_reader_late_segment_count(const cjpeg_reader *reader) { return reader->segments.late_count; }
