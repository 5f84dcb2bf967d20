// All functions of a level. The including file selects the instruction set with `#pragma clang attribute`,
// includes the lanes, and defines LEVEL (the table's C name), LEVEL_NAME, LEVEL_IS_SUPPORTED and
// ENTROPY_ENCODER (a header).
#include "block_decoder.h"
#include "block_stream.h"
#include "forward_dct.h"
#include "inverse_dct.h"
#include "symbol_counts.h"
#include ENTROPY_ENCODER

static bool is_supported(void) { return LEVEL_IS_SUPPORTED; }

const jpegcore_level LEVEL = {
    .name = LEVEL_NAME,
    .is_supported = is_supported,
    .profits_from_streams = PROFITS_FROM_STREAMS,
    .decode_blocks = decode_blocks,
    .decode_streams = decode_streams,
    .decode_stream = decode_stream,
    .step_stream = step_stream,
    .inverse_transform = inverse_transform,
    .forward_transform = forward_transform,
    .encode_blocks = encode_blocks,
    .count_symbols = count_symbols,
};
