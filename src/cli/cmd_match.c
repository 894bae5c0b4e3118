/* cmd_match: match. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/cores.h"
#include "base/json.h"
#include "base/utf8.h"
#include "judge/record.h"
#include "cli/args.h"
#include "cli/board.h"
#include "cli/cli.h"
#include "cli/match_args.h"
#include "play/match_log.h"
#include "cli/terminal.h"
#include "play/sandbox_setup.h"
#include "report/caption.h"
#include "report/json_tournament.h"

struct match_session {
    struct match_args args;
    struct sandbox sandbox;
    struct sandbox_neighbours neighbours;
    char names[2][PLAYER_TEXT_BYTES]; /* of the players, as clean UTF-8 */
    bool is_watched;
    enum paint paint;
    FILE *record_file;
    const char *record_path;
    struct json records; /* a list of their texts, kept in memory; without a stream: none */
    char *records_text;
    size_t records_bytes;
    struct match_log log;
    struct terminal_remarks remarks;
    int64_t started_ns;
    struct terminal_progress progress;
    char date[CLOCK_DATE_BYTES];
};

/* --- The result --- */

static const char *sprt_words(enum sprt_verdict verdict)
{
    switch (verdict) {
    case SPRT_ACCEPT_H1:
        return "player 1 is stronger by the second value";
    case SPRT_ACCEPT_H0:
        return "player 1 is not stronger than by the first value";
    default:
        return "undecided, more games are needed";
    }
}

static void print_sprt(const struct match_score *score)
{
    double llr = 0;
    if (!score->has_sprt) {
        return;
    }
    (void)sprt_test(&score->units, score->elo0, score->elo1, &llr);
    printf("SPRT %g,%g: %s (log-likelihood ratio %.2f, decided at \302\2612.94)\n", score->elo0,
           score->elo1, sprt_words(score->sprt), llr);
}

static void print_faults(const struct match_score *score, int player)
{
    const char *separator = "  ";
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        if (score->faults[player][kind]) {
            printf("%s%lld %s", separator, (long long)score->faults[player][kind],
                   fault_name((enum fault)kind));
            separator = ", ";
        }
    }
    printf("%s\n", separator[0] == ' ' ? "  none" : "");
}

/* Cuts out of the middle what does not fit on a line: a command's end tells most. */
static void print_name(int number, const char *name)
{
    enum { SHOWN = 76, HEAD = 30 };
    size_t length = 0; /* in characters; a continuation byte begins none */
    for (const char *at = name; *at; at++) {
        length += (*at & 0xc0) != 0x80;
    }
    size_t skipped_from = length > SHOWN ? HEAD : length;
    size_t skipped_to = length > SHOWN ? length - (SHOWN - HEAD - 1) : length;
    size_t place = 0;
    printf("%d  ", number);
    for (const char *at = name; *at; at++) {
        place += (*at & 0xc0) != 0x80;
        if (place <= skipped_from || place > skipped_to) {
            putchar(*at);
        } else if (place == skipped_from + 1 && (*at & 0xc0) != 0x80) {
            fputs("\342\200\246", stdout);
        }
    }
    putchar('\n');
}

static void print_player(const struct match_score *score, int player)
{
    struct match_times times = score->times[player];
    printf("%d %7d %6d %5d %7.1f %8zu %9.1f %9.1f %9.1f", player + 1, score->wins[player],
           score->draws, score->wins[1 - player] + score->both_lost,
           score->wins[player] + 0.5 * score->draws, times.count, match_score_time_ms(&times, 0.5),
           match_score_time_ms(&times, 0.99), match_score_time_ms(&times, 1));
    print_faults(score, player);
}

static void print_elo(const struct match_score *score)
{
    struct elo_estimate elo = elo_estimate(&score->units);
    double value = elo.elo == 0 ? 0 : elo.elo; /* no negative zero */
    if (!elo.is_finite) {
        bool is_one_sided = elo.score == 0 || elo.score == 1;
        printf("Elo of 1 against 2: unknown, %s\n", is_one_sided   ? "all points are on one side"
                                                    : score->games ? "no pair of games is complete"
                                                                   : "nothing was played");
    } else {
        printf("Elo of 1 against 2: %+.1f \302\261 %.1f (95 %%); it is stronger with a "
               "probability of %.1f %%\n",
               value, elo.error, 100 * elo.superiority);
    }
}

/* "game 3: White wins 12 to -12 (no move is left)". */
static void print_game(const struct game *rules, int number, const struct game_summary *result)
{
    char ending[CAPTION_BYTES];
    int black = result->score[SIDE_BLACK];
    int white = result->score[SIDE_WHITE];
    caption_ending(rules, result->outcome, result->reason, ending);
    printf("game %d: ", number + 1);
    if (result->outcome == OUTCOME_BOTH_LOST) {
        printf("both lose, %d to %d (%s)\n\n", black, white, ending);
    } else if (result->outcome == OUTCOME_DRAW) {
        printf("a draw, %d to %d (%s)\n\n", black, white, ending);
    } else {
        bool black_wins = result->outcome == OUTCOME_BLACK;
        printf("%s wins %d to %d (%s)\n\n", black_wins ? "Black" : "White",
               black_wins ? black : white, black_wins ? white : black, ending);
    }
}

static void print_result(const struct game *game, const struct match_score *score,
                         const char *const names[2])
{
    printf("%s, %d game%s\n", game->name, score->games, score->games == 1 ? "" : "s");
    print_name(1, names[0]);
    print_name(2, names[1]);
    printf("\n%9s %6s %5s %7s %8s %9s %9s %9s  %s\n", "won", "drawn", "lost", "points", "moves",
           "median ms", "p99 ms", "max ms", "faults");
    print_player(score, 0);
    print_player(score, 1);
    putchar('\n');
    print_elo(score);
    if (score->has_pairs && score->games > 1 && score->games % 2) {
        fputs("  (from pairs of games: the last game has no partner and does not count)\n", stdout);
    }
    print_sprt(score);
}

/* --- What is shown while it runs --- */

static void show_progress(struct match_session *run, const struct match_score *score)
{
    int games = run->args.source.match.games;
    char left[40] = "";
    if (run->is_watched || run->args.source.screen ||
        !terminal_progress_is_due(&run->progress, CLOCK_NS_PER_S / 5)) {
        return;
    }
    double elapsed_s = (double)(clock_now_ns() - run->started_ns) / 1e9;
    double left_s = elapsed_s / score->games * (games - score->games);
    if (left_s >= 1) {
        snprintf(left, sizeof left, "; about %.0f s left", left_s);
    }
    terminal_progress_show(&run->progress, "%d of %d games: %d won, %d drawn, %d lost%s",
                           score->games, games, score->wins[0], score->draws, score->wins[1], left);
}

static void show_ply(void *owner, int game, const struct game_event *event)
{
    const struct match_session *run = owner;
    const struct judge_ply *ply = event->ply;
    char text[GAME_MOVE_BYTES];
    game_write_move(run->args.game, &ply->move, text);
    printf("game %d, ply %zu, %s: %s%s%s\n", game + 1, event->judge->move_count,
           side_title(ply->side), text, ply->has_fault ? ", " : "",
           ply->has_fault ? fault_name(ply->fault) : "");
    board_draw(run->args.game, &event->judge->state, &ply->move, run->paint);
    fflush(stdout);
}

static void show_remark(void *owner, const char *sentence)
{
    struct match_session *run = owner;
    const char *fresh = terminal_remarks_add(&run->remarks, sentence);
    if (fresh) {
        terminal_progress_erase(&run->progress);
        fprintf(stderr, "plum match: %s\n", fresh);
    }
}

static void show_turn(void *owner, const struct player_view *view)
{
    struct match_session *run = owner;
    const struct move *last = view->move_count ? &view->moves[view->move_count - 1] : NULL;
    board_draw(run->args.game, view->now, last, run->paint);
    printf("%s, your move (or resign): ", side_title(view->side));
    fflush(stdout);
}

static void show_sentence(void *owner, const char *sentence)
{
    (void)owner;
    printf("%s\n", sentence);
    fflush(stdout);
}

static enum err keep_game(void *owner, int number, const struct finished_game *game,
                          struct note *why)
{
    struct match_session *run = owner;
    enum err err = ERR_NONE;
    if (run->record_file) {
        err = record_append_text(game->record, run->record_file, run->record_path, why);
    }
    if (!err && run->records.out) {
        json_string(&run->records, NULL, game->record);
    }
    if (run->is_watched || run->args.source.screen) {
        print_game(run->args.game, number, &game->summary);
    }
    show_progress(run, &run->args.score);
    return err;
}

/* --- Before and after --- */

static enum err open_outputs(const struct args *args, struct match_session *run, struct note *why)
{
    struct match_options *match = &run->args.source.match;
    bool is_json = args_option(args, "json");
    run->is_watched = args_option(args, "watch");
    run->paint = paint_choose(NULL);
    run->record_path = args_option(args, "record");
    match->keeps_records |= run->record_path || is_json;
    clock_write_today(run->date);
    match->date = run->date;
    for (int i = 0; i < 2; i++) {
        utf8_clean(run->args.specs[i].text, run->names[i], sizeof run->names[i]);
    }
    if (is_json) {
        FILE *memory = open_memstream(&run->records_text, &run->records_bytes);
        if (!memory) {
            return note_fail(why, ERR_ENVIRONMENT, "no memory for the records");
        }
        run->records = json_make(memory, JSON_LINE);
        json_begin_array(&run->records, NULL);
    }
    if (run->record_path && !(run->record_file = fopen(run->record_path, "w"))) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %m", run->record_path);
    }
    return match_log_open(&run->log, args_option(args, "logs"), run->args.source.specs, why);
}

static void show_warning(void *owner, const char *sentence)
{
    struct match_session *run = owner;
    terminal_progress_erase(&run->progress);
    fprintf(stderr, "plum match: %s\n", sentence);
}

/* Only programs are sandboxed; without one the record has no Sandbox tag. */
static enum err prepare_sandbox(const struct args *args, struct match_session *run,
                                struct note *why)
{
    static const char *const outputs[] = {"record", "logs"};
    struct match_source_options *source = &run->args.source;
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        const char *path = args_option(args, outputs[i]);
        if (path) {
            sandbox_folder_hide(&run->neighbours, path);
        }
    }
    if (source->wish.address || source->wish.url) { /* the queue has secrets in it */
        sandbox_folder_hide(&run->neighbours, MATCH_SOURCE_QUEUE ".queue");
        sandbox_folder_hide(&run->neighbours, MATCH_SOURCE_QUEUE ".worker");
    }
    const struct sandbox_setup_player players[2] = {{&run->args.specs[0], "player 1"},
                                                    {&run->args.specs[1], "player 2"}};
    struct sandbox_setup setup = {
        .mode = source->match.rules.sandbox,
        .limits = &run->args.limits,
        .python = source->match.rules.python,
        .players = players,
        .player_count = 2,
        .neighbours = &run->neighbours,
        .owner = run,
        .on_remark = show_warning,
    };
    enum err err = sandbox_setup_prepare(&setup, &run->sandbox, why);
    if (!err && (player_spec_is_program(&run->args.specs[0]) ||
                 player_spec_is_program(&run->args.specs[1]))) {
        source->sandbox = &run->sandbox;
        source->match.sandbox = sandbox_level(&run->sandbox);
    }
    return err;
}

/* Only where a program plays: its time is measured. */
static void warn_of_sharing(const struct match_session *run)
{
    struct note sentence;
    int thinkers = 0;
    int slots = run->args.source.concurrency;
    for (int i = 0; i < 2; i++) {
        enum player_kind kind = run->args.specs[i].kind;
        thinkers += kind != PLAYER_RANDOM && kind != PLAYER_HUMAN;
    }
    if (!run->args.source.sandbox || thinkers == 0 || slots == 0 ||
        !cores_are_shared(slots, thinkers, slots > 1, &sentence)) {
        return;
    }
    int most = (cores_count() - 1) / thinkers;
    fprintf(stderr, "plum match: %s", sentence.text);
    if (most > 0) {
        fprintf(stderr, "; --concurrency %d gives each agent its own", most);
    }
    fputc('\n', stderr);
}

static enum err report(struct match_session *run, struct note *why)
{
    const char *const names[2] = {run->names[0], run->names[1]};
    const struct match_score *score = &run->args.score;
    if (run->records.out) {
        json_end(&run->records);
        if (fflush(run->records.out)) {
            return note_fail(why, ERR_ENVIRONMENT, "no memory for the records");
        }
        struct json json = json_make(stdout, JSON_LINE);
        json_tournament_match(&json, score, names, run->log.violations, run->records_text,
                              run->records_bytes);
        putchar('\n');
        return ERR_NONE;
    }
    print_result(run->args.game, score, names);
    match_log_summary(&run->log, match_score_faults(score), stdout);
    return ERR_NONE;
}

