#define _GNU_SOURCE
#include "CBenchmark.h"
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>

int cbenchmark_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

bool cbenchmark_is_memory(const char *path)
{
    struct statfs status;
    return statfs(path, &status) == 0 && (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC);
}
