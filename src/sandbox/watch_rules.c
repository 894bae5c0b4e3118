#include "sandbox/watch_rules.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/openat2.h>

#include "base/number.h"
#include "sandbox/process_tree.h"
#include "sandbox/sandbox_init.h"

/* Numbers of processes in a namespace begin at 1. A number above this one that no process has was
 * not that of a child which has just ended: it was guessed. */
enum { HIGH_PROCESS = 4096 };

/* Secrets: no program opens them by chance, whether they exist or not. */
static const char *const secrets[] = {
    "/etc/shadow",    "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-",
    "/etc/sudoers",   "/etc/ssh/*",   "/proc/kcore",  "/dev/mem",
    "/proc/kallsyms", "*/.ssh/*",     "*/.gnupg/*",   "*/.bash_history",
};

/* What interpreters and loaders look for in the folders above a program, or along a path that the
 * organiser has set. */
static const char *const looked_for[] = {
    "*/pyvenv.cfg",   "*/pybuilddir.txt", "*/.python-version", "*/.pyenv/*", "*/package.json",
    "*/node_modules", "*/*.so",           "*/*.so.*",
};

/* In the program's own folder the sandbox may hide files of others, see sandbox_folder.h. With
 * other endings they may be the program's own data, which it misses. */
static const char *const works_of_others[] = {
    "*.py", "*.c", "*.cc", "*.cpp", "*.db", "*.db-*",
};

/* What a class has besides. */
static const char *const works_of_organiser[] = {"*.ini"};

/* Where caches and temporary files are usual. */
static const char *const usual_places[] = {
    "/tmp", "/var/tmp", "/usr/tmp", "/dev", "/var/cache", "/run", "/var/run", "/var/lock",
};

/* What is directly in one of these need not be the organiser's. */
static const char *const common_folders[] = {
    "/bin", "/boot", "/dev",  "/etc",  "/lib",     "/lib32",     "/lib64",   "/media",
    "/mnt", "/opt",  "/proc", "/root", "/run",     "/sbin",      "/srv",     "/sys",
    "/tmp", "/usr",  "/var",  "/home", "/var/tmp", "/usr/local", "/var/lib",
};

/* The files of a process that show what it does. Others, such as `stat`, belong to lists of
 * processes. */
static const char *const inner_files[] = {
    "mem",  "environ", "maps",    "smaps", "fd",        "fdinfo",
    "root", "cwd",     "pagemap", "auxv",  "map_files",
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0 &&
           (path[length] == '\0' || path[length] == '/');
}

static bool is_below_any(const char *path, const char *const *folders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_below(path, folders[i])) {
            return true;
        }
    }
    return false;
}

static bool matches_any(const char *path, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fnmatch(patterns[i], path, 0) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_own(const struct watch_rules *rules, const char *path)
{
    return (strcmp(rules->job->folder, "/") != 0 && is_below(path, rules->job->folder)) ||
           is_below(path, rules->job->private_folder) || is_below(path, SANDBOX_INIT_PRIVATE);
}

/* As the program sees the file system. */
static bool is_visible(pid_t caller, const char *path)
{
    char root[32];
    snprintf(root, sizeof root, "/proc/%d/root", (int)caller);
    int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return false;
    }
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
    int fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    close(folder);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0;
}

static size_t parent_length(const char *path)
{
    const char *last = strrchr(path, '/');
    return last ? (size_t)(last - path) : 0;
}

/* In a folder above the program's own, where a class has its roster, results and other teams. */
static bool is_of_class(const struct watch_rules *rules, const char *path)
{
    char above[PATH_MAX];
    if (snprintf(above, sizeof above, "%s", rules->job->folder) >= (int)sizeof above) {
        return false;
    }
    for (size_t length; (length = parent_length(above)) > 0;) {
        above[length] = '\0';
        for (size_t i = 0; i < COUNT(common_folders); i++) {
            if (strcmp(above, common_folders[i]) == 0) {
                return false;
            }
        }
        if (is_below(path, above)) {
            return true;
        }
    }
    return false;
}