static enum err close_record(struct match_session *run, struct note *why)
{
    FILE *file = run->record_file;
    run->record_file = NULL;
    return file && fclose(file)
               ? note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %m", run->record_path)
               : ERR_NONE;
}

/* The games played are reported in any case. */
static enum err play(struct match_session *run, struct note *why)
{
    struct human_screen screen = {run, show_turn, show_sentence};
    struct match_source_options *source = &run->args.source;
    struct note other;
    if (run->args.specs[0].kind == PLAYER_HUMAN || run->args.specs[1].kind == PLAYER_HUMAN) {
        source->screen = &screen;
    }
    source->log = &run->log;
    source->owner = run;
    source->on_ply = run->is_watched ? show_ply : NULL;
    source->on_game = keep_game;
    source->on_warning = show_warning;
    source->on_remark = show_remark;
    run->started_ns = clock_now_ns();
    enum err err = match_source_play(source, &run->args.score, why);
    terminal_progress_erase(&run->progress);
    enum err kept = close_record(run, &other);
    if (kept && (!err || err == ERR_INTERRUPTED)) {
        err = kept;
        *why = other;
    }
    bool has_failed = err && err != ERR_INTERRUPTED;
    enum err reported = run->args.score.games || !has_failed ? report(run, &other) : ERR_NONE;
    if (reported && !err) {
        err = reported;
        *why = other;
    }
    return err;
}

static enum err run_match(const struct args *args, struct note *why)
{
    static struct match_session session; /* too large for the stack */
    struct match_session *run = &session;
    struct note unlogged;
    enum err err = match_args_read(args, &run->args, why);
    if (err || (err = prepare_sandbox(args, run, why)) || (err = open_outputs(args, run, why))) {
        goto out;
    }
    warn_of_sharing(run);
    err = play(run, why);
out:
    if (run->record_file) {
        fclose(run->record_file);
    }
    if (run->records.out) {
        fclose(run->records.out);
    }
    free(run->records_text);
    if (match_log_close(&run->log, &unlogged) && !err) {
        *why = unlogged;
        err = ERR_ENVIRONMENT;
    }
    match_args_free(&run->args);
    sandbox_folder_free_neighbours(&run->neighbours);
    return err;
}

const struct command cmd_match = {
    .name = "match",
    .run = run_match,
    .summary = "play games between two players and measure which is stronger",
    .operands = "GAME",
    .required = "black white",
    .options = {{"black", "PLAYER", "the first player: Black in the first game"},
                {"white", "PLAYER", "the second player"},
                {"games", "N", "number of games (2)"},
                {"no-swap", NULL, "the first player is always Black"},
                {"openings", "PLIES/FILE", "random moves, or positions, to start from"},
                {"seed", "S", "seed of openings, lots and random players (1)"},
                {"time-limit", "SECONDS", "time limit of a move (the game's own: @time-limits@)"},
                {"grace", "SECONDS", "how late an answer may be (0.25)"},
                {"startup-limit", "SECONDS", "time limit for a program to start (10)"},
                {"hard-limit", "SECONDS", "@hard@: a turn longer than this loses (@hard-limit@)"},
                {"late-limit", "N", "late moves in a row that lose the game (0: none do)"},
                {"restart", "pairing|game",
                 "when programs are started again (tcp: pairing, else game)"},
                {"concurrency", "N", "games at the same time (cores - 1; with workers none)"},
                {"workers", "[HOST:PORT]", "other machines play (all networks, port 7586)"},
                {"queue", "URL", "the same over a NATS server that runs already"},
                {"lease", "SECONDS", "how long a silent worker keeps its games (30)"},
                {"slowest", "PERCENT", "refuse workers slower than that of this machine (50)"},
                {"auction", "on|off", "@auction@: whether there is an auction (on)"},
                {"sandbox", "auto|strict|off", "isolation of programs (auto)"},
                {"memory", "SIZE", "memory limit of a program, as in 512M or 8G (2G)"},
                {"python", "PROGRAM", "the interpreter of programs in Python (python3)"},
                {"ponder", "yes|no", "may a program think while it owes no answer? (no: frozen)"},
                {"sprt", "ELO0,ELO1", "stop as soon as one of the two hypotheses is accepted"},
                {"record", "FILE", "the file for the game records"},
                {"logs", "DIR", "a folder for each program's faults and output"},
                {"json", NULL, "print JSON"},
                {"watch", NULL, "show every move and board"}},
};
