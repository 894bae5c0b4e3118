/* match_args: the options of `plum match`, some of which other commands share. */
#ifndef CLI_MATCH_ARGS_H
#define CLI_MATCH_ARGS_H

#include "play/match_source.h"
#include "cli/args.h"
#include "app/openings.h"
#include "sandbox/sandbox.h"
#include "player/player_spec.h"

/* Points into itself: it must not be copied. Zeroed before the first use. */
struct match_args {
    const struct game *game;
    struct player_spec specs[2];
    struct openings openings;
    struct sandbox_limits limits;
    struct match_source_options source; /* sandbox, screen, log and owner are the caller's */
    struct match_score score;           /* before the first game */
};

/* Refusals are ERR_INPUT with a sentence. Free it in any case. */
MUST_USE enum err match_args_read(const struct args *args, struct match_args *out,
                                  struct note *why);
/* The limits of a game and what its programs may do, for any command with the options time-limit,
 * grace, startup-limit, hard-limit, memory, python, ponder and sandbox. The rules already have
 * their game. */
MUST_USE enum err match_args_rules(const struct args *args, struct pairing_rules *rules,
                                   struct sandbox_limits *limits, struct note *why);

/* The limits of programs and the interpreter of those in Python, for any command with the options
 * memory and python. *python is NULL when that was not given. */
MUST_USE enum err match_args_programs(const struct args *args, struct sandbox_limits *limits,
                                      const char **python, struct note *why);

/* --openings as a number of random moves; without it `match` keeps what it has. A number
 * after which every game is over is refused. */
MUST_USE enum err match_args_opening_plies(const struct args *args, struct match_options *match,
                                           struct note *why);

/* For any command with the option sandbox. */
enum sandbox_mode match_args_sandbox(const struct args *args);

void match_args_free(struct match_args *args);

#endif
