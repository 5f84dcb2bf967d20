#define _GNU_SOURCE
#include "CBenchmark.h"
#include <sys/mman.h>

int cbenchmark_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }
