#include "reader.h"
#include "decoder_core.h"
#include "huffman.h"
#include <jerror.h>
#include <jpegint.h>
#include <stdlib.h>
#include <string.h>

// More than most rows of blocks take: libjpeg decodes the last few KiB of its buffer with a slower decoder.
enum { ROW_SIZE = 48 * 1024 };

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

cjpeg_reader *cjpeg_reader_create(
    cjpeg_read read, void *context, int maximum_passes, size_t maximum_metadata, bool is_lenient,
    const jpegcore_level *level)
{
    cjpeg_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->info.err = cjpeg_failure_init(&reader->failure);
    if (setjmp(reader->failure.entry)) {
        if (reader->info.mem != NULL) jpeg_destroy_decompress(&reader->info);
        free(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->info);
    reader->info.client_data = reader;
    if (!cjpeg_source_init(&reader->source, &reader->info, read, context)) {
        jpeg_destroy_decompress(&reader->info);
        free(reader);
        return NULL;
    }
    cjpeg_segments_init(&reader->segments, maximum_metadata);
    reader->failure.is_lenient = is_lenient;
    reader->maximum_passes = maximum_passes;
    reader->level = level;
    reader->progress.progress_monitor = watch_scans;
    reader->info.progress = &reader->progress;
    return reader;
}

void cjpeg_reader_destroy(cjpeg_reader *reader)
{
    jpegcore_decoder_destroy(reader->core);
    cjpeg_source_destroy(&reader->source);
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
    header->has_arithmetic_codes = info->arith_code;
    header->colours = colours_of(info);
    header->component_count = info->num_components;
    header->has_density = info->saw_JFIF_marker;
    header->density_unit = info->density_unit;
    header->density_x = info->X_density;
    header->density_y = info->Y_density;
    for (int c = 0; c < info->num_components && c < 4; c++) {
        const jpeg_component_info *from = &info->comp_info[c];
        cjpeg_component *to = &header->components[c];
        to->horizontal_factor = from->h_samp_factor;
        to->vertical_factor = from->v_samp_factor;
        to->blocks_across = (int)from->width_in_blocks;
        to->blocks_down = (int)from->height_in_blocks;
        const unsigned int table = (unsigned int)from->quant_tbl_no;
        to->has_quant_table = table < NUM_QUANT_TBLS && info->quant_tbl_ptrs[table] != NULL;
        if (to->has_quant_table)
            memcpy(to->quant_table, info->quant_tbl_ptrs[table]->quantval, sizeof to->quant_table);
    }
}

cjpeg_status cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header)
{
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    cjpeg_segments_store(&reader->info);
    jpeg_read_header(&reader->info, TRUE);
    cjpeg_segments_skip(&reader->info);
    describe(&reader->info, header);
    header->has_multiple_scans = jpeg_has_multiple_scans(&reader->info);
    reader->segments.next = reader->segments.first;
    return CJPEG_STATUS_OK;
}

// libjpeg decodes subsampled planes less reduced than others, for its own upsampling. Raw planes keep their
// subsampling instead.
static void reduce_alike(struct jpeg_decompress_struct *info)
{
    for (int c = 0; c < info->num_components; c++)
        info->comp_info[c].DCT_scaled_size = info->min_DCT_scaled_size;
    for (int c = 0; c < info->comps_in_scan; c++) {
        jpeg_component_info *component = info->cur_comp_info[c];
        component->MCU_sample_width = component->MCU_width * component->DCT_scaled_size;
    }
    info->idct->start_pass(info);
}

// A file that lacks scans may end as if it were whole: libjpeg makes their pixels up.
static void check_scans(cjpeg_reader *reader)
{
    const struct jpeg_decompress_struct *info = &reader->info;
    bool is_finished = true;
    for (int c = 0; c < info->num_components; c++) {
        const int *precision = info->progressive_mode && info->coef_bits != NULL ? info->coef_bits[c] : NULL;
        // Set by the first scan; -1 in `precision` before it.
        if (info->comp_info[c].quant_table == NULL || (precision != NULL && precision[0] < 0))
            cjpeg_damage(
                (j_common_ptr)info, CJPEG_STATUS_CORRUPT, "Corrupt JPEG data: a component has no data");
        for (int k = 0; precision != NULL && k < DCTSIZE2; k++) is_finished &= precision[k] == 0;
    }
    // An encoder may leave out the finest detail, so it is no damage for certain.
    if (!is_finished && reader->failure.note[0] == '\0')
        strcpy(reader->failure.note, "Corrupt JPEG data: scans are missing");
}

