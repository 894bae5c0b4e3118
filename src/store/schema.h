/* schema: the tables of a tournament's database, and how older ones become the present ones.
 *
 * docs/tournaments.md describes them for people.
 */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

enum {
    SCHEMA_APPLICATION = 0x506c756d, /* "Plum": PRAGMA application_id */
    SCHEMA_VERSION = 2,              /* PRAGMA user_version */
};

/* The SQL that leads from version n to n + 1, by n; an empty database has version 0. */
extern const char *const schema_steps[SCHEMA_VERSION];

#endif
