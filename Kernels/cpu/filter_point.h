// The entry of STEM in a level's table of point functions.
{ STRING(STEM), JOIN(STEM, _rows), JOIN(STEM, _unlimited_rows) },
#undef STEM
