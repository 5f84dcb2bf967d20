// All .cl files that define a function of a window of pixels: two lines each, as in filters.h.
#define STEM median_3
#include FILTER_ENTRY
#define STEM median_5
#include FILTER_ENTRY
