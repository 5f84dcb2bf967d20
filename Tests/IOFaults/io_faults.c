// io_faults.c: a preloaded library that makes system calls of the tested tool fail.
//
// IO_FAULT_CALL    the call: open (of a new file), write, fdatasync, link, or lock (fcntl's)
// IO_FAULT_PATH    only calls on a path that contains this text
// IO_FAULT_FIRST   the first of those calls that fails; 1 is the first of all
// IO_FAULT_COUNT   how many fail from there on
// IO_FAULT_ERRNO   the error
// IO_FAULT_AFTER   1: the call is made, and then reported as failed
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int matching_calls;

static int setting(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

// Whether this call of `call` on `path` is one of those that fail.
static int fails(const char *call, const char *path)
{
    const char *chosen = getenv("IO_FAULT_CALL"), *part = getenv("IO_FAULT_PATH");
    if (!chosen || strcmp(chosen, call) != 0 || (part && !strstr(path, part))) return 0;
    const int number = ++matching_calls, first = setting("IO_FAULT_FIRST", 1);
    return number >= first && number < first + setting("IO_FAULT_COUNT", 1);
}

static int fails_for_descriptor(const char *call, int descriptor)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails(call, path);
}

static int failure(void)
{
    errno = setting("IO_FAULT_ERRNO", EIO);
    return -1;
}

int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    if (!real) real = dlsym(RTLD_NEXT, "open");
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return (flags & O_CREAT) && fails("open", path) ? failure() : real(path, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    return fails_for_descriptor("write", descriptor) ? failure() : real(descriptor, bytes, count);
}

int fdatasync(int descriptor)
{
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
    return fails_for_descriptor("fdatasync", descriptor) ? failure() : real(descriptor);
}

int link(const char *from, const char *to)
{
    static int (*real)(const char *, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "link");
    if (!fails("link", to)) return real(from, to);
    if (setting("IO_FAULT_AFTER", 0)) real(from, to);
    return failure();
}

// Only locks of open file descriptions (F_OFD_SETLK, F_OFD_SETLKW).
int fcntl(int descriptor, int command, ...)
{
    static int (*real)(int, int, ...);
    if (!real) real = dlsym(RTLD_NEXT, "fcntl");
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    const int locks = (command == 37 || command == 38) && *(short *)argument != F_UNLCK;
    return locks && fails_for_descriptor("lock", descriptor) ? failure()
                                                             : real(descriptor, command, argument);
}
