#ifndef CJPEG_ENCODER_CORE_H
#define CJPEG_ENCODER_CORE_H

#include "CJPEG.h"
#include "JPEGCore.h"
#include <stdio.h>
#include <jpeglib.h>

// A part of the scratch file.
typedef struct cjpeg_scratch_data {
    uint8_t *bytes;
    size_t capacity, begin, count;
    bool is_complete; // up to the file's end
} cjpeg_scratch_data;

// JPEGCore's encoder for the scan that libjpeg is about to write. Failures jump as libjpeg's do.
typedef struct cjpeg_encoder_core {
    j_compress_ptr info;
    const jpegcore_level *level; // NULL to encode with libjpeg alone
    jpegcore_encoder *encoder;
    bool optimizes;
    cjpeg_scratch scratch;
    jpegcore_scan scan; // with the codes of the data in the scratch file
    jpegcore_symbol_counts counts[JPEGCORE_MOST_COMPONENTS];
    jpegcore_decoder *decoder; // of the scratch file
    cjpeg_scratch_data data;
} cjpeg_encoder_core;

// Call it after jpeg_start_compress.
void cjpeg_encoder_core_start(cjpeg_encoder_core *core);
void cjpeg_encoder_core_destroy(cjpeg_encoder_core *core);

// Writes the next row of MCUs instead of jpeg_write_raw_data.
void cjpeg_encoder_core_write_row(
    cjpeg_encoder_core *core, uint8_t *const planes[], const size_t bytes_per_row[]);

// Writes the end of the image's data, or all of it with its codes. jpeg_finish_compress must follow.
void cjpeg_encoder_core_finish(cjpeg_encoder_core *core);

// MARK: For optimized_codes.c

// The scan, with libjpeg's present codes.
jpegcore_scan cjpeg_encoder_core_scan(const struct jpeg_compress_struct *info);
// Writes data; `context` is a j_compress_ptr.
void cjpeg_encoder_core_write_bytes(void *context, const uint8_t *bytes, size_t count);
// Writes the headers of the frame and the scan, with the codes, if that was not done.
void cjpeg_encoder_core_write_headers(cjpeg_encoder_core *core);

#endif
