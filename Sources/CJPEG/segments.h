#ifndef CJPEG_SEGMENTS_H
#define CJPEG_SEGMENTS_H

#include "CJPEG.h"
#include <stdio.h>
#include <jpeglib.h>

// The APPn and COM segments of a photo. libjpeg's own list takes quadratic time: 100,000 empty segments take
// half a minute.
typedef struct cjpeg_segments {
    struct cjpeg_segment *first, **end;
    const struct cjpeg_segment *next; // that cjpeg_reader_next_marker returns
    size_t bytes_left;                // that segments may still take
    int late_count;                   // of those after the first scan's header
} cjpeg_segments;

// `maximum`: the most bytes of memory for segments.
void cjpeg_segments_init(cjpeg_segments *segments, size_t maximum);

// libjpeg passes further segments to these. Those between scans are not stored: their total size is not known
// before the pixels are read.
void cjpeg_segments_store(j_decompress_ptr info);
void cjpeg_segments_skip(j_decompress_ptr info);

#endif
