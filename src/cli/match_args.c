#include "cli/match_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cores.h"
#include "base/number.h"
#include "cli/workers_args.h"

static const int64_t longest_ns = 86400 * CLOCK_NS_PER_S;
static const int64_t shortest_ns = CLOCK_NS_PER_MS;

/* Options of games on this machine. */
static const char *const local_only[] = {"watch", "restart"};

static enum err read_players(const struct args *args, struct match_args *out, struct note *why)
{
    static const char *const names[2] = {"black", "white"};
    for (int i = 0; i < 2; i++) {
        const char *text = args_option(args, names[i]);
        if (!text) {
            return note_fail(why, ERR_INPUT, "--%s PLAYER is missing", names[i]);
        }
        enum err err = player_spec_read(text, out->game, &out->specs[i], why);
        if (err) {
            note_prefix(why, "--%s", names[i]);
            return err;
        }
        out->source.specs[i] = &out->specs[i];
    }
    return ERR_NONE;
}

static bool has_kind(const struct match_args *out, enum player_kind kind)
{
    return out->specs[0].kind == kind || out->specs[1].kind == kind;
}

/* A person plays and sees one game at a time. */
static enum err read_numbers(const struct args *args, struct match_args *out, struct note *why)
{
    struct match_options *match = &out->source.match;
    bool is_watched = args_option(args, "watch");
    bool is_single = has_kind(out, PLAYER_HUMAN) || is_watched;
    int *concurrency = &out->source.concurrency;
    match->games = 2;
    match->seed = 1;
    match->rules.is_selfplay = args_option(args, "no-swap");
    *concurrency = is_single ? 1 : cores_default_games();
    enum err err =
        ARGS_FIELDS(args, why, {"games", ARGS_INT, &match->games, 1, MATCH_MAX_GAMES},
                    {"seed", ARGS_UINT64, &match->seed, 0, INT64_MAX},
                    {"concurrency", ARGS_INT, concurrency, 1, MATCH_MAX_CONCURRENCY},
                    {"late-limit", ARGS_INT, &match->rules.judge.late_limit, 0, JUDGE_MAX_PLIES});
    if (!err && is_single && *concurrency > 1) {
        return note_fail(why, ERR_INPUT, "--concurrency %d: %s one game at a time", *concurrency,
                         is_watched ? "--watch shows" : "a person plays");
    }
    int units = !match->rules.is_selfplay ? (match->games + 1) / 2 : match->games;
    *concurrency = *concurrency < units ? *concurrency : units;
    return err;
}

static enum err read_hard_limit(const struct args *args, struct judge_rules *rules,
                                struct note *why)
{
    int64_t least_ns = rules->limit_ns + rules->grace_ns;
    if (args_option(args, "hard-limit") && !rules->hard_limit_ns) {
        return note_fail(
            why, ERR_INPUT,
            "--hard-limit: in %s a late move does not count, so there is one limit only",
            rules->game->name);
    }
    enum err err = ARGS_FIELDS(
        args, why, {"hard-limit", ARGS_SECONDS, &rules->hard_limit_ns, shortest_ns, longest_ns});
    if (!err && args_option(args, "hard-limit") && rules->hard_limit_ns < least_ns) {
        return note_fail(why, ERR_INPUT,
                         "--hard-limit must not be shorter than the time limit and its grace, %g s",
                         (double)least_ns / 1e9);
    }
    if (rules->hard_limit_ns && rules->hard_limit_ns < least_ns) {
        rules->hard_limit_ns = least_ns;
    }
    return err;
}

