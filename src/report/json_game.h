/* json_game: the JSON forms of a game, a position, a search result, a record and a fault.
 *
 * Command line, web API, report and the engine in the browser write these with the functions here
 * and nowhere else. web/api/v1/openapi.json describes each form under the name in the comment.
 * Scores are in hundredths for the side to move; plies count from 1.
 */
#ifndef REPORT_JSON_GAME_H
#define REPORT_JSON_GAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "engine/engine.h"
#include "game/game.h"
#include "judge/game_event.h"
#include "judge/record.h"
#include "judge/replay.h"

void json_game_info(struct json *json, const struct game *game); /* Game */
/* Fields of a Game: "endings" and "losses", why games end, as phrases by word (report/caption.h).
 */
void json_game_phrases(struct json *json, const struct game *game);
void json_game_level(struct json *json, int level);             /* Level */
void json_game_bid(struct json *json, const struct game *game); /* Bid: that of the engine */
void json_game_position(struct json *json, const struct game *game,
                        const struct state *state); /* Position */

/* The member `result`. */
void json_game_result(struct json *json, struct result result);

/* A list of moves, as texts. */
void json_game_moves(struct json *json, const char *name, const struct game *game,
                     const struct move *moves, size_t count);

/* SearchResult */
void json_game_search(struct json *json, const struct game *game,
                      const struct engine_report *report);

/* Record: `number` is its place in the file, `error` is NULL for a correct one. With `at` not
 * negative it has the position after that many plies. Positions are null from the first ply that
 * could not be played. */
void json_game_record(struct json *json, size_t number, const struct record *record,
                      const struct replay *replay, int64_t at, const char *error);

/* One of a record's `plies`; `position` may be NULL. */
void json_game_ply(struct json *json, size_t number, enum side side, const char *move,
                   const char *position, const struct annotation *facts);

/* FaultCounts: only the kinds that occurred. */
void json_game_fault_counts(struct json *json, const char *name, const int64_t counts[FAULT_KINDS]);

/* What belongs to a fault and is not in it. Texts that are NULL and a game that is 0 are left out.
 */
struct json_fault_frame {
    int game; /* its number in the tournament, from 1 */
    const char *team;
    const char *side;
    const char *opponent;
    const char *errors; /* what the program wrote to standard error, and to standard output */
    const char *output;
    bool hides_position;
    bool hides_why; /* which quotes what the program sent */
};

/* Fault */
void json_game_fault(struct json *json, const char *name, const struct game_fault *fault,
                     const struct json_fault_frame *frame);

#endif
