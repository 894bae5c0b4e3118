/* fault: makes one call of plum fail, once.
 *
 * Linked into plum_fault with -Wl,--wrap for each function below, so that it sees the calls of
 * plum's own code and not those inside libraries. A call site is the call and the two calls that
 * led to it, so that a helper which everything uses counts once for each of its users.
 *
 *     PLUM_FAULT_LIST=FILE    appends the call sites that are reached to FILE: id, function, three
 * addresses PLUM_FAULT_SITE=ID      the first call from that site fails as the function fails: no
 * memory, disk full
 */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

enum { FRAMES = 3, DEPTH = 16, MAX_SITES = 8192 };

extern const char __executable_start;
extern const char etext;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t seen[MAX_SITES];
static size_t seen_count;
static atomic_bool has_failed;
static _Thread_local bool is_inside; /* what we call ourselves does not count */

static bool is_new(uint64_t id)
{
    for (size_t i = 0; i < seen_count; i++) {
        if (seen[i] == id) {
            return false;
        }
    }
    if (seen_count < MAX_SITES) {
        seen[seen_count++] = id;
    }
    return true;
}

static void list_site(const char *path, uint64_t id, const char *function, const uintptr_t *at)
{
    char line[160];
    int length =
        snprintf(line, sizeof line, "%016" PRIx64 " %s %" PRIxPTR " %" PRIxPTR " %" PRIxPTR "\n",
                 id, function, at[0], at[1], at[2]);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) {
        ssize_t written = syscall(1, file, line, (size_t)length); /* write, not the wrapped one */
        (void)written;
        close(file);
    }
}

/* Whether this call is the one that has to fail. */
__attribute__((noinline)) static bool fails(const char *function)
{
    const char *list = getenv("PLUM_FAULT_LIST");
    const char *site = getenv("PLUM_FAULT_SITE");
    if (is_inside || (!list && !site)) {
        return false;
    }
    is_inside = true;
    void *frames[DEPTH];
    int depth = backtrace(frames, DEPTH);
    uintptr_t at[FRAMES] = {0};
    uint64_t id = 1469598103934665603U;
    for (int i = 0, count = -2; i < depth && count < FRAMES;
         i++) { /* after this function and the wrapper */
        const char *address = frames[i];
        if (address < &__executable_start || address >= &etext) {
            continue;
        }
        if (count >= 0) {
            at[count] = (uintptr_t)(address - &__executable_start);
        }
        count++;
    }
    for (int i = 0; i < FRAMES; i++) {
        id = (id ^ at[i]) * 1099511628211U;
    }
    for (const char *c = function; *c; c++) {
        id = (id ^ (uint64_t)*c) * 1099511628211U;
    }
    bool is_it = site && !has_failed && strtoull(site, NULL, 16) == id;
    if (is_it) {
        has_failed = true;
    }
    if (list) {
        pthread_mutex_lock(&lock);
        if (is_new(id)) {
            list_site(list, id, function, at);
        }
        pthread_mutex_unlock(&lock);
    }
    is_inside = false;
    return is_it;
}

/* What ferror reads, in glibc's FILE. */
static void set_error(FILE *file) { file->_flags |= 0x20; }

#define WRAP(type, name, parameters, arguments, error, failure) \
    type __real_##name parameters;                              \
    type __wrap_##name parameters;                              \
    type __wrap_##name parameters                               \
    {                                                           \
        if (fails(#name)) {                                     \
            errno = error;                                      \
            return failure;                                     \
        }                                                       \
        return __real_##name arguments;                         \
    }

WRAP(void *, malloc, (size_t bytes), (bytes), ENOMEM, NULL)
WRAP(void *, calloc, (size_t count, size_t bytes), (count, bytes), ENOMEM, NULL)
WRAP(void *, realloc, (void *old, size_t bytes), (old, bytes), ENOMEM, NULL)
WRAP(char *, strdup, (const char *text), (text), ENOMEM, NULL)
WRAP(char *, strndup, (const char *text, size_t bytes), (text, bytes), ENOMEM, NULL)
WRAP(FILE *, open_memstream, (char **text, size_t *bytes), (text, bytes), ENOMEM, NULL)
WRAP(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count), ENOSPC, -1)
WRAP(size_t, fwrite, (const void *bytes, size_t size, size_t count, FILE *file),
     (bytes, size, count, file), ENOSPC, (set_error(file), 0))
WRAP(int, fflush, (FILE * file), (file), ENOSPC, (set_error(file), EOF))
WRAP(int, fsync, (int file), (file), EIO, -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), ENOSPC, -1)
WRAP(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), ENOSPC, -1)
WRAP(int, sqlite3_step, (sqlite3_stmt * statement), (statement), ENOSPC, SQLITE_FULL)
WRAP(int, sqlite3_prepare_v2,
     (sqlite3 * db, const char *sql, int bytes, sqlite3_stmt **out, const char **rest),
     (db, sql, bytes, out, rest), ENOMEM, (*out = NULL, SQLITE_NOMEM))
WRAP(int, sqlite3_exec,
     (sqlite3 * db, const char *sql, int (*call)(void *, int, char **, char **), void *owner,
      char **message),
     (db, sql, call, owner, message), EIO, SQLITE_IOERR)
WRAP(int, sqlite3_backup_step, (sqlite3_backup * backup, int pages), (backup, pages), ENOSPC,
     SQLITE_FULL)

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    bool is_it = fails("fclose");
    int result = __real_fclose(file); /* it is closed in any case */
    if (is_it) {
        errno = ENOSPC;
        return EOF;
    }
    return result;
}
