/* forbidden_calls PID: tries what no board game needs and names what was not refused. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect_refusal(const char *what, long result)
{
    if (result >= 0 || (errno != EPERM && errno != ENOSYS && errno != EAFNOSUPPORT)) {
        printf("not refused: %s (%ld, errno %d)\n", what, result, result < 0 ? errno : 0);
    }
}

static long clone_into(unsigned long flags)
{
    long pid = syscall(SYS_clone, flags | 17 /* SIGCHLD */, 0, 0, 0, 0);
    if (pid == 0) {
        _exit(0);
    }
    if (pid > 0) {
        waitpid((pid_t)pid, NULL, 0);
    }
    return pid;
}

int main(int argc, char **argv)
{
    pid_t other = argc > 1 ? (pid_t)strtol(argv[1], NULL, 10) : 1;
    expect_refusal("ptrace of another", ptrace(PTRACE_ATTACH, other, NULL, NULL));
    expect_refusal("ptrace of the first", ptrace(PTRACE_ATTACH, 1, NULL, NULL));
    expect_refusal("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    expect_refusal("process_vm_readv", syscall(SYS_process_vm_readv, other, NULL, 0, NULL, 0, 0));
    expect_refusal("mount", mount("none", "/tmp", "tmpfs", 0, NULL));
    expect_refusal("umount2", umount2("/tmp", MNT_DETACH));
    expect_refusal("pivot_root", syscall(SYS_pivot_root, "/", "/"));
    expect_refusal("chroot", chroot("/tmp"));
    expect_refusal("unshare user", unshare(CLONE_NEWUSER));
    expect_refusal("unshare mounts", unshare(CLONE_NEWNS));
    expect_refusal("clone user", clone_into(CLONE_NEWUSER));
    expect_refusal("clone network", clone_into(CLONE_NEWNET));
    expect_refusal("clone3", syscall(SYS_clone3, NULL, 0));
    expect_refusal("setns", setns(0, 0));
    expect_refusal("keyctl", syscall(SYS_keyctl, 0, 0, 0, 0, 0));
    expect_refusal("bpf", syscall(SYS_bpf, 0, NULL, 0));
    expect_refusal("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    expect_refusal("userfaultfd", syscall(SYS_userfaultfd, 0));
    expect_refusal("io_uring_setup", syscall(SYS_io_uring_setup, 1, NULL));
    expect_refusal("kexec_load", syscall(SYS_kexec_load, 0, 0, NULL, 0));
    expect_refusal("init_module", syscall(SYS_init_module, NULL, 0, ""));
    expect_refusal("fchmodat2", syscall(452, 0, "", 0, 0));
    expect_refusal("open_tree_attr", syscall(467, 0, "", 0, NULL, 0));
    expect_refusal("reboot", syscall(SYS_reboot, 0, 0, 0, NULL));
    expect_refusal("sethostname", sethostname("rude", 4));
    expect_refusal("packet socket", socket(AF_PACKET, SOCK_RAW, 0));
    expect_refusal("netlink socket", socket(AF_NETLINK, SOCK_RAW, 0));
    expect_refusal("unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
    expect_refusal("memfd_create", memfd_create("hoard", 0));
    expect_refusal("shmget", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    expect_refusal("semget", semget(IPC_PRIVATE, 1, IPC_CREAT | 0600));
    expect_refusal("msgget", msgget(IPC_PRIVATE, IPC_CREAT | 0600));
    expect_refusal("vsock socket", socket(AF_VSOCK, SOCK_STREAM, 0));
    expect_refusal("typing", ioctl(0, TIOCSTI, "x"));
    if (setuid(0) == 0) {
        printf("became root\n");
    }
    printf("done\n");
    return 0;
}
