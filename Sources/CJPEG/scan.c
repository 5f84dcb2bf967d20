#include "scan.h"
#include <string.h>

static jpegcore_huffman_table huffman_table(const JHUFF_TBL *from)
{
    jpegcore_huffman_table table;
    memcpy(table.counts, from->bits, sizeof table.counts);
    memcpy(table.symbols, from->huffval, sizeof table.symbols);
    return table;
}

jpegcore_component cjpeg_core_component(
    const jpeg_component_info *from, const JQUANT_TBL *quant_table, JHUFF_TBL *const dc_tables[],
    JHUFF_TBL *const ac_tables[])
{
    jpegcore_component component = { .horizontal_factor = from->MCU_width,
                                     .vertical_factor = from->MCU_height,
                                     .blocks_across = (int)from->width_in_blocks,
                                     .blocks_down = (int)from->height_in_blocks,
                                     .block_size = from->DCT_scaled_size,
                                     .dc = huffman_table(dc_tables[from->dc_tbl_no]),
                                     .ac = huffman_table(ac_tables[from->ac_tbl_no]) };
    memcpy(component.quant_table, quant_table->quantval, sizeof component.quant_table);
    return component;
}
