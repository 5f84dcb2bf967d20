#define _GNU_SOURCE
#include "cchildren.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/// Waits until a child has ended.
static cchildren_end ended(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return (cchildren_end) { .error = errno };
    if (WIFSIGNALED(status)) return (cchildren_end) { .signal = WTERMSIG(status) };
    return (cchildren_end) { .exit_code = WEXITSTATUS(status) };
}

/// Gives a new process the system's own handling of signals, and lets `signal` end it once its parent has ended.
static void begin_child(pid_t parent, int signal_of_death)
{
    for (int signal_number = 1; signal_number < NSIG; signal_number++) signal(signal_number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, signal_of_death);
    // It may have ended before.
    if (getppid() != parent) _exit(1);
}

static void kill_own_group(int signal_number)
{
    (void)signal_number;
    kill(-getpid(), SIGKILL);
}

/// The descriptor of a supervisor's pipe.
enum { report = 3 };

/// Keeps the standard streams and the pipe. A copy of any other file would keep it open, or busy, for as long as the
/// process runs.
static void keep_streams(int input, int output, int pipe)
{
    // First out of the way of each other.
    input = fcntl(input, F_DUPFD, report + 1);
    output = fcntl(output, F_DUPFD, report + 1);
    pipe = fcntl(pipe, F_DUPFD, report + 1);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    dup3(pipe, report, O_CLOEXEC);
    close_range(report + 1, ~0U, 0);
}

/// Becomes the program. Only if that fails, it writes errno to the pipe.
static void become(char *const *arguments)
{
    execv(arguments[0], arguments);
    const int error = errno;
    while (write(report, &error, sizeof error) < 0 && errno == EINTR) {}
    _exit(127);
}

/// Runs the program in a group with this process, which kills the group once its own parent has ended: a compiler is
/// several processes, and only the first would learn of that.
static void supervise(pid_t parent, char *const *arguments, int input, int output, int pipe, int seconds)
{
    setpgid(0, 0);
    begin_child(parent, SIGTERM);
    keep_streams(input, output, pipe);
    signal(SIGTERM, kill_own_group);
    // Should this process be killed too, the system ends what is left.
    setrlimit(RLIMIT_CPU, &(struct rlimit) { (rlim_t)seconds, (rlim_t)seconds });
    const pid_t self = getpid(), program = fork();
    if (program == 0) {
        begin_child(self, SIGKILL);
        become(arguments);
    }
    if (program < 0) {
        const int error = errno;
        while (write(report, &error, sizeof error) < 0 && errno == EINTR) {}
        _exit(127);
    }
    const cchildren_end end = ended(program);
    _exit(end.signal ? 128 + end.signal : end.exit_code);
}

static long milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Waits until all writers of a pipe are gone. Returns 0 then, the errno that one has written, or SIGALRM negated after
/// that many seconds.
static int awaited(int pipe, int seconds)
{
    const long end = milliseconds_now() + 1000L * seconds;
    int error = 0;
    for (;;) {
        const long left = end - milliseconds_now();
        struct pollfd one = { .fd = pipe, .events = POLLIN };
        const int count = left > 0 ? poll(&one, 1, (int)left) : 0;
        if (count == 0) return -SIGALRM;
        if (count < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        int written;
        const ssize_t byte_count = read(pipe, &written, sizeof written);
        if (byte_count == (ssize_t)sizeof written) error = written;
        else if (byte_count == 0) return error;
        else if (errno != EINTR) return EIO;
    }
}

cchildren_end cchildren_run(char *const *arguments, int input, int output, int seconds)
{
    // The program closes its copy when it begins, so the end of the pipe is the end of the supervisor.
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return (cchildren_end) { .error = errno };
    const pid_t parent = getpid(), child = fork();
    if (child == 0) supervise(parent, arguments, input, output, ends[1], seconds);
    const int fork_error = errno;
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return (cchildren_end) { .error = fork_error };
    }
    // Both processes do it, so that the group is there whichever runs first.
    setpgid(child, child);
    const int result = awaited(ends[0], seconds);
    close(ends[0]);
    if (result < 0) kill(-child, SIGKILL);
    const cchildren_end end = ended(child);
    if (result < 0) return (cchildren_end) { .signal = -result };
    return result > 0 ? (cchildren_end) { .error = result } : end;
}

struct call {
    void (*function)(void *context);
    void *context;
};

/// The call of the copied process, which has one only.
static struct call current;

static void run_current(void) { current.function(current.context); }

/// Calls `current` on a new stack. Below it, a megabyte that cannot be used stops what needs more.
static void run_on_stack(size_t byte_count)
{
    static ucontext_t own, other;
    const size_t guard = 1 << 20;
    char *const memory =
        mmap(NULL, guard + byte_count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + guard, byte_count, PROT_READ | PROT_WRITE) < 0) _exit(1);
    getcontext(&other);
    other.uc_stack.ss_sp = memory + guard;
    other.uc_stack.ss_size = byte_count;
    other.uc_link = &own;
    makecontext(&other, run_current, 0);
    swapcontext(&own, &other);
}

cchildren_end cchildren_call(
    void (*function)(void *context), void *context, size_t stack_byte_count, int milliseconds,
    cchildren_memory shared)
{
    if (shared.start != NULL) madvise(shared.start, shared.byte_count, MADV_DOFORK);
    const pid_t parent = getpid(), child = fork();
    const int error = errno;
    if (shared.start != NULL && child != 0) madvise(shared.start, shared.byte_count, MADV_DONTFORK);
    if (child < 0) return (cchildren_end) { .error = error };
    if (child == 0) {
        begin_child(parent, SIGKILL);
        close_range(STDERR_FILENO + 1, ~0U, 0);
        // No core file of a mistake that a message names.
        setrlimit(RLIMIT_CORE, &(struct rlimit) { 0, 0 });
        const struct timeval limit = { milliseconds / 1000, milliseconds % 1000 * 1000 };
        setitimer(ITIMER_VIRTUAL, &(struct itimerval) { .it_value = limit }, NULL);
        current = (struct call) { function, context };
        run_on_stack(stack_byte_count);
        _exit(0);
    }
    return ended(child);
}
