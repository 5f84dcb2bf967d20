// All .cl files that define a pixel function: two lines each.
// The including file defines FILTER_ENTRY, the header to include for each STEM.
#define STEM sepia
#include FILTER_ENTRY
#define STEM sepia_luminance
#include FILTER_ENTRY
#define STEM noir
#include FILTER_ENTRY
#define STEM noir_steep
#include FILTER_ENTRY
