#define _GNU_SOURCE
#include "csharing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/// Room for one descriptor beside a message.
union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr alignment;
};

int csharing_send(int socket, const void *bytes, size_t byte_count, int descriptor)
{
    const char *next = bytes;
    while (byte_count > 0) {
        struct iovec part = { .iov_base = (void *)next, .iov_len = byte_count };
        struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
        union control control = { 0 };
        if (descriptor >= 0) {
            message.msg_control = control.bytes;
            message.msg_controllen = sizeof control.bytes;
            struct cmsghdr *header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(sizeof descriptor);
            memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
        }
        const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (sent < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        // It went with the first bytes.
        descriptor = -1;
        next += sent;
        byte_count -= (size_t)sent;
    }
    return 0;
}

int csharing_receive(int socket, void *bytes, size_t byte_count, int *descriptor)
{
    char *next = bytes;
    while (byte_count > 0) {
        struct iovec part = { .iov_base = next, .iov_len = byte_count };
        union control control = { 0 };
        struct msghdr message = { .msg_iov = &part,
                                  .msg_iovlen = 1,
                                  .msg_control = control.bytes,
                                  // Not CMSG_SPACE: its padding would take a second descriptor.
                                  .msg_controllen = CMSG_LEN(sizeof *descriptor) };
        const ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (received < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
            int new_descriptor;
            memcpy(&new_descriptor, CMSG_DATA(header), sizeof new_descriptor);
            if (*descriptor >= 0) {
                close(new_descriptor);
                return EPROTO;
            }
            *descriptor = new_descriptor;
        }
        // The system has dropped one: a second one, or there is no free number for the first.
        if (message.msg_flags & MSG_CTRUNC) return *descriptor >= 0 ? EPROTO : EMFILE;
        if (received == 0) return CSHARING_END;
        next += received;
        byte_count -= (size_t)received;
    }
    return 0;
}

int csharing_create_memory(size_t byte_count)
{
    const int descriptor = memfd_create("tintype-strips", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    // Allocated now: later, the lack of memory would be a signal instead of an error.
    int error;
    do error = posix_fallocate(descriptor, 0, (off_t)byte_count);
    while (error == EINTR);
    if (error != 0 || fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) < 0) {
        const int code = error != 0 ? error : errno;
        close(descriptor);
        errno = code;
        return -1;
    }
    return descriptor;
}

int csharing_memory_file(void) { return memfd_create("tintype", MFD_CLOEXEC); }

size_t csharing_memory_size(int descriptor)
{
    const int seals = fcntl(descriptor, F_GET_SEALS);
    struct stat status;
    if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(descriptor, &status) < 0) return 0;
    return (size_t)status.st_size;
}

int csharing_close_from(posix_spawn_file_actions_t *actions, int first)
{
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
