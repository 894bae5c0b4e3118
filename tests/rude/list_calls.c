/* list_calls FILE COMMAND...: runs the command and then prints the numbers of the system calls that
 * it made and that are not in the file, as "calls: 1 2 3". The calls are not refused. */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 512 };

static bool is_made[CALLS];

/* Returns the listener. */
static int listen_to_others(const char *path)
{
    static struct sock_filter steps[2 * CALLS + 2];
    unsigned short count = 0;
    unsigned number;
    FILE *file = fopen(path, "r");
    steps[count++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    /* NOLINTNEXTLINE(cert-err34-c): the test writes the file */
    while (file && fscanf(file, "%u", &number) == 1 && count < 2 * CALLS) {
        steps[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
        steps[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    steps[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog program = {.len = count, .filter = steps};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return file ? (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                               SECCOMP_FILTER_FLAG_NEW_LISTENER, &program)
                : -1;
}

static void answer(int listener)
{
    struct pollfd source = {.fd = listener, .events = POLLIN};
    while (poll(&source, 1, -1) == 1 && (source.revents & POLLIN)) {
        struct seccomp_notif call = {0};
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) {
            continue;
        }
        struct seccomp_notif_resp response = {.id = call.id,
                                              .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
        if (call.data.nr >= 0 && call.data.nr < CALLS) {
            is_made[call.data.nr] = true;
        }
        (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
    }
}

int main(int argc, char **argv)
{
    int ready[2];
    int done[2];
    int listener = -1;
    char byte;
    if (argc < 3 || pipe(ready) != 0 || pipe(done) != 0) {
        return 2;
    }
    pid_t child = fork();
    if (child == 0) {
        listener = listen_to_others(argv[1]);
        if (write(ready[1], &listener, sizeof listener) == sizeof listener &&
            read(done[0], &byte, 1) == 1) {
            close(listener);
            execvp(argv[2], argv + 2);
        }
        _exit(127);
    }
    if (read(ready[0], &listener, sizeof listener) != sizeof listener || listener < 0) {
        return 3;
    }
    listener = (int)syscall(SYS_pidfd_getfd, pidfd_open(child, 0), listener, 0);
    if (listener < 0 || write(done[1], "", 1) != 1) {
        return 3;
    }
    answer(listener);
    waitpid(child, NULL, 0);
    printf("calls:");
    for (int i = 0; i < CALLS; i++) {
        if (is_made[i]) {
            printf(" %d", i);
        }
    }
    printf("\n");
    return 0;
}
