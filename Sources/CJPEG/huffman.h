#ifndef CJPEG_HUFFMAN_H
#define CJPEG_HUFFMAN_H

#include <stdbool.h>
#include <stdio.h>
#include <jpeglib.h>

// Replaces libjpeg's decoder for the sequential Huffman-coded scans of `info`, from the current scan on. Call
// it after jpeg_start_decompress has set up libjpeg's own decoder and before the first MCU. Further calls do
// nothing.
//
// libjpeg-turbo has two decoders. The slow one warns of invalid codes (JWRN_HUFF_BAD_CODE). The fast one,
// used for all but the last bytes of its buffer, decodes them as zero without a warning (HUFF_DECODE_FAST in
// jdhuff.h), so damaged photos pass. This decoder gives the slow one's coefficients and warnings.
void cjpeg_huffman_install(j_decompress_ptr info);

// The data between the last MCU of a photo's only scan and the next marker.
typedef enum cjpeg_rest {
    CJPEG_REST_NONE, // nothing, or this decoder is not in use
    CJPEG_REST_STRAY, // zeros, or at most eight bytes that do not decode as whole blocks: nothing of the photo's
    CJPEG_REST_DATA // anything else: a damaged bit makes blocks longer or shorter, so that data is left over
} cjpeg_rest;

// Reads the data after the last MCU of the only scan. Call it once. Of data after the last MCU of one of several scans,
// the decoder itself warns.
cjpeg_rest cjpeg_huffman_rest(j_decompress_ptr info);

#endif
