#include "cisolation.h"
#include "cchildren.h"
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Processor time for any file, and for a million pixels beyond that. A photo takes a twentieth of it.
enum { LEAST_MILLISECONDS = 20000, MILLISECONDS_A_MEGAPIXEL = 2000 };
// A process that waits for ever uses no processor time, and ends after ten times as much real time.
enum { LEAST_SECONDS = 60 };
// For threads' stacks.
enum { BYTES_A_PROCESSOR = 12 << 20 };
enum { SPARE_BYTES = 64 << 20, STACK_BYTES = 8 << 20 };

size_t cisolation_memory(const char *name)
{
    char text[16384];
    const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    const ssize_t count = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    text[count > 0 ? count : 0] = 0;
    const char *line = strstr(text, name);
    return line == NULL ? 0 : strtoull(line + strlen(name), NULL, 10) << 10;
}

// What the other process begins with. The terminal's signals are for the tool, which ends this process if it ends itself. The
// decoders write messages of their own to the standard streams.
void cisolation_begin(size_t byte_count, int milliseconds)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    alarm(LEAST_SECONDS + (unsigned)milliseconds / 100);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    const size_t mapped = cisolation_memory("VmData:"),
                 threads = (size_t)sysconf(_SC_NPROCESSORS_ONLN) * BYTES_A_PROCESSOR;
    const rlim_t limit = mapped + byte_count + threads + SPARE_BYTES;
    if (mapped > 0) setrlimit(RLIMIT_DATA, &(struct rlimit) { limit, limit });
}

void cisolation_call(
    const char *library, void (*function)(void *context), void *context, int milliseconds,
    struct cisolation_answer *answer, size_t shared_byte_count)
{
    *answer = (struct cisolation_answer) { .status = CISOLATION_STATUS_CORRUPT };
    snprintf(answer->message, sizeof answer->message, "%s has ended early", library);
    const cchildren_memory shared = { answer, shared_byte_count };
    const cchildren_end end = cchildren_call(function, context, STACK_BYTES, milliseconds, shared);
    if (end.error != 0) {
        answer->status = CISOLATION_STATUS_NO_PROCESS;
        snprintf(answer->message, sizeof answer->message, "%s", strerror(end.error));
    } else if (end.exit_code != 0) {
        answer->status = CISOLATION_STATUS_NO_PROCESS;
        snprintf(answer->message, sizeof answer->message, "exit code %d", end.exit_code);
    } else if (end.signal == SIGKILL) {
        answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
    } else if (end.signal == SIGINT || end.signal == SIGTERM || end.signal == SIGHUP) {
        answer->status = CISOLATION_STATUS_NO_PROCESS;
        snprintf(answer->message, sizeof answer->message, "%s", strsignal(end.signal));
    } else if (end.signal == SIGVTALRM || end.signal == SIGALRM) {
        answer->status = CISOLATION_STATUS_CORRUPT;
        snprintf(answer->message, sizeof answer->message, "%s took too long", library);
    } else if (end.signal != 0) {
        answer->status = CISOLATION_STATUS_CORRUPT;
        snprintf(
            answer->message, sizeof answer->message, "%s has crashed: %s", library, strsignal(end.signal));
    }
}

void *cisolation_create(size_t byte_count)
{
    void *memory =
        mmap(NULL, byte_count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    madvise(memory, byte_count, MADV_DONTFORK);
    return memory;
}

void cisolation_destroy(void *memory, size_t byte_count) { munmap(memory, byte_count); }

int cisolation_milliseconds(double pixels)
{
    const double milliseconds = LEAST_MILLISECONDS + pixels / 1e6 * MILLISECONDS_A_MEGAPIXEL;
    return milliseconds < INT32_MAX ? (int)milliseconds : INT32_MAX;
}
