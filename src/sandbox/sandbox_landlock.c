#include "sandbox/sandbox_landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/landlock.h>

#include "sandbox/sandbox_init.h"

/* What came after the first version of the interface; the system's header may be older. */
enum {
    ABI_REFER = 2,
    ABI_NETWORK = 4,
    ABI_SCOPE = 6,
};
static const uint64_t access_refer = UINT64_C(1) << 13;
static const uint64_t access_truncate = UINT64_C(1) << 14;
static const uint64_t access_bind_tcp = UINT64_C(1) << 0;
static const uint64_t access_connect_tcp = UINT64_C(1) << 1;
static const uint64_t scope_abstract_sockets = UINT64_C(1) << 0;
static const uint64_t scope_signals = UINT64_C(1) << 1;
enum { RULE_PORT = 2 };

/* A kernel that knows a shorter one accepts zeros after it. */
struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct port_rule {
    uint64_t allowed;
    uint64_t port;
};

static const uint64_t reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t every_access = (UINT64_C(1) << 13) - 1;
/* The only rights that the kernel accepts for a file that is not a folder. */
static const uint64_t of_a_file = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                  LANDLOCK_ACCESS_FS_WRITE_FILE | (UINT64_C(1) << 14);

static struct ruleset make_ruleset(int abi, bool has_network)
{
    struct ruleset set = {.files = every_access};
    if (abi >= ABI_REFER) {
        set.files |= access_refer;
    }
    if (abi >= SANDBOX_LANDLOCK_TRUNCATE) {
        set.files |= access_truncate;
    }
    if (abi >= ABI_NETWORK && !has_network) {
        set.network = access_bind_tcp | access_connect_tcp;
    }
    if (abi >= ABI_SCOPE) {
        set.scopes = scope_abstract_sockets | scope_signals;
    }
    return set;
}

/* What does not exist is left out. */
static bool allow(int ruleset, const char *path, uint64_t access)
{
    struct stat status;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        return !err_is_shortage(errno);
    }
    if (fstat(fd, &status) == 0 && !S_ISDIR(status.st_mode)) {
        access &= of_a_file;
    }
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    long result = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int error = errno;
    close(fd);
    errno = error;
    return result == 0;
}

static bool allow_all(int ruleset, const char *const paths[], size_t count, uint64_t access)
{
    bool is_done = true;
    for (size_t i = 0; i < count && is_done; i++) {
        is_done = allow(ruleset, paths[i], access);
    }
    return is_done;
}

/* Links are left out: they allow what they lead to. */
static bool allow_entries(int ruleset, const struct sandbox_player *player)
{
    const char *folder = player->job->folder;
    bool is_done = allow(ruleset, folder, LANDLOCK_ACCESS_FS_READ_DIR);
    for (size_t i = 0; i < player->entries->count && is_done; i++) {
        char path[PATH_MAX];
        struct stat status;
        int length = snprintf(path, sizeof path, "%s/%s", folder, player->entries->entries[i]);
        if (length < PATH_MAX && lstat(path, &status) == 0 && !S_ISLNK(status.st_mode)) {
            is_done = allow(ruleset, path, reading);
        }
    }
    return is_done;
}

/* Inside namespaces only what may be read is there. There is no /dev/zero: a shared mapping of it
 * is memory that no limit of a process counts. */
static bool allow_files(int ruleset, const struct sandbox_player *player, uint64_t every)
{
    static const char *const system[] = {"/usr",         "/bin",   "/sbin", "/lib",
                                         "/lib32",       "/lib64", "/etc",  "/dev/random",
                                         "/dev/urandom", "/proc",  "/sys"};
    static const char *const inside[] = {SANDBOX_INIT_PRIVATE, "/tmp", "/dev"};
    static const char *const outside[] = {"/dev/null", "/dev/full"};
    static const char *const terminal[] = {"/proc/self/fd/0", "/proc/self/fd/1"}; /* /dev/stdin */
    const struct sandbox_programs *programs = player->programs;
    if (!allow(ruleset, player->private_folder, every) ||
        (isatty(STDIN_FILENO) &&
         !allow_all(ruleset, terminal, sizeof terminal / sizeof terminal[0], every))) {
        return false;
    }
    if (sandbox_job_has(player->job, SANDBOX_NAMESPACES)) {
        return allow(ruleset, "/", reading) &&
               allow_all(ruleset, inside, sizeof inside / sizeof inside[0], every);
    }
    return allow_all(ruleset, outside, sizeof outside / sizeof outside[0], every) &&
           allow_all(ruleset, system, sizeof system / sizeof system[0], reading) &&
           allow_all(ruleset, (const char *const *)programs->paths, programs->count, reading) &&
           allow_entries(ruleset, player);
}

static bool allow_port(int ruleset, int port)
{
    struct port_rule rule = {.allowed = access_connect_tcp, .port = (uint64_t)port};
    return syscall(SYS_landlock_add_rule, ruleset, RULE_PORT, &rule, 0) == 0;
}

int sandbox_landlock_version(void)
{
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

enum err sandbox_landlock_apply(const struct sandbox_player *player, struct note *why)
{
    int abi = sandbox_landlock_version();
    int port = player->job->listen_port;
    struct ruleset set = make_ruleset(abi, sandbox_job_has(player->job, SANDBOX_NAMESPACES));
    int fd = abi < 0 ? -1 : (int)syscall(SYS_landlock_create_ruleset, &set, sizeof set, 0);
    bool is_done = fd >= 0 && allow_files(fd, player, set.files) &&
                   (!set.network || port == 0 || allow_port(fd, port)) &&
                   syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    enum err err = is_done ? ERR_NONE : sandbox_job_report_errno(why, "no Landlock");
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    errno = error;
    return err;
}
