/* pairing_rules: what a pairing is played under. A roster has them, the welcome that a worker gets,
 * and each match.
 */
#ifndef TOURNAMENT_PAIRING_RULES_H
#define TOURNAMENT_PAIRING_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/judge.h"
#include "player/player_spec.h"
#include "sandbox/sandbox.h"

struct pairing_rules {
    struct judge_rules judge; /* limits, auction; start and seed are a game's */
    enum sandbox_mode sandbox;
    int64_t memory_bytes;             /* that a program may use */
    char python[PLAYER_PYTHON_BYTES]; /* what `python` and `python3` mean in commands; "":
                                              themselves */
    bool violations_lose;             /* a program that makes a hostile attempt loses its game */
    bool ponder;       /* programs may think while they owe no answer; else they are frozen */
    bool is_selfplay;  /* the places are not exchanged, and each game is one of its own */
    int opening_plies; /* random moves before each game, or pair of games */
};

#endif
