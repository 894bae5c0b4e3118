#include "cluster/program_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/number.h"
#include "cluster/secrets.h"

enum {
    MOST_BYTES = 256 << 20, /* of a program */
    MOST_LEVELS = 16,       /* of folders in folders */
    CHUNK_BYTES = 256 << 10,
    REQUEST_MS = 5000,
    ATTEMPTS = 10,
};

/* --- Packing --- */

struct packing {
    const char *folder;
    const char *blobs;
    struct cluster_files files;
    size_t capacity;
    int64_t bytes;
};

/* Stores bytes under their hash. */
static enum err save_blob(const char *blobs, const void *data, size_t count,
                          char hash[CLUSTER_HASH_BYTES], struct note *why)
{
    char path[PATH_MAX];
    char part[PATH_MAX];
    if (secrets_hash(data, count, hash)) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot compute a SHA-256");
    }
    snprintf(path, sizeof path, "%.3000s/%s", blobs, hash);
    if (access(path, F_OK) == 0) {
        return ERR_NONE;
    }
    snprintf(part, sizeof part, "%.3000s/%s.part", blobs, hash);
    if (!file_write(part, "wb", data, count) || rename(part, path)) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(errno));
    }
    return ERR_NONE;
}

static enum err pack_file(struct packing *p, const char *inside, const char *path,
                          const struct stat *status, struct note *why)
{
    size_t bytes = 0;
    struct cluster_file *larger =
        array_reserve(p->files.list, &p->capacity, p->files.count + 1, sizeof *larger);
    if (!larger) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for the list of files");
    }
    p->files.list = larger;
    p->bytes += status->st_size;
    if (p->files.count == CLUSTER_MAX_FILES || status->st_size > CLUSTER_MAX_FILE_BYTES ||
        p->bytes > MOST_BYTES || strlen(inside) >= CLUSTER_MAX_PATH_BYTES) {
        return note_fail(why, ERR_INPUT,
                         "%.200s is too much for workers: a program may have %d files, each of "
                         "%d MiB, %d MiB in all",
                         p->folder, CLUSTER_MAX_FILES, CLUSTER_MAX_FILE_BYTES >> 20,
                         MOST_BYTES >> 20);
    }
    char *data = file_read_head(path, CLUSTER_MAX_FILE_BYTES, &bytes);
    if (!data) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot read %.200s: %s", path, strerror(errno));
    }
    struct cluster_file *file = &p->files.list[p->files.count++];
    *file = (struct cluster_file){
        .bytes = (int64_t)bytes,
        .is_executable = status->st_mode & 0111,
    };
    snprintf(file->path, sizeof file->path, "%s", inside);
    enum err err = save_blob(p->blobs, data, bytes, file->hash, why);
    free(data);
    return err;
}

static enum err pack_entry(struct packing *p, const char *inside, int level, struct note *why);

static enum err pack_folder(struct packing *p, const char *inside, const char *path, int level,
                            struct note *why)
{
    struct dirent **names = NULL;
    enum err err = ERR_NONE;
    int count = scandir(path, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char below[PATH_MAX];
        const char *name = names[i]->d_name;
        if (!err && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            snprintf(below, sizeof below, "%.2000s/%s", inside, name);
            err = pack_entry(p, below, level + 1, why);
        }
        free(names[i]);
    }
    free(names);
    return err;
}

/* A link is what it leads to, if that is in the folder. */
static enum err pack_entry(struct packing *p, const char *inside, int level, struct note *why)
{
    char path[PATH_MAX];
    char real[PATH_MAX];
    struct stat status;
    snprintf(path, sizeof path, "%.2000s/%.2000s", p->folder, inside);
    if (!realpath(path, real) || !sandbox_folder_inside(real, p->folder) || stat(path, &status) ||
        level == MOST_LEVELS) {
        return ERR_NONE;
    }
    return S_ISREG(status.st_mode)   ? pack_file(p, inside, path, &status, why)
           : S_ISDIR(status.st_mode) ? pack_folder(p, inside, path, level, why)
                                     : ERR_NONE;
}

