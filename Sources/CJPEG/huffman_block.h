#ifndef CJPEG_HUFFMAN_BLOCK_H
#define CJPEG_HUFFMAN_BLOCK_H

#include "bit_reader.h"

// Decodes the blocks of the next MCU, which are zero before (ITU-T T.81, F.2.2).
void cjpeg_decode_blocks(j_decompress_ptr info, JBLOCKROW *blocks);

// Decodes block `n` of an MCU.
cjpeg_bits cjpeg_decode_block(j_decompress_ptr info, cjpeg_bits at, int n, JCOEF *block);

#endif
