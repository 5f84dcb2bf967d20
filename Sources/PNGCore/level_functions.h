// All functions of a level. The including file selects the instruction set with `#pragma clang attribute`, and defines
// LANE_COUNT (bytes of a vector), LEVEL (the table's C name), LEVEL_NAME and LEVEL_IS_SUPPORTED.
#include "lanes.h"
#include "row_filter.h"
#include "symbol_writer.h"

static bool is_supported(void) { return LEVEL_IS_SUPPORTED; }

const pngcore_level LEVEL = {
    .name = LEVEL_NAME,
    .is_supported = is_supported,
    .filter_row = filter_row,
    .write_symbols = write_symbols,
};
