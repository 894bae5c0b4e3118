/* judge_table: one judged game between two scripted players on a simulated clock.
 *
 * A script is the list of a player's answers, one for each question: first to the start, in an
 * auction to the bid, then to each move that it is asked for.
 *
 *     ready   restart   silent   resign   crash   malformed   hostile   invalid   bid:0/5 10-12-32
 *
 * An answer takes a tenth of a second, or the seconds after an @: `10-12@5.25`; `@now` is before
 * the judge's call has returned; `@=5.25`: it is known when it came. A word that starts with + is
 * sent in addition, that long after the question: `10-12 +crash@3`. After the last word a player
 * answers with the first legal move.
 *
 * The game is also written as words:
 *
 *     b:10-12 {1 late} w:skip!late b:pass* = 1-0 3 2 all-home
 *
 * plies by side (! the fault that cost the turn, * not asked), faults by player, and the result
 * with both scores and the reason; ! after it: decided by a fault.
 */
#ifndef TESTS_JUDGE_TABLE_H
#define TESTS_JUDGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "fake_world.h"
#include "judge/judge.h"
#include "judge/record.h"
#include "judge/recorder.h"

enum { TABLE_LOG_BYTES = 1 << 17 };

struct table {
    struct fake_world world;
    struct judge judge;
    struct judge_rules rules;
    struct fake_player *players[2];
    struct record record;
    struct game_fault last_fault;
    struct fault_cause last_cause;
    struct judge_ply last_ply;
    bool has_fault;
    bool is_started;
    bool is_over;
    bool has_failed;           /* without a result: no record either */
    bool is_hasty;             /* the host also wakes the judge every second */
    bool is_sleepy;            /* the host wakes the judge only when nothing else happens */
    int events_till_abandoned; /* the host gives up during that event; 0: never */
    int events;
    size_t log_used;
    char log[TABLE_LOG_BYTES];
};

/* The usual limits: 5 s (MeiChu 30, 120 a turn, 3600 a game), 0.25 of grace, 10 to start. */
struct judge_rules table_rules(const char *game, const char *position);

/* As above, but with the auction. */
struct judge_rules table_auction_rules(void);

/* Players with minds of the test's own. `table` stays where it is until table_free. */
void table_init(struct table *table, const struct judge_rules *rules, fake_mind *minds[2],
                void *const thoughts[2]);

/* Starts the game and runs the simulation until no event is left. Then the record of
 * a finished game is written, read back and replayed. */
void table_play(struct table *table);

void table_free(struct table *table);

/* A mind; its thoughts are the script, a `const char *` that moves on. */
fake_mind scripted_mind;

/* Plays two scripts and compares the words. */
void expect_game(const struct judge_rules *rules, const char *first, const char *second,
                 const char *words);

/* From a position with the usual rules, and with the auction. */
void expect_at(const char *game, const char *position, const char *first, const char *second,
               const char *words);
void expect_auction(const char *first, const char *second, const char *words);

/* Plays them, but the caller looks at the rest and frees it. */
void play_scripts(struct table *table, const struct judge_rules *rules, const char *first,
                  const char *second);

#endif
