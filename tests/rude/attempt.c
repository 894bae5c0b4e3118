/* attempt COUNT WHAT ARGUMENT...: does something that a sandbox refuses, COUNT times, and prints
 * the error code of the last time. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
#include <utime.h>

static char **words; /* what follows WHAT */

static int number(int i) { return (int)strtol(words[i], NULL, 10); }

static struct sockaddr_in address(void)
{
    struct sockaddr_in out = {.sin_family = AF_INET, .sin_port = htons((unsigned short)number(1))};
    inet_pton(AF_INET, words[0], &out.sin_addr);
    return out;
}

static long read_file(void) { return open(words[0], O_RDONLY); }
static long read_raw(void) { return syscall(SYS_open, words[0], O_RDONLY); }
static long read_with_how(void)
{
    struct open_how how = {.flags = O_RDONLY};
    return syscall(SYS_openat2, AT_FDCWD, words[0], &how, sizeof how);
}
static long list_folder(void) { return open(words[0], O_RDONLY | O_DIRECTORY); }
static long write_file(void) { return open(words[0], O_WRONLY | O_CREAT, 0600); }
static long create_raw(void) { return syscall(SYS_creat, words[0], 0600); }
static long cut_file(void) { return truncate(words[0], 0); }
static long make_folder(void) { return mkdir(words[0], 0700); }
static long remove_file(void) { return unlink(words[0]); }
static long move_file(void) { return rename(words[0], words[1]); }
static long link_file(void) { return link(words[0], words[1]); }
static long name_file(void) { return symlink(words[0], words[1]); }
static long move_at(void) { return renameat(AT_FDCWD, words[0], AT_FDCWD, words[1]); }
static long link_at(void) { return linkat(AT_FDCWD, words[0], AT_FDCWD, words[1], 0); }
static long name_at(void) { return symlinkat(words[0], AT_FDCWD, words[1]); }
static long send_signal(void) { return kill(number(0), number(1)); }
static long send_to_thread(void) { return syscall(SYS_tgkill, number(0), number(0), number(1)); }
static long trace(void) { return ptrace(PTRACE_ATTACH, number(0), NULL, NULL); }
static long trace_itself(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL); }
static long read_process(void)
{
    return syscall(SYS_process_vm_readv, number(0), NULL, 0, NULL, 0, 0);
}
static long make_socket(void) { return socket(number(0), number(1), 0); }
static long mount_memory(void) { return mount("none", "/tmp", "tmpfs", 0, NULL); }
static long leave_namespace(void) { return unshare(CLONE_NEWUSER); }
static long unshare_files(void) { return unshare(CLONE_FILES); }
static long load_program(void) { return syscall(SYS_bpf, 0, NULL, 0); }
static long type(void) { return ioctl(0, TIOCSTI, "x"); }
static long clone_namespace(void)
{
    return syscall(SYS_clone, CLONE_NEWNET | SIGCHLD, NULL, NULL, NULL, NULL);
}

/* What would show it that another one has a lock. */
static long lock_file(void) { return flock(open(words[0], O_RDONLY), LOCK_EX | LOCK_NB); }
static long ask_for_lock(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    long result = fcntl(open(words[0], O_RDONLY), F_GETLK, &lock);
    if (result == 0 && lock.l_type != F_UNLCK) {
        printf("locked ");
    }
    return result;
}

static long open_to_all(void) { return chmod(words[0], 0777); }
static long set_time(void) { return utime(words[0], &(struct utimbuf){1, 1}); }
/* A call for the file system of standard input, which is open for reading. */
static long ask_for_flags(void)
{
    long flags = 0;
    return ioctl(0, FS_IOC_GETFLAGS, &flags);
}

