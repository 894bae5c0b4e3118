/* cmd_check: check. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check_summary.h"
#include "play/sandbox_setup.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "cli/args.h"
#include "cli/board.h"
#include "cli/cli.h"
#include "cli/match_args.h"
#include "cli/terminal.h"
#include "cli/tournament_args.h"
#include "report/json_game.h"

enum { LEAST_SECONDS = 1, MOST_SECONDS = 24 * 3600 };

struct check_session {
    const struct game *game;
    struct player_spec spec;
    struct sandbox_limits limits;
    struct sandbox sandbox;
    struct sandbox_neighbours neighbours;
    struct check_options options;
    struct check_facts facts;
    struct check_findings findings;
    struct terminal_progress progress;
    struct check_finding shown[CHECK_MAX_FINDINGS]; /* faults that were printed with all details */
    int shown_count;
    bool has_shown_log[CHECK_MAX_TRIALS];
};

/* --- What is printed --- */

static void show_progress(void *owner, const struct check_progress *progress)
{
    struct check_session *s = owner;
    char left[32] = "";
    if (progress->left_ns) {
        tournament_args_duration((double)progress->left_ns / CLOCK_NS_PER_S, left, sizeof left);
    }
    terminal_progress_show(&s->progress, "trial %d of %d, against %s, ply %zu%s%s%s",
                           progress->trial + 1, progress->trials,
                           check_opponent_name(progress->opponent), progress->plies,
                           *left ? "; about " : "", left, *left ? " left" : "");
}

/* Before the first trial. */
static void print_header(const struct check_session *s)
{
    int trials = check_plan_trials(s->game, s->spec.kind, s->options.seed, NULL);
    int64_t seconds = s->options.total_ns / CLOCK_NS_PER_S;
    bool is_minutes = seconds >= 120 && seconds % 60 == 0;
    printf("%s: %s%d trials, at most %lld %s; sandbox: %s\n", s->game->name,
           s->options.is_quick ? "only the first of " : "", trials,
           (long long)(is_minutes ? seconds / 60 : seconds),
           is_minutes     ? "minutes"
           : seconds == 1 ? "second"
                          : "seconds",
           sandbox_level(&s->sandbox));
    fflush(stdout);
}

