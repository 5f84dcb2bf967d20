// Child processes that end with this process, and in time: what needs fork, and flags that Swift cannot express.
#ifndef CCHILDREN_H
#define CCHILDREN_H

#include <stddef.h>

/// How a child has ended.
typedef struct cchildren_end {
    /// The exit code; only valid if both others are 0.
    int exit_code;
    /// The signal that has ended it, or 0.
    int signal;
    /// Why it could not be started (errno), or 0.
    int error;
} cchildren_end;

/// Runs a program, and waits for it.
///
/// It has a process group of its own, which is killed if this process ends, or after `seconds` (`signal` is SIGALRM then).
/// `arguments` ends with NULL; its first is the program's path. `input` and `output` become its standard streams.
cchildren_end cchildren_run(char *const *arguments, int input, int output, int seconds);

/// Memory with MADV_DONTFORK that one copy of this process gets all the same; NULL for none.
typedef struct {
    void *start;
    size_t byte_count;
} cchildren_memory;

/// Calls a function in a copy of this process, on a stack of its own, and waits for its end.
///
/// Other threads may hold locks, which stay held. So the function may compute, and use what the C library makes safe after a fork,
/// such as malloc and new threads. The copy is ended after that many milliseconds of processor time (`signal` is SIGVTALRM then), and
/// if this process ends. Its signal is SIGSEGV if it needs more than the stack, and its exit code is 1 if there is no memory for one.
cchildren_end cchildren_call(
    void (*function)(void *context), void *context, size_t stack_byte_count, int milliseconds,
    cchildren_memory shared);

#endif
