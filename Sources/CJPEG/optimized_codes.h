// Huffman codes of a photo's own. The data is coded with standard codes first, to a scratch file, while its symbols are
// counted; then again with the codes that need the fewest bits.
#ifndef CJPEG_OPTIMIZED_CODES_H
#define CJPEG_OPTIMIZED_CODES_H

#include "encoder_core.h"

void cjpeg_optimized_codes_start(cjpeg_encoder_core *core);
// Writes the headers and the data, which is whole in the scratch file.
void cjpeg_optimized_codes_finish(cjpeg_encoder_core *core);

#endif
