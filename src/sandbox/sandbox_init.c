#include "sandbox/sandbox_init.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/sandbox_identity.h"

enum { BACKLOG = 16 };

/* --- The network --- */

/* A loopback and, with a port, a listener on it for the judge. */
static enum err open_network(int port, int *listener, struct note *why)
{
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &loopback) != 0) {
        return sandbox_job_report_errno(why, "no loopback");
    }
    if (port == 0) {
        close(fd);
        return ERR_NONE;
    }
    if (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(fd, BACKLOG) != 0) {
        return sandbox_job_report_errno(why, "no listener");
    }
    *listener = fd;
    return ERR_NONE;
}

/* --- The files ---
 *
 * Until pivot() absolute paths are those outside; paths without a slash in front are in the new
 * root, which is the working directory. */

static const char *const system_paths[] = {
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/alternatives",
    "/etc/java-17-openjdk", /* Debian 12 keeps Java's settings there; Java does not start without
                               them */
    "/etc/java-21-openjdk", /* Debian 13 */
    "/etc/ld.so.cache",
    "/etc/localtime",
};

/* Not /dev/zero: a shared mapping of it is memory that no limit of a process counts. */
static const char *const device_paths[] = {
    "/dev/null",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
};

/* What is made in the new root, in this order: a folder, a link or a file. */
static const struct {
    const char *path;
    const char *link;
    const char *text;
    mode_t mode;
    bool is_writable; /* a mount of its own: the root becomes read-only */
} made_up[] = {
    {"proc", .mode = 0555},
    {"etc", .mode = 0755},
    {"dev", .mode = 0755},
    {"private", .mode = 0700, .is_writable = true},
    {"tmp", .mode = 01777, .is_writable = true},
    {"dev/shm", .mode = 01777, .is_writable = true},
    {"dev/fd", .link = "/proc/self/fd"},
    {"dev/stdin", .link = "/proc/self/fd/0"},
    {"dev/stdout", .link = "/proc/self/fd/1"},
    {"dev/stderr", .link = "/proc/self/fd/2"},
    {"etc/passwd", .text = "agent:x:65533:65533:agent:" SANDBOX_INIT_PRIVATE ":/bin/sh\n"},
    {"etc/group", .text = "agent:x:65533:\n"},
    {"etc/hosts", .text = "127.0.0.1 localhost\n"},
    {"etc/nsswitch.conf", .text = "passwd: files\ngroup: files\nhosts: files\n"},
};

static enum err refuse(struct note *why, const char *what, const char *path)
{
    note_set(why, "cannot %s %.200s: %s", what, path, strerror(errno));
    return ERR_ENVIRONMENT;
}

static bool make_parents(const char *path)
{
    char partial[PATH_MAX];
    if (snprintf(partial, sizeof partial, "%s", path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *end = partial; (end = strchr(end, '/')); *end++ = '/') {
        *end = '\0';
        if (mkdir(partial, 0755) != 0 && errno != EEXIST) {
            return false;
        }
    }
    return true;
}

static bool make_folder(const char *path)
{
    return make_parents(path) && (mkdir(path, 0755) == 0 || errno == EEXIST);
}

static bool make_place(const char *path, const struct stat *what)
{
    return S_ISDIR(what->st_mode) ? make_folder(path)
                                  : make_parents(path) && file_write(path, "a", "", 0);
}

/* Empty when the path is not a link. */
static void read_link(const char *path, char out[PATH_MAX])
{
    ssize_t length = readlink(path, out, PATH_MAX - 1);
    out[length < 0 ? 0 : length] = '\0';
}

/* Where a folder is while its entries are taken from it. */
#define WHOLE_FOLDER ".folder"

/* A link is made again; it leads to what is shown. What vanishes meanwhile is left out. */
static bool place_entry(const char *folder, const char *entry)
{
    char from[PATH_MAX];
    char to[PATH_MAX];
    char text[PATH_MAX];
    struct stat wanted;
    struct stat there;
    if (snprintf(from, sizeof from, WHOLE_FOLDER "/%s", entry) >= (int)sizeof from ||
        snprintf(to, sizeof to, "%s/%s", folder, entry) >= (int)sizeof to) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (lstat(from, &wanted) != 0) {
        return errno == ENOENT;
    }
    bool is_taken = lstat(to, &there) == 0;
    if (is_taken && there.st_dev == wanted.st_dev && there.st_ino == wanted.st_ino) {
        return true;
    }
    if (S_ISLNK(wanted.st_mode)) {
        read_link(from, text);
        return is_taken || (make_parents(to) && symlink(text, to) == 0);
    }
    return make_place(to, &wanted) && mount(from, to, NULL, MS_BIND | MS_REC, NULL) == 0;
}

/* The folder itself belongs to the new root, so its mode does not matter. It is a mount of its own,
 * since the folder that it is in may be writable. */
static bool place_folder(int tree, const char *path, const struct sandbox_folder *entries)
{
    bool is_done = make_folder(path) && mount(path, path, NULL, MS_BIND, NULL) == 0 &&
                   make_folder(WHOLE_FOLDER) &&
                   move_mount(tree, "", AT_FDCWD, WHOLE_FOLDER, MOVE_MOUNT_F_EMPTY_PATH) == 0;
    for (size_t i = 0; i < entries->count && is_done; i++) {
        is_done = place_entry(path, entries->entries[i]);
    }
    return is_done && umount2(WHOLE_FOLDER, MNT_DETACH) == 0 && rmdir(WHOLE_FOLDER) == 0 &&
           mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) ==
               0;
}

