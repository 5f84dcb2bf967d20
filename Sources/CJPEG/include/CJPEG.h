// CJPEG: libjpeg in functions that return a status. libjpeg reports errors by longjmp. Each jump starts and
// ends in C, so it never crosses a Swift frame.
#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// JPEGCore's.
typedef struct jpegcore_level jpegcore_level;

typedef enum cjpeg_status {
    CJPEG_STATUS_OK,
    CJPEG_STATUS_TRUNCATED, // the input ended before the image did
    CJPEG_STATUS_CORRUPT,
    CJPEG_STATUS_UNSUPPORTED,
    CJPEG_STATUS_OUT_OF_MEMORY,
    CJPEG_STATUS_TOO_MANY_SCANS,
    CJPEG_STATUS_TOO_MUCH_METADATA,
    CJPEG_STATUS_CALLBACK_FAILED // the read or write function failed
} cjpeg_status;

// Copies up to `capacity` bytes into `buffer`. Returns their count, 0 at the end of the input, or -1 on
// failure.
typedef ptrdiff_t (*cjpeg_read)(void *context, uint8_t *buffer, size_t capacity);
// Takes all bytes, or returns false.
typedef bool (*cjpeg_write)(void *context, const uint8_t *bytes, size_t count);

typedef enum cjpeg_colours {
    CJPEG_COLOURS_GREY,
    CJPEG_COLOURS_YCC,
    CJPEG_COLOURS_RGB,
    CJPEG_COLOURS_CMYK, // or YCCK
    CJPEG_COLOURS_OTHER
} cjpeg_colours;

typedef struct cjpeg_component {
    int horizontal_factor, vertical_factor;
    int blocks_across, blocks_down; // those that hold pixels
    bool has_quant_table;
    uint16_t quant_table[64]; // row-major
} cjpeg_component;

typedef struct cjpeg_header {
    int width, height;
    cjpeg_colours colours;
    int component_count;
    cjpeg_component components[4];
    bool has_arithmetic_codes; // instead of Huffman codes
    bool has_multiple_scans;   // decoding keeps the coefficients of the whole image
    bool has_density;
    int density_unit, density_x, density_y; // as in the JFIF segment
} cjpeg_header;

typedef struct cjpeg_marker {
    int code; // 0xE0 + n for APPn, 0xFE for a comment
    const uint8_t *bytes;
    size_t count;
} cjpeg_marker;

typedef enum cjpeg_output {
    CJPEG_OUTPUT_RAW, // the planes as coded, whole blocks
    CJPEG_OUTPUT_GREY,
    CJPEG_OUTPUT_RGB,
    CJPEG_OUTPUT_CMYK
} cjpeg_output;

typedef struct cjpeg_reader cjpeg_reader;

// Returns NULL if memory runs out. `maximum_passes`: the most scans over each block of the image, on average.
// `maximum_metadata`: the most bytes of memory for segments before the first scan. A lenient reader makes up
// lost pixels of a damaged file instead of failing. `level`: for JPEGCore, which decodes raw planes of most
// files with the results of libjpeg; NULL to decode with libjpeg alone.
cjpeg_reader *cjpeg_reader_create(
    cjpeg_read read, void *context, int maximum_passes, size_t maximum_metadata, bool is_lenient,
    const jpegcore_level *level);
void cjpeg_reader_destroy(cjpeg_reader *reader);
// libjpeg's message for the last failure.
const char *cjpeg_reader_message(const cjpeg_reader *reader);
// A flaw of the file that lost no pixel; empty if there is none. Complete after cjpeg_reader_finish.
const char *cjpeg_reader_note(const cjpeg_reader *reader);
cjpeg_status cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header);
// The next APPn or COM segment before the first scan, without APP0; false after the last. The bytes live
// until cjpeg_reader_destroy.
bool cjpeg_reader_next_marker(cjpeg_reader *reader, cjpeg_marker *marker);
// Such segments after the first scan's header so far. They are skipped.
int cjpeg_reader_late_segment_count(const cjpeg_reader *reader);
// Calls work(argument, 0) to work(argument, count - 1) on any threads, and returns when all have returned.
typedef void (*cjpeg_concurrently)(
    void *context, size_t count, void (*work)(void *argument, size_t index), void *argument);