/* The user has a number of each of these for all its programs. */
static long watch_for_input(void)
{
    static int all = -1;
    static int file = -1;
    struct epoll_event input = {.events = EPOLLIN};
    if (all < 0) {
        all = epoll_create1(0);
        file = eventfd(0, 0);
    }
    long result = epoll_ctl(all, EPOLL_CTL_ADD, file, &input);
    if (result == 0) {
        (void)epoll_ctl(all, EPOLL_CTL_DEL, file, NULL);
    }
    return result;
}
static long keep_descriptors(void)
{
    enum { MOST_IN_A_MESSAGE = 250, MESSAGES = 4 };
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(MOST_IN_A_MESSAGE * sizeof(int))];
    } control = {.head = {.cmsg_len = CMSG_LEN(MOST_IN_A_MESSAGE * sizeof(int)),
                          .cmsg_level = SOL_SOCKET,
                          .cmsg_type = SCM_RIGHTS}};
    struct iovec byte = {(char[]){'x'}, 1};
    struct msghdr message = {.msg_iov = &byte,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    int pair[2];
    int sent = 0;
    memset(CMSG_DATA(&control.head), 0, MOST_IN_A_MESSAGE * sizeof(int)); /* standard input */
    do {
        if (sent % MESSAGES == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
            return -1;
        }
        sent++;
    } while (sendmsg(pair[0], &message, 0) > 0);
    printf("kept\n");
    fflush(stdout);
    return pause();
}

/* More than its limits allow, without a byte of data, and no file grows. */
static long reserve_disk(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/reserved", getenv("TMPDIR"));
    return fallocate(open(path, O_WRONLY | O_CREAT, 0600), FALLOC_FL_KEEP_SIZE, 0,
                     (off_t)number(0) << 20);
}

/* The machine has a number of these for all its users. */
static long take_events(void)
{
    unsigned long context = 0;
    return syscall(SYS_io_setup, 1, &context);
}

/* Shared memory of another program. */
static long read_segment(void)
{
    char *text = shmat(number(0), NULL, SHM_RDONLY);
    if (text == (char *)-1) {
        return -1;
    }
    printf("%s ", text);
    return 0;
}

/* Calls of another kind of program. */
static long call_as_32_bit(void)
{
    long result = -1;
#ifdef __x86_64__
    enum { GETPID_OF_I386 = 20 };
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(GETPID_OF_I386) : "memory");
#endif
    return result;
}
static long call_as_x32(void)
{
    enum { X32_BIT = 0x40000000 };
    return syscall(X32_BIT | SYS_getpid);
}

/* Limits and priorities of a process, 0 for this one, or of all processes of this user. */
static long limit_process(void)
{
    const struct rlimit few = {.rlim_cur = 1, .rlim_max = 1};
    return prlimit(number(0), RLIMIT_NOFILE, &few, NULL);
}
static long slow_process(void) { return setpriority(PRIO_PROCESS, (id_t)number(0), 19); }
static long slow_user(void) { return setpriority(PRIO_USER, 0, 19); }
static long idle_process(void)
{
    const struct sched_param none = {0};
    return sched_setscheduler(number(0), SCHED_IDLE, &none);
}
static long pin_process(void)
{
    cpu_set_t cpus;
    sched_getaffinity(0, sizeof cpus, &cpus);
    return sched_setaffinity(number(0), sizeof cpus, &cpus);
}
static long idle_disk(void) { return syscall(SYS_ioprio_set, 1, number(0), 3 << 13); }
static long idle_disk_of_user(void) { return syscall(SYS_ioprio_set, 3, getuid(), 3 << 13); }

/* Has SIGCONT sent to it: when there is input, when its parent or its child ends, or by itself. */
static long continue_by_io(void) { return fcntl(0, F_SETSIG, SIGCONT); }
static long continue_by_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0); }
static long continue_by_child(void)
{
    long pid = syscall(SYS_clone, SIGCONT, NULL, NULL, NULL, NULL);
    if (pid == 0) {
        _exit(0);
    }
    return pid;
}
static long continue_by_thread(void) { return syscall(SYS_tkill, getpid(), SIGCONT); }
static long continue_by_queue(void)
{
    return sigqueue(getpid(), SIGCONT, (union sigval){.sival_int = 0});
}

static long connect_to(void)
{
    struct sockaddr_in to = address();
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return connect(fd, (struct sockaddr *)&to, sizeof to);
}

/* Landlock knows the ports of TCP only. */
static long connect_by_mptcp(void)
{
    enum { MPTCP = 262 };
    struct sockaddr_in to = address();
    int fd = socket(AF_INET, SOCK_STREAM, MPTCP);
    return connect(fd, (struct sockaddr *)&to, sizeof to);
}

/* Landlock asks about connect(), which this does not call. */
static long connect_by_sending(void)
{
    struct sockaddr_in to = address();
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return sendto(fd, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&to, sizeof to);
}

