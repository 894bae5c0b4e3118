/* report_data: all facts of a tournament that a report or a grade sheet shows.
 *
 * It is read once from the store and does not change afterwards. A team is known by its number in
 * the roster.
 */
#ifndef REPORT_REPORT_DATA_H
#define REPORT_REPORT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/note.h"
#include "report/ruling.h"
#include "store/store.h"
#include "tournament/ranking.h"
#include "tournament/rating.h"
#include "tournament/tournament.h"

enum { REPORT_LABEL_BYTES = ROSTER_NAME_BYTES + ROSTER_ID_BYTES + 8 };

struct report_team {
    const struct roster_team *entry;
    const struct ranking_row *row;
    struct rating rating;
    char label[REPORT_LABEL_BYTES]; /* see report_data_label_teams */
    bool is_qualified;              /* tournament/qualification.h */
    bool is_built;                  /* false: its source could not be built */
    char *build_messages;           /* of the compiler; NULL: there are none */
    int64_t faults[FAULT_KINDS];
    int64_t games; /* that it played */
    int64_t thinking_ms;
    int64_t slowest_ms;
    int slowest_game; /* -1: it made no move */
    /* The reason of a ruling after the roster; "": the roster has the value. */
    struct note rulings[RULING_KEYS];
    struct violation_list *violations; /* what its programs tried in vain; NULL: nothing */
};

enum fault_phase { FAULT_PHASE_MOVE, FAULT_PHASE_START, FAULT_PHASE_BID };

struct report_fault {
    int game;
    int team;
    enum fault_phase phase;
    bool is_fatal;           /* it lost the game … */
    bool is_late_limit;      /* … as the last of too many late moves in a row */
    struct game_fault fault; /* its player is not set */
};

/* What a team's programs wrote to standard error in a pairing. */
struct report_log {
    enum tournament_phase phase;
    int team;
    int from_game;
    char *text;
};

/* A zeroed struct is closed. Points into itself: do not copy. */
struct report_data {
    struct store *store;
    enum cpu_level cpu;
    bool is_anonymous; /* labels are letters that have nothing to do with names, order or place */
    struct roster roster;
    struct tournament tournament;
    struct ranking_row *rows; /* best first */
    struct rating_table ratings;
    struct report_team *teams;
    struct report_fault *faults; /* of games that count, in their order */
    size_t fault_count;
    struct report_log *logs; /* see report_data_read_logs */
    size_t log_count;
};

MUST_USE enum err report_data_open(struct report_data *data, const char *path, enum cpu_level cpu,
                                   bool is_anonymous, struct note *why);
void report_data_close(struct report_data *data);

/* What people read for a team: its name, with the id where several teams have that name
 * ("Ada (7)"); or letters. report_data_open does this; again after names have changed. */
MUST_USE enum err report_data_label_teams(struct report_data *data, struct note *why);

/* Standard error can be larger than all the rest, so it is read only where it is needed. */
MUST_USE enum err report_data_read_logs(struct report_data *data, struct note *why);

/* The team that was Black or White in a game that was played. */
int report_data_player(const struct tournament_game *game, enum side side);

/* Whether that team lost the game by its own fault. */
bool report_data_is_own_forfeit(const struct tournament_game *game, int team);

/* Sets the phase of each fault and whether it lost the game. That follows from the reason of the
 * result: the last fault of a side that forfeited the game decided it. report_data_open does this.
 */
void report_data_set_phases(struct report_data *data);

/* Where in its game a fault happened ("start", "bid", "move 12"), and its name: its kind, or "hard
 * limit" or "late limit" for a late move that lost. */
enum { REPORT_DATA_PLACE_BYTES = 24 };
void report_data_fault_place(const struct report_fault *fault, char out[REPORT_DATA_PLACE_BYTES]);
const char *report_data_fault_word(const struct report_fault *fault);

#endif
