// cisolation: calls of codec libraries that read files of strangers, each in a process of its own, with limits. A file can crash a
// library, or make it take all memory or time: then that call fails alone.
#ifndef CISOLATION_H
#define CISOLATION_H

#include <stdbool.h>
#include <stddef.h>

enum cisolation_status {
    CISOLATION_STATUS_OK,
    CISOLATION_STATUS_CORRUPT,
    CISOLATION_STATUS_TRUNCATED,
    CISOLATION_STATUS_UNSUPPORTED, // of the format, but beyond the library or its codecs
    CISOLATION_STATUS_OUT_OF_MEMORY,
    CISOLATION_STATUS_TOO_MUCH_METADATA,
    CISOLATION_STATUS_NO_LIBRARY,
    CISOLATION_STATUS_NO_ENCODER, // which may be a package of its own
    CISOLATION_STATUS_NO_PROCESS
};

struct cisolation_answer {
    enum cisolation_status status;
    char message[160]; // the library's own, or the system's
};

// What the other process begins with. It may take `byte_count` bytes of memory, and some for threads.
void cisolation_begin(size_t byte_count, int milliseconds);
// Calls a function in a process of its own: see `cchildren_call`. The answer is the beginning of memory from `cisolation_create`; it
// is corrupt, with the `library` as the one that failed, unless the function says otherwise.
void cisolation_call(
    const char *library, void (*function)(void *context), void *context, int milliseconds,
    struct cisolation_answer *answer, size_t shared_byte_count);
// Processor time for that many pixels. A photo takes a twentieth of it.
int cisolation_milliseconds(double pixels);

// Memory that the calling process and that of `cisolation_call` have. It is zero. Of the processes of other photos, only one that
// starts in the same moment gets it: they would keep it when this process has freed it.
void *cisolation_create(size_t byte_count);
void cisolation_destroy(void *memory, size_t byte_count);

// Memory of this process, in bytes; 0 if the system does not say. The names are those of proc(5), such as "VmRSS:".
size_t cisolation_memory(const char *name);

#endif
