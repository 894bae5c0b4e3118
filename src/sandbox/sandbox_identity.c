#include "sandbox/sandbox_identity.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <linux/capability.h>

#include "base/file.h"
#include "sandbox/sandbox_job.h"

static bool write_own(int proc, const char *name, const char *text)
{
    int fd = openat(proc, name, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool is_written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    int error = errno;
    close(fd);
    errno = error;
    return is_written;
}

uid_t sandbox_identity_claim(void)
{
    for (uid_t user = SANDBOX_USER; user >= SANDBOX_FIRST_USER; user--) {
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "plum-user-%u", user);
        int claim = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (claim >= 0 &&
            bind(claim, (const struct sockaddr *)&name,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0) {
            return user; /* the socket stays open: the kernel removes the name with this process */
        }
        if (claim >= 0) {
            close(claim);
        }
    }
    return SANDBOX_USER;
}

enum err sandbox_identity_map(int proc, uid_t outer_user, gid_t outer_group, struct note *why)
{
    char user_map[48];
    char group_map[48];
    snprintf(user_map, sizeof user_map, "%d %u 1\n", SANDBOX_USER, outer_user);
    snprintf(group_map, sizeof group_map, "%d %u 1\n", SANDBOX_USER, outer_group);
    if (!write_own(proc, "self/setgroups", "deny") || !write_own(proc, "self/uid_map", user_map) ||
        !write_own(proc, "self/gid_map", group_map)) {
        return sandbox_job_report_errno(why, "cannot map the user of a namespace");
    }
    return ERR_NONE;
}

void sandbox_identity_limit_quotas(int proc, int inotify_instances)
{
    char text[16];
    snprintf(text, sizeof text, "%d", inotify_instances);
    (void)write_own(proc, "sys/user/max_inotify_instances", text);
    (void)write_own(proc, "sys/user/max_inotify_watches", "1024");
}

/* Fails for who has no right to it: those cannot gain anything either. */
static void drop_bounding_set(void)
{
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
        (void)prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    }
}

enum err sandbox_identity_give_folder(const char *folder, uid_t user, struct note *why)
{
    if (chown(folder, user, user) != 0) {
        note_set(why, "cannot give the folder %.200s to user %u: %s", folder, user,
                 strerror(errno));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

/* Opening /dev/stdout needs permission for the pipe that it refers to. Only what was made for this
 * program changes its owner, never a device of the machine. */
static void give_streams(uid_t user)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat status;
        if (isatty(fd) || (fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode))) {
            (void)!fchown(fd, user, user);
        }
    }
}

enum err sandbox_identity_leave_root(uid_t user, struct note *why)
{
    give_streams(user);
    drop_bounding_set();
    if (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 ||
        setresuid(user, user, user) != 0) {
        return sandbox_job_report_errno(why, "cannot become an unprivileged user");
    }
    return ERR_NONE;
}

static int set_capabilities(uint64_t set)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {
        {.effective = (uint32_t)set, .permitted = (uint32_t)set},
        {.effective = (uint32_t)(set >> 32), .permitted = (uint32_t)(set >> 32)},
    };
    return (int)syscall(SYS_capset, &header, data);
}

const char *sandbox_identity_refusal(int error)
{
    switch (error) {
    case ENOSPC:
        return "a limit in /proc/sys/user is 0 or used up; raise it as root, such as: sysctl "
               "user.max_user_namespaces=10000";
    case EUSERS:
        return "too many user namespaces in each other; start plum outside of a container";
    case EPERM:
        return "this user may not make them; 'plum sandbox' shows how to allow it";
    case EINVAL:
    case ENOSYS:
        return "the kernel was built without them; use a kernel with namespaces";
    case ENOMEM:
    case EAGAIN:
        return "memory or processes are used up; see 'ulimit -u' and 'ulimit -v', or play fewer "
               "games at once";
    default:
        return strerror(error);
    }
}

static void read_setting(const char *proc, const char *name, char *out, size_t room)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", proc, name);
    (void)file_read_kernel(path, out, room);
}

const char *sandbox_identity_setting(const char *proc)
{
    static const struct {
        const char *name;
        char forbids;
        const char *advice;
    } settings[] = {
        {"sys/user/max_user_namespaces", '0',
         "user.max_user_namespaces is 0; as root: sysctl user.max_user_namespaces=10000"},
        {"sys/kernel/unprivileged_userns_clone", '0',
         "kernel.unprivileged_userns_clone is 0; as root: sysctl "
         "kernel.unprivileged_userns_clone=1"},
        {"sys/kernel/apparmor_restrict_unprivileged_userns", '1',
         "kernel.apparmor_restrict_unprivileged_userns is 1, and this plum has no AppArmor "
         "profile; install the package of 'make deb', or as root: sysctl "
         "kernel.apparmor_restrict_unprivileged_userns=0"},
    };
    char text[64];
    read_setting(proc, "self/attr/current", text, sizeof text);
    bool has_profile = strncmp(text, "plum ", strlen("plum ")) == 0;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        bool is_of_apparmor = settings[i].forbids == '1';
        read_setting(proc, settings[i].name, text, sizeof text);
        if (text[0] == settings[i].forbids && strchr("\n", text[1]) &&
            !(is_of_apparmor && has_profile)) {
            return settings[i].advice;
        }
    }
    return NULL;
}

/* The namespace must be made with a right of root, which some machines demand, by the user,
 * who alone may then map himself. */
enum err sandbox_identity_leave_root_to_namespace(int proc, uid_t user, struct note *why)
{
    if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0) {
        return sandbox_job_report_errno(why, "cannot keep capabilities");
    }
    enum err err = sandbox_identity_leave_root(user, why);
    if (err) {
        return err;
    }
    if (set_capabilities(UINT64_C(1) << CAP_SYS_ADMIN) != 0 ||
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0 || unshare(CLONE_NEWUSER) != 0) {
        note_set(why, "no user namespace: %s", sandbox_identity_refusal(errno));
        return ERR_ENVIRONMENT;
    }
    return sandbox_identity_map(proc, user, user, why);
}

enum err sandbox_identity_drop_capabilities(struct note *why)
{
    drop_bounding_set();
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (set_capabilities(0) != 0) {
        return sandbox_job_report_errno(why, "cannot drop capabilities");
    }
    return ERR_NONE;
}
