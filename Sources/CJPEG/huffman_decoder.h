#ifndef CJPEG_HUFFMAN_DECODER_H
#define CJPEG_HUFFMAN_DECODER_H

#include "huffman_table.h"
#include <jpegint.h>
#include <stdbool.h>

// The decoder that cjpeg_huffman_install puts into `info->entropy`.
typedef struct cjpeg_huffman_decoder {
    struct jpeg_entropy_decoder pub; // first: libjpeg's pointer to it is a pointer to this
    struct jpeg_entropy_decoder *original;
    // The bit reader's, between MCUs.
    uint64_t bits;
    int bit_count;
    unsigned int restarts_to_go;
    size_t mcus_left; // of the scan
    int last_dc[MAX_COMPS_IN_SCAN];
    cjpeg_huffman_table *dc[NUM_HUFF_TBLS], *ac[NUM_HUFF_TBLS];
    bool is_cut;               // the input has ended, and `unread_marker` is an EOI that is not there
    bool is_trial, has_failed; // whether warnings are held, and one was
} cjpeg_huffman_decoder;

// Passes a warning to libjpeg's error manager, except in a trial.
void cjpeg_huffman_warn(j_decompress_ptr info, int code);

// The same for the end of the input, if bits are missing because of it. A decoder that reads ahead must not report
// it sooner.
void cjpeg_huffman_report_cut(j_decompress_ptr info);

// Whether `info->entropy` is this decoder.
bool cjpeg_huffman_is_installed(j_decompress_ptr info);

#endif
