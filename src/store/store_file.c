/* The file that a tournament is stored in: whether it is still there, and copies of it. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "store/store_db.h"

/* Nothing here opens the database by its name: closing a descriptor of it would release the locks
 * that SQLite holds on it in this process.
 */

/* The header of an SQLite database: https://www.sqlite.org/fileformat.html */
enum {
    HEADER_BYTES = 100,
    PAGE_SIZE_AT = 16,
    CHANGES_AT = 24,
    PAGES_AT = 28,
    PAGES_VALID_AT = 92, /* the number of changes for which the number of pages holds */
    LARGEST_PAGE = 65536,
};

enum { HEAD_BYTES = 512 }; /* no page is smaller */

enum { MOST_COPIES = 1000 };

enum { JOURNAL = 1, SHARED = 2 };
static const char *const endings[STORE_FILES] = {"", "-wal", "-shm"};

/* --- Whole --- */

static uint32_t read_big_endian(const unsigned char *bytes, int count)
{
    uint32_t value = 0;
    for (int i = 0; i < count; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* The length according to the first page; 0: not known. */
static int64_t wanted_bytes(const unsigned char header[HEADER_BYTES])
{
    uint32_t page = read_big_endian(header + PAGE_SIZE_AT, 2);
    uint32_t pages = read_big_endian(header + PAGES_AT, 4);
    bool is_valid = memcmp(header + CHANGES_AT, header + PAGES_VALID_AT, 4) == 0;
    return is_valid ? (int64_t)pages * (page == 1 ? LARGEST_PAGE : page) : 0;
}

/* The length of the file is not final while a journal is waiting to be written into it. */
static bool has_journal(const struct store *store)
{
    static const char *const journals[] = {"-wal", "-journal"};
    for (int i = 0; i < 2; i++) {
        char name[PATH_MAX];
        struct stat status;
        snprintf(name, sizeof name, "%s%s", store->whole, journals[i]);
        if (stat(name, &status) == 0 && status.st_size > 0) {
            return true;
        }
    }
    return false;
}

enum err store_check_length(struct store *store, struct note *why)
{
    unsigned char header[HEADER_BYTES];
    sqlite3_file *file = NULL;
    sqlite3_int64 bytes = 0;
    if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
        file->pMethods->xFileSize(file, &bytes) != SQLITE_OK) {
        return store_fail(store, "read", why);
    }
    bool is_short = bytes < HEADER_BYTES;
    if (!is_short && file->pMethods->xRead(file, header, HEADER_BYTES, 0) != SQLITE_OK) {
        return store_fail(store, "read", why);
    }
    int64_t wanted = is_short ? HEADER_BYTES : wanted_bytes(header);
    if (is_short || (bytes < wanted && !has_journal(store))) {
        return note_fail(
            why, ERR_ENVIRONMENT,
            "%.120s is damaged: it was cut off after %lld bytes; continue with a copy made by "
            "plum tournament backup",
            store->path, (long long)bytes);
    }
    return ERR_NONE;
}

/* --- Still there --- */

static struct store_identity identify(const struct store *store, int file)
{
    char name[PATH_MAX];
    struct stat status;
    snprintf(name, sizeof name, "%s%s", store->whole, endings[file]);
    if (stat(name, &status)) {
        return (struct store_identity){0};
    }
    return (struct store_identity){status.st_dev, status.st_ino, status.st_size};
}

/* One that was not there at first may have come. The database and its -wal never become shorter
 * while a connection is open: SQLite writes a -wal again from its start. */
static bool is_in_place(const struct store *store, int file)
{
    const struct store_identity *known = &store->files[file];
    struct store_identity now = identify(store, file);
    return known->inode == 0 || (now.inode == known->inode && now.device == known->device &&
                                 (file == SHARED || now.bytes >= known->bytes));
}

/* Of the second page, as it is in the file: the first table's, with the tournament's name and
 * roster. 0: it cannot be read. */
static uint64_t hash_head(const struct store *store)
{
    unsigned char page[HEAD_BYTES];
    unsigned char header[HEADER_BYTES];
    sqlite3_file *file = NULL;
    if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
        file->pMethods->xRead(file, header, HEADER_BYTES, 0) != SQLITE_OK) {
        return 0;
    }
    sqlite3_int64 at = read_big_endian(header + PAGE_SIZE_AT, 2);
    if (file->pMethods->xRead(file, page, HEAD_BYTES, at) != SQLITE_OK) {
        return 0;
    }
    return hash_bytes(HASH_SEED, page, HEAD_BYTES);
}

