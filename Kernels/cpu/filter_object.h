// The end of a filter's shared object, after its .cl file: the loops over a run of pixels, and their table, which the
// host looks up by name. The compiler's flags select the instruction-set level.
FILTER_LOOP(JOIN(STEM, _rows), )
FILTER_LOOP(JOIN(STEM, _unlimited_rows), unit)

const kernels_named_point kernels_filter_point = {
    STRING(STEM),
    JOIN(STEM, _rows),
    JOIN(STEM, _unlimited_rows),
};
