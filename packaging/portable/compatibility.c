// What the tool's libraries take from a glibc later than 2.31, and what libxml2 takes from ICU. All of it stays inside the tool.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define INSIDE __attribute__((visibility("hidden")))

// glibc 2.32. False is right for every process: libstdc++ then counts with atomic instructions.
INSIDE char __libc_single_threaded = 0;

// glibc 2.34. Kernels before 5.9 do not have it. It is called between fork and exec, where few functions may be.
INSIDE int close_range(unsigned first, unsigned last, int flags)
{
    enum { CLOSE_RANGE = 436 }; // on every architecture
    if (syscall(CLOSE_RANGE, first, last, flags) == 0) return 0;
    struct rlimit limit;
    if (errno != ENOSYS || flags != 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    for (rlim_t descriptor = first; descriptor <= last && descriptor < limit.rlim_cur; descriptor++)
        close((int)descriptor);
    return 0;
}

// glibc 2.34. Adds those that are open now. A child ignores those that are closed in between.
INSIDE int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from)
{
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return errno;
    int failure = 0;
    for (struct dirent *entry = readdir(folder); entry && !failure; entry = readdir(folder)) {
        char *end;
        const long descriptor = strtol(entry->d_name, &end, 10);
        if (end == entry->d_name || descriptor < from || descriptor == dirfd(folder)) continue;
        failure = posix_spawn_file_actions_addclose(actions, (int)descriptor);
    }
    closedir(folder);
    return failure;
}

// Converters for encodings that glibc's iconv does not know. XML comes from object stores alone, in UTF-8. Without ICU, libxml2
// reports an unknown encoding.
enum { U_FILE_ACCESS_ERROR = 4, U_UNSUPPORTED_ERROR = 16 };

INSIDE void *ucnv_open_72(const char *name, int *error)
{
    (void)name;
    *error = U_FILE_ACCESS_ERROR;
    return NULL;
}

INSIDE void ucnv_close_72(void *converter) { (void)converter; }

INSIDE void ucnv_convertEx_72(
    void *to, void *from, char **target, const char *target_limit, const char **source,
    const char *source_limit, void *pivot_start, void *pivot_source, void *pivot_target,
    const void *pivot_limit, signed char reset, signed char flush, int *error)
{
    (void)to, (void)from, (void)target, (void)target_limit, (void)source, (void)source_limit;
    (void)pivot_start, (void)pivot_source, (void)pivot_target, (void)pivot_limit, (void)reset, (void)flush;
    *error = U_UNSUPPORTED_ERROR;
}

#define CALLBACKS(direction)                                                                            \
    INSIDE void ucnv_set##direction##CallBack_72(                                                       \
        void *converter, void *action, const void *context, void *old_action, const void **old_context, \
        int *error)                                                                                     \
    {                                                                                                   \
        (void)converter, (void)action, (void)context, (void)old_action, (void)old_context;              \
        *error = U_UNSUPPORTED_ERROR;                                                                   \
    }
CALLBACKS(ToU)
CALLBACKS(FromU)

// Only their addresses are passed.
INSIDE void UCNV_TO_U_CALLBACK_STOP_72(void) {}
INSIDE void UCNV_FROM_U_CALLBACK_STOP_72(void) {}
