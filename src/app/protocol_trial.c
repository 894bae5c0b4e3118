#include "app/protocol_trial.h"

#include <stdio.h>

#include "base/clock.h"
#include "app/match_runner.h"

enum { PROGRAM, CHANCE }; /* the players of the match */

/* A program that answers at all answers at the start of a game. */
static const int64_t startup_ns = 10 * CLOCK_NS_PER_S;
static const int64_t limit_ns = 5 * CLOCK_NS_PER_S;

struct protocol_answer {
    bool has_answered; /* a move, be it a wrong one */
    bool is_over;      /* that, or a fault without one */
};

static void on_game_event(void *owner, const struct game_event *event)
{
    struct protocol_answer *answer = owner;
    if (answer->is_over) {
        return;
    }
    if (event->kind == GAME_EVENT_PLY) {
        answer->is_over =
            event->ply->was_asked && event->ply->side == event->judge->colour[PROGRAM];
        answer->has_answered = answer->is_over;
    } else if (event->kind == GAME_EVENT_FAULT) {
        answer->is_over = event->player == PROGRAM;
        answer->has_answered = answer->is_over && event->fault->kind == FAULT_INVALID;
    }
    if (answer->is_over) {
        match_stop(event->match);
    }
}

static enum err try_one(const struct protocol_trial *trial, enum submission_protocol protocol,
                        bool *has_answered, struct note *why)
{
    char text[PLAYER_TEXT_BYTES + 64];
    struct player_spec program;
    struct player_spec chance;
    struct protocol_answer answer = {0};
    struct match *match = NULL;
    snprintf(text, sizeof text, "%s:%s:%s", protocol == SUBMISSION_FILES ? "file" : "tcp",
             trial->team, trial->command);
    enum err err = player_spec_read(text, trial->game, &program, why);
    if (err || (err = player_spec_read("random", trial->game, &chance, why))) {
        return err;
    }
    const struct game_sink sink = {&answer, on_game_event};
    const struct match_runner_options options = {
        .match = {.rules = {.game = trial->game,
                            .limit_ns = limit_ns,
                            .grace_ns = 0,
                            .startup_ns = startup_ns,
                            .game_limit_ns = 3600 * CLOCK_NS_PER_S},
                  .games = 1,
                  .seed = 1,
                  .concurrency = 1},
        .specs = {[PROGRAM] = &program, [CHANCE] = &chance},
        .cpu_level = trial->cpu,
        .python = trial->python,
        .sandbox = trial->sandbox,
    };
    err = match_runner_run(&options, &sink, &match, why);
    if (match) {
        match_free(match);
    }
    if (err == ERR_INTERRUPTED && answer.is_over) {
        *why = (struct note){""};
        err = ERR_NONE;
    }
    *has_answered = !err && answer.has_answered;
    return err;
}

enum err protocol_trial_run(const struct protocol_trial *trial, enum submission_protocol *out,
                            struct note *why)
{
    bool files_first = trial->game->assignment.speaks_files;
    const enum submission_protocol order[] = {files_first ? SUBMISSION_FILES : SUBMISSION_TCP,
                                              files_first ? SUBMISSION_TCP : SUBMISSION_FILES};
    *out = SUBMISSION_UNCLEAR;
    for (int i = 0; i < 2; i++) {
        bool has_answered = false;
        enum err err = try_one(trial, order[i], &has_answered, why);
        if (err || has_answered) {
            *out = has_answered ? order[i] : *out;
            return err;
        }
    }
    return ERR_NONE;
}