/* A port that the kernel chooses, of all the machine's addresses. */
static long listen_anywhere(void)
{
    enum { WAIT_MS = 3000 };
    struct sockaddr_in at = {0};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (listen(fd, 1) != 0 || getsockname(fd, (struct sockaddr *)&at, &size) != 0) {
        return -1;
    }
    printf("port %d\n", ntohs(at.sin_port));
    fflush(stdout);
    struct pollfd source = {.fd = fd, .events = POLLIN};
    return poll(&source, 1, WAIT_MS) == 1 ? 0 : -1;
}

/* To a socket of another program, by its path. */
static long send_from_pair(void)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int pair[2] = {-1, -1};
    snprintf(to.sun_path, sizeof to.sun_path, "%s", words[0]);
    (void)!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
    return sendto(pair[0], "x", 1, 0, (struct sockaddr *)&to, sizeof to);
}

static long connect_to_six(void)
{
    struct sockaddr_in6 to = {.sin6_family = AF_INET6,
                              .sin6_port = htons((unsigned short)number(1))};
    inet_pton(AF_INET6, words[0], &to.sin6_addr);
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    return connect(fd, (struct sockaddr *)&to, sizeof to);
}

static long send_to(void)
{
    struct sockaddr_in to = address();
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    return sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof to);
}

/* Another file each time. */
static long read_many(void)
{
    static int next;
    char path[4096];
    snprintf(path, sizeof path, "%s%d", words[0], next++);
    return open(path, O_RDONLY);
}

/* A path that takes long to follow. */
static long read_long(void)
{
    static char path[4096];
    if (!*path) {
        size_t length = (size_t)snprintf(path, sizeof path, "%s", words[0]);
        while (length + 16 < sizeof path) {
            length += (size_t)snprintf(path + length, sizeof path - length, "/a");
        }
        snprintf(path + length, sizeof path - length, "/absent.so");
    }
    return open(path, O_RDONLY);
}

static const struct {
    const char *name;
    long (*run)(void);
} attempts[] = {
    {"read", read_file},
    {"read-raw", read_raw},
    {"openat2", read_with_how},
    {"read-many", read_many},
    {"read-long", read_long},
    {"list", list_folder},
    {"write", write_file},
    {"creat", create_raw},
    {"truncate", cut_file},
    {"mkdir", make_folder},
    {"unlink", remove_file},
    {"rename", move_file},
    {"link", link_file},
    {"symlink", name_file},
    {"renameat", move_at},
    {"linkat", link_at},
    {"symlinkat", name_at},
    {"kill", send_signal},
    {"tgkill", send_to_thread},
    {"ptrace", trace},
    {"traceme", trace_itself},
    {"vmread", read_process},
    {"socket", make_socket},
    {"connect", connect_to},
    {"connect6", connect_to_six},
    {"sendto", send_to},
    {"mount", mount_memory},
    {"unshare", leave_namespace},
    {"unshare-files", unshare_files},
    {"clone", clone_namespace},
    {"bpf", load_program},
    {"type", type},
    {"continue-by-io", continue_by_io},
    {"continue-by-parent", continue_by_parent},
    {"continue-by-child", continue_by_child},
    {"continue-by-thread", continue_by_thread},
    {"continue-by-queue", continue_by_queue},
    {"flock", lock_file},
    {"getlk", ask_for_lock},
    {"chmod", open_to_all},
    {"utime", set_time},
    {"flags", ask_for_flags},
    {"watch", watch_for_input},
    {"keep-descriptors", keep_descriptors},
    {"fallocate", reserve_disk},
    {"io_setup", take_events},
    {"shmat", read_segment},
    {"i386", call_as_32_bit},
    {"x32", call_as_x32},
    {"connect-mptcp", connect_by_mptcp},
    {"connect-fast", connect_by_sending},
    {"listen", listen_anywhere},
    {"send-from-pair", send_from_pair},
    {"set-limit", limit_process},
    {"set-nice", slow_process},
    {"set-nice-of-user", slow_user},
    {"set-idle", idle_process},
    {"set-cpus", pin_process},
    {"set-ioprio", idle_disk},
    {"set-ioprio-of-user", idle_disk_of_user},
};

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    words = argv + 3;
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        if (strcmp(argv[2], attempts[i].name) == 0) {
            long result = 0;
            for (long count = strtol(argv[1], NULL, 10); count > 0; count--) {
                errno = 0;
                result = attempts[i].run();
            }
            printf("%s %d\n", result < 0 ? "refused" : "done", errno);
            return 0;
        }
    }
    return 2;
}
