// All .cl files that define a point function: two lines each.
// The including file defines FILTER_ENTRY, the header to include for each STEM.
#define STEM sepia
#include FILTER_ENTRY
#define STEM sepia_luminance
#include FILTER_ENTRY
#define STEM noir
#include FILTER_ENTRY
#define STEM noir_steep
#include FILTER_ENTRY
#define STEM colour_matrix
#include FILTER_ENTRY
#define STEM straight_line
#include FILTER_ENTRY
#define STEM exposure
#include FILTER_ENTRY
#define STEM exposure_less
#include FILTER_ENTRY
#define STEM exposure_more
#include FILTER_ENTRY
#define STEM vignette
#include FILTER_ENTRY
#define STEM grain
#include FILTER_ENTRY
#define STEM grain_coarse
#include FILTER_ENTRY
#define STEM posterize
#include FILTER_ENTRY
#define STEM threshold
#include FILTER_ENTRY
#define STEM light_matrix
#include FILTER_ENTRY
#define STEM tone_curve
#include FILTER_ENTRY
#define STEM vibrance
#include FILTER_ENTRY
#define STEM duotone
#include FILTER_ENTRY
#define STEM split_tone
#include FILTER_ENTRY
#define STEM lut_1d
#include FILTER_ENTRY
#define STEM lut_3d
#include FILTER_ENTRY
#define STEM border
#include FILTER_ENTRY
#define STEM watermark
#include FILTER_ENTRY
