// Names and file names derived from STEM, for the headers that filters.h includes.
#pragma once
#define STRING_OF(text) #text
#define STRING(text) STRING_OF(text)
#define JOIN_OF(first, second) first##second
#define JOIN(first, second) JOIN_OF(first, second)
// Not formatted: a space would become part of the name.
// clang-format off
#define CL_FILE STRING(../STEM.cl)
