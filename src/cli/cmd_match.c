#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/arena.h"
#include "cli/args.h"
#include "cli/board.h"
#include "cli/cli.h"
#include "cli/json_out.h"
#include "cli/match_log.h"
#include "cli/match_report.h"
#include "cli/openings.h"
#include "player/box.h"

#define SECOND INT64_C(1000000000)

static const int64_t day_ns = 86400 * SECOND;

/* One run of the command. */
struct run {
    const struct game *game;
    struct player_spec specs[2];
    struct openings openings;
    struct arena_options options;
    struct box box;
    bool is_json;
    bool is_watched;
    enum paint paint;
    FILE *record_file;
    const char *record_path;
    json_t *records;
    struct match_log log;
    int64_t started_ns;
    bool has_progress;
    enum err err; /* of a record that could not be written */
    struct note why;
    char date[16];
};

/* --- What is shown while it runs --- */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void show_progress(struct run *run, const struct match_score *score)
{
    static double started;
    static double last;
    double now = seconds_now();
    int games = run->options.match.games;
    started = started > 0 ? started : now;
    if (!isatty(STDERR_FILENO) || run->is_watched || (now - last < 0.2 && score->games < games)) {
        return;
    }
    last = now;
    run->has_progress = true;
    fprintf(stderr, "\r\033[K%d of %d games, %d won, %d drawn, %d lost", score->games, games,
            score->wins[0], score->draws, score->wins[1]);
    if (score->games > 1 && now > started) {
        fprintf(stderr, ", about %.0f s left",
                (now - started) / (score->games - 1) * (games - score->games));
    }
}

static void on_ply(void *owner, int game, const struct judge *judge, const struct judge_ply *ply)
{
    struct run *run = owner;
    char text[GAME_MOVE_BYTES];
    if (!run->is_watched) {
        return;
    }
    game_write_move(run->game, &ply->move, text);
    printf("game %d, ply %zu, %s: %s\n", game + 1, judge->move_count, side_title(ply->side), text);
    board_draw(run->game, &judge->state, &ply->move, run->paint);
    fflush(stdout);
}

static void on_fault(void *owner, int game, int player, const struct judge *judge,
                     const struct judge_fault *fault)
{
    struct run *run = owner;
    match_log_fault(&run->log, game, player, judge, fault);
}

static void on_player_closed(void *owner, int player, struct player *closed)
{
    struct run *run = owner;
    match_log_stderr(&run->log, player, closed);
}

static void on_remark(void *owner, const char *sentence)
{
    (void)owner;
    fprintf(stderr, "plum match: %s\n", sentence);
}

static void show_turn(void *owner, const struct player_view *view)
{
    struct run *run = owner;
    const struct move *last = view->move_count ? &view->moves[view->move_count - 1] : NULL;
    board_draw(run->game, view->now, last, run->paint);
    printf("%s, your move (or resign): ", side_title(view->side));
    fflush(stdout);
}

static void say_to_person(void *owner, const char *sentence)
{
    (void)owner;
    printf("%s\n", sentence);
    fflush(stdout);
}

static enum err keep_record(struct run *run, const struct record *record, struct note *why)
{
    if (run->record_file) {
        enum err err = record_write(record, run->record_file, why);
        if (err) {
            return err;
        }
    }
    if (!run->records) {
        return ERR_NONE;
    }
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    enum err err = memory ? record_write(record, memory, why) : ERR_ENVIRONMENT;
    if (memory) {
        fclose(memory);
    }
    if (!err && json_array_append_new(run->records, json_string(text))) {
        note_set(why, "no memory for the records");
        err = ERR_ENVIRONMENT;
    }
    free(text);
    return err;
}

static void on_game(void *owner, const struct match_game *game, const struct match_score *score)
{
    struct run *run = owner;
    if (!run->err && (run->record_file || run->records)) {
        run->err = keep_record(run, &game->record, &run->why);
    }
    show_progress(run, score);
}

/* --- The command line --- */

static enum err read_seconds(const struct args *args, const char *name, int64_t low_ns,
                             int64_t *out_ns, struct note *why)
{
    const char *text = args_option(args, name);
    return text ? number_read_seconds(text, name, low_ns, day_ns, out_ns, why) : ERR_NONE;
}

static enum err read_limits(const struct args *args, struct judge_rules *rules, struct note *why)
{
    rules->limit_ns = (int64_t)(rules->game->time_limit_s * 1e9);
    rules->grace_ns = SECOND / 4;
    rules->startup_ns = 10 * SECOND;
    rules->hard_limit_ns = (int64_t)(rules->game->hard_limit_s * 1e9);
    rules->game_limit_ns = 3600 * SECOND;
    enum err err = read_seconds(args, "time-limit", SECOND / 1000, &rules->limit_ns, why);
    if (!err) {
        err = read_seconds(args, "grace", 0, &rules->grace_ns, why);
    }
    if (!err) {
        err = read_seconds(args, "startup-limit", SECOND / 1000, &rules->startup_ns, why);
    }
    if (!err) {
        err = read_seconds(args, "hard-limit", SECOND / 1000, &rules->hard_limit_ns, why);
    }
    if (!err && rules->hard_limit_ns &&
        rules->hard_limit_ns < rules->limit_ns + rules->grace_ns) {
        rules->hard_limit_ns = rules->limit_ns + rules->grace_ns;
    }
    return err;
}

static enum err read_openings(const struct args *args, struct run *run, struct note *why)
{
    struct match_options *match = &run->options.match;
    const char *text = args_option(args, "openings");
    if (!text) {
        return ERR_NONE;
    }
    if (text[strspn(text, "0123456789")] == '\0') {
        int64_t plies = 0;
        enum err err = number_read(text, "openings", 0, 100, &plies, why);
        match->opening_plies = (int)plies;
        return err;
    }
    enum err err = openings_read(run->game, text, &run->openings, why);
    match->openings = run->openings.states;
    match->opening_count = run->openings.count;
    return err;
}

/* The auction gives the colours unless it is off; a prepared position has had its auction. */
static enum err read_auction(const struct args *args, struct run *run, struct note *why)
{
    struct match_options *match = &run->options.match;
    const char *wish = args_option(args, "auction");
    bool has_openings = match->opening_plies || match->openings;
    if (!run->game->auction) {
        if (wish) {
            note_set(why, "%s has no auction", run->game->name);
            return ERR_INPUT;
        }
        return ERR_NONE;
    }
    match->rules.has_auction = wish ? strcmp(wish, "on") == 0 : !has_openings;
    if (match->rules.has_auction && has_openings) {
        note_set(why, "an auction comes before the first move: use --auction off with --openings");
        return ERR_INPUT;
    }
    for (int i = 0; i < 2; i++) {
        if (run->specs[i].kind == PLAYER_TEMPLATE && !match->rules.has_auction) {
            note_set(why, "template players know only whole games with the auction: leave out %s",
                     has_openings ? "--openings" : "--auction off");
            return ERR_INPUT;
        }
    }
    return ERR_NONE;
}

static enum err read_sprt(const struct args *args, struct match_options *match, struct note *why)
{
    const char *text = args_option(args, "sprt");
    char rest = '\0';
    if (!text) {
        return ERR_NONE;
    }
    if (sscanf(text, "%lf,%lf%c", &match->elo0, &match->elo1, &rest) != 2 ||
        !(match->elo0 < match->elo1) || match->elo0 < -1000 || match->elo1 > 1000) {
        note_set(why, "sprt must be two Elo values, the smaller first, as in 0,10; not '%.40s'",
                 text);
        return ERR_INPUT;
    }
    match->has_sprt = true;
    return ERR_NONE;
}

static enum err read_players(const struct args *args, struct run *run, struct note *why)
{
    static const char *const names[2] = {"black", "white"};
    for (int i = 0; i < 2; i++) {
        const char *text = args_option(args, names[i]);
        if (!text) {
            note_set(why, "--%s PLAYER is missing", names[i]);
            return ERR_INPUT;
        }
        enum err err = player_spec_read(text, run->game, &run->specs[i], why);
        if (err) {
            note_prefix(why, "--%s", names[i]);
            return err;
        }
        run->options.specs[i] = &run->specs[i];
    }
    return ERR_NONE;
}

static enum err read_numbers(const struct args *args, struct match_options *match,
                             struct note *why)
{
    int64_t games = 2;
    int64_t seed = 1;
    int64_t concurrency = arena_default_concurrency();
    enum err err = args_number(args, "games", 1, MATCH_MAX_GAMES, &games, why);
    if (!err) {
        err = args_number(args, "seed", 0, INT64_MAX, &seed, why);
    }
    if (!err) {
        err = args_number(args, "concurrency", 1, MATCH_MAX_CONCURRENCY, &concurrency, why);
    }
    match->games = (int)games;
    match->seed = (uint64_t)seed;
    match->swap = !args_option(args, "no-swap");
    int units = match->swap ? (match->games + 1) / 2 : match->games;
    match->concurrency = concurrency < units ? (int)concurrency : units;
    return err;
}

