#include "sandbox/watch_lookup.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

/* In a folder that is closed to this user there may be a file. */
static bool may_exist(const char *path)
{
    struct stat status;
    return fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) == 0 ||
           (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG);
}

/* It keeps nothing of the supervisor open: not the socket to plum, not the filter's listener. */
static _Noreturn void answer_all(int socket, pid_t supervisor)
{
    enum { OWN_SOCKET = 0 };
    struct watch_doubt doubt;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != supervisor || dup2(socket, OWN_SOCKET) != OWN_SOCKET) {
        _exit(1);
    }
    close_range(OWN_SOCKET + 1, ~0U, 0);
    while (recv(OWN_SOCKET, &doubt, sizeof doubt, 0) >
           (ssize_t)offsetof(struct watch_doubt, path)) {
        doubt.may_exist = may_exist(doubt.path);
        if (send(OWN_SOCKET, &doubt, offsetof(struct watch_doubt, path), MSG_NOSIGNAL) < 0) {
            break;
        }
    }
    _exit(0);
}

void watch_lookup_init(struct watch_lookup *lookup)
{
    *lookup = (struct watch_lookup){.socket = -1};
}

static bool start(struct watch_lookup *lookup)
{
    int ends[2];
    pid_t supervisor = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return false;
    }
    lookup->process = fork();
    if (lookup->process == 0) {
        answer_all(ends[1], supervisor);
    }
    close(ends[1]);
    if (lookup->process < 0) {
        close(ends[0]);
        return false;
    }
    lookup->socket = ends[0];
    return true;
}

bool watch_lookup_ask(struct watch_lookup *lookup, const struct watch_doubt *doubt)
{
    size_t bytes = offsetof(struct watch_doubt, path) + strlen(doubt->path) + 1;
    if ((lookup->socket < 0 && !start(lookup)) ||
        send(lookup->socket, doubt, bytes, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
        return false;
    }
    lookup->unanswered++;
    return true;
}

bool watch_lookup_answer(struct watch_lookup *lookup, int64_t end_ns, struct watch_doubt *out)
{
    if (!lookup->unanswered) {
        return false;
    }
    int64_t left_ns = end_ns - clock_now_ns();
    int64_t left_ms = left_ns > 0 ? left_ns / CLOCK_NS_PER_MS : 0;
    struct pollfd source = {.fd = lookup->socket, .events = POLLIN};
    if (poll(&source, 1, (int)left_ms) <= 0 ||
        recv(lookup->socket, out, sizeof *out, MSG_DONTWAIT) <
            (ssize_t)offsetof(struct watch_doubt, path)) {
        return false;
    }
    lookup->unanswered--;
    return true;
}

/* One that waits for a server that does not answer may not even be killed: it is not waited for. */
void watch_lookup_close(struct watch_lookup *lookup)
{
    if (lookup->socket < 0) {
        return;
    }
    close(lookup->socket);
    kill(lookup->process, SIGKILL);
    if (!lookup->unanswered) {
        while (waitpid(lookup->process, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    watch_lookup_init(lookup);
}