static int compare_names(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

enum err program_files_pack(const char *folder, const struct sandbox_folder *shown,
                            const char *blobs, char hash[CLUSTER_HASH_BYTES], struct note *why)
{
    struct packing p = {.folder = folder, .blobs = blobs};
    struct cluster_bytes bytes = {0};
    enum err err = ERR_NONE;
    if (shown->count) {
        qsort(shown->entries, shown->count, sizeof shown->entries[0], compare_names);
    }
    for (size_t i = 0; !err && i < shown->count; i++) {
        err = pack_entry(&p, shown->entries[i], 0, why);
    }
    if (!err && cluster_write_files(&p.files, &bytes)) {
        err = note_fail(why, ERR_ENVIRONMENT, "no memory for the list of files");
    }
    err = err ? err : save_blob(blobs, bytes.data, bytes.count, hash, why);
    free(bytes.data);
    cluster_files_free(&p.files);
    return err;
}

/* --- Fetching --- */

static enum err fetch_blob(struct queue *queue, const char *subject, const char *hash,
                           struct cluster_bytes *out, struct note *why)
{
    struct cluster_bytes got = {0};
    size_t capacity = 0;
    size_t last = CHUNK_BYTES;
    int attempts = ATTEMPTS;
    char actual[CLUSTER_HASH_BYTES];
    while (last == CHUNK_BYTES && attempts) {
        char wish[CLUSTER_HASH_BYTES + 32];
        struct queue_message answer = {0};
        int length = snprintf(wish, sizeof wish, "%s %zu", hash, got.count);
        if (queue_request(queue, subject, wish, (size_t)length, REQUEST_MS, &answer)) {
            attempts--; /* without a coordinator the server answers at once */
            nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
            continue;
        }
        uint8_t *larger = array_reserve(got.data, &capacity, got.count + answer.count + 1, 1);
        if (!larger || got.count + answer.count > CLUSTER_MAX_FILE_BYTES) {
            got.data = larger ? larger : got.data;
            attempts = 0;
        } else {
            got.data = larger;
            memcpy(got.data + got.count, answer.data, answer.count);
            got.count += answer.count;
            last = answer.count;
        }
        queue_free(&answer);
    }
    if (attempts && (secrets_hash(got.data, got.count, actual) || strcmp(actual, hash) != 0)) {
        free(got.data);
        return note_fail(why, ERR_ENVIRONMENT,
                         "a file of a program is not what its hash says: %.16s", hash);
    }
    if (!attempts) {
        free(got.data);
        return note_fail(why, ERR_ENVIRONMENT, "the files of a program could not be received");
    }
    *out = got;
    return ERR_NONE;
}

/* Whatever the umask is: the sandbox's user must be able to read it. */
static enum err make_open_folder(const char *path, struct note *why)
{
    enum err err = folder_make(path, 0755, why);
    if (!err && chmod(path, 0755)) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(errno));
    }
    return err;
}

/* Makes the folders of a path below `root`. */
static enum err make_parents(const char *root, const char *inside, struct note *why)
{
    char path[PATH_MAX];
    enum err err = ERR_NONE;
    for (const char *slash = strchr(inside, '/'); !err && slash; slash = strchr(slash + 1, '/')) {
        snprintf(path, sizeof path, "%.2000s/%.*s", root, (int)(slash - inside), inside);
        err = make_open_folder(path, why);
    }
    return err;
}

static enum err fetch_file(struct queue *queue, const char *subject,
                           const struct cluster_file *file, const char *root, struct note *why)
{
    struct cluster_bytes bytes = {0};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.2000s/%.1100s", root, file->path);
    enum err err = make_parents(root, file->path, why);
    err = err ? err : fetch_blob(queue, subject, file->hash, &bytes, why);
    if (!err && (!file_write(path, "wbx", bytes.data, bytes.count) ||
                 chmod(path, file->is_executable ? 0755 : 0644))) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(errno));
    }
    free(bytes.data);
    return err;
}

enum err program_files_fetch(struct queue *queue, const char *subject, const char *hash,
                             const char *root, struct note *why)
{
    struct cluster_bytes list = {0};
    struct cluster_files files = {0};
    char path[PATH_MAX];
    char part[PATH_MAX];
    snprintf(path, sizeof path, "%.3000s/%s", root, hash);
    snprintf(part, sizeof part, "%.3000s/%.60s.new", root, hash);
    if (access(path, F_OK) == 0) {
        return ERR_NONE;
    }
    enum err err = fetch_blob(queue, subject, hash, &list, why);
    if (!err && cluster_read_files(list.data, list.count, &files, why)) {
        err = ERR_ENVIRONMENT;
    }
    free(list.data);
    folder_remove(part);
    err = err ? err : make_open_folder(part, why);
    for (size_t i = 0; !err && i < files.count; i++) {
        err = fetch_file(queue, subject, &files.list[i], part, why);
    }
    cluster_files_free(&files);
    if (!err && rename(part, path)) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, strerror(errno));
    }
    return err;
}

/* --- Answering --- */

static bool read_request(const void *data, size_t count, char hash[CLUSTER_HASH_BYTES],
                         int64_t *offset)
{
    enum { LONGEST = CLUSTER_HASH_BYTES + 32 };
    char text[LONGEST + 1] = "";
    struct note ignored;
    if (count < CLUSTER_HASH_BYTES || count > LONGEST) {
        return false;
    }
    memcpy(text, data, count);
    snprintf(hash, CLUSTER_HASH_BYTES, "%.64s", text);
    return cluster_is_hash(hash) && text[CLUSTER_HASH_BYTES - 1] == ' ' &&
           !number_read(text + CLUSTER_HASH_BYTES, "", 0, CLUSTER_MAX_FILE_BYTES, offset, &ignored);
}

void program_files_answer(struct queue *queue, const char *blobs, const void *data, size_t count,
                          const char *reply)
{
    char hash[CLUSTER_HASH_BYTES];
    char path[PATH_MAX];
    int64_t offset = 0;
    if (!*reply || !read_request(data, count, hash, &offset)) {
        return;
    }
    snprintf(path, sizeof path, "%.3000s/%s", blobs, hash);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char *bytes = malloc(CHUNK_BYTES);
    ssize_t got = file >= 0 && bytes ? pread(file, bytes, CHUNK_BYTES, (off_t)offset) : -1;
    if (got >= 0) {
        queue_send(queue, reply, bytes, (size_t)got);
    }
    if (file >= 0) {
        close(file);
    }
    free(bytes);
}
