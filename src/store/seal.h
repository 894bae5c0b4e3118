/* seal: a running checksum over each table that decides something, so that a row which anybody but
 * plum added, changed or took away is noticed.
 *
 * A table's checksum is the sum of its rows' hashes: a connection that writes keeps it up to date
 * with triggers of its own, one addition a row, and whoever reads adds all rows up. It guards
 * against accidents and hasty hands, not against somebody who reads this.
 */
#ifndef STORE_SEAL_H
#define STORE_SEAL_H

#include "base/err.h"
#include "base/note.h"
#include "store/store.h"

/* Teaches a connection the functions that the rest, and schema.c, are written in. */
MUST_USE enum err seal_install(struct store *store, struct note *why);

/* Seals what is in the tables now. */
MUST_USE enum err seal_begin(struct store *store, struct note *why);

/* From now on what this connection writes is sealed. */
MUST_USE enum err seal_watch(struct store *store, struct note *why);

/* ERR_ENVIRONMENT: a table is not what was written there. */
MUST_USE enum err seal_check(struct store *store, struct note *why);

#endif
