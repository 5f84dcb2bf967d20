// The entry of STEM in a level's table of blends.
{ STRING(STEM), JOIN(STEM, _rows) },
#undef STEM