// Lets JPEGCore decode with several threads, of which `thread_count` are likely to work. Call it before
// cjpeg_reader_start; reading many rows at once is faster then.
void cjpeg_reader_use_threads(
    cjpeg_reader *reader, int thread_count, cjpeg_concurrently concurrently, void *context);
// `denominator`: 1, or 2, 4 or 8 for libjpeg's scaled decoding: both sides are divided by it, rounded up. With
// CJPEG_OUTPUT_RAW, it divides the sides of every plane.
cjpeg_status cjpeg_reader_start(cjpeg_reader *reader, cjpeg_output output, int denominator);
// Reads rows of MCUs, each of 8 / denominator x the largest vertical factor rows of pixels, into the planes. After a
// failure, the rows before it are there.
cjpeg_status cjpeg_reader_read_raw(
    cjpeg_reader *reader, uint8_t *const planes[], const size_t bytes_per_row[], int row_count);
// Whether JPEGCore has decoded all rows so far.
bool cjpeg_reader_uses_core(const cjpeg_reader *reader);
// Blocks that JPEGCore's second stream has decoded so far.
size_t cjpeg_reader_second_stream_blocks(const cjpeg_reader *reader);
cjpeg_status cjpeg_reader_read_rows(cjpeg_reader *reader, uint8_t *first, size_t bytes_per_row, int count);
// Checks that the image is complete.
cjpeg_status cjpeg_reader_finish(cjpeg_reader *reader);

typedef struct cjpeg_writer_settings {
    int width, height;
    bool grey;                              // else YCbCr
    int horizontal_factor, vertical_factor; // of Y; chroma has 1 x 1
    int quality;                            // 1...100, or 0 for `quant_tables`
    uint16_t quant_tables[3][64];           // row-major, one per component
    int density_unit, density_x, density_y;
    int restart_rows; // rows of MCUs between restart markers, as many as a segment can tell; 0 for none
    bool progressive; // in the scans of libjpeg's standard script. Only for a writer without JPEGCore
} cjpeg_writer_settings;

// A file that the image's data is written to, and then read from its begin on.
typedef struct cjpeg_scratch {
    cjpeg_write write;
    cjpeg_read read;
    void *context;
} cjpeg_scratch;

typedef struct cjpeg_writer cjpeg_writer;

// `level`: for JPEGCore, which writes the same bytes as libjpeg; NULL to encode with libjpeg alone.
cjpeg_writer *cjpeg_writer_create(cjpeg_write write, void *context, const jpegcore_level *level);
void cjpeg_writer_destroy(cjpeg_writer *writer);
const char *cjpeg_writer_message(const cjpeg_writer *writer);
// Finds the Huffman codes that need the fewest bits. These are known after the last row, so all data waits in the
// scratch file until then; libjpeg alone keeps it in memory instead. Call it before cjpeg_writer_start.
void cjpeg_writer_optimize(cjpeg_writer *writer, cjpeg_scratch scratch);
cjpeg_status cjpeg_writer_start(cjpeg_writer *writer, const cjpeg_writer_settings *settings);
// Call between start and the first rows. At most 65533 bytes.
cjpeg_status cjpeg_writer_write_marker(cjpeg_writer *writer, int code, const uint8_t *bytes, size_t count);
// Writes all that precedes the image's data, which otherwise happens with the first row. Not for a writer that finds codes.
cjpeg_status cjpeg_writer_write_headers(cjpeg_writer *writer);
// Writes one row of blocks: 8 x vertical_factor rows of pixels, whole blocks.
cjpeg_status cjpeg_writer_write_raw(
    cjpeg_writer *writer, uint8_t *const planes[], const size_t bytes_per_row[]);
cjpeg_status cjpeg_writer_finish(cjpeg_writer *writer);

#endif
