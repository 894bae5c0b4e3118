#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "app/match_runner.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/json_out.h"
#include "cli/match_args.h"
#include "app/selfplay_file.h"

enum { DEFAULT_GAMES = 1000, DEFAULT_PLIES = 8 };

static const char default_player[] = "builtin:nodes=2000";

struct run {
    struct player_spec spec;
    struct match_runner_options runner;
    const char *path;
    FILE *file;
    char date[CLOCK_DATE_BYTES];
    int64_t started_ns;
    int64_t shown_ns;
    enum err err; /* of a record that could not be kept */
    struct note why;
};

static void show_progress(struct run *run, const struct match_score *score)
{
    const struct match_options *match = &run->runner.match;
    int64_t now_ns = clock_now_ns();
    int done = match->from + score->games;
    if (!isatty(STDERR_FILENO) || now_ns - run->shown_ns < CLOCK_NS_PER_S / 5) {
        return;
    }
    double a_game_s = (double)(now_ns - run->started_ns) / 1e9 / score->games;
    fprintf(stderr, "\r\033[K%d of %d games; about %.0f s left", done, match->games,
            a_game_s * (match->games - done));
    run->shown_ns = now_ns;
}

static void on_game_event(void *owner, const struct game_event *event)
{
    struct run *run = owner;
    if (event->kind != GAME_EVENT_OVER) {
        return;
    }
    run->err = record_write(&event->finished->record, run->file, &run->why);
    if (run->err || fflush(run->file)) {
        note_set(&run->why, "cannot write %.200s: %m", run->path);
        run->err = ERR_ENVIRONMENT;
    }
    show_progress(run, match_score(event->match));
    if (run->err) {
        match_stop(event->match);
    }
}

static enum err read_player(const struct args *args, struct run *run, struct note *why)
{
    const char *text = args_option(args, "player");
    enum err err = player_spec_read(text ? text : default_player, run->runner.match.rules.game,
                                    &run->spec, why);
    if (!err && run->spec.kind != PLAYER_BUILTIN && run->spec.kind != PLAYER_RANDOM) {
        note_set(why, "--player is builtin or random here; `plum match` plays with programs");
        err = ERR_INPUT;
    }
    run->runner.specs[0] = run->runner.specs[1] = &run->spec;
    return err;
}

static enum err read_numbers(const struct args *args, struct match_options *match, struct note *why)
{
    int64_t games = DEFAULT_GAMES;
    int64_t seed = 1;
    int64_t concurrency = match_runner_cores();
    enum err err = args_number(args, "games", 1, MATCH_MAX_GAMES, &games, why);
    if (!err) {
        err = args_number(args, "seed", 0, INT64_MAX, &seed, why);
    }
    if (!err) {
        err = args_number(args, "concurrency", 1, MATCH_MAX_CONCURRENCY, &concurrency, why);
    }
    match->games = (int)games;
    match->seed = (uint64_t)seed;
    match->opening_plies = DEFAULT_PLIES;
    match->concurrency = (int)concurrency;
    return err ? err : match_args_opening_plies(args, match, why);
}

/* Data must not depend on how busy the machine is: whoever is late is waited for. */
static void set_limits(struct judge_rules *rules)
{
    const int64_t patience_ns = 3600 * CLOCK_NS_PER_S;
    rules->limit_ns = (int64_t)(rules->game->time_limit_s * 1e9);
    rules->grace_ns = patience_ns;
    rules->startup_ns = patience_ns;
    rules->hard_limit_ns = patience_ns;
    rules->game_limit_ns = 24 * patience_ns;
}

