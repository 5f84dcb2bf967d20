// Descriptors sent over sockets, and memory that two processes share: macros and flags that Swift cannot express.
#ifndef CSHARING_H
#define CSHARING_H

#include <spawn.h>
#include <stddef.h>

/// The result of `csharing_receive` at the end of the stream.
#define CSHARING_END (-1)

/// Sends all bytes, and with them a descriptor unless that is -1. `byte_count` is at least 1. Never raises SIGPIPE.
///
/// Returns 0, or errno.
int csharing_send(int socket, const void *bytes, size_t byte_count, int descriptor);

/// Receives exactly `byte_count` bytes. A descriptor that comes with them is stored, close-on-exec, also if the result is
/// not 0; without one, `descriptor` keeps its value, -1 or that of an earlier call.
///
/// Returns 0, errno, or CSHARING_END. EMFILE: a descriptor came, but this process may not have more. EPROTO: more than
/// one came; only the first is open.
int csharing_receive(int socket, void *bytes, size_t byte_count, int *descriptor);

/// An unnamed file in memory, allocated and zero. It cannot become smaller, so that nobody who has mapped it is
/// killed for reading it.
///
/// Returns a descriptor, or -1 with errno set.
int csharing_create_memory(size_t byte_count);

/// An empty, unnamed file in memory, which grows as it is written, close-on-exec.
///
/// Returns a descriptor, or -1 with errno set.
int csharing_memory_file(void);

/// The size of a file that `csharing_create_memory` has made; 0 for any other file.
size_t csharing_memory_size(int descriptor);

/// Lets a process that is spawned begin without the descriptors from `first` on. Returns 0, or an error's number.
int csharing_close_from(posix_spawn_file_actions_t *actions, int first);

// C libraries declare this with _GNU_SOURCE only, which Swift does not define.

/// Writes all data of a file's file system to its disk. Returns 0, or -1 with errno set.
int syncfs(int descriptor);

#endif
