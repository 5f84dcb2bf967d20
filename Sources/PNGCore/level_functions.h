// All functions of a level. The including file selects the instruction set with `#pragma clang attribute`, and defines
// LANE_COUNT (bytes of a vector), LEVEL (the table's C name), LEVEL_NAME and LEVEL_IS_SUPPORTED.
#include "lanes.h"
#include "inflate_loop.h"
#include "pixel_symbols.h"
#include "row_filter.h"
#include "row_unfilter.h"
#include "symbol_writer.h"

static bool is_supported(void) { return LEVEL_IS_SUPPORTED; }

const pngcore_level LEVEL = {
    .name = LEVEL_NAME,
    .is_supported = is_supported,
    .filter_row = filter_row,
    .unfilter_row = unfilter_row,
    .copy_samples = copy_samples,
    .write_symbols = write_symbols,
    .parse_pixels = parse_pixels,
    .write_pixels = write_pixels,
    .inflate_symbols = inflate_symbols,
    .add_checksum = add_checksum,
};
