#include "report/report_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/json.h"
#include "report/report_csv.h"
#include "report/report_json.h"
#include "report/report_page.h"
#include "report/report_parts.h"

enum { HASH_DIGITS = 16, PARTS_NAME_BYTES = 32 };
static const char parts_prefix[] = "data-";

/* While a report is written. Its parts are in a temporary folder until all are complete. */
struct report_folder {
    const char *path;
    const struct report_view *view;
    int own_lock;             /* the folder, locked: another writer waits */
    char temporary[PATH_MAX]; /* "": none */
    int lock;                 /* the temporary folder, locked so that no sweep removes it */
    uint64_t hash;            /* of all parts */
    char parts[PARTS_NAME_BYTES];
};

static enum err refuse(const char *path, int error, struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(error));
}

/* `out` has PATH_MAX bytes. */
static enum err join(char *out, const char *folder, const char *name, struct note *why)
{
    bool fits = snprintf(out, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
    return fits ? ERR_NONE : refuse(folder, ENAMETOOLONG, why);
}

/* Waits for another writer: it would remove our parts, or mix its files with ours. */
static enum err lock_folder(struct report_folder *report, struct note *why)
{
    report->own_lock = open(report->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (report->own_lock < 0 || flock(report->own_lock, LOCK_EX) != 0) {
        return refuse(report->path, errno, why);
    }
    return ERR_NONE;
}

/* --- Parts --- */

/* A name of folder_is_scratch: a killed writer's folder is removed the next time. */
static enum err make_temporary(struct report_folder *report, struct note *why)
{
    char name[PARTS_NAME_BYTES];
    snprintf(name, sizeof name, "plum-%ld-XXXXXX", (long)getpid());
    enum err err = join(report->temporary, report->path, name, why);
    if (!err && !mkdtemp(report->temporary)) {
        err = refuse(report->temporary, errno, why);
    }
    if (err) {
        report->temporary[0] = '\0';
        return err;
    }
    report->lock = open(report->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (report->lock < 0 || flock(report->lock, LOCK_EX | LOCK_NB) != 0) {
        return refuse(report->temporary, errno, why);
    }
    return ERR_NONE;
}

static enum err add_part(void *owner, const char *name, const char *text, size_t bytes,
                         struct note *why)
{
    struct report_folder *report = owner;
    int error = 0;
    int fd = openat(report->lock, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (!out || fwrite(text, 1, bytes, out) != bytes || fflush(out) != 0 || fsync(fd) != 0) {
        error = errno ? errno : EIO;
    }
    if (out ? fclose(out) != 0 : fd >= 0 && close(fd) != 0) {
        error = error ? error : errno;
    }
    report->hash = hash_bytes(hash_bytes(report->hash, name, strlen(name)), text, bytes);
    if (error) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", report->path, name);
        return refuse(path, error, why);
    }
    return ERR_NONE;
}

/* The parts are for those that may read the folder around them. */
static mode_t parts_mode(const struct report_folder *report)
{
    struct stat about;
    return stat(report->path, &about) == 0 ? about.st_mode & 0755 : 0755;
}

/* For parts that exist already: one of them may be lost or damaged. What else is there stays. */
static enum err replace_parts(struct report_folder *report, const char *target, struct note *why)
{
    int error = 0;
    int folder = open(target, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = folder < 0 ? NULL : opendir(report->temporary);
    if (!entries || fchmod(folder, parts_mode(report)) != 0) {
        error = errno;
    }
    for (struct dirent *entry; !error && entries && (entry = readdir(entries));) {
        if (entry->d_name[0] != '.' &&
            renameat(report->lock, entry->d_name, folder, entry->d_name) != 0) {
            error = errno;
        }
    }
    if (!error && fsync(folder) != 0) {
        error = errno;
    }
    if (entries) {
        closedir(entries);
    }
    if (folder >= 0) {
        close(folder);
    }
    return error ? refuse(target, error, why) : ERR_NONE;
}

static enum err name_parts(struct report_folder *report, struct note *why)
{
    char target[PATH_MAX];
    snprintf(report->parts, sizeof report->parts, "%s%016" PRIx64, parts_prefix, report->hash);
    enum err err = join(target, report->path, report->parts, why);
    if (err) {
        return err;
    }
    if (fchmod(report->lock, parts_mode(report)) != 0 || fsync(report->lock) != 0) {
        return refuse(target, errno, why);
    }
    if (rename(report->temporary, target) == 0) {
        report->temporary[0] = '\0';
        return ERR_NONE;
    }
    return errno == ENOTEMPTY || errno == EEXIST ? replace_parts(report, target, why)
                                                 : refuse(target, errno, why);
}

/* --- Parts of older reports, and of killed writers --- */

static bool is_parts_folder(const char *name)
{
    size_t prefix = strlen(parts_prefix);
    return strncmp(name, parts_prefix, prefix) == 0 &&
           strspn(name + prefix, "0123456789abcdef") == HASH_DIGITS && !name[prefix + HASH_DIGITS];
}

/* "team-12.js" */
static bool is_part_name(const char *name)
{
    size_t word = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    const char *number = name + word + 1;
    return word && name[word] == '-' && strcmp(number + strspn(number, "0123456789"), ".js") == 0;
}

/* Whether the file is a part that plum wrote, or the beginning of one. */
static bool is_part(int folder, const char *name)
{
    static const char head[] = REPORT_PARTS_HEAD;
    char text[sizeof head] = "";
    int fd = is_part_name(name)
                 ? openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                 : -1;
    ssize_t bytes = fd < 0 ? -1 : read(fd, text, strlen(head));
    if (fd >= 0) {
        close(fd);
    }
    return bytes >= 0 && memcmp(text, head, (size_t)bytes) == 0;
}

/* What is not ours stays. */
static void empty_parts(int folder)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = again < 0 ? NULL : fdopendir(again);
    if (!entries) {
        if (again >= 0) {
            close(again);
        }
        return;
    }
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (is_part(folder, entry->d_name)) {
            (void)unlinkat(folder, entry->d_name, 0);
        }
    }
    closedir(entries);
}

/* From the folders with such names, and then the folders that are empty. A folder that is locked is
 * in use. */
static void remove_parts(const struct report_folder *report, bool (*is_named)(const char *name))
{
    DIR *entries = opendir(report->path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (!is_named(entry->d_name) || strcmp(entry->d_name, report->parts) == 0) {
            continue;
        }
        int folder =
            openat(dirfd(entries), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0) {
            empty_parts(folder);
            (void)unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR);
        }
        if (folder >= 0) {
            close(folder);
        }
    }
    if (entries) {
        closedir(entries);
    }
}

/* --- New parts --- */

static enum err write_parts(struct report_folder *report, struct note *why)
{
    const struct report_parts_sink sink = {report, add_part};
    char page[PATH_MAX];
    enum err err = join(page, report->path, "index.html", why);
    if (err) {
        return err;
    }
    remove_parts(report, folder_is_scratch);
    atomic_file_sweep(page);
    err = make_temporary(report, why);
    err = err ? err : report_parts_write(report->view, &sink, why);
    return err ? err : name_parts(report, why);
}

/* --- Files with a name of their own --- */

typedef enum err report_write_fn(FILE *out, const struct report_folder *report, struct note *why);

static enum err write_page(FILE *out, const struct report_folder *report, struct note *why)
{
    (void)why;
    report_page(out, report->view, report->parts);
    return ERR_NONE;
}

static enum err write_json(FILE *out, const struct report_folder *report, struct note *why)
{
    struct json json = json_make(out, JSON_INDENTED);
    enum err err = report_json(&json, report->view, why);
    fputc('\n', out);
    return err;
}

/* The page is last: with it the new report is in place. */
static const struct report_file {
    const char *name;
    report_write_fn *write; /* NULL: write_csv */
    void (*write_csv)(FILE *out, const struct report_data *data, bool is_public);
} outputs[] = {
    {"report.json", write_json, NULL},     {"standings.csv", NULL, report_csv_standings},
    {"games.csv", NULL, report_csv_games}, {"faults.csv", NULL, report_csv_faults},
    {"index.html", write_page, NULL},
};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };

/* A link could lead to a file outside of the folder. */
static enum err refuse_links(const struct report_folder *report, struct note *why)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        struct stat about;
        if (fstatat(report->own_lock, outputs[i].name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISLNK(about.st_mode)) {
            return note_fail(why, ERR_INPUT,
                             "%.200s/%s is a link, and a report follows none; remove it, or choose "
                             "another folder",
                             report->path, outputs[i].name);
        }
    }
    return ERR_NONE;
}

/* All are on the disk before the first gets its name, so that hardly any time is between them. */
static enum err write_outputs(const struct report_folder *report, struct note *why)
{
    char paths[OUTPUTS][PATH_MAX];
    struct atomic_file files[OUTPUTS] = {0};
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < OUTPUTS; i++) {
        if ((err = join(paths[i], report->path, outputs[i].name, why)) ||
            (err = atomic_file_open(&files[i], paths[i], why))) {
            break;
        }
        errno = 0;
        if (outputs[i].write) {
            err = outputs[i].write(files[i].stream, report, why);
        } else {
            outputs[i].write_csv(files[i].stream, report->view->data, report->view->is_public);
        }
        if (!err && (fflush(files[i].stream) != 0 || ferror(files[i].stream) ||
                     (*files[i].temporary && fsync(fileno(files[i].stream)) != 0))) {
            err = refuse(paths[i], errno ? errno : EIO, why);
        }
    }
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (!err) {
            err = atomic_file_commit(&files[i], why);
        }
        atomic_file_discard(&files[i]);
    }
    return err;
}

/* --- All --- */

enum err report_folder_write(const char *folder, const struct report_data *data, bool is_public,
                             struct note *why)
{
    struct report_view view = {0};
    struct report_folder report = {
        .path = folder, .view = &view, .own_lock = -1, .lock = -1, .hash = HASH_SEED};
    enum err err = folder_make(folder, 0755, why);
    if (err || (err = report_view_open(&view, data, is_public, why)) ||
        (err = lock_folder(&report, why)) || (err = refuse_links(&report, why)) ||
        (err = write_parts(&report, why)) || (err = write_outputs(&report, why))) {
        goto out;
    }
    remove_parts(&report, is_parts_folder);
out:
    if (*report.temporary) {
        folder_remove(report.temporary);
    }
    if (report.lock >= 0) {
        close(report.lock);
    }
    if (report.own_lock >= 0) {
        close(report.own_lock);
    }
    report_view_close(&view);
    return err;
}
