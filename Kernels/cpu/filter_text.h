// The text of STEM's .cl file.
static const char JOIN(STEM, _text)[] = {
#embed CL_FILE
};
#undef STEM