enum {
    NO_RIGHTS = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
    READ_ONLY = NO_RIGHTS | MOUNT_ATTR_RDONLY,
    DEVICE = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC,
};

/* Mounts what is outside under the same path, of a folder only `entries` unless they are NULL. A
 * thing below one that is already there, and the same, needs no mount of its own. */
static enum err show(const char *path, uint64_t attributes, const struct sandbox_folder *entries,
                     struct note *why)
{
    struct mount_attr change = {.attr_set = attributes};
    struct stat wanted;
    struct stat there;
    int tree = open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    if (tree < 0 ||
        mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &change, sizeof change) != 0 ||
        fstat(tree, &wanted) != 0) {
        return refuse(why, "show", path);
    }
    bool is_there = stat(path + 1, &there) == 0 && there.st_dev == wanted.st_dev &&
                    there.st_ino == wanted.st_ino;
    bool is_done = is_there || (entries ? place_folder(tree, path + 1, entries)
                                        : make_place(path + 1, &wanted) &&
                                              move_mount(tree, "", AT_FDCWD, path + 1,
                                                         MOVE_MOUNT_F_EMPTY_PATH) == 0);
    if (!is_done) {
        return refuse(why, "mount", path);
    }
    close(tree);
    return ERR_NONE;
}

/* On most systems /bin is a link into /usr: links are made again, not mounted. */
static enum err show_system(const struct sandbox_programs *programs, struct note *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; i < sizeof system_paths / sizeof system_paths[0] && !err; i++) {
        const char *path = system_paths[i];
        char target[PATH_MAX];
        read_link(path, target);
        if (*target) {
            err = symlink(target, path + 1) == 0 ? ERR_NONE : refuse(why, "make", path);
        } else if (access(path, F_OK) == 0) {
            err = show(path, READ_ONLY, NULL, why);
        }
    }
    for (size_t i = 0; i < sizeof device_paths / sizeof device_paths[0] && !err; i++) {
        err = show(device_paths[i], DEVICE, NULL, why);
    }
    for (size_t i = 0; i < programs->count && !err; i++) {
        err = show(programs->paths[i], READ_ONLY, NULL, why);
    }
    return err;
}

static enum err show_folders(const struct sandbox_player *player, struct note *why)
{
    const struct sandbox_job *job = player->job;
    enum err err = strcmp(job->folder, "/") == 0
                       ? ERR_NONE
                       : show(job->folder, READ_ONLY, player->entries, why);
    if (err || !*job->private_folder) {
        return err;
    }
    if (sandbox_job_has(job, SANDBOX_OTHER_USER) &&
        sandbox_identity_give_folder(job->private_folder, job->user, why)) {
        return ERR_ENVIRONMENT;
    }
    return show(job->private_folder, NO_RIGHTS, NULL, why);
}

static enum err make_up(const struct sandbox_job *job, struct note *why)
{
    for (size_t i = 0; i < sizeof made_up / sizeof made_up[0]; i++) {
        const char *path = made_up[i].path;
        const char *text = made_up[i].text;
        mode_t mode = made_up[i].mode;
        bool is_made = made_up[i].link ? symlink(made_up[i].link, path) == 0
                       : text          ? file_write(path, "w", text, strlen(text))
                                       : mkdir(path, mode) == 0;
        if (is_made && made_up[i].is_writable) {
            is_made = chmod(path, mode) == 0 &&
                      (!sandbox_job_has(job, SANDBOX_OTHER_USER) ||
                       chown(path, job->user, job->user) == 0) &&
                      mount(path, path, NULL, MS_BIND, NULL) == 0;
        }
        if (!is_made) {
            return refuse(why, "make", path);
        }
    }
    return ERR_NONE;
}

/* The new root is on top of the old one, so that it hides nothing that is to be shown. */
static enum err make_root(const struct sandbox_player *player, struct note *why)
{
    char options[96];
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        note_set(why, "no namespaces: %s",
                 errno == EINVAL ? "/ is not a mount point, as in a plain chroot"
                                 : strerror(errno));
        return ERR_ENVIRONMENT;
    }
    snprintf(options, sizeof options, "mode=755,size=%" PRId64 ",nr_inodes=%zu",
             player->job->limits.disk_bytes, SANDBOX_INIT_INODES + 2 * player->entries->count);
    if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options) != 0 || chdir("/tmp") != 0 ||
        mount(".", "/", NULL, MS_MOVE, NULL) != 0) {
        return refuse(why, "make", "the root");
    }
    umask(022);
    return make_up(player->job, why);
}

