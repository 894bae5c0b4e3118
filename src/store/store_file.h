/* store_file: the file that a tournament is kept in: whether it is still there, and copies of it.
 */
#ifndef STORE_STORE_FILE_H
#define STORE_STORE_FILE_H

#include "base/err.h"
#include "base/note.h"
#include "store/store.h"

/* ERR_ENVIRONMENT: the database was deleted, replaced or cut short while it was open for change, so
 * that what was committed is no longer under its name. All of it is then saved in a new file:
 * store_saved names that one. Where another file was copied over it nothing can be saved. */
MUST_USE enum err store_confirm(struct store *store, struct note *why);
const char *store_saved(const struct store *store); /* NULL: nothing had to be saved */

/* A complete, checked copy, also while it is being written to. `path` must not exist; it appears
 * when the copy is safely on the disk, or not at all. */
MUST_USE enum err store_backup(struct store *store, const char *path, struct note *why);

#endif
