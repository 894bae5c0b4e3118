#include "sandbox/sandbox_landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/landlock.h>

#include "base/err.h"

/* What came after the first version of the interface; the system's header may be older. */
enum {
    ABI_REFER = 2,
    ABI_TRUNCATE = 3,
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

static struct ruleset make_ruleset(int abi, int tcp_port)
{
    struct ruleset set = {.files = every_access};
    if (abi >= ABI_REFER) {
        set.files |= access_refer;
    }
    if (abi >= ABI_TRUNCATE) {
        set.files |= access_truncate;
    }
    if (abi >= ABI_NETWORK && tcp_port >= 0) {
        set.network = access_bind_tcp | access_connect_tcp;
    }
    if (abi >= ABI_SCOPE) {
        set.scopes = scope_abstract_sockets | scope_signals;
    }
    return set;
}

static int allow_path(int ruleset, const char *path, uint64_t access)
{
    struct stat status;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        return err_is_shortage(errno) ? -1 : 0;
    }
    if (fstat(fd, &status) == 0 && !S_ISDIR(status.st_mode)) {
        access &= of_a_file;
    }
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    int result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int error = errno;
    close(fd);
    errno = error;
    return result;
}

static int allow_paths(int ruleset, const char *const *paths, uint64_t access)
{
    for (; *paths; paths++) {
        if (allow_path(ruleset, *paths, access) != 0) {
            return -1;
        }
    }
    return 0;
}

static int allow_port(int ruleset, int port)
{
    struct port_rule rule = {.allowed = access_connect_tcp, .port = (uint64_t)port};
    return (int)syscall(SYS_landlock_add_rule, ruleset, RULE_PORT, &rule, 0);
}

int sandbox_landlock_version(void)
{
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static int apply(const struct sandbox_landlock_rules *rules)
{
    int abi = sandbox_landlock_version();
    if (abi < 0) {
        return -1;
    }
    struct ruleset set = make_ruleset(abi, rules->tcp_port);
    int fd = (int)syscall(SYS_landlock_create_ruleset, &set, sizeof set, 0);
    if (fd < 0) {
        return -1;
    }
    int result = allow_paths(fd, rules->readable, reading & set.files);
    if (result == 0) {
        result = allow_paths(fd, rules->writable, set.files);
    }
    if (result == 0 && rules->listed) {
        result = allow_path(fd, rules->listed, LANDLOCK_ACCESS_FS_READ_DIR);
    }
    if (result == 0 && set.network && rules->tcp_port > 0) {
        result = allow_port(fd, rules->tcp_port);
    }
    if (result == 0) {
        result = (int)syscall(SYS_landlock_restrict_self, fd, 0);
    }
    int error = errno;
    close(fd);
    errno = error;
    return result;
}

enum err sandbox_landlock_apply(const struct sandbox_landlock_rules *rules, struct note *why)
{
    if (apply(rules) != 0) {
        note_set(why, "no Landlock: %s", strerror(errno));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}