/* The old root ends up on top of the new one, from where it is lifted off. */
static enum err pivot(struct note *why)
{
    if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0 ||
        chdir("/") != 0 ||
        mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) !=
            0) {
        return refuse(why, "leave", "the old root");
    }
    return ERR_NONE;
}

/* Without the first process, whose arguments and memory are those of the helper. And without the
 * locks of open files, which belong to no process, and so are shown to all of them. */
static enum err mount_proc(struct note *why)
{
    if (mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, "hidepid=2") !=
            0 ||
        mount("dev/null", "proc/locks", NULL, MS_BIND, NULL) != 0) {
        return refuse(why, "mount", "/proc");
    }
    return ERR_NONE;
}

static enum err arrange_files(const struct sandbox_player *player, enum sandbox_feature *missing,
                              struct note *why)
{
    enum err err = make_root(player, why);
    if (!err) {
        err = show_system(player->programs, why);
    }
    if (!err) {
        err = show_folders(player, why);
    }
    if (!err && sandbox_job_has(player->job, SANDBOX_FRESH_PROC)) {
        *missing = SANDBOX_FRESH_PROC;
        err = mount_proc(why);
    }
    if (!err) {
        *missing = SANDBOX_NAMESPACES;
        err = pivot(why);
    }
    return err;
}

/* --- The process --- */

/* Everything that needs privileges; afterwards there are none left. */
static enum err settle(const struct sandbox_init *init, struct sandbox_player *player,
                       enum sandbox_feature *missing, struct note *why)
{
    bool is_root = sandbox_job_has(player->job, SANDBOX_OTHER_USER);
    int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    *missing = SANDBOX_NAMESPACES;
    if (proc < 0) {
        return sandbox_job_report_errno(why, "cannot open /proc");
    }
    if (!is_root && sandbox_identity_map(proc, init->user, init->user_group, why)) {
        return ERR_ENVIRONMENT;
    }
    if (sandbox_cgroup_join(init->group, why)) {
        *missing = SANDBOX_CGROUPS;
        return ERR_ENVIRONMENT;
    }
    (void)unshare(CLONE_NEWCGROUP);
    (void)!sethostname("sandbox", strlen("sandbox"));
    if (open_network(player->job->listen_port, &player->listener, why) ||
        arrange_files(player, missing, why) ||
        (is_root && sandbox_identity_leave_root_to_namespace(proc, player->job->user, why))) {
        return ERR_ENVIRONMENT;
    }
    sandbox_identity_limit_quotas(proc, player->job->limits.inotify_instances);
    close(proc);
    return ERR_NONE;
}

static struct sandbox_init_shared *shared; /* for the handler */

/* To all processes of the namespace but this one, at one moment: also to a process that is just
 * being started. */
static void forward_to_all(int signal)
{
    kill(-1, signal == SANDBOX_INIT_OBEY ? atomic_load(&shared->order) : signal);
}

/* The kernel kills this process when the supervisor dies, if it has not died before the call. */
static void tie_to_supervisor(int supervisor)
{
    struct pollfd its_end = {.fd = supervisor, .events = POLLIN};
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (poll(&its_end, 1, 0) != 0) {
        _exit(0);
    }
}

static enum err start_player(struct sandbox_player *player, pid_t *pid, struct note *why)
{
    if (!*player->private_folder) {
        player->private_folder = SANDBOX_INIT_PRIVATE;
    }
    *pid = fork();
    if (*pid == 0) {
        sandbox_player_run(player);
    }
    return *pid < 0 ? sandbox_job_report_errno(why, "cannot start a process") : ERR_NONE;
}

static _Noreturn void reap_until_end_of(pid_t player)
{
    for (;;) {
        int status = 0;
        pid_t pid = waitpid(-1, &status, 0);
        if (pid == player || (pid < 0 && errno == ECHILD)) {
            atomic_store(&shared->status, status);
            _exit(0);
        }
    }
}

_Noreturn void sandbox_init_run(const struct sandbox_init *init)
{
    struct sandbox_player player = *init->player;
    struct sigaction forwarding = {.sa_handler = forward_to_all};
    enum sandbox_feature missing;
    struct note why;
    pid_t pid = -1;
    enum err err = settle(init, &player, &missing, &why);
    if (!err) {
        missing = 0;
        tie_to_supervisor(init->supervisor);
        shared = init->shared;
        sigaction(SIGTERM, &forwarding, NULL);
        sigaction(SANDBOX_INIT_OBEY, &forwarding, NULL);
        err = start_player(&player, &pid, &why);
    }
    if (!err) {
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        err = sandbox_identity_drop_capabilities(&why);
    }
    if (err) {
        sandbox_job_report_failure(player.control, missing, &why);
        _exit(ERR_ENVIRONMENT);
    }
    close_range(0, ~0U, 0); /* the program can see this process, but nothing outside by it */
    reap_until_end_of(pid);
}
