#include "mcu_groups.h"

mcu_groups make_mcu_groups(const jpegcore_scan *scan)
{
    mcu_groups groups = { 0 };
    for (int c = 0; c < scan->component_count; c++) {
        const jpegcore_component *component = &scan->components[c];
        groups.first_block[c] = groups.block_count;
        for (int n = 0; n < component->horizontal_factor * component->vertical_factor; n++)
            groups.component[groups.block_count++] = (uint8_t)c;
    }
    const int size = GROUP_BLOCKS / groups.block_count / GROUP_MULTIPLE * GROUP_MULTIPLE;
    groups.size = size < GROUP_MULTIPLE ? GROUP_MULTIPLE : size;
    for (int c = 0; c < scan->component_count; c++) {
        const int across = scan->components[c].horizontal_factor;
        for (int n = 0; n < across * groups.size; n++) {
            const int block = n / across * groups.block_count + groups.first_block[c] + n % across;
            groups.offsets[c][n] = (uint16_t)(block * 64);
        }
    }
    return groups;
}

block_row block_row_at(
    const jpegcore_scan *scan, int component, int y, int mcu_row, int mcu_column, int mcu_count)
{
    const jpegcore_component *of = &scan->components[component];
    const int left = of->blocks_across - mcu_column * of->horizontal_factor;
    const int wanted = mcu_count * of->horizontal_factor;
    const bool is_below = mcu_row * of->vertical_factor + y >= of->blocks_down;
    return (block_row) {
        .count = is_below || left < 0 ? 0
            : wanted < left           ? wanted
                                      : left,
        .sample_x = (size_t)(of->block_size * mcu_column * of->horizontal_factor),
        .sample_y = (size_t)(of->block_size * y),
        .first_coefficient = (size_t)(y * of->horizontal_factor * 64),
    };
}
