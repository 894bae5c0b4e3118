#include "sandbox/sandbox_view.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where the new root is built, before it becomes the root. */
#define BUILDING_SITE "/tmp"

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
    "/etc/java-17-openjdk", /* where Debian has what Java's random numbers need */
    "/etc/java-21-openjdk",
};

/* Not /dev/zero: a shared mapping of it is memory that no limit of a process counts. */
static const char *const device_paths[] = {
    "/dev/null",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
};

static const struct {
    const char *path;
    const char *target;
} links[] = {
    {"dev/fd", "/proc/self/fd"},
    {"dev/stdin", "/proc/self/fd/0"},
    {"dev/stdout", "/proc/self/fd/1"},
    {"dev/stderr", "/proc/self/fd/2"},
};

static const struct {
    const char *path;
    const char *text;
} small_files[] = {
    {"etc/passwd", "agent:x:65533:65533:agent:" SANDBOX_VIEW_PRIVATE ":/bin/sh\n"},
    {"etc/group", "agent:x:65533:\n"},
    {"etc/hosts", "127.0.0.1 localhost\n"},
    {"etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"},
};

static const struct {
    const char *path;
    mode_t mode;
} writable_folders[] = {
    {"private", 0700},
    {"tmp", 01777},
    {"dev/shm", 01777},
};

static enum err refuse(struct note *why, const char *what, const char *path)
{
    note_set(why, "cannot %s %.200s: %s", what, path, strerror(errno));
    return ERR_ENVIRONMENT;
}

static int set_attributes(int tree, uint64_t attributes)
{
    struct mount_attr change = {.attr_set = attributes};
    return mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &change, sizeof change);
}

static enum err collect(struct sandbox_view *view, const char *path, uint64_t attributes,
                        struct note *why)
{
    if (view->count == SANDBOX_VIEW_MAX) {
        errno = E2BIG;
        return refuse(why, "show", path);
    }
    int tree = open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    if (tree < 0 || set_attributes(tree, attributes) != 0) {
        return refuse(why, "show", path);
    }
    view->items[view->count++] = (struct sandbox_view_item){.tree = tree, .target = path};
    return ERR_NONE;
}

static const uint64_t read_only = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;

/* On most systems /bin is a link into /usr: links are made again, not mounted. */
static enum err collect_system(struct sandbox_view *view, struct note *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; i < sizeof system_paths / sizeof system_paths[0] && !err; i++) {
        struct stat status;
        if (lstat(system_paths[i], &status) == 0 && !S_ISLNK(status.st_mode)) {
            err = collect(view, system_paths[i], read_only, why);
        }
    }
    for (size_t i = 0; i < sizeof device_paths / sizeof device_paths[0] && !err; i++) {
        err = collect(view, device_paths[i],
                      MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC, why);
    }
    return err;
}

static enum err collect_folder(struct sandbox_view *view, const struct sandbox_view_spec *spec,
                               struct note *why)
{
    if (strcmp(spec->folder, "/") == 0) {
        return ERR_NONE;
    }
    enum err err = collect(view, spec->folder, read_only, why);
    if (!err) {
        view->items[view->count - 1].entries = spec->entries;
    }
    return err;
}

static enum err collect_private(struct sandbox_view *view, const struct sandbox_view_spec *spec,
                                struct note *why)
{
    if (!*spec->private_folder) {
        return ERR_NONE;
    }
    if (spec->is_root && chown(spec->private_folder, spec->user, (gid_t)spec->user) != 0) {
        return refuse(why, "give away", spec->private_folder);
    }
    return collect(view, spec->private_folder, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, why);
}

enum err sandbox_view_collect(struct sandbox_view *view, const struct sandbox_view_spec *spec,
                              struct note *why)
{
    *view = (struct sandbox_view){.count = 0};
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        note_set(why, "no namespaces: %s",
                 errno == EINVAL ? "/ is not a mount point, as in a plain chroot"
                                 : strerror(errno));
        return ERR_ENVIRONMENT;
    }
    enum err err = collect_system(view, why);
    for (size_t i = 0; i < spec->programs->count && !err; i++) {
        err = collect(view, spec->programs->paths[i], read_only, why);
    }
    if (!err) {
        err = collect_folder(view, spec, why);
    }
    return err ? err : collect_private(view, spec, why);
}

/* From here on paths are relative to the new root, which is the working directory. */

static bool make_folders(const char *path)
{
    char partial[PATH_MAX];
    if (strlen(path) >= sizeof partial) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (const char *end = strchr(path, '/');; end = strchr(end + 1, '/')) {
        size_t length = end ? (size_t)(end - path) : strlen(path);
        memcpy(partial, path, length);
        partial[length] = '\0';
        if (mkdir(partial, 0755) != 0 && errno != EEXIST) {
            return false;
        }
        if (!end) {
            return true;
        }
    }
}

static bool make_parent(const char *path)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    char *last = strrchr(parent, '/');
    if (!last) {
        return true;
    }
    *last = '\0';
    return make_folders(parent);
}

static bool make_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) {
        return false;
    }
    bool is_written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    close(fd);
    return is_written;
}

