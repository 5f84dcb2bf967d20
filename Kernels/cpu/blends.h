// All .cl files that define a blend of a photo with its blur: two lines each, as in filters.h.
#define STEM bloom
#include FILTER_ENTRY
#define STEM unsharp
#include FILTER_ENTRY
