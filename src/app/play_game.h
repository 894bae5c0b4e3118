/* play_game: a game of a person against the engine, whose moves can be taken back and saved. */
#ifndef APP_PLAY_GAME_H
#define APP_PLAY_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "engine/engine.h"
#include "game/game.h"
#include "judge/bids.h"
#include "judge/annotation.h"
#include "judge/judge.h"

struct play_ply {
    struct state before;
    struct move move;
    struct annotation facts;
};

struct play_game {
    const struct game *game;
    enum side person;
    int level; /* the engine's */
    bool has_auction;
    struct bids bids;   /* the person's first */
    struct state start; /* after the auction */
    struct state now;
    struct play_ply plies[JUDGE_MAX_PLIES];
    size_t count;
    bool is_resigned; /* by the person */
};

/* Nothing has been played yet. */
void play_game_begin(struct play_game *play, enum side person, const struct state *start);

/* Begins with an auction between the person's bid and the engine's. The seed draws the lot between
 * equal bids. */
struct auction_outcome play_game_auction(struct play_game *play, struct bid yours, uint64_t seed);

/* The move is legal. */
void play_game_add(struct play_game *play, const struct move *move, const struct annotation *facts);

/* Back to the person's last move that was not a pass, or out of a resignation. False: there is
 * nothing to take back. */
bool play_game_undo(struct play_game *play);

bool play_game_is_over(const struct play_game *play);

/* As a judge would give it; resigning loses. */
struct result play_game_result(const struct play_game *play);

/* NULL before the first move. */
const struct move *play_game_last(const struct play_game *play);

/* Writes a game record. */
MUST_USE enum err play_game_save(const struct play_game *play, const char *path, struct note *why);

/* The engine's evaluation in words: "finds the game even", "sees itself 1.2 men behind", "sees that
 * it wins in 9". */
enum { PLAY_OPINION_BYTES = 64 };
void play_game_opinion(const struct game *game, const struct engine_report *report,
                       char out[PLAY_OPINION_BYTES]);

/* A move as people type it: the squares it names, row then column: 10-12-32, 10 12 32,
 * (1,0) (1,2) (3,2). Where a piece has only one way from one square to another, the two are enough:
 * 10 32.
 *
 * The legal moves that may be meant: one, or several between which the text does not decide.
 * `out` has room for GAME_MAX_MOVES. ERR_INPUT: the text does not name squares; ERR_NEGATIVE: no
 * such move is legal. */
MUST_USE enum err play_game_read_move(const struct game *game, const struct state *state,
                                      const char *text, struct move *out, size_t *count,
                                      struct note *why);

/* The legal moves that begin on the only square that the text names. */
MUST_USE enum err play_game_moves_from(const struct game *game, const struct state *state,
                                       const char *text, struct move *out, size_t *count,
                                       struct note *why);

#endif