static enum err read_command_line(const struct args *args, struct run *run, struct note *why)
{
    static const struct {
        const char *word;
        enum player_restart restart;
    } restarts[] = {{"pairing", RESTART_PAIRING}, {"game", RESTART_GAME}};
    struct match_options *match = &run->options.match;
    enum err err = args_game(args, &run->game, why);
    if (err) {
        return err;
    }
    match->rules.game = run->game;
    run->options.cpu_level = args->cpu;
    err = read_players(args, run, why);
    if (!err) {
        err = read_numbers(args, match, why);
    }
    if (!err) {
        err = read_limits(args, &match->rules, why);
    }
    if (!err) {
        err = read_openings(args, run, why);
    }
    if (!err) {
        err = read_auction(args, run, why);
    }
    if (!err) {
        err = read_sprt(args, match, why);
    }
    const char *restart = args_option(args, "restart");
    for (size_t i = 0; restart && i < 2; i++) {
        if (strcmp(restart, restarts[i].word) == 0) {
            run->options.restart = restarts[i].restart;
        }
    }
    return err;
}

static enum err open_outputs(const struct args *args, struct run *run, struct note *why)
{
    run->is_json = args_option(args, "json");
    run->is_watched = args_option(args, "watch") && !run->is_json;
    run->paint = paint_choose(NULL);
    run->record_path = args_option(args, "record");
    run->options.match.keeps_records = run->record_path || run->is_json;
    time_t now = time(NULL);
    struct tm day;
    strftime(run->date, sizeof run->date, "%Y-%m-%d", gmtime_r(&now, &day));
    run->options.match.date = run->date;
    if (run->is_json && !(run->records = json_array())) {
        note_set(why, "no memory for the records");
        return ERR_ENVIRONMENT;
    }
    if (run->record_path && !(run->record_file = fopen(run->record_path, "w"))) {
        note_set(why, "cannot write %.200s: %m", run->record_path);
        return ERR_ENVIRONMENT;
    }
    return match_log_open(&run->log, args_option(args, "logs"), run->options.specs, why);
}

/* Without network namespaces all tcp programs share one port and are told apart by team. */
static enum err share_port(struct run *run, struct note *why)
{
    bool first_is_tcp = run->specs[0].kind == PLAYER_TCP;
    bool second_is_tcp = run->specs[1].kind == PLAYER_TCP;
    if (run->box.features & BOX_NAMESPACES || (!first_is_tcp && !second_is_tcp)) {
        return ERR_NONE;
    }
    if (first_is_tcp && second_is_tcp && run->specs[0].team == run->specs[1].team) {
        note_set(why, "without network namespaces both programs use port 8888 and need different "
                      "team numbers, not both %d",
                 run->specs[0].team);
        return ERR_INPUT;
    }
    if (run->options.match.concurrency > 1) {
        fprintf(stderr, "plum match: one game at a time: without network namespaces all programs "
                        "share port 8888\n");
        run->options.match.concurrency = 1;
    }
    return ERR_NONE;
}

/* Only programs are boxed; without one the record says nothing of a sandbox. */
static enum err prepare_box(const struct args *args, struct run *run, struct note *why)
{
    if (!player_spec_is_program(&run->specs[0]) && !player_spec_is_program(&run->specs[1])) {
        return ERR_NONE;
    }
    const char *wish = args_option(args, "sandbox");
    enum sandbox_mode mode = !wish || strcmp(wish, "auto") == 0 ? SANDBOX_AUTO
                             : strcmp(wish, "strict") == 0      ? SANDBOX_STRICT
                                                                : SANDBOX_OFF;
    struct note missing = {""};
    struct box_limits limits = box_limits_default();
    enum err err = box_probe(mode, &limits, NULL, &run->box, &missing);
    if (err) {
        *why = missing;
        return err;
    }
    if (missing.text[0]) {
        fprintf(stderr, "plum match: %s\n", missing.text);
    }
    run->options.box = &run->box;
    run->options.match.sandbox = box_level(&run->box);
    return share_port(run, why);
}

static enum err close_outputs(struct run *run, struct note *why)
{
    if (run->record_file && fclose(run->record_file) && !run->err) {
        note_set(&run->why, "cannot write %.200s: %m", run->record_path);
        run->err = ERR_ENVIRONMENT;
    }
    run->record_file = NULL;
    if (run->err) {
        *why = run->why;
    }
    return run->err;
}