void store_remember_files(struct store *store)
{
    store->head = hash_head(store);
    for (int i = 0; i < STORE_FILES; i++) {
        store->files[i] = identify(store, i);
    }
}

/* What SQLite wrote ahead for the missing database would be read into the one that has its name
 * now. */
static void remove_orphans(const struct store *store)
{
    for (int i = 1; i < STORE_FILES && !is_in_place(store, 0); i++) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s%s", store->whole, endings[i]);
        if (is_in_place(store, i)) {
            unlink(name);
        }
    }
}

/* What was committed is not under its name any more. `what` has happened to it. */
static enum err save_aside(struct store *store, const char *what, struct note *why)
{
    struct note unsaved;
    store->is_lost = true;
    if (store_copy_aside(store, "saved", &store->saved, &unsaved)) {
        const char *reason = unsaved.text; /* the last part; before it are paths */
        for (const char *at = reason; (at = strstr(at, ": ")); reason = at += 2) {
        }
        note_set(why,
                 "%.50s was %s while it ran, and what was played cannot be saved in a new file "
                 "(%.60s); continue with a copy made by plum tournament backup",
                 store->path, what, reason);
    } else {
        note_set(why, "%.50s was %s while it ran; what was played is saved in a new file",
                 store->path, what);
        remove_orphans(store);
    }
    return ERR_ENVIRONMENT;
}

enum err store_confirm(struct store *store, struct note *why)
{
    bool is_good = true;
    for (int i = 0; i < STORE_FILES; i++) {
        is_good = is_good && is_in_place(store, i);
    }
    if (is_good && store->head == hash_head(store)) {
        store->files[JOURNAL] = identify(store, JOURNAL);
        return ERR_NONE;
    }
    if (is_good) {
        store->is_lost = true;
        return note_fail(
            why, ERR_ENVIRONMENT,
            "another file was copied over %.50s while it ran, so that what was played cannot be "
            "saved; continue with a copy made by plum tournament backup",
            store->path);
    }
    return save_aside(store, "deleted, replaced or cut off", why);
}

/* Through a connection of its own: this process may have pages in memory that the file has not. */
static enum err read_again(struct store *store, size_t played, struct note *why)
{
    struct store *again = NULL;
    int64_t count = -1;
    enum err err = store_open(store->whole, STORE_READ, &again, why);
    if (err) {
        return err;
    }
    sqlite3_stmt *row = store_prepare(again, why, "PRAGMA quick_check(1)", "");
    bool is_whole = row && sqlite3_step(row) == SQLITE_ROW && strcmp(store_text(row, 0), "ok") == 0;
    sqlite3_finalize(row);
    row = is_whole ? store_prepare(again, why, "SELECT COUNT(*) FROM game WHERE status = ?", "t",
                                   "played")
                   : NULL;
    if (row && sqlite3_step(row) == SQLITE_ROW) {
        count = sqlite3_column_int64(row, 0);
    }
    sqlite3_finalize(row);
    err = count == (int64_t)played ? store_check_records(again, why) : ERR_ENVIRONMENT;
    store_close(again);
    return err;
}

enum err store_verify(struct store *store, size_t played, struct note *why)
{
    enum err err = store_confirm(store, why);
    if (err) {
        return err;
    }
    err = read_again(store, played, why);
    if (err) { /* once more: a shortage of memory that has passed is not damage */
        err = read_again(store, played, why);
    }
    return err ? save_aside(store, "damaged", why) : ERR_NONE;
}

