// The point function of STEM, and its loops over a run of pixels.
#include CL_FILE

FILTER_LOOP(JOIN(STEM, _rows), )
FILTER_LOOP(JOIN(STEM, _unlimited_rows), unit)
#undef STEM
