// The codec floor over files: what libjpeg-turbo alone needs to decode photos and encode them again.
//
// usage: jpeg_floor rgb|planes PROCESSES OUTPUT_FOLDER PHOTO.jpg...
//
// Each result goes into a temporary file, which is flushed to the disk (fsync) and renamed; then the folder is
// flushed, as in any program that loses no photo in a power cut. CBenchmark.h describes the coding itself.
// Prints nothing if all goes well.

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CBenchmark.h"

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "jpeg_floor: %s %s: %s\n", what, path, strerror(errno));
    exit(1);
}

static void pass(const char *path, const char *folder, bool as_planes)
{
    char final[4096], temporary[sizeof final + 8];
    const char *slash = strrchr(path, '/');
    snprintf(final, sizeof final, "%s/%s", folder, slash ? slash + 1 : path);
    snprintf(temporary, sizeof temporary, "%s.part", final);

    const int input = open(path, O_RDONLY);
    struct stat status;
    if (input < 0 || fstat(input, &status) != 0) fail("cannot read", path);
    const size_t count = (size_t)status.st_size;
    void *jpeg = mmap(NULL, count, PROT_READ, MAP_PRIVATE, input, 0);
    if (jpeg == MAP_FAILED) fail("cannot read", path);
    close(input);

    const int output = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (output < 0) fail("cannot create", temporary);
    if (!cbenchmark_pass_jpeg(jpeg, count, output, as_planes)) {
        fprintf(stderr, "jpeg_floor: %s is damaged or not a YCbCr JPEG, or the disk is full\n", path);
        exit(1);
    }
    munmap(jpeg, count);
    if (fsync(output) != 0 || close(output) != 0) fail("cannot write", temporary);
    if (rename(temporary, final) != 0) fail("cannot rename to", final);
    const int directory = open(folder, O_RDONLY | O_DIRECTORY);
    if (directory < 0 || fsync(directory) != 0 || close(directory) != 0) fail("cannot write", folder);
}

int main(int argument_count, char **arguments)
{
    const bool as_planes = argument_count > 1 && strcmp(arguments[1], "planes") == 0;
    const int process_count = argument_count > 2 ? atoi(arguments[2]) : 0;
    if (argument_count < 5 || process_count < 1 || !(as_planes || strcmp(arguments[1], "rgb") == 0)) {
        fprintf(stderr, "usage: jpeg_floor rgb|planes PROCESSES OUTPUT_FOLDER PHOTO.jpg...\n");
        return 2;
    }
    // Shared by the processes: each takes the next photo when it is free.
    atomic_int *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (next == MAP_FAILED) fail("cannot share memory between", "processes");
    atomic_init(next, 4);

    for (int process = 0; process < process_count; process++) {
        const pid_t child = fork();
        if (child < 0) fail("cannot start", "a process");
        if (child > 0) continue;
        for (int index; (index = atomic_fetch_add(next, 1)) < argument_count;)
            pass(arguments[index], arguments[3], as_planes);
        exit(0);
    }
    int status = 0, has_failed = 0;
    while (wait(&status) > 0) has_failed |= status != 0;
    return has_failed;
}
