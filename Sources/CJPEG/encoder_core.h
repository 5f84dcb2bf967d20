#ifndef CJPEG_ENCODER_CORE_H
#define CJPEG_ENCODER_CORE_H

#include "JPEGCore.h"
#include <stdio.h>
#include <jpeglib.h>

// The core's encoder for the scan that libjpeg is about to write; NULL if memory runs out. Call it after
// jpeg_start_compress.
jpegcore_encoder *cjpeg_encoder_core_create(j_compress_ptr info, const jpegcore_level *level);

// Writes the next row of MCUs instead of jpeg_write_raw_data.
void cjpeg_encoder_core_write_row(
    jpegcore_encoder *core, j_compress_ptr info, uint8_t *const planes[], const size_t bytes_per_row[]);

// Writes the end of the image's data. jpeg_finish_compress must follow.
void cjpeg_encoder_core_finish(jpegcore_encoder *core, j_compress_ptr info);

#endif
