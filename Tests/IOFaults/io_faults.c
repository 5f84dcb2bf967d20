// io_faults.c: a preloaded library that makes system calls of the tested tool fail.
//
// Either chosen calls fail:
// IO_FAULT_CALL    the call: open (of a new file), read, write, fsync, fdatasync, syncfs, truncate, link, rename, mkdir, or
//                  lock (fcntl's)
// IO_FAULT_PATH    only calls on a path that contains this text
// IO_FAULT_FIRST   the first of those calls that fails; 1 is the first of all
// IO_FAULT_COUNT   how many fail from there on
// IO_FAULT_ERRNO   the error
// IO_FAULT_AFTER   1: the call is made, and then reported as failed
//
// Or calls of any kind fail at random, on relative paths and on those that contain IO_FAULT_PATH:
// IO_FAULT_SEED    the first of the random numbers; equal seeds let the calls of equal numbers fail
// IO_FAULT_RATE    how many of a million calls fail, are interrupted, or transfer a part of the bytes only
// IO_FAULT_LOG     a file that gets a line for each of them
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int matching_calls;
static atomic_ullong random_calls;

// The function that this library hides.
#define REAL(type, name, ...)         \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int setting(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

// Whether this call of `call` on `path` is one of those that fail.
static int is_chosen(const char *call, const char *path)
{
    const char *chosen = getenv("IO_FAULT_CALL"), *part = getenv("IO_FAULT_PATH");
    if (!chosen || strcmp(chosen, call) != 0 || (part && !strstr(path, part))) return 0;
    const int number = ++matching_calls, first = setting("IO_FAULT_FIRST", 1);
    return number >= first && number < first + setting("IO_FAULT_COUNT", 1);
}

// SplitMix64.
static uint64_t random_number(uint64_t seed, uint64_t index)
{
    uint64_t z = seed * 0xD1342543DE82EF95u + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void note(const char *call, const char *path, const char *what)
{
    const char *log = getenv("IO_FAULT_LOG");
    if (!log) return;
    // System calls, because these must not fail.
    const int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    char line[4608];
    const int length = snprintf(line, sizeof line, "%s %s: %s\n", call, path, what);
    if (file >= 0) {
        syscall(SYS_write, file, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
        syscall(SYS_close, file);
    }
}

enum { NO_FAULT = 0, PARTIAL = -1 };

// An error, PARTIAL or NO_FAULT.
static int random_fault(const char *call, const char *path)
{
    const char *seed = getenv("IO_FAULT_SEED"), *part = getenv("IO_FAULT_PATH");
    if (!seed || (path[0] == '/' && (!part || !strstr(path, part)))) return NO_FAULT;
    const uint64_t number = random_number(strtoull(seed, NULL, 10), random_calls++);
    if (number % 1000000 >= (uint64_t)setting("IO_FAULT_RATE", 0)) return NO_FAULT;

    const int transfers = strcmp(call, "read") == 0 || strcmp(call, "write") == 0;
    const int waits = transfers || strcmp(call, "open") == 0 || strcmp(call, "fsync") == 0;
    const int makes = !waits && strcmp(call, "lock") != 0 && strcmp(call, "syncfs") != 0;
    const unsigned kind = (number >> 32) % 16;
    int fault = EIO;
    if (kind < 4 && transfers) fault = PARTIAL;
    else if (kind < 6 && waits) fault = EINTR;
    else if (kind == 6 && (makes || strcmp(call, "write") == 0)) fault = ENOSPC;
    else if (kind == 7 && strcmp(call, "open") == 0) fault = EMFILE;
    note(call, path, fault == PARTIAL ? "a part of the bytes" : strerror(fault));
    return fault;
}

// An error, PARTIAL or NO_FAULT.
static int fault(const char *call, const char *path)
{
    if (getenv("IO_FAULT_SEED")) return random_fault(call, path);
    return is_chosen(call, path) ? setting("IO_FAULT_ERRNO", EIO) : NO_FAULT;
}

static int fault_of_descriptor(const char *call, int descriptor)
{
    if (!getenv("IO_FAULT_CALL") && !getenv("IO_FAULT_SEED")) return NO_FAULT;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    // Pipes, sockets and the like have no path.
    if (length < 0 || path[0] != '/') return NO_FAULT;
    path[length] = 0;
    return fault(call, path);
}

static int failure(int error)
{
    errno = error;
    return -1;
}

int open(const char *path, int flags, ...)
{
    REAL(int, "open", const char *, int, ...);
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    const int error = flags & O_CREAT || getenv("IO_FAULT_SEED") ? fault("open", path) : NO_FAULT;
    return error ? failure(error) : real(path, flags, mode);
}

// What is left of a transfer of `count` bytes.
static size_t part_of(size_t count) { return count > 1 ? count / 2 : count; }

ssize_t read(int descriptor, void *bytes, size_t count)
{
    REAL(ssize_t, "read", int, void *, size_t);
    const int error = fault_of_descriptor("read", descriptor);
    if (error > 0) return failure(error);
    return real(descriptor, bytes, error == PARTIAL ? part_of(count) : count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset)
{
    REAL(ssize_t, "pread", int, void *, size_t, off_t);
    const int error = fault_of_descriptor("read", descriptor);
    if (error > 0) return failure(error);
    return real(descriptor, bytes, error == PARTIAL ? part_of(count) : count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    REAL(ssize_t, "write", int, const void *, size_t);
    const int error = fault_of_descriptor("write", descriptor);
    if (error > 0) return failure(error);
    return real(descriptor, bytes, error == PARTIAL ? part_of(count) : count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    const int error = fault_of_descriptor("write", descriptor);
    if (error > 0) return failure(error);
    return real(descriptor, bytes, error == PARTIAL ? part_of(count) : count, offset);
}

int fsync(int descriptor)
{
    REAL(int, "fsync", int);
    const int error = fault_of_descriptor("fsync", descriptor);
    return error ? failure(error) : real(descriptor);
}

int fdatasync(int descriptor)
{
    REAL(int, "fdatasync", int);
    const int error = fault_of_descriptor("fdatasync", descriptor);
    return error ? failure(error) : real(descriptor);
}

int syncfs(int descriptor)
{
    REAL(int, "syncfs", int);
    const int error = fault_of_descriptor("syncfs", descriptor);
    return error ? failure(error) : real(descriptor);
}

int ftruncate(int descriptor, off_t size)
{
    REAL(int, "ftruncate", int, off_t);
    const int error = fault_of_descriptor("truncate", descriptor);
    return error ? failure(error) : real(descriptor, size);
}

int link(const char *from, const char *to)
{
    REAL(int, "link", const char *, const char *);
    const int error = fault("link", to);
    if (!error) return real(from, to);
    if (setting("IO_FAULT_AFTER", 0)) real(from, to);
    return failure(error);
}

int rename(const char *from, const char *to)
{
    REAL(int, "rename", const char *, const char *);
    const int error = fault("rename", to);
    return error ? failure(error) : real(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    REAL(int, "mkdir", const char *, mode_t);
    const int error = fault("mkdir", path);
    return error ? failure(error) : real(path, mode);
}

// Only locks of open file descriptions (F_OFD_SETLK, F_OFD_SETLKW).
int fcntl(int descriptor, int command, ...)
{
    REAL(int, "fcntl", int, int, ...);
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    const int locks = (command == 37 || command == 38) && *(short *)argument != F_UNLCK;
    const int error = locks ? fault_of_descriptor("lock", descriptor) : NO_FAULT;
    return error ? failure(error) : real(descriptor, command, argument);
}
