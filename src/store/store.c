#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/shell_word.h"
#include "store/store_db.h"

enum { BUSY_MS = 10000 };

/* --- One at a time --- */

/* A separate file: closing any descriptor of the database itself would release the locks that
 * SQLite holds on it in this process. Links to a database lead to one lock, and it stays the same
 * when the current folder changes. */
static char *name_whole(const char *path)
{
    char whole[PATH_MAX];
    char folder[PATH_MAX];
    if (!realpath(path, whole)) {
        bool is_relative = path[0] != '/' && getcwd(folder, sizeof folder);
        snprintf(whole, sizeof whole, "%.*s%s%s", (int)sizeof whole / 2, is_relative ? folder : "",
                 is_relative ? "/" : "", path);
    }
    return strdup(whole);
}

static char *name_lock(const char *whole)
{
    char *name = NULL;
    return asprintf(&name, "%s-lock", whole) < 0 ? NULL : name;
}

static struct flock whole_file(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

/* Whether the file that is open is still the one of that name. */
static bool is_in_place(int fd, const char *path)
{
    struct stat opened;
    struct stat named;
    return fstat(fd, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

static enum err refuse_lock(const struct store *store, int error, struct note *why)
{
    if (error == EAGAIN || error == EACCES) {
        note_set(why,
                 "another plum runs or changes the tournament in %.200s; wait for it, or stop it "
                 "with Ctrl-C",
                 store->path);
    } else {
        note_set(why, "cannot lock %.200s: %s", store->path, strerror(error));
    }
    return ERR_ENVIRONMENT;
}

/* The kernel releases the lock when this process ends. The process that has it removes the file, so
 * another file may have its name when we have ours. */
static enum err lock(struct store *store, struct note *why)
{
    const char *path = store->lock_path;
    for (;;) {
        struct flock range = whole_file();
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0) {
            return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path,
                             strerror(errno));
        }
        if (fcntl(fd, F_OFD_SETLK, &range) != 0) {
            int error = errno;
            close(fd);
            return refuse_lock(store, error, why);
        }
        if (is_in_place(fd, path)) {
            store->lock_fd = fd;
            return ERR_NONE;
        }
        close(fd);
    }
}

static void unlock(struct store *store)
{
    if (store->lock_fd >= 0) {
        unlink(store->lock_path);
        close(store->lock_fd);
        store->lock_fd = -1;
    }
}

static bool is_locked(const struct store *store)
{
    struct flock range = whole_file();
    int fd = open(store->lock_path, O_RDONLY | O_CLOEXEC);
    bool is_free = fd < 0 || fcntl(fd, F_OFD_GETLK, &range) != 0 || range.l_type == F_UNLCK;
    if (fd >= 0) {
        close(fd);
    }
    return !is_free;
}

/* --- Opening --- */

static enum err open_database(struct store *store, const char *name, int flags, struct note *why)
{
    if (sqlite3_open_v2(name, &store->db, flags, NULL) != SQLITE_OK) {
        return store_fail(store, "open", why);
    }
    sqlite3_extended_result_codes(store->db, 0);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    return checksum_install(store, why);
}

static bool is_there(const char *path, const char *ending)
{
    char name[PATH_MAX];
    struct stat status;
    snprintf(name, sizeof name, "%s%s", path, ending);
    return stat(name, &status) == 0 && status.st_size > 0;
}

static bool may_write(const struct store *store)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", store->lock_path);
    char *slash = strrchr(folder, '/');
    if (slash) {
        slash[1] = '\0';
    }
    return access(store->path, W_OK) == 0 && access(slash ? folder : ".", W_OK) == 0;
}

/* Readers of a WAL database also write to files next to it. A user without that right can only read
 * a database that no process writes to: "file:PATH?immutable=1". */
static enum err open_untouched(struct store *store, struct note *why)
{
    char name[3 * PATH_MAX];
    size_t used = (size_t)snprintf(name, sizeof name, "file:");
    for (const char *at = store->path; *at && used + 20 < sizeof name; at++) {
        used += (size_t)snprintf(name + used, sizeof name - used,
                                 strchr("%?#", *at) ? "%%%02x" : "%c", (unsigned char)*at);
    }
    snprintf(name + used, sizeof name - used, "?immutable=1");
    return open_database(store, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, why);
}

static enum err open_as_allowed(struct store *store, struct note *why)
{
    if (may_write(store)) {
        return open_database(store, store->path, SQLITE_OPEN_READWRITE, why);
    }
    if (!is_there(store->path, "-wal")) {
        return open_untouched(store, why);
    }
    if (!is_there(store->path, "-shm")) {
        return note_fail(why, ERR_ENVIRONMENT,
                         "%.200s was not closed: a user who may write it must open it first",
                         store->path);
    }
    return open_database(store, store->path, SQLITE_OPEN_READONLY, why);
}

