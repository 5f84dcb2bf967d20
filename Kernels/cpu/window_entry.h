// The entry of STEM in a level's table of functions of windows.
{ STRING(STEM), JOIN(STEM, _rows) },
#undef STEM
