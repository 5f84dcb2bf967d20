#ifndef CJPEG_SCAN_H
#define CJPEG_SCAN_H

#include "JPEGCore.h"
#include <stdio.h>
#include <jpeglib.h>

// What the core needs of a component in the scan. libjpeg has checked the codes.
jpegcore_component cjpeg_core_component(
    const jpeg_component_info *from, const JQUANT_TBL *quant_table, JHUFF_TBL *const dc_tables[],
    JHUFF_TBL *const ac_tables[]);

#endif