static struct store *new_store(const char *path, struct note *why)
{
    struct store *store = calloc(1, sizeof *store);
    if (store) {
        store->lock_fd = -1;
        store->path = strdup(path);
        store->whole = name_whole(path);
        store->lock_path = store->whole ? name_lock(store->whole) : NULL;
    }
    if (!store || !store->path || !store->lock_path) {
        store_close(store);
        note_set(why, "no memory for a tournament");
        return NULL;
    }
    return store;
}

/* --- The version of the tables --- */

static enum err update(struct store *store, struct note *why)
{
    int64_t version = 0;
    char ending[24];
    char *copy = NULL;
    enum err err =
        schema_read_version(store, &version, why); /* it may have changed before the lock */
    if (err || version == SCHEMA_VERSION) {
        return err;
    }
    snprintf(ending, sizeof ending, "v%d", (int)version);
    err = store_copy_aside(store, ending, &copy, why);
    err = err ? err : store_run(store, "BEGIN IMMEDIATE", why);
    err = err ? err : store_end(store, schema_migrate(store, version, copy, why), why);
    free(copy);
    return err;
}

/* The one place where older databases become present ones: locked, and after a copy was made. */
static enum err bring_up_to_date(struct store *store, struct note *why)
{
    int64_t version = 0;
    bool was_locked = store->lock_fd >= 0;
    enum err err = schema_read_version(store, &version, why);
    if (err || version == SCHEMA_VERSION) {
        return err;
    }
    if (!may_write(store)) {
        return note_fail(
            why, ERR_ENVIRONMENT,
            "%.150s was written by an older plum (version %d of the tables, not %d): a user "
            "who may write it must open it once, to bring it up to date",
            store->path, (int)version, SCHEMA_VERSION);
    }
    err = was_locked ? ERR_NONE : lock(store, why);
    err = err ? err : update(store, why);
    if (!was_locked) {
        unlock(store);
    }
    return err;
}

/* --- What is in it --- */

/* The folder of the roster. If it is gone, both were moved together: the folder of the database.
 * The caller frees. */
static char *find_folder(const struct store *store, const char *kept)
{
    struct stat status;
    if (stat(kept, &status) == 0 && S_ISDIR(status.st_mode)) {
        return strdup(kept);
    }
    const char *slash = strrchr(store->lock_path, '/');
    return slash ? strndup(store->lock_path, (size_t)(slash - store->lock_path) + 1) : strdup(".");
}

static enum err read_tournament(struct store *store, struct note *why)
{
    bool has_row = false;
    sqlite3_stmt *statement =
        store_prepare(store, why, "SELECT roster, folder FROM tournament", "");
    enum err err = statement ? store_step(store, statement, &has_row, why) : ERR_ENVIRONMENT;
    if (!err && !has_row) {
        err = note_fail(why, ERR_ENVIRONMENT, "%.200s is damaged: it has no roster", store->path);
    }
    if (!err) {
        free(store->roster);
        free(store->folder);
        store->roster = strdup(store_text(statement, 0));
        store->folder = find_folder(store, store_text(statement, 1));
        if (!store->roster || !store->folder) {
            err = note_fail(why, ERR_ENVIRONMENT, "no memory to read %.200s", store->path);
        }
    }
    sqlite3_finalize(statement);
    return err;
}

enum err store_read_roster(struct store *store, struct note *why)
{
    return read_tournament(store, why);
}

static enum err open_in_place(struct store *store, enum store_use use, struct note *why)
{
    enum err err = open_as_allowed(store, why);
    if (err || (err = store_check_length(store, why)) || (err = bring_up_to_date(store, why))) {
        return err;
    }
    if (use != STORE_READ && ((err = store_run(store, "PRAGMA synchronous = FULL", why)) ||
                              (err = checksum_track(store, why)))) {
        return err;
    }
    err = read_tournament(store, why);
    if (!err && use == STORE_CHANGE) {
        store_remember_files(store);
    }
    return err;
}

/* --- Making a new one --- */

static void close_database(struct store *store)
{
    sqlite3_close(store->db);
    store->db = NULL;
}

static enum err refuse_taken(struct store *store, struct note *why)
{
    int64_t application = 0;
    char word[200];
    struct stat status;
    if (stat(store->path, &status) != 0) {
        return ERR_NONE;
    }
    enum err err = open_as_allowed(store, why);
    err = err ? err : store_check_length(store, why);
    err = err ? err : store_read_number(store, "PRAGMA application_id", &application, why);
    close_database(store);
    if (err) {
        return err;
    }
    if (application == SCHEMA_APPLICATION) {
        note_set(why,
                 "%.90s exists already; to continue it: plum tournament resume %.120s; --db FILE "
                 "begins another one",
                 store->path, shell_word(store->path, word, sizeof word));
    } else {
        note_set(why, "%.200s exists already and is not a tournament; delete it, or use --db FILE",
                 store->path);
    }
    return ERR_INPUT;
}