static bool make_place(const char *path, const struct stat *what)
{
    return make_parent(path) && (S_ISDIR(what->st_mode) ? make_folders(path) : make_file(path, ""));
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
        return is_taken || (make_parent(to) && symlink(text, to) == 0);
    }
    return make_place(to, &wanted) && mount(from, to, NULL, MS_BIND | MS_REC, NULL) == 0;
}

/* The folder itself belongs to the new root, so its mode does not matter. It is a mount of its own,
 * since the folder that it is in may be writable. */
static bool place_folder(const struct sandbox_view_item *item)
{
    const char *path = item->target + 1;
    bool is_done = make_folders(path) && mount(path, path, NULL, MS_BIND, NULL) == 0 &&
                   make_folders(WHOLE_FOLDER) &&
                   move_mount(item->tree, "", AT_FDCWD, WHOLE_FOLDER, MOVE_MOUNT_F_EMPTY_PATH) == 0;
    for (size_t i = 0; i < item->entries->count && is_done; i++) {
        is_done = place_entry(path, item->entries->entries[i]);
    }
    return is_done && umount2(WHOLE_FOLDER, MNT_DETACH) == 0 && rmdir(WHOLE_FOLDER) == 0 &&
           mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) ==
               0;
}

/* A thing below one that is already there, and the same, needs no mount of its own. */
static enum err place(const struct sandbox_view_item *item, struct note *why)
{
    const char *path = item->target + 1;
    struct stat wanted;
    struct stat there;
    if (fstat(item->tree, &wanted) != 0) {
        return refuse(why, "look at", item->target);
    }
    if (stat(path, &there) == 0 && there.st_dev == wanted.st_dev && there.st_ino == wanted.st_ino) {
        return ERR_NONE;
    }
    bool is_done = item->entries
                       ? place_folder(item)
                       : make_place(path, &wanted) && move_mount(item->tree, "", AT_FDCWD, path,
                                                                 MOVE_MOUNT_F_EMPTY_PATH) == 0;
    return is_done ? ERR_NONE : refuse(why, "mount", item->target);
}

static enum err make_links(struct note *why)
{
    for (size_t i = 0; i < sizeof system_paths / sizeof system_paths[0]; i++) {
        char text[PATH_MAX];
        read_link(system_paths[i], text);
        if (*text && symlink(text, system_paths[i] + 1) != 0) {
            return refuse(why, "make", system_paths[i]);
        }
    }
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        if (symlink(links[i].target, links[i].path) != 0) {
            return refuse(why, "make", links[i].path);
        }
    }
    return ERR_NONE;
}

static enum err make_writable_folders(const struct sandbox_view_spec *spec, struct note *why)
{
    for (size_t i = 0; i < sizeof writable_folders / sizeof writable_folders[0]; i++) {
        const char *path = writable_folders[i].path;
        if (mkdir(path, 0700) != 0 || chmod(path, writable_folders[i].mode) != 0 ||
            (spec->is_root && chown(path, spec->user, (gid_t)spec->user) != 0) ||
            mount(path, path, NULL, MS_BIND, NULL) != 0) {
            return refuse(why, "make", path);
        }
    }
    return ERR_NONE;
}

static enum err make_skeleton(const struct sandbox_view_spec *spec, struct note *why)
{
    if (mkdir("proc", 0555) != 0 || mkdir("etc", 0755) != 0 || mkdir("dev", 0755) != 0) {
        return refuse(why, "make", "the root");
    }
    for (size_t i = 0; i < sizeof small_files / sizeof small_files[0]; i++) {
        if (!make_file(small_files[i].path, small_files[i].text)) {
            return refuse(why, "write", small_files[i].path);
        }
    }
    enum err err = make_links(why);
    return err ? err : make_writable_folders(spec, why);
}

enum err sandbox_view_enter(const struct sandbox_view *view, const struct sandbox_view_spec *spec,
                            struct note *why)
{
    char options[96];
    snprintf(options, sizeof options, "mode=755,size=%" PRId64 ",nr_inodes=%zu", spec->disk_bytes,
             SANDBOX_VIEW_INODES + 2 * spec->entries->count);
    if (mount("tmpfs", BUILDING_SITE, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0 ||
        chdir(BUILDING_SITE) != 0) {
        return refuse(why, "make", "the root");
    }
    umask(022);
    enum err err = make_skeleton(spec, why);
    for (int i = 0; i < view->count && !err; i++) {
        err = place(&view->items[i], why);
    }
    return err;
}

/* Without the first process: its arguments are those of the helper, which name what is hidden. */
enum err sandbox_view_mount_proc(struct note *why)
{
    if (mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, "hidepid=2") !=
        0) {
        return refuse(why, "mount", "/proc");
    }
    return ERR_NONE;
}

/* The old root ends up on top of the new one, from where it is lifted off. */
enum err sandbox_view_pivot(struct note *why)
{
    if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0 ||
        chdir("/") != 0 ||
        mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) !=
            0) {
        return refuse(why, "leave", "the old root");
    }
    return ERR_NONE;
}
