#include "sandbox/sandbox_report.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_FDS = 2 };

union rights {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int) * MOST_FDS)];
};

static void attach(struct msghdr *header, union rights *rights, const int *fds, size_t count)
{
    memset(rights, 0, sizeof *rights);
    header->msg_control = rights->bytes;
    header->msg_controllen = CMSG_SPACE(sizeof(int) * count);
    struct cmsghdr *item = CMSG_FIRSTHDR(header);
    item->cmsg_level = SOL_SOCKET;
    item->cmsg_type = SCM_RIGHTS;
    item->cmsg_len = CMSG_LEN(sizeof(int) * count);
    memcpy(CMSG_DATA(item), fds, sizeof(int) * count);
}

void sandbox_report_send(int control, const struct sandbox_report *report)
{
    /* The descriptors are sent next to it; it itself only shows which of them there are. */
    struct iovec part = {(void *)(uintptr_t)report, sizeof *report};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    union rights rights;
    int fds[MOST_FDS];
    size_t count = 0;
    if (report->listener >= 0) {
        fds[count++] = report->listener;
    }
    if (report->folder >= 0) {
        fds[count++] = report->folder;
    }
    if (count > 0) {
        attach(&header, &rights, fds, count);
    }
    while (sendmsg(control, &header, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

void sandbox_report_failure(int control, unsigned feature, const struct note *why)
{
    const struct sandbox_report report = {
        .kind = SANDBOX_FAILED,
        .value = (int)feature,
        .error = errno,
        .note = *why,
        .listener = -1,
        .folder = -1,
    };
    sandbox_report_send(control, &report);
}

enum err sandbox_report_errno(struct note *why, const char *what)
{
    note_set(why, "%s: %s", what, strerror(errno));
    return ERR_ENVIRONMENT;
}

static void close_if_open(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

static size_t detach(struct msghdr *header, int fds[MOST_FDS])
{
    size_t count = 0;
    struct cmsghdr *item = CMSG_FIRSTHDR(header);
    if (item && item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_RIGHTS) {
        count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(fds, CMSG_DATA(item), sizeof(int) * count);
    }
    return count;
}

/* The kernel delivers as many descriptors as there is room for, and drops the others. */
static void refuse_rest(struct sandbox_report *report)
{
    close_if_open(report->listener);
    close_if_open(report->folder);
    *report = (struct sandbox_report){
        .kind = SANDBOX_FAILED, .error = EMFILE, .listener = -1, .folder = -1};
    note_set(&report->note, "no descriptor for its socket or folder: %s", strerror(EMFILE));
}

bool sandbox_report_receive(int control, struct sandbox_report *out, bool *is_over)
{
    struct sandbox_report report;
    struct iovec part = {&report, sizeof report};
    union rights rights;
    struct msghdr header = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = rights.bytes,
        .msg_controllen = sizeof rights.bytes,
    };
    ssize_t count;
    do {
        count = recvmsg(control, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    if (count != (ssize_t)sizeof report) {
        *is_over = count >= 0 || errno != EAGAIN;
        return false;
    }
    int fds[MOST_FDS] = {-1, -1};
    size_t given = detach(&header, fds);
    size_t used = 0;
    *out = report;
    out->listener = report.listener >= 0 && used < given ? fds[used++] : -1;
    out->folder = report.folder >= 0 && used < given ? fds[used++] : -1;
    if (used < (size_t)(report.listener >= 0) + (size_t)(report.folder >= 0)) {
        refuse_rest(out);
    }
    *is_over = false;
    return true;
}