static enum err fill(struct store *store, const struct roster *roster, const char *text,
                     const char *folder, const char *name, struct note *why)
{
    enum err err = store_do(store, why, "INSERT INTO tournament VALUES (1, ?, ?, ?, ?, ?)", "ttttl",
                            roster->name, roster->game->name, text, folder, clock_unix_ms());
    for (int i = 0; !err && i < roster_entrant_count(roster); i++) {
        int team = roster_entrant(roster, i);
        err = store_do(store, why, "INSERT INTO team VALUES (?, ?, ?)", "itt", team,
                       roster->teams[team].id, roster->teams[team].name);
    }
    return err ? err : store_audit(store, "created", name, why);
}

static enum err make_database(struct store *store, const char *into, const struct roster *roster,
                              const char *text, const char *folder, const char *name,
                              struct note *why)
{
    static const char begin[] =
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL; BEGIN IMMEDIATE";
    enum err err = open_database(store, into, SQLITE_OPEN_READWRITE, why);
    if (err || (err = store_run(store, begin, why))) {
        return err;
    }
    err = schema_migrate(store, 0, NULL, why);
    err = err ? err : checksum_track(store, why);
    err = err ? err : fill(store, roster, text, folder, name, why);
    err = store_end(store, err, why);
    return err ? err : store_run(store, "PRAGMA journal_mode = WAL", why);
}

/* Under a temporary name first: a file with the final name is always a complete tournament. */
static enum err make_in_place(struct store *store, const struct roster *roster, const char *text,
                              const char *folder, const char *name, struct note *why)
{
    struct atomic_file file;
    enum err err = refuse_taken(store, why);
    if (err || (err = atomic_file_open_private(&file, store->path, why))) {
        return err;
    }
    err = make_database(store, file.temporary, roster, text, folder, name, why);
    close_database(store);
    if (err) {
        atomic_file_discard(&file);
    }
    return err ? err : atomic_file_commit(&file, why);
}

static enum err create(struct store *store, const struct roster *roster, const char *text,
                       const char *folder, const char *name, struct note *why)
{
    enum err err = refuse_taken(store, why);
    err = err ? err : lock(store, why);
    err = err ? err : make_in_place(store, roster, text, folder, name, why);
    return err ? err : open_in_place(store, STORE_CHANGE, why);
}

enum err store_create(const char *path, const struct roster *roster, const char *text,
                      const char *folder, const char *name, struct store **out, struct note *why)
{
    struct store *store = new_store(path, why);
    if (!store) {
        return ERR_ENVIRONMENT;
    }
    enum err err = create(store, roster, text, folder, name, why);
    if (err) {
        store_close(store);
    } else {
        *out = store;
    }
    return err;
}

/* --- Opening an existing one --- */

static enum err open_existing(struct store *store, enum store_use use, struct note *why)
{
    if (access(store->path, R_OK) != 0) {
        note_set(why, "cannot read %.200s: %s", store->path, strerror(errno));
        return errno == ENOENT ? ERR_INPUT : ERR_ENVIRONMENT;
    }
    enum err err = use == STORE_CHANGE ? lock(store, why) : ERR_NONE;
    store->is_busy = use == STORE_READ && is_locked(store);
    return err ? err : open_in_place(store, use, why);
}

enum err store_open(const char *path, enum store_use use, struct store **out, struct note *why)
{
    struct store *store = new_store(path, why);
    if (!store) {
        return ERR_ENVIRONMENT;
    }
    enum err err = open_existing(store, use, why);
    if (err) {
        store_close(store);
    } else {
        *out = store;
    }
    return err;
}

void store_close(struct store *store)
{
    if (!store) {
        return;
    }
    sqlite3_close(store->db);
    unlock(store);
    free(store->path);
    free(store->whole);
    free(store->lock_path);
    free(store->saved);
    free(store->roster);
    free(store->folder);
    free(store);
}

void store_remove(struct store *store)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    close_database(store);
    for (int i = 0; i < 3; i++) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s%s", store->whole, endings[i]);
        unlink(name);
    }
    store_close(store);
}

const char *store_path(const struct store *store) { return store->path; }
const char *store_roster(const struct store *store) { return store->roster; }
const char *store_folder(const struct store *store) { return store->folder; }
bool store_is_busy(const struct store *store) { return store->is_busy; }

bool store_is_busy_now(const struct store *store) { return is_locked(store); }

void store_set_patience(struct store *store, int ms) { sqlite3_busy_timeout(store->db, ms); }
