// clang-format off
// The entry of STEM in the table of sources.
{ STRING(STEM), (const char[]){
#embed CL_FILE suffix(, 0)
} },
#undef STEM
