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
    JOCTET *buffer;
    size_t capacity;
} cjpeg_source;

// Sets `info->src`. Returns false if memory runs out.
bool cjpeg_source_init(cjpeg_source *source, j_decompress_ptr info, cjpeg_read read, void *context);
void cjpeg_source_destroy(cjpeg_source *source);

// Refills once if there are fewer than `enough` bytes.
void cjpeg_source_top_up(j_decompress_ptr info, size_t enough);

// Reads until there are `enough` bytes; the buffer grows if they do not fit.
void cjpeg_source_provide(j_decompress_ptr info, size_t enough);

// Reads further bytes when all are consumed. Returns false at the end of the input, and does not report it.
bool cjpeg_source_read_more(j_decompress_ptr info);

// Reads further bytes after all that libjpeg has not consumed; the buffer grows to at most `most` bytes. Returns
// false at the end of the input, and if the buffer may not grow.
bool cjpeg_source_extend(j_decompress_ptr info, size_t most);

// A marker segment's parameters, without their length; read the length first (ITU-T T.81, B.1.1.4).
size_t cjpeg_source_read_length(j_decompress_ptr info);
void cjpeg_source_read_bytes(j_decompress_ptr info, uint8_t *bytes, size_t count);

#endif
