// The entry of STEM in the table of sources.
{ STRING(STEM), JOIN(STEM, _text), sizeof JOIN(STEM, _text) },
#undef STEM
