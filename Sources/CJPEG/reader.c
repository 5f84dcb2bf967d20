#include "failure.h"
#include "huffman.h"
#include <jerror.h>
#include <stdlib.h>
#include <string.h>

// ENOUGH_SIZE: more than most rows of blocks take.
// SEGMENT_COST: approximate memory for a segment besides its bytes, here and in the caller.
enum { BUFFER_SIZE = 128 * 1024, ENOUGH_SIZE = 48 * 1024, SEGMENT_COST = 128 };

// An APPn or COM segment before the first scan. libjpeg's own list takes quadratic time: 100,000 empty
// segments take half a minute.
typedef struct Segment {
    struct Segment *next;
    int code;
    size_t count;
    uint8_t bytes[];
} Segment;

struct cjpeg_reader {
    struct jpeg_decompress_struct info;
    cjpeg_failure failure;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    Segment *segments, **segments_end;
    const Segment *next_segment;
    size_t metadata_left; // bytes that segments may still take
    int late_segment_count;
    cjpeg_read read;
    void *context;
    int64_t blocks_left; // that further scans may pass over
    int maximum_passes, scan;
    bool is_at_end;
    JOCTET buffer[BUFFER_SIZE];
};

static void do_nothing(j_decompress_ptr info) { (void)info; }

// Reads more bytes, after those that libjpeg has not consumed.
static void read_on(cjpeg_reader *reader)
{
    struct jpeg_source_mgr *source = &reader->source;
    if (source->bytes_in_buffer > 0)
        memmove(reader->buffer, source->next_input_byte, source->bytes_in_buffer);
    source->next_input_byte = reader->buffer;
    const ptrdiff_t count = reader->read(
        reader->context, reader->buffer + source->bytes_in_buffer, BUFFER_SIZE - source->bytes_in_buffer);
    if (count < 0) cjpeg_fail((j_common_ptr)&reader->info, CJPEG_STATUS_CALLBACK_FAILED, "");
    reader->is_at_end = count == 0;
    source->bytes_in_buffer += (size_t)count;
}

// Refills early: libjpeg decodes the last few KiB of its buffer with a slower decoder.
static void top_up(cjpeg_reader *reader)
{
    if (!reader->is_at_end && reader->source.bytes_in_buffer < ENOUGH_SIZE) read_on(reader);
}