static void print_log(const char *stream, const char *log)
{
    int times = 0;
    const char *end = log + check_summary_repeats(log, &times);
    if (!*log) {
        return;
    }
    printf("It wrote to standard %s", stream);
    if (times > 1) {
        printf(", %d times", times);
    }
    puts(":");
    for (const char *line = log; line < end;) {
        size_t length = strcspn(line, "\n");
        printf("  | %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    putchar('\n');
}

/* What a program wrote in several trials is mostly the same: the first of them is shown. */
static void print_logs(struct check_session *s, const struct check_trial *trial)
{
    bool is_known = false;
    for (int i = 0; i < s->facts.trial_count; i++) {
        const struct check_trial *other = &s->facts.trials[i];
        is_known |= s->has_shown_log[i] && strcmp(other->log, trial->log) == 0 &&
                    strcmp(other->output, trial->output) == 0;
    }
    if (!is_known) {
        print_log("error", trial->log);
        print_log("output", trial->output);
        s->has_shown_log[trial - s->facts.trials] = true;
    }
}

static void print_fault(struct check_session *s, const struct check_finding *finding)
{
    const struct check_fault *at = finding->fault;
    struct state state;
    if (at->phase == JUDGE_PLAYING && !s->game->read_position(at->fault.position, &state, NULL)) {
        putchar('\n');
        board_draw(s->game, &state, NULL, PAINT_PLAIN);
        printf("\nposition: %s\n\n", at->fault.position);
    }
    print_logs(s, finding->trial);
}

static void print_line(const char *label, const char *text)
{
    if (text && *text) {
        printf("%-21s %s%s\n", "", label, text);
    }
}

/* The details of the same fault are printed once. */
static void print_finding(struct check_session *s, const struct check_finding *finding)
{
    printf("%-10s %-10s %s\n", check_severity_name(finding->severity), finding->check,
           finding->detail.text);
    for (int i = 0; i < s->shown_count; i++) {
        if (check_summary_is_same(&s->shown[i], finding)) {
            print_line("", "the same fault: see above");
            return;
        }
    }
    print_line("it answered: ", finding->answer.text);
    print_line("refused: ", finding->why.text);
    print_line("", finding->guess.text);
    print_line("", finding->advice);
    if (finding->fault) {
        print_fault(s, finding);
        if (s->shown_count < CHECK_MAX_FINDINGS) {
            s->shown[s->shown_count++] = *finding;
        }
    }
}

/* Each game as it ends. */
static void print_game(void *owner, const struct check_trial *trial, const struct check_game *game,
                       int number)
{
    struct check_session *s = owner;
    struct note text;
    char label[16];
    terminal_progress_erase(&s->progress);
    snprintf(label, sizeof label, "game %d", number);
    check_summary_game(trial, game, &text);
    printf("%-10s %-10s %s\n", label, game->colour == SIDE_BLACK ? "as Black" : "as White",
           text.text);
    fflush(stdout);
}

/* What must be fixed according to the first games, and what follows. */
static void print_rest(void *owner, const struct check_rest *rest)
{
    struct check_session *s = owner;
    struct note what;
    char typical[32];
    char most[32];
    terminal_progress_erase(&s->progress);
    check_list(&s->facts, &s->findings);
    for (int i = 0; i < s->findings.count; i++) {
        if (s->findings.items[i].severity == CHECK_MUST_FIX) {
            print_finding(s, &s->findings.items[i]);
        }
    }
    int must = s->findings.totals[CHECK_MUST_FIX];
    check_summary_rest(rest, &what);
    tournament_args_duration((double)rest->typical_ns / CLOCK_NS_PER_S, typical, sizeof typical);
    tournament_args_duration((double)rest->most_ns / CLOCK_NS_PER_S, most, sizeof most);
    if (must) {
        printf("so far %d finding%s must be fixed", must, must == 1 ? "" : "s");
    } else {
        printf("so far nothing must be fixed");
    }
    printf("; the rest, %s, takes about %s, at most %s\n", what.text, typical, most);
    fflush(stdout);
}

static const char *text_or_null(const char *text) { return text && *text ? text : NULL; }

static void print_json_fault(struct json *json, const struct check_finding *finding)
{
    json_game_fault(json, "fault", &finding->fault->fault,
                    &(struct json_fault_frame){
                        .side = side_name(finding->fault->side),
                        .opponent = check_opponent_name(finding->trial->plan.opponent),
                        .errors = finding->trial->log,
                        .output = finding->trial->output,
                    });
}

static void print_json_finding(struct json *json, const struct check_finding *finding)
{
    json_begin_object(json, NULL);
    json_string(json, "check", finding->check);
    json_string(json, "severity", check_severity_name(finding->severity));
    json_string(json, "detail", finding->detail.text);
    json_string(json, "answer", text_or_null(finding->answer.text));
    json_string(json, "refused", text_or_null(finding->why.text));
    json_string(json, "guess", text_or_null(finding->guess.text));
    json_string(json, "advice", text_or_null(finding->advice));
    if (finding->fault) {
        print_json_fault(json, finding);
    } else {
        json_null(json, "fault");
    }
    json_end(json);
}

static void print_json(const struct check_session *s)
{
    struct json json = json_make(stdout, JSON_LINE);
    char player[PLAYER_TEXT_BYTES];
    utf8_clean(s->spec.text, player, sizeof player);
    json_begin_object(&json, NULL);
    json_string(&json, "game", s->game->name);
    json_string(&json, "player", player);
    json_string(&json, "sandbox", sandbox_level(&s->sandbox));
    json_bool(&json, "ready", check_is_ready(&s->facts, &s->findings));
    json_bool(&json, "interrupted", s->facts.is_interrupted);
    json_bool(&json, "quick", s->facts.is_quick);
    json_begin_array(&json, "checks");
    for (int i = 0; i < s->findings.count; i++) {
        print_json_finding(&json, &s->findings.items[i]);
    }
    json_end(&json);
    json_end(&json);
    putchar('\n');
}

static void print_findings(struct check_session *s)
{
    struct note untried;
    check_summary_untried(&s->findings, &untried);
    for (int i = 0; i < s->findings.count; i++) {
        if (!check_summary_is_untried(&s->findings.items[i])) {
            print_finding(s, &s->findings.items[i]);
        }
    }
    if (*untried.text) {
        printf("%-10s %s\n", check_severity_name(CHECK_SKIPPED), untried.text);
    }
}

static enum err report(struct check_session *s, bool is_json, struct note *why)
{
    struct note verdict;
    enum err err = ERR_NONE;
    check_list(&s->facts, &s->findings);
    check_verdict(&s->facts, &s->findings, &verdict);
    if (is_json) {
        print_json(s);
    } else {
        print_findings(s);
        puts(verdict.text);
    }
    if (s->facts.is_interrupted) {
        err = note_fail(why, ERR_INTERRUPTED, "interrupted; the findings so far are above");
    } else if (!check_is_ready(&s->facts, &s->findings)) {
        err = ERR_NEGATIVE;
    }
    return err;
}

/* --- The command line --- */

static enum err read_player(const struct args *args, struct check_session *s, struct note *why)
{
    enum err err = args_game(args, &s->game, why);
    if (err || (err = player_spec_read(args->values[1], s->game, &s->spec, why))) {
        return err;
    }
    if (!player_spec_is_program(&s->spec)) {
        err = note_fail(why, ERR_INPUT, "'%.60s' is not a program: there is nothing to check",
                        s->spec.text);
    }
    return err;
}

static enum err read_options(const struct args *args, struct check_session *s, struct note *why)
{
    int64_t seconds = CHECK_MAX_SECONDS;
    s->options =
        (struct check_options){.rules.judge = {.game = s->game, .has_auction = s->game->auction},
                               .spec = &s->spec,
                               .seed = 1,
                               .sandbox = &s->sandbox,
                               .cpu = args->cpu,
                               .is_quick = args_option(args, "quick"),
                               .owner = s,
                               .on_progress = show_progress};
    enum err err = match_args_rules(args, &s->options.rules, &s->limits, why);
    if (err ||
        (err = ARGS_FIELDS(args, why, {"seed", ARGS_UINT64, &s->options.seed, 0, INT64_MAX},
                           {"max-time", ARGS_INT64, &seconds, LEAST_SECONDS, MOST_SECONDS}))) {
        return err;
    }
    s->options.total_ns = seconds * CLOCK_NS_PER_S;
    if (!args_option(args, "json")) {
        s->options.on_game = print_game;
        s->options.on_rest = print_rest;
    }
    return ERR_NONE;
}

static enum err open_sandbox(struct check_session *s, struct note *why)
{
    const struct sandbox_setup_player player = {&s->spec, ""};
    struct sandbox_setup setup = {
        .mode = s->options.rules.sandbox,
        .limits = &s->limits,
        .python = s->options.rules.python,
        .players = &player,
        .player_count = 1,
        .neighbours = &s->neighbours,
    };
    return sandbox_setup_prepare(&setup, &s->sandbox, why);
}

static enum err run_check(const struct args *args, struct note *why)
{
    struct check_session *s = calloc(1, sizeof *s);
    if (!s) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory");
    }
    enum err err = read_player(args, s, why);
    if (err || (err = read_options(args, s, why)) || (err = open_sandbox(s, why))) {
        goto out;
    }
    if (!args_option(args, "json")) {
        print_header(s);
    }
    err = check_run(&s->options, &s->facts, why);
    terminal_progress_erase(&s->progress);
    err = err ? err : report(s, args_option(args, "json"), why);
out:
    check_facts_free(&s->facts);
    sandbox_folder_free_neighbours(&s->neighbours);
    free(s);
    return err;
}

const struct command cmd_check = {
    .name = "check",
    .run = run_check,
    .summary = "check whether an agent is ready for a tournament",
    .operands = "GAME PLAYER",
    .options =
        {{"time-limit", "SECONDS", "time limit of a move (the game's own: @time-limits@)"},
         {"grace", "SECONDS", "how late an answer may be (0.25)"},
         {"startup-limit", "SECONDS", "time limit for the program to start (10)"},
         {"hard-limit", "SECONDS", "@hard@: a turn longer than this loses (@hard-limit@)"},
         {"quick", NULL, "only the games against random moves"},
         {"max-time", "SECONDS", "time limit of the whole check (900), shared by the trials"},
         {"seed", "N", "seed of the random moves (1)"},
         {"sandbox", "auto|strict|off", "isolation of the program (auto)"},
         {"memory", "SIZE", "memory limit of the program, as in 512M or 8G (2G)"},
         {"python", "PROGRAM", "the interpreter of a program in Python (python3)"},
         {"ponder", "yes|no", "may it think while it owes no answer? (no: it is frozen)"},
         {"json", NULL,
          "{\"game\", \"player\", \"sandbox\", \"ready\", \"quick\", \"checks\": [...], ...}"}},
};
