#ifndef CJPEG_DECODER_CORE_H
#define CJPEG_DECODER_CORE_H

#include "reader.h"

// Decodes with JPEGCore from here on, if it supports the scan that libjpeg has started. Otherwise, and if memory
// runs out, libjpeg decodes.
void cjpeg_decoder_core_start(cjpeg_reader *reader);

// Reads rows of MCUs. Returns their number: if it is less than `row_count`, the core is not in use, or not any more,
// and libjpeg reads the others.
int cjpeg_decoder_core_read_rows(
    cjpeg_reader *reader, uint8_t *const planes[], const size_t bytes_per_row[], int row_count);

// The planes behind `row_count` rows of MCUs.
void cjpeg_skip_rows(
    const cjpeg_reader *reader, uint8_t *const planes[], const size_t bytes_per_row[], int row_count,
    uint8_t *rest[]);

// Lets libjpeg continue at the core's checkpoint; does nothing if it is already at work. After the last row, it
// only has to read what follows the image.
void cjpeg_decoder_core_hand_over(cjpeg_reader *reader);

#endif
