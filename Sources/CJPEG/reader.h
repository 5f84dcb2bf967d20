#ifndef CJPEG_READER_H
#define CJPEG_READER_H

#include "failure.h"
#include "segments.h"
#include "source.h"
#include "JPEGCore.h"

// `info.client_data` points to it.
struct cjpeg_reader {
    struct jpeg_decompress_struct info;
    cjpeg_failure failure;
    struct jpeg_progress_mgr progress;
    cjpeg_segments segments;
    int64_t blocks_left; // that further scans may pass over
    int maximum_passes, scan;
    const jpegcore_level *level; // NULL to decode with libjpeg alone
    jpegcore_decoder *core;      // while it decodes the scan
    int thread_count;            // of the core; 0 for the caller's alone
    cjpeg_concurrently concurrently;
    void *concurrently_context;
    cjpeg_source source;
};

#endif