static enum err read_args(const struct args *args, struct run *run, struct note *why)
{
    struct match_options *match = &run->runner.match;
    enum err err = args_game(args, &match->rules.game, why);
    run->path = args_option(args, "record");
    if (!err && !run->path) {
        note_set(why, "--record FILE is missing: where the games go");
        err = ERR_INPUT;
    }
    if (!err && strcmp(run->path, "-") == 0) {
        note_set(why, "--record needs a file: one that it can go on behind");
        err = ERR_INPUT;
    }
    if (!err) {
        set_limits(&match->rules);
        err = read_player(args, run, why);
    }
    clock_write_today(run->date);
    match->date = run->date;
    match->keeps_records = true;
    run->runner.cpu_level = args->cpu;
    return err ? err : read_numbers(args, match, why);
}

static enum err play(struct run *run, struct note *why)
{
    const struct match_options *match = &run->runner.match;
    const struct game_sink sink = {run, on_game_event};
    struct match *played = NULL;
    run->started_ns = clock_now_ns();
    enum err err = match_runner_run(&run->runner, &sink, &played, why);
    if (run->shown_ns) {
        fputs("\r\033[K", stderr);
    }
    int done = match->from + (played ? match_score(played)->games : 0);
    match_free(played);
    if (run->err) {
        *why = run->why;
        return run->err;
    }
    if (err == ERR_INTERRUPTED) {
        note_set(why, "interrupted; the same command goes on behind game %d", done);
    }
    return err;
}

static enum err report(const struct run *run, bool is_json, struct note *why)
{
    const struct match_options *match = &run->runner.match;
    int fresh = match->games > match->from ? match->games - match->from : 0;
    if (is_json) {
        return json_out_take(json_pack("{s:s, s:i, s:i}", "file", run->path, "games",
                                       match->from + fresh, "played", fresh),
                             why);
    }
    printf("%s: %d games, %d of them now\n", run->path, match->from + fresh, fresh);
    return ERR_NONE;
}

static enum err run_selfplay(const struct args *args, struct note *why)
{
    struct run *run = calloc(1, sizeof *run);
    if (!run) {
        note_set(why, "no memory");
        return ERR_ENVIRONMENT;
    }
    struct match_options *match = &run->runner.match;
    enum err err = read_args(args, run, why);
    if (!err) {
        struct selfplay_terms terms = {match, run->spec.text, args->cpu};
        err = selfplay_file_open(run->path, &terms, &run->file, &match->from, why);
    }
    if (!err && match->from < match->games) {
        err = play(run, why);
    }
    if (run->file && fclose(run->file) && !err) {
        note_set(why, "cannot write %.200s: %m", run->path);
        err = ERR_ENVIRONMENT;
    }
    if (!err) {
        err = report(run, args_option(args, "json"), why);
    }
    free(run);
    return err;
}

const struct command cmd_selfplay = {
    .name = "selfplay",
    .run = run_selfplay,
    .summary = "games of the engine against itself, as data",
    .operands = "GAME",
    .required = "record",
    .details =
        "Plays games from random openings and appends their records, with the engine's scores\n"
        "and depths, to a file. If the file has games of the same game, player, seed and\n"
        "openings already, it goes on behind them: interrupt it whenever you like, and give the\n"
        "same command again. A file with other games stays as it is, and so does one that is\n"
        "being written. A seed gives the same games at any concurrency if the player thinks by\n"
        "nodes, depth or a level below 10, and with one thread. In meichu there is no auction:\n"
        "both sides begin with all their money.",
    .options = {{"record", "FILE", "where the games go"},
                {"games", "N", "how many games shall be in it at the end (1000)"},
                {"player", "PLAYER", "who plays both sides (builtin:nodes=2000)"},
                {"openings", "PLIES", "random moves to start from (8)"},
                {"seed", "S", "of openings, errors and random players (1)"},
                {"concurrency", "N", "games at once (all cores)"},
                {"json", NULL, "{\"file\", \"games\", \"played\"}"}},
    .examples = {{"plum selfplay reversi --games 20 --player builtin:nodes=500 --record data.txt",
                  "twenty quick games"},
                 {"plum selfplay meichu --games 4 --player random --record data.txt",
                  "four games of chance"}},
};