static boolean fill_input_buffer(j_decompress_ptr info)
{
    cjpeg_reader *reader = info->client_data;
    reader->source.bytes_in_buffer = 0;
    read_on(reader);
    if (!reader->is_at_end) return TRUE;
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

static int64_t block_count(const jpeg_component_info *component)
{
    return (int64_t)component->width_in_blocks * component->height_in_blocks;
}

// Counts scans, because each takes time for every block that it covers, even without data.
static void count_scan(cjpeg_reader *reader)
{
    struct jpeg_decompress_struct *info = &reader->info;
    if (reader->scan == 0)
        for (int c = 0; c < info->num_components; c++)
            reader->blocks_left += reader->maximum_passes * block_count(&info->comp_info[c]);
    reader->scan = info->input_scan_number;
    for (int c = 0; c < info->comps_in_scan; c++) reader->blocks_left -= block_count(info->cur_comp_info[c]);
    if (reader->blocks_left < 0) cjpeg_fail((j_common_ptr)info, CJPEG_STATUS_TOO_MANY_SCANS, "");
}

// libjpeg calls this before it decodes rows.
static void watch_scans(j_common_ptr common)
{
    j_decompress_ptr info = (j_decompress_ptr)common;
    cjpeg_reader *reader = info->client_data;
    cjpeg_huffman_install(info);
    if (info->input_scan_number != reader->scan) count_scan(reader);
}

// As in libjpeg, a length below 2 means an empty segment.
static size_t read_length(j_decompress_ptr info)
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

static void read_bytes(j_decompress_ptr info, uint8_t *bytes, size_t count)
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

static boolean save_segment(j_decompress_ptr info)
{
    cjpeg_reader *reader = info->client_data;
    const size_t count = read_length(info);
    if (SEGMENT_COST + count > reader->metadata_left)
        cjpeg_fail((j_common_ptr)info, CJPEG_STATUS_TOO_MUCH_METADATA, "");
    reader->metadata_left -= SEGMENT_COST + count;
    Segment *segment = info->mem->alloc_large((j_common_ptr)info, JPOOL_PERMANENT, sizeof *segment + count);
    segment->next = NULL;
    segment->code = info->unread_marker;
    segment->count = count;
    read_bytes(info, segment->bytes, count);
    *reader->segments_end = segment;
    reader->segments_end = &segment->next;
    // libjpeg handles this segment only if it stores it itself.
    if (segment->code == JPEG_APP0 + 14 && count >= 12 && memcmp(segment->bytes, "Adobe", 5) == 0) {
        info->saw_Adobe_marker = TRUE;
        info->Adobe_transform = segment->bytes[11];
    }
    return TRUE;
}

static boolean skip_segment(j_decompress_ptr info)
{
    cjpeg_reader *reader = info->client_data;
    skip_input_data(info, (long)read_length(info));
    reader->late_segment_count++;
    return TRUE;
}

// For all but APP0, which libjpeg reads: JFIF, with the density, and thumbnails.
static void set_segment_processor(cjpeg_reader *reader, jpeg_marker_parser_method processor)
{
    for (int n = 1; n < 16; n++) jpeg_set_marker_processor(&reader->info, JPEG_APP0 + n, processor);
    jpeg_set_marker_processor(&reader->info, JPEG_COM, processor);
}

cjpeg_reader *cjpeg_reader_create(
    cjpeg_read read, void *context, int maximum_passes, size_t maximum_metadata, bool is_lenient)
{
    cjpeg_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->info.err = cjpeg_failure_init(&reader->failure);
    if (setjmp(reader->failure.entry)) {
        free(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->info);
    reader->info.client_data = reader;
    reader->read = read;
    reader->context = context;
    reader->maximum_passes = maximum_passes;
    reader->metadata_left = maximum_metadata;
    reader->segments_end = &reader->segments;
    reader->failure.is_lenient = is_lenient;
    reader->source.init_source = do_nothing;
    reader->source.fill_input_buffer = fill_input_buffer;
    reader->source.skip_input_data = skip_input_data;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->source.term_source = do_nothing;
    reader->info.src = &reader->source;
    reader->progress.progress_monitor = watch_scans;
    reader->info.progress = &reader->progress;
    return reader;
}

void cjpeg_reader_destroy(cjpeg_reader *reader)
{
    jpeg_destroy_decompress(&reader->info);
    free(reader);
}

const char *cjpeg_reader_message(const cjpeg_reader *reader) { return reader->failure.message; }

const char *cjpeg_reader_note(const cjpeg_reader *reader) { return reader->failure.note; }

static cjpeg_colours colours_of(const struct jpeg_decompress_struct *info)
{
    switch (info->jpeg_color_space) {
    case JCS_GRAYSCALE: return CJPEG_COLOURS_GREY;
    case JCS_YCbCr: return CJPEG_COLOURS_YCC;
    case JCS_RGB: return CJPEG_COLOURS_RGB;
    case JCS_CMYK:
    case JCS_YCCK: return CJPEG_COLOURS_CMYK;
    default: return CJPEG_COLOURS_OTHER;
    }
}

static void describe(const struct jpeg_decompress_struct *info, cjpeg_header *header)
{
    memset(header, 0, sizeof *header);
    header->width = (int)info->image_width;
    header->height = (int)info->image_height;
    header->colours = colours_of(info);
    header->componentCount = info->num_components;
    header->hasDensity = info->saw_JFIF_marker;
    header->densityUnit = info->density_unit;
    header->densityX = info->X_density;
    header->densityY = info->Y_density;
    for (int c = 0; c < info->num_components && c < 4; c++) {
        const jpeg_component_info *from = &info->comp_info[c];
        cjpeg_component *to = &header->components[c];
        to->horizontalFactor = from->h_samp_factor;
        to->verticalFactor = from->v_samp_factor;
        to->blocksAcross = (int)from->width_in_blocks;
        to->blocksDown = (int)from->height_in_blocks;
        const unsigned int table = (unsigned int)from->quant_tbl_no;
        to->hasQuantTable = table < NUM_QUANT_TBLS && info->quant_tbl_ptrs[table] != NULL;
        if (to->hasQuantTable)
            memcpy(to->quantTable, info->quant_tbl_ptrs[table]->quantval, sizeof to->quantTable);
    }
}

cjpeg_status cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header)
{
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    set_segment_processor(reader, save_segment);
    jpeg_read_header(&reader->info, TRUE);
    // Segments between scans are not stored: their total size is not known before the pixels are read.
    set_segment_processor(reader, skip_segment);
    describe(&reader->info, header);
    header->hasMultipleScans = jpeg_has_multiple_scans(&reader->info);
    reader->next_segment = reader->segments;
    return CJPEG_STATUS_OK;
}

bool cjpeg_reader_next_marker(cjpeg_reader *reader, cjpeg_marker *marker)
{
    const Segment *segment = reader->next_segment;
    if (segment == NULL) return false;
    marker->code = segment->code;
    marker->bytes = segment->bytes;
    marker->count = segment->count;
    reader->next_segment = segment->next;
    return true;
}

int cjpeg_reader_late_segment_count(const cjpeg_reader *reader) { return reader->late_segment_count; }

cjpeg_status cjpeg_reader_start(cjpeg_reader *reader, cjpeg_output output)
{
    struct jpeg_decompress_struct *info = &reader->info;
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    info->dct_method = JDCT_ISLOW;
    info->raw_data_out = output == CJPEG_OUTPUT_RAW;
    switch (output) {
    case CJPEG_OUTPUT_RAW: info->out_color_space = info->jpeg_color_space; break;
    case CJPEG_OUTPUT_GREY: info->out_color_space = JCS_GRAYSCALE; break;
    case CJPEG_OUTPUT_RGB: info->out_color_space = JCS_RGB; break;
    case CJPEG_OUTPUT_CMYK: info->out_color_space = JCS_CMYK; break;
    }
    jpeg_start_decompress(info);
    return CJPEG_STATUS_OK;
}

cjpeg_status cjpeg_reader_read_raw(
    cjpeg_reader *reader, uint8_t *const planes[], const size_t bytes_per_row[])
{
    struct jpeg_decompress_struct *info = &reader->info;
    JSAMPROW rows[3][4 * DCTSIZE];
    JSAMPARRAY arrays[3] = { rows[0], rows[1], rows[2] };
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    for (int c = 0; c < info->num_components && c < 3; c++)
        for (int y = 0; y < info->comp_info[c].v_samp_factor * DCTSIZE; y++)
            rows[c][y] = planes[c] + (size_t)y * bytes_per_row[c];
    top_up(reader);
    jpeg_read_raw_data(info, arrays, (JDIMENSION)(info->max_v_samp_factor * DCTSIZE));
    return CJPEG_STATUS_OK;
}

cjpeg_status cjpeg_reader_read_rows(cjpeg_reader *reader, uint8_t *first, size_t bytes_per_row, int count)
{
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    for (int y = 0; y < count; y++) {
        JSAMPROW row = first + (size_t)y * bytes_per_row;
        top_up(reader);
        jpeg_read_scanlines(&reader->info, &row, 1);
    }
    return CJPEG_STATUS_OK;
}

// libjpeg's wording for bytes before the first scan.
static const char strays[] = "Corrupt JPEG data: extraneous bytes before the end";

cjpeg_status cjpeg_reader_finish(cjpeg_reader *reader)
{
    struct jpeg_decompress_struct *info = &reader->info;
    cjpeg_failure *failure = &reader->failure;
    if (setjmp(failure->entry)) {
        // Flaws after the pixels do not affect them.
        const bool is_damage =
            failure->status == CJPEG_STATUS_CORRUPT || failure->status == CJPEG_STATUS_UNSUPPORTED;
        return failure->is_lenient && is_damage ? CJPEG_STATUS_OK : failure->status;
    }
    if (jpeg_has_multiple_scans(info)) cjpeg_huffman_check_end(info);
    const cjpeg_rest rest = jpeg_has_multiple_scans(info) ? CJPEG_REST_NONE : cjpeg_huffman_rest(info);
    if (rest == CJPEG_REST_DATA)
        cjpeg_damage(
            (j_common_ptr)info, CJPEG_STATUS_CORRUPT, "Corrupt JPEG data: more data than the photo has");
    if (rest == CJPEG_REST_STRAY && failure->note[0] == '\0') strcpy(failure->note, strays);
    jpeg_finish_decompress(info);
    return CJPEG_STATUS_OK;
}
