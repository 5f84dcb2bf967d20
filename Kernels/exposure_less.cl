// exposure_less.cl: less light. Described by Sources/Filters/Exposure.swift.
ARGUMENTS(exposure_less) { float gain, root; }; // of linear light, below 1; gain^(1/2.4)

POINT(exposure_less, c, at, arguments) { dim(c, arguments->gain, arguments->root); }
