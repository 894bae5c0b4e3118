#include "app/check.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/check_source.h"
#include "base/clock.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "game/game.h"
#include "sandbox/run_program.h"
#include "sandbox/sandbox_programs.h"

enum {
    BROKEN_QUESTION = 2,
    BROKEN_PLIES = 4,
    HIGHEST_PRICE = 140,
    LARGE_PRICE = 40, /* leaves a program enough to play for */
};

/* --- The plan --- */

/* A seed whose lot gives player 0 that colour, for a program that bids as high as the opponent. */
static uint64_t seed_for(uint64_t seed, enum side colour)
{
    while (game_draw_lot(match_game_seed(seed, 0)) != colour) {
        seed++;
    }
    return seed;
}

/* The highest bid for the other colour leaves the program this one, whatever it bids. */
static struct check_plan force_colour(enum check_opponent opponent, enum side colour, uint64_t seed)
{
    return (struct check_plan){.opponent = opponent,
                               .games = 1,
                               .has_auction = true,
                               .bid = {(int)side_other(colour), HIGHEST_PRICE},
                               .seed = seed_for(seed, colour)};
}

int check_plan_trials(const struct game *game, enum player_kind kind, uint64_t seed,
                      struct check_plan out[CHECK_MAX_TRIALS])
{
    struct check_plan plans[CHECK_MAX_TRIALS];
    int count = 0;
    if (game->auction) {
        for (enum check_opponent opponent = CHECK_RANDOM; opponent <= CHECK_LOW_LEVEL; opponent++) {
            plans[count++] = force_colour(opponent, SIDE_BLACK, seed);
            plans[count++] = force_colour(opponent, SIDE_WHITE, seed);
        }
        for (enum check_opponent opponent = CHECK_SAVER; opponent <= CHECK_SPENDER; opponent++) {
            plans[count++] = force_colour(opponent, SIDE_BLACK, seed);
            plans[count] = force_colour(opponent, SIDE_WHITE, seed);
            plans[count++].is_retry = true;
        }
    } else {
        plans[count++] = (struct check_plan){.opponent = CHECK_RANDOM, .games = 2, .seed = seed};
        plans[count++] = (struct check_plan){.opponent = CHECK_LOW_LEVEL, .games = 1, .seed = seed};
        plans[count++] = (struct check_plan){
            .opponent = CHECK_LOW_LEVEL, .games = 1, .is_white = true, .seed = seed};
    }
    if (kind == PLAYER_TCP) {
        plans[count++] = (struct check_plan){.opponent = CHECK_RANDOM,
                                             .games = 1,
                                             .seed = seed,
                                             .hang_up_at = BROKEN_QUESTION,
                                             .plies = BROKEN_PLIES};
    }
    for (int i = 0; i < count; i++) {
        plans[i].is_quick = plans[i].opponent == CHECK_RANDOM && !plans[i].hang_up_at;
    }
    if (out) {
        memcpy(out, plans, (size_t)count * sizeof *plans);
    }
    return count;
}

/* Whether an earlier game against this opponent lasted until the pass that it is for: the program's
 * own where the opponent saves, else the opponent's. */
static bool has_seen_pass(const struct check_facts *facts, int trials, enum check_opponent opponent)
{
    for (int i = 0; i < trials; i++) {
        const struct check_game *game = &facts->trials[i].games[0];
        enum side side = opponent == CHECK_SAVER ? game->colour : side_other(game->colour);
        if (facts->trials[i].plan.opponent == opponent && game->passes[side]) {
            return true;
        }
    }
    return false;
}

bool check_plan_makes_sense(const struct check_facts *facts, const struct check_plan *plans,
                            int trial)
{
    const struct check_trial *first = &facts->trials[0];
    bool is_reconnect = plans[trial].hang_up_at;
    if (plans[trial].is_retry && has_seen_pass(facts, trial, plans[trial].opponent)) {
        return false;
    }
    return trial == 0 || (first->is_started && (!is_reconnect || check_trial_is_sound(first)));
}

void check_plan_pay(const struct check_trial *first, struct check_plan *plan)
{
    const struct bid *bid = &first->games[0].bid;
    int64_t price = bid->price < LARGE_PRICE ? bid->price : LARGE_PRICE;
    if (plan->opponent == CHECK_SAVER && first->games[0].has_bid && price > 0) {
        plan->bid = (struct bid){bid->colour, price - 1};
    }
}

/* --- The interpreter --- */

/* A version is asked only of an interpreter that the user chose or that is installed: another
 * program may do anything with the argument. */
static enum err find_python(const struct check_options *options, struct note *out, struct note *why)
{
    struct player_command command;
    char path[PATH_MAX];
    enum err err = player_spec_command(options->spec, options->rules.python, &command, why);
    if (err || !sandbox_programs_find_first(command.text, command.folder, path) ||
        strncmp(strrchr(path, '/') + 1, "python", strlen("python")) != 0) {
        return err;
    }
    bool is_chosen =
        *options->rules.python || strncmp(options->spec->command, "python", strlen("python")) == 0;
    struct run_program_result version = {0};
    char word[4 * PATH_MAX];
    char line[sizeof word + 16];
    snprintf(line, sizeof line, "%s --version", shell_word(path, word, sizeof word));
    const struct run_program_spec asking = {.command = line,
                                            .folder = command.folder,
                                            .sandbox = options->sandbox,
                                            .wall_ns = 10 * CLOCK_NS_PER_S};
    if (is_chosen && run_program(&asking, &version, NULL)) {
        version = (struct run_program_result){0};
    }
    struct note raw;
    note_set(&raw, "%.150s%s%.*s", path, version.output ? ", " : "",
             version.output ? (int)strcspn(version.output, "\n") : 0,
             version.output ? version.output : "");
    utf8_clean(raw.text, out->text, sizeof out->text);
    run_program_result_free(&version);
    return ERR_NONE;
}

/* --- All trials --- */

enum err check_run(const struct check_options *options, struct check_facts *out, struct note *why)
{
    struct check_plan plans[CHECK_MAX_TRIALS];
    *out = (struct check_facts){.game = options->rules.judge.game,
                                .spec = options->spec,
                                .rules = &options->rules.judge,
                                .is_quick = options->is_quick};
    out->trial_count = check_plan_trials(out->game, out->spec->kind, options->seed, plans);
    enum err err = find_python(options, &out->python, why);
    return err ? err : check_source_play(options, plans, out, why);
}

void check_facts_free(struct check_facts *facts)
{
    free(facts->answers_ns);
    facts->answers_ns = NULL;
    facts->answer_count = 0;
}
