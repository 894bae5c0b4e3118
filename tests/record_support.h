/* record_support: game records from text and back, for tests. */
#ifndef TESTS_RECORD_SUPPORT_H
#define TESTS_RECORD_SUPPORT_H

#include <stddef.h>

#include "judge/record.h"

enum { MAX_GAMES = 8 };

/* The games of one text. */
struct games {
    struct record records[MAX_GAMES];
    size_t count;
};

/* ERR_NONE, or the reader's error with its note; the games before it are kept. */
enum err games_read_bytes(struct games *games, const char *text, size_t length, struct note *why);
enum err games_read(struct games *games, const char *text, struct note *why);
void games_free(struct games *games);

/* The text of one record, to be freed. */
char *record_to_text(const struct record *record);

#endif
