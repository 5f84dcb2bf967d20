// library_faults.c: a preloaded library that hides another one from the tested tool.
//
// MISSING_LIBRARY   a part of the name of the library that dlopen does not find
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *dlopen(const char *name, int flags)
{
    static void *(*real)(const char *, int);
    if (!real) real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    const char *missing = getenv("MISSING_LIBRARY");
    return real(missing && name && strstr(name, missing) ? "no-such-library.so" : name, flags);
}