/* An interpreter that is installed outside the system looks around in its installation. */
static bool is_of_interpreter(struct watch_rules *rules, const char *path)
{
    if (!rules->knows_programs) {
        rules->knows_programs = true;
        sandbox_programs_find(rules->job->command, rules->job->folder, getenv("PATH"),
                              &rules->programs);
    }
    for (size_t i = 0; i < rules->programs.count; i++) {
        char installation[PATH_MAX];
        const char *part = rules->programs.paths[i];
        if (snprintf(installation, sizeof installation, "%.*s", (int)parent_length(part), part) <
                (int)sizeof installation &&
            is_below(path, installation)) {
            return true;
        }
    }
    return false;
}

/* As Landlock sees the folder, where there is no view. */
static bool is_shown(struct watch_rules *rules, const char *path)
{
    struct note ignored;
    const char *inside = sandbox_folder_inside(path, rules->job->folder);
    if (!rules->knows_folder) {
        rules->knows_folder = true;
        if (sandbox_folder_list(rules->job->folder, rules->job->command, &rules->job->rule,
                                &rules->folder, &ignored)) {
            rules->folder.count = 0;
        }
    }
    /* The folder itself; or a shortage: nothing is known. */
    bool is_in_entry = !inside || !*inside || rules->folder.count == 0;
    for (size_t i = 0; !is_in_entry && i < rules->folder.count; i++) {
        is_in_entry = is_below(inside, rules->folder.entries[i]);
    }
    return is_in_entry;
}

static bool is_of_neighbour(struct watch_rules *rules, pid_t caller, const char *path)
{
    bool has_view = sandbox_job_has(rules->job, SANDBOX_NAMESPACES);
    return (has_view || sandbox_job_has(rules->job, SANDBOX_LANDLOCK)) &&
           is_below(path, rules->job->folder) &&
           matches_any(path, works_of_others, COUNT(works_of_others)) &&
           !(has_view ? is_visible(caller, path) : is_shown(rules, path));
}

static bool is_of_others(struct watch_rules *rules, pid_t caller, const char *path)
{
    bool is_home = is_below(path, "/home") || is_below(path, "/root");
    bool has_view = sandbox_job_has(rules->job, SANDBOX_NAMESPACES);
    return (is_home || is_of_class(rules, path)) &&
           !matches_any(path, looked_for, COUNT(looked_for)) && !is_of_interpreter(rules, path) &&
           !(has_view && is_visible(caller, path)) &&
           /* Without a view the folders on the way to its own are visible, and only they. */
           (has_view || !is_below(rules->job->folder, path));
}

enum watch_verdict watch_rules_hide(struct watch_rules *rules, pid_t caller, const char *path)
{
    /* The first for speed: most of what an interpreter opens is there. */
    if (strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/lib", 4) == 0) {
        return WATCH_HARMLESS;
    }
    bool is_hidden = false;
    if (is_own(rules, path)) {
        is_hidden = is_of_neighbour(rules, caller, path);
    } else if (matches_any(path, secrets, COUNT(secrets))) {
        return WATCH_HARM;
    } else {
        is_hidden = is_of_others(rules, caller, path);
    }
    return is_hidden ? WATCH_HARM_IF_IT_EXISTS : WATCH_HARMLESS;
}

static bool is_for_itself(const char *path)
{
    return fnmatch("/proc/self/*", path, 0) == 0 || fnmatch("/proc/thread-self/*", path, 0) == 0 ||
           fnmatch("/proc/[0-9]*", path, 0) == 0;
}

enum watch_verdict watch_rules_protect(struct watch_rules *rules, pid_t caller, const char *path,
                                       char folder[PATH_MAX])
{
    size_t length = parent_length(path);
    if (is_own(rules, path) || is_for_itself(path) || length >= PATH_MAX ||
        strstr(path, "/__pycache__")) {
        return WATCH_HARMLESS;
    }
    if (!is_of_class(rules, path) &&
        (is_below_any(path, usual_places, COUNT(usual_places)) || is_of_interpreter(rules, path))) {
        return WATCH_HARMLESS;
    }
    snprintf(folder, PATH_MAX, "%.*s", (int)length, path);
    bool is_certain = length == 0 || (sandbox_job_has(rules->job, SANDBOX_NAMESPACES) &&
                                      is_visible(caller, folder));
    return is_certain ? WATCH_HARM : WATCH_HARM_IF_IT_EXISTS;
}

static bool is_a_work(const char *path)
{
    return matches_any(path, works_of_others, COUNT(works_of_others)) ||
           matches_any(path, works_of_organiser, COUNT(works_of_organiser));
}

