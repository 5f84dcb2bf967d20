// Every .cl file with a pixel function of its own name: one pair of lines each.
// Whoever includes this says with FILTER_ENTRY which header to include for each STEM.
#define STEM sepia
#include FILTER_ENTRY
#define STEM sepia_luminance
#include FILTER_ENTRY
#define STEM noir
#include FILTER_ENTRY
#define STEM noir_steep
#include FILTER_ENTRY
