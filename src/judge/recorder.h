/* recorder: writes the record of a game from the events of its judge. */
#ifndef JUDGE_RECORDER_H
#define JUDGE_RECORDER_H

#include "judge/annotation.h"
#include "judge/bids.h"
#include "judge/judge.h"
#include "judge/record.h"

/* What the record contains and the judge does not know. NULL: the tag is left out. */
struct recorder_labels {
    const char *event;
    const char *round;
    const char *date;
    const char *sandbox;
    const char *machine; /* that played it */
};

/* What the tags of a record contain. */
struct recorder_game {
    const struct game *game;
    const char *names[2]; /* by side; any text */
    struct result result;
    const struct judge_rules *rules; /* seed and limits; NULL: left out */
    const struct state *start;       /* written if it is not the usual one; NULL: left out */
    const struct bids *bids;         /* NULL: left out */
};

/* What a record contains about a ply besides its move. */
struct annotation recorder_annotation(const struct judge_ply *ply);

/* Adds ply `number`, from 1. */
MUST_USE enum err recorder_add_move(struct record *record, const struct game *game, int number,
                                    enum side side, const struct move *move,
                                    const struct annotation *annotation, struct note *why);
MUST_USE enum err recorder_add_tags(struct record *record, const struct recorder_game *game,
                                    const struct recorder_labels *labels, struct note *why);

/* Adds a ply of a judge's game while it runs. */
MUST_USE enum err recorder_add_ply(struct record *record, const struct judge *judge,
                                   const struct judge_ply *ply, struct note *why);

/* Adds the closing turn, if a fault ended the game in the middle of one, and the tags. The game
 * is over. */
MUST_USE enum err recorder_finish(struct record *record, const struct judge *judge,
                                  const struct recorder_labels *labels, struct note *why);

#endif