bool store_is_lost(const struct store *store) { return store->is_lost; }

const char *store_saved(const struct store *store) { return store->saved; }

/* --- Copies --- */

static enum err copy_pages(struct store *store, sqlite3 *copy, const char *path, struct note *why)
{
    sqlite3_backup *backup = sqlite3_backup_init(copy, "main", store->db, "main");
    int code = backup ? sqlite3_backup_step(backup, -1) : SQLITE_ERROR;
    if (backup) {
        sqlite3_backup_finish(backup);
    }
    if (code != SQLITE_DONE) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot copy %.120s to %.120s: %s", store->path,
                         path, sqlite3_errmsg(copy));
    }
    return ERR_NONE;
}

/* A copy of a damaged database would only look like a backup. */
static enum err check_copy(sqlite3 *copy, const char *path, struct note *why)
{
    sqlite3_stmt *row = NULL;
    bool is_whole =
        sqlite3_prepare_v2(copy, "PRAGMA integrity_check(1)", -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW && strcmp(store_text(row, 0), "ok") == 0;
    if (!is_whole) {
        note_set(why, "the copy %.120s is damaged: %.150s", path,
                 row ? store_text(row, 0) : sqlite3_errmsg(copy));
    }
    sqlite3_finalize(row);
    return is_whole ? ERR_NONE : ERR_ENVIRONMENT;
}

static enum err write_copy(struct store *store, const char *into, const char *path,
                           struct note *why)
{
    sqlite3 *copy = NULL;
    enum err err = ERR_NONE;
    /* Without a journal, which would be left next to it: half a copy is thrown away. */
    if (sqlite3_open_v2(into, &copy, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_exec(copy, "PRAGMA journal_mode = OFF", NULL, NULL, NULL) != SQLITE_OK) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path,
                        copy ? sqlite3_errmsg(copy) : "no memory");
    }
    err = err ? err : copy_pages(store, copy, path, why);
    err = err ? err : check_copy(copy, path, why);
    sqlite3_close(copy);
    return err;
}

enum err store_backup(struct store *store, const char *path, struct note *why)
{
    struct atomic_file file;
    struct stat status;
    if (lstat(path, &status) == 0) {
        return note_fail(why, ERR_INPUT, "cannot write %.200s: %s", path, strerror(EEXIST));
    }
    atomic_file_sweep(path);
    enum err err = atomic_file_open_private(&file, path, why);
    if (err) {
        return err;
    }
    err = write_copy(store, file.temporary, path, why);
    if (err) {
        atomic_file_discard(&file);
    }
    return err ? err : atomic_file_commit(&file, why);
}

/* ERR_INPUT: all names are taken. */
static enum err copy_into(struct store *store, const char *folder, const char *ending, char **out,
                          struct note *why)
{
    const char *name = strrchr(store->whole, '/');
    enum err err = ERR_INPUT;
    char *path = NULL;
    for (int i = 1; err == ERR_INPUT && i < MOST_COPIES; i++) {
        char number[16] = "";
        if (i > 1) {
            snprintf(number, sizeof number, "-%d", i);
        }
        free(path);
        if (asprintf(&path, "%s/%s.%s%s", folder, name ? name + 1 : store->whole, ending, number) <
            0) {
            return note_fail(why, ERR_ENVIRONMENT, "no memory to copy %.200s", store->path);
        }
        err = store_backup(store, path, why);
    }
    if (err) {
        free(path);
    } else {
        *out = path;
    }
    return err;
}

/* Its folder may be gone as well. */
enum err store_copy_aside(struct store *store, const char *ending, char **out, struct note *why)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", store->whole);
    char *slash = strrchr(folder, '/');
    if (slash) {
        *slash = '\0';
    }
    enum err err = copy_into(store, slash ? folder : ".", ending, out, why);
    if (err) {
        struct note elsewhere;
        const char *temporary = getenv("TMPDIR");
        err =
            copy_into(store, temporary && *temporary ? temporary : "/tmp", ending, out, &elsewhere);
    }
    return err;
}
