#ifndef CJPEG_SOURCE_H
#define CJPEG_SOURCE_H

#include "CJPEG.h"
#include <stdio.h>
#include <jpeglib.h>

// A libjpeg data source over a read function.
typedef struct cjpeg_source {
    struct jpeg_source_mgr manager; // first: libjpeg's pointer to it is a pointer to this
    cjpeg_read read;
    void *context;
    bool is_at_end;
    JOCTET buffer[128 * 1024];
} cjpeg_source;

// Sets `info->src`.
void cjpeg_source_init(cjpeg_source *source, j_decompress_ptr info, cjpeg_read read, void *context);

// Refills early: libjpeg decodes the last few KiB of its buffer with a slower decoder.
void cjpeg_source_top_up(j_decompress_ptr info);

// A marker segment's parameters, without their length; read the length first (ITU-T T.81, B.1.1.4).
size_t cjpeg_source_read_length(j_decompress_ptr info);
void cjpeg_source_read_bytes(j_decompress_ptr info, uint8_t *bytes, size_t count);

#endif
