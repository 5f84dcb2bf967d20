#ifndef CJPEG_HUFFMAN_H
#define CJPEG_HUFFMAN_H

#include <stdbool.h>
#include <stdio.h>
#include <jpeglib.h>

// Decodes the sequential Huffman-coded scans of `info` in libjpeg's place, from its current scan on. Called when
// jpeg_start_decompress has set libjpeg's own decoder up and no MCU was decoded; a further call changes nothing.
//
// libjpeg-turbo has two decoders of its own. The slow one warns of bits that are no code (JWRN_HUFF_BAD_CODE). The
// fast one, which it takes for all but the last bytes of its buffer, takes such bits for a zero and says nothing
// (HUFF_DECODE_FAST in jdhuff.h), so damaged photos pass. This one gives the slow one's coefficients and warnings.
void cjpeg_huffman_install(j_decompress_ptr info);

// What lies between the last MCU of a photo and the next marker.
typedef enum cjpeg_rest {
    CJPEG_REST_NONE, // nothing, or this decoder is not in use
    CJPEG_REST_STRAY, // zeros, or at most eight bytes that do not decode as whole blocks: nothing of the photo's
    CJPEG_REST_DATA // anything else: a damaged bit makes blocks longer or shorter, so that data is left over
} cjpeg_rest;

// Reads on behind the last MCU. Called once.
cjpeg_rest cjpeg_huffman_rest(j_decompress_ptr info);

// Warns of bytes behind the last scan's last MCU, of a photo in several scans.
void cjpeg_huffman_check_end(j_decompress_ptr info);

#endif
