/* cmd_selfplay: selfplay. */
#include <stdio.h>
#include <string.h>

#include "play/selfplay.h"
#include "base/clock.h"
#include "base/cores.h"
#include "base/json.h"
#include "base/shell_word.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/match_args.h"
#include "cli/terminal.h"
#include "cli/workers_args.h"

struct selfplay_screen {
    int games;
    int64_t started_ns;
    struct terminal_progress progress;
    struct terminal_remarks remarks;
};

static void show_progress(void *owner, int total, int played)
{
    struct selfplay_screen *screen = owner;
    if (terminal_progress_is_due(&screen->progress, CLOCK_NS_PER_S / 5)) {
        double a_game_s = (double)(clock_now_ns() - screen->started_ns) / 1e9 / played;
        terminal_progress_show(&screen->progress, "%d of %d games; about %.0f s left", total,
                               screen->games, a_game_s * (screen->games - total));
    }
}

static void print_warning(void *owner, const char *sentence)
{
    struct selfplay_screen *screen = owner;
    terminal_progress_erase(&screen->progress);
    fprintf(stderr, "plum selfplay: %s\n", sentence);
}

static void print_remark(void *owner, const char *sentence)
{
    struct selfplay_screen *screen = owner;
    const char *fresh = terminal_remarks_add(&screen->remarks, sentence);
    if (fresh) {
        print_warning(owner, fresh);
    }
}

static enum err read_workers(const struct args *args, struct selfplay_options *options,
                             struct note *why)
{
    struct tournament_workers_wish *wish = &options->wish;
    options->games_per_job = SELFPLAY_GAMES_PER_JOB;
    enum err err = workers_args_read(args, wish, why);
    err = err ? err
              : ARGS_FIELDS(args, why,
                            {"games-per-job", ARGS_INT, &options->games_per_job, 1,
                             SELFPLAY_MAX_GAMES_PER_JOB});
    if (!err && (wish->address || wish->url) && !args_option(args, "concurrency")) {
        options->concurrency = 0;
    }
    return err;
}

static enum err read_args(const struct args *args, struct selfplay_options *options,
                          struct note *why)
{
    struct match_options *match = &options->match;
    const char *player = "builtin:nodes=2000";
    *match = (struct match_options){.games = 1000, .seed = 1, .rules.opening_plies = 8};
    options->concurrency = cores_count();
    options->cpu = args->cpu;
    enum err err = args_game(args, &match->rules.judge.game, why);
    if (err ||
        (err = ARGS_FIELDS(
             args, why, {"record", ARGS_TEXT, &options->path, 0, 0},
             {"player", ARGS_TEXT, &player, 0, 0},
             {"games", ARGS_INT, &match->games, 1, MATCH_MAX_GAMES},
             {"seed", ARGS_UINT64, &match->seed, 0, INT64_MAX},
             {"concurrency", ARGS_INT, &options->concurrency, 1, MATCH_MAX_CONCURRENCY})) ||
        (err = player_spec_read(player, match->rules.judge.game, &options->player, why))) {
        return err;
    }
    if (strcmp(options->path, "-") == 0) {
        return note_fail(why, ERR_INPUT,
                         "--record needs a file that can be continued, not standard output");
    }
    if (options->player.kind != PLAYER_BUILTIN && options->player.kind != PLAYER_RANDOM) {
        return note_fail(why, ERR_INPUT,
                         "--player is builtin or random here; `plum match` plays with programs");
    }
    err = read_workers(args, options, why);
    return err ? err : match_args_opening_plies(args, match, why);
}

/* The command as it was given. False: it is too long for a sentence. */
static bool write_command(const struct args *args, char *out, size_t room)
{
    char word[300]; /* as long as the command */
    size_t used = (size_t)snprintf(out, room, "plum %s %s", args->command->name, args->values[0]);
    for (int i = 0; used < room && args->command->options[i].name; i++) {
        const struct option *option = &args->command->options[i];
        const char *value = args->options[i];
        if (value) {
            bool has_value = option->value && (*option->value != '[' || *value);
            used += (size_t)snprintf(out + used, room - used, " --%s%s%s", option->name,
                                     !has_value              ? ""
                                     : *option->value == '[' ? "="
                                                             : " ",
                                     has_value ? shell_word(value, word, sizeof word) : "");
        }
    }
    return used < room;
}

/* How to continue. */
static void explain(const struct args *args, int total, int games, struct note *why)
{
    char command[300];
    bool is_whole = write_command(args, command, sizeof command);
    note_set(why, "stopped after %d of %d games; continue with%s%s", total, games,
             is_whole ? ": " : " the same command", is_whole ? command : "");
}

static enum err run_selfplay(const struct args *args, struct note *why)
{
    struct selfplay_screen screen = {.started_ns = clock_now_ns()};
    struct selfplay_options options = {.on_progress = show_progress,
                                       .on_warning = print_warning,
                                       .on_remark = print_remark,
                                       .owner = &screen};
    int played = 0;
    enum err err = read_args(args, &options, why);
    if (err) {
        return err;
    }
    screen.games = options.match.games;
    err = selfplay_run(&options, &played, why);
    terminal_progress_erase(&screen.progress);
    int total = options.match.from + played;
    if (err == ERR_INTERRUPTED) {
        explain(args, total, options.match.games, why);
    }
    if (err) {
        return err;
    }
    if (args_option(args, "json")) {
        struct json json = json_make(stdout, JSON_LINE);
        json_begin_object(&json, NULL);
        json_string(&json, "file", options.path);
        json_integer(&json, "games", total);
        json_integer(&json, "played", played);
        json_end(&json);
        putchar('\n');
        return ERR_NONE;
    }
    printf("%s: %d games, %d of them now\n", options.path, total, played);
    return ERR_NONE;
}

const struct command cmd_selfplay = {
    .name = "selfplay",
    .run = run_selfplay,
    .summary = "play games of the engine against itself, as data",
    .operands = "GAME",
    .required = "record",
    .options = {{"record", "FILE", "the file to append the games to"},
                {"games", "N", "number of games in the file at the end (1000)"},
                {"player", "PLAYER", "the player of both sides (builtin:nodes=2000)"},
                {"openings", "PLIES", "random moves to start from (8)"},
                {"seed", "S", "seed of openings, errors and random players (1)"},
                {"concurrency", "N", "games at once (all cores; with workers none)"},
                {"workers", "[HOST:PORT]", "other machines play (all networks, port 7586)"},
                {"queue", "URL", "the same over a NATS server that runs already"},
                {"games-per-job", "N", "games that a worker borrows at once, at most 100 (50)"},
                {"lease", "SECONDS", "how long a silent worker keeps its games (30)"},
                {"json", NULL, "{\"file\", \"games\", \"played\"}"}},
};