bool watch_rules_is_hostile_reading(const char *path)
{
    return matches_any(path, secrets, COUNT(secrets)) || is_a_work(path);
}

bool watch_rules_is_hostile_writing(const char *path)
{
    static const char *const system_folders[] = {"/bin",   "/boot", "/etc", "/lib",
                                                 "/lib64", "/sbin", "/sys", "/usr"};
    bool is_of_system = is_below_any(path, system_folders, COUNT(system_folders));
    return is_of_system ? access(path, F_OK) == 0 : watch_rules_is_hostile_reading(path);
}

/* A process of the program's sandbox, by its number there. */
static bool is_in_namespace(pid_t caller, int64_t number)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/root/proc/%lld", (int)caller, (long long)number);
    return access(path, F_OK) == 0;
}

static pid_t parent_of(pid_t process)
{
    char folder[32];
    struct process_state state = {0};
    snprintf(folder, sizeof folder, "/proc/%d", (int)process);
    return process_tree_read_state(folder, &state) ? state.parent : 0;
}

/* The supervisor is the ancestor of all processes of the program. */
static bool is_descendant(pid_t process)
{
    for (pid_t supervisor = getpid(); process > 1; process = parent_of(process)) {
        if (process == supervisor) {
            return true;
        }
    }
    return false;
}

bool watch_rules_is_others(const struct watch_rules *rules, pid_t caller, int64_t target)
{
    if (target == 0) {
        return false; /* itself, or its group */
    }
    if (target == -1) {
        return true;
    }
    int64_t process = target < 0 ? -target : target;
    if (process > INT32_MAX) {
        return false; /* not a number of a process */
    }
    if (sandbox_job_has(rules->job, SANDBOX_NAMESPACES)) {
        return process == 1 || (process > HIGH_PROCESS && !is_in_namespace(caller, process));
    }
    /* One that does not exist may have been a child of the program a moment ago. */
    return parent_of((pid_t)process) != 0 &&
           ((pid_t)process == getpid() || !is_descendant((pid_t)process));
}

bool watch_rules_is_inside_process(const struct watch_rules *rules, pid_t caller, const char *path)
{
    char number[16] = "";
    char file[16] = "";
    int64_t process = 0;
    if (strncmp(path, "/proc/", 6) != 0 ||
        sscanf(path, "/proc/%15[0-9]/%15[a-z_]", number, file) != 2 ||
        number_read(number, "", 1, INT32_MAX, &process, NULL) ||
        !watch_rules_is_others(rules, caller, process)) {
        return false;
    }
    for (size_t i = 0; i < COUNT(inner_files); i++) {
        if (strcmp(file, inner_files[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool watch_rules_is_memory(const char *path)
{
    const char *last = strrchr(path, '/');
    return last && strcmp(last, "/mem") == 0;
}

/* 0.0.0.0 and :: mean this machine. */
static bool is_loopback(const struct in6_addr *address)
{
    return IN6_IS_ADDR_LOOPBACK(address) || IN6_IS_ADDR_UNSPECIFIED(address) ||
           (IN6_IS_ADDR_V4MAPPED(address) &&
            (address->s6_addr[12] == 127 || address->s6_addr[12] == 0));
}

bool watch_rules_is_outside(const struct watch_rules *rules, const struct sockaddr_storage *address,
                            socklen_t bytes)
{
    bool is_local = true;
    in_port_t port = 0;
    if (address->ss_family == AF_INET && bytes >= sizeof(struct sockaddr_in)) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)address;
        uint32_t first = ntohl(in->sin_addr.s_addr) >> 24;
        is_local = first == 127 || in->sin_addr.s_addr == htonl(INADDR_ANY);
        port = in->sin_port;
    } else if (address->ss_family == AF_INET6 &&
               bytes >= offsetof(struct sockaddr_in6, sin6_scope_id)) {
        const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)address;
        is_local = is_loopback(&in->sin6_addr);
        port = in->sin6_port;
    } else {
        return false;
    }
    /* Its own loopback contains nothing of others; that of the machine does. */
    return !is_local || (!sandbox_job_has(rules->job, SANDBOX_NAMESPACES) &&
                         ntohs(port) != rules->job->listen_port);
}

void watch_rules_free(struct watch_rules *rules)
{
    sandbox_programs_free(&rules->programs);
    sandbox_folder_free(&rules->folder);
}
