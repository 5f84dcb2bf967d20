// exposure.cl: more or less light. Described by Sources/Filters/Exposure.swift.
ARGUMENTS(exposure) { float gain; }; // of linear light

POINT(exposure, c, at, arguments) { scale_light(c, arguments->gain); }