static enum err play(struct run *run, struct note *why)
{
    struct arena_watcher watcher = {
        .owner = run,
        .on_ply = on_ply,
        .on_fault = on_fault,
        .on_game = on_game,
        .on_player_closed = on_player_closed,
        .on_remark = on_remark,
    };
    struct human_screen screen = {run, show_turn, say_to_person};
    run->options.screen = &screen;
    const char *const names[2] = {run->specs[0].text, run->specs[1].text};
    struct match *match = NULL;
    enum err err = arena_run(&run->options, &watcher, &match, why);
    if (run->has_progress) {
        fputs("\r\033[K", stderr);
    }
    struct note unwritten = {""};
    enum err written = close_outputs(run, &unwritten);
    if (match && run->is_json) {
        json_t *records = run->records;
        run->records = NULL;
        struct note failed;
        enum err printed = json_out_take(
            match_report_json(match, names, &run->options.match, records), &failed);
        if (printed && !err) {
            err = printed;
            *why = failed;
        }
    } else if (match) {
        match_report_print(stdout, match, names, &run->options.match);
        match_log_summary(&run->log, stdout);
    }
    match_free(match);
    if (!err && written) {
        *why = unwritten;
        err = written;
    }
    return err;
}

static enum err run_match(const struct args *args, struct note *why)
{
    struct run *run = calloc(1, sizeof *run);
    if (!run) {
        note_set(why, "no memory");
        return ERR_ENVIRONMENT;
    }
    enum err err = read_command_line(args, run, why);
    if (!err) {
        err = prepare_box(args, run, why);
    }
    if (!err) {
        err = open_outputs(args, run, why);
    }
    if (!err) {
        err = play(run, why);
    }
    if (run->record_file) {
        fclose(run->record_file);
    }
    json_decref(run->records);
    match_log_close(&run->log);
    openings_free(&run->openings);
    free(run);
    return err;
}

const struct command cmd_match = {
    .name = "match",
    .run = run_match,
    .summary = "play games between two players and say who is stronger",
    .operands = "GAME",
    .details =
        "Plays games in pairs: the players trade places and each opening is played twice.\n"
        "In meichu an auction gives the colours unless it is off. Prints points, Elo with\n"
        "error bars (from pairs), times and faults by kind.\n"
        "\n"
        "A PLAYER is builtin, builtin:LEVEL or builtin:key=value,... (level, depth, nodes,\n"
        "movetime, threads, hash), random or random:seed=N, tcp:TEAM:COMMAND,\n"
        "file:TEAM:COMMAND, template:COMMAND, ugi:COMMAND, or human. Programs run in a\n"
        "sandbox, in the folder of the first word of COMMAND that names a file.",
    .options = {{"black", "PLAYER", "the first player: Black in the first game"},
                {"white", "PLAYER", "the second player"},
                {"games", "N", "how many games (2)"},
                {"no-swap", NULL, "the first player is always Black"},
                {"openings", "PLIES|FILE", "random moves, or positions, to start from"},
                {"seed", "S", "of openings, lots and random players (1)"},
                {"time-limit", "SECONDS", "for a move (the game's own: 5, meichu 30)"},
                {"grace", "SECONDS", "by which an answer may be late (0.25)"},
                {"startup-limit", "SECONDS", "for a program to start (10)"},
                {"hard-limit", "SECONDS", "meichu: a turn longer than this loses (120)"},
                {"restart", "pairing|game", "start programs anew for each (tcp: pairing, else game)"},
                {"concurrency", "N", "games at once (cores - 1)"},
                {"auction", "on|off", "meichu: whether colours are bid for (on)"},
                {"sandbox", "auto|strict|off", "how programs are locked in (auto)"},
                {"sprt", "ELO0,ELO1", "stop as soon as one of the two is likely enough"},
                {"record", "FILE", "write the game records there"},
                {"logs", "DIR", "write each program's faults and standard error there"},
                {"json", NULL, "print JSON"},
                {"watch", NULL, "show every move and board"}},
    .examples = {{"plum match reversi --black random --white random:seed=7 --games 10",
                  "ten quick games"},
                 {"plum match hop --black builtin:5 --white builtin:3 --games 20 --openings 4",
                  "is level 5 stronger than level 3?"},
                 {"plum match hop --black 'tcp:7:python3 Sample.py' --white builtin:3",
                  "a student's agent against ours"}},
};