static enum err read_limits(const struct args *args, struct judge_rules *rules, struct note *why)
{
    const struct judge_rules usual = judge_rules_usual(rules->game);
    rules->limit_ns = usual.limit_ns;
    rules->grace_ns = usual.grace_ns;
    rules->hard_limit_ns = usual.hard_limit_ns;
    rules->game_limit_ns = usual.game_limit_ns;
    rules->startup_ns = usual.startup_ns;
    enum err err = ARGS_FIELDS(
        args, why, {"time-limit", ARGS_SECONDS, &rules->limit_ns, shortest_ns, longest_ns},
        {"grace", ARGS_SECONDS, &rules->grace_ns, 0, longest_ns},
        {"startup-limit", ARGS_SECONDS, &rules->startup_ns, shortest_ns, longest_ns});
    return err ? err : read_hard_limit(args, rules, why);
}

enum err match_args_programs(const struct args *args, struct sandbox_limits *limits,
                             const char **python, struct note *why)
{
    const char *memory = args_option(args, "memory");
    *limits = sandbox_limits_default();
    *python = args_option(args, "python");
    enum err err = ERR_NONE;
    if (memory) {
        err = sandbox_limits_read_memory(memory, "--memory", &limits->memory_bytes, why);
    }
    return err || !*python ? err : player_spec_check_python(*python, "--python", why);
}

enum err match_args_opening_plies(const struct args *args, struct match_options *match,
                                  struct note *why)
{
    enum err err =
        ARGS_FIELDS(args, why, {"openings", ARGS_INT, &match->rules.opening_plies, 0, 100});
    if (err || !match->rules.opening_plies) {
        return err;
    }
    struct state start = match->rules.judge.game->start();
    struct state opening = match_opening(match, 0);
    if (memcmp(&start, &opening, sizeof start) == 0) {
        return note_fail(why, ERR_INPUT,
                         "--openings %d: after that many random moves every game of %s is over",
                         match->rules.opening_plies, match->rules.judge.game->name);
    }
    return ERR_NONE;
}

static enum err read_openings(const struct args *args, struct match_args *out, struct note *why)
{
    struct match_options *match = &out->source.match;
    const char *text = args_option(args, "openings");
    if (!text) {
        return ERR_NONE;
    }
    if (text[strspn(text, "-0123456789")] == '\0') {
        return match_args_opening_plies(args, match, why);
    }
    enum err err = openings_read(out->game, text, &out->openings, why);
    if (err) {
        note_prefix(why, "--openings");
        return err;
    }
    match->openings = out->openings.states;
    match->opening_count = out->openings.count;
    return ERR_NONE;
}

/* The auction assigns the colours unless it is off; an opening comes after it. */
static enum err read_auction(const struct args *args, struct match_args *out, struct note *why)
{
    struct match_options *match = &out->source.match;
    const char *wish = args_option(args, "auction");
    bool has_openings = match->rules.opening_plies || match->openings;
    if (!out->game->auction) {
        if (wish) {
            return note_fail(why, ERR_INPUT, "--auction: %s has no auction", out->game->name);
        }
        return ERR_NONE;
    }
    match->rules.judge.has_auction = wish ? strcmp(wish, "on") == 0 : !has_openings;
    if (match->rules.judge.has_auction && has_openings) {
        return note_fail(why, ERR_INPUT,
                         "an auction comes before the first move: with --openings there is none");
    }
    if (has_kind(out, PLAYER_TEMPLATE) && !match->rules.judge.has_auction) {
        return note_fail(why, ERR_INPUT,
                         "template players play only whole games with the auction: leave out %s",
                         has_openings ? "--openings" : "--auction off");
    }
    return ERR_NONE;
}

static enum err read_sprt(const struct args *args, struct match_score *score, struct note *why)
{
    const char *text = args_option(args, "sprt");
    if (!text) {
        return ERR_NONE;
    }
    char *comma = NULL;
    char *end = NULL;
    score->elo0 = strtod(text, &comma);
    score->elo1 = *comma == ',' ? strtod(comma + 1, &end) : 0;
    if (comma == text || *comma != ',' || end == comma + 1 || *end ||
        !(score->elo0 < score->elo1) || score->elo0 < -1000 || score->elo1 > 1000) {
        return note_fail(
            why, ERR_INPUT,
            "--sprt must be two Elo values, the smaller first, as in 0,10; not '%.40s'", text);
    }
    score->has_sprt = true;
    return ERR_NONE;
}