cjpeg_status cjpeg_reader_start(cjpeg_reader *reader, cjpeg_output output, int denominator)
{
    struct jpeg_decompress_struct *info = &reader->info;
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    info->dct_method = JDCT_ISLOW;
    info->raw_data_out = output == CJPEG_OUTPUT_RAW;
    info->scale_num = 1;
    info->scale_denom = (unsigned int)denominator;
    switch (output) {
    case CJPEG_OUTPUT_RAW: info->out_color_space = info->jpeg_color_space; break;
    case CJPEG_OUTPUT_GREY: info->out_color_space = JCS_GRAYSCALE; break;
    case CJPEG_OUTPUT_RGB: info->out_color_space = JCS_RGB; break;
    case CJPEG_OUTPUT_CMYK: info->out_color_space = JCS_CMYK; break;
    }
    jpeg_start_decompress(info);
    if (jpeg_has_multiple_scans(info)) check_scans(reader);
    if (output == CJPEG_OUTPUT_RAW) {
        reduce_alike(info);
        cjpeg_decoder_core_start(reader);
    }
    return CJPEG_STATUS_OK;
}

void cjpeg_reader_use_threads(
    cjpeg_reader *reader, int thread_count, cjpeg_concurrently concurrently, void *context)
{
    reader->thread_count = thread_count;
    reader->concurrently = concurrently;
    reader->concurrently_context = context;
}

// A row of MCUs.
static void read_row(cjpeg_reader *reader, uint8_t *const planes[], const size_t bytes_per_row[])
{
    struct jpeg_decompress_struct *info = &reader->info;
    JSAMPROW rows[3][4 * DCTSIZE];
    JSAMPARRAY arrays[3] = { rows[0], rows[1], rows[2] };
    for (int c = 0; c < info->num_components && c < 3; c++)
        for (int y = 0; y < info->comp_info[c].v_samp_factor * info->min_DCT_scaled_size; y++)
            rows[c][y] = planes[c] + (size_t)y * bytes_per_row[c];
    cjpeg_source_top_up(info, ROW_SIZE);
    jpeg_read_raw_data(info, arrays, (JDIMENSION)(info->max_v_samp_factor * info->min_DCT_scaled_size));
}

cjpeg_status cjpeg_reader_read_raw(
    cjpeg_reader *reader, uint8_t *const planes[], const size_t bytes_per_row[], int row_count)
{
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    for (int row = cjpeg_decoder_core_read_rows(reader, planes, bytes_per_row, row_count); row < row_count;
         row++) {
        uint8_t *rest[3] = { 0 };
        cjpeg_skip_rows(reader, planes, bytes_per_row, row, rest);
        read_row(reader, rest, bytes_per_row);
    }
    return CJPEG_STATUS_OK;
}

bool cjpeg_reader_uses_core(const cjpeg_reader *reader) { return reader->core != NULL; }

size_t cjpeg_reader_second_stream_blocks(const cjpeg_reader *reader)
{
    return reader->core == NULL ? 0 : jpegcore_decoder_second_stream_blocks(reader->core);
}

cjpeg_status cjpeg_reader_read_rows(cjpeg_reader *reader, uint8_t *first, size_t bytes_per_row, int count)
{
    if (setjmp(reader->failure.entry)) return reader->failure.status;
    for (int y = 0; y < count; y++) {
        JSAMPROW row = first + (size_t)y * bytes_per_row;
        cjpeg_source_top_up(&reader->info, ROW_SIZE);
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
    cjpeg_decoder_core_hand_over(reader);
    const cjpeg_rest rest = jpeg_has_multiple_scans(info) ? CJPEG_REST_NONE : cjpeg_huffman_rest(info);
    if (rest == CJPEG_REST_DATA)
        cjpeg_damage(
            (j_common_ptr)info, CJPEG_STATUS_CORRUPT, "Corrupt JPEG data: more data than the photo has");
    if (rest == CJPEG_REST_STRAY && failure->note[0] == '\0') strcpy(failure->note, strays);
    jpeg_finish_decompress(info);
    return CJPEG_STATUS_OK;
}