enum sandbox_mode match_args_sandbox(const struct args *args)
{
    const char *wish = args_option(args, "sandbox");
    return !wish || strcmp(wish, "auto") == 0 ? SANDBOX_AUTO
           : strcmp(wish, "strict") == 0      ? SANDBOX_STRICT
                                              : SANDBOX_OFF;
}

enum err match_args_rules(const struct args *args, struct pairing_rules *rules,
                          struct sandbox_limits *limits, struct note *why)
{
    const char *ponder = args_option(args, "ponder");
    const char *python = NULL;
    rules->ponder = ponder && strcmp(ponder, "yes") == 0;
    rules->sandbox = match_args_sandbox(args);
    enum err err = read_limits(args, &rules->judge, why);
    err = err ? err : match_args_programs(args, limits, &python, why);
    if (!err && python) {
        snprintf(rules->python, sizeof rules->python, "%s", python);
    }
    return err;
}

/* What only this machine can do. */
static enum err check_remote(const struct args *args, const struct match_args *out,
                             struct note *why)
{
    if (has_kind(out, PLAYER_HUMAN)) {
        return note_fail(why, ERR_INPUT,
                         "a person cannot play on another machine: leave out "
                         "--workers or --queue");
    }
    for (size_t i = 0; i < sizeof local_only / sizeof local_only[0]; i++) {
        if (args_option(args, local_only[i])) {
            return note_fail(why, ERR_INPUT,
                             "--%s is for games on this machine: leave out --workers "
                             "or --queue",
                             local_only[i]);
        }
    }
    return ERR_NONE;
}

static enum err read_workers(const struct args *args, struct match_args *out, struct note *why)
{
    struct tournament_workers_wish *wish = &out->source.wish;
    wish->slowest_percent = TOURNAMENT_WORKERS_SLOWEST_PERCENT;
    enum err err = workers_args_read(args, wish, why);
    err = err ? err
              : workers_args_percent(args, "slowest", TOURNAMENT_WORKERS_MAX_SLOWEST_PERCENT,
                                     &wish->slowest_percent, why);
    if (err || (!wish->address && !wish->url)) {
        return err;
    }
    out->source.concurrency = args_option(args, "concurrency") ? out->source.concurrency : 0;
    out->source.memory_bytes = out->limits.memory_bytes;
    out->source.match.keeps_records = true; /* times of moves are read from them */
    return check_remote(args, out, why);
}

enum err match_args_read(const struct args *args, struct match_args *out, struct note *why)
{
    struct match_options *match = &out->source.match;
    enum err err = args_game(args, &out->game, why);
    if (err) {
        return err;
    }
    match->rules.judge.game = out->game;
    out->source.cpu_level = args->cpu;
    if (args_option(args, "watch") && args_option(args, "json")) {
        return note_fail(why, ERR_INPUT,
                         "--watch is for people and --json for programs: leave out one of them");
    }
    const char *restart = args_option(args, "restart");
    out->source.restart = !restart                       ? RESTART_DEFAULT
                          : strcmp(restart, "game") == 0 ? RESTART_GAME
                                                         : RESTART_PAIRING;
    if ((err = read_players(args, out, why)) || (err = read_numbers(args, out, why)) ||
        (err = match_args_rules(args, &match->rules, &out->limits, why)) ||
        (err = read_openings(args, out, why)) || (err = read_auction(args, out, why))) {
        return err;
    }
    err = read_sprt(args, &out->score, why);
    return err ? err : read_workers(args, out, why);
}

void match_args_free(struct match_args *args)
{
    openings_free(&args->openings);
    match_score_free(&args->score);
}
