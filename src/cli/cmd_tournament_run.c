/* cmd_tournament_run: qualify, run and resume, and what a person sees while a tournament runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play/qualifier.h"
#include "play/tournament_session.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/shell_word.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/serving.h"
#include "cli/terminal.h"
#include "cli/tournament_args.h"
#include "cli/tournament_table.h"
#include "cli/workers_args.h"
#include "tournament/qualification.h"

extern const struct command cmd_tournament_qualify;

enum { TOP = 10 }; /* rows of the standings while it runs */

static struct roster_problems problems; /* too large for the stack */

/* On standard error, if that is a terminal: progress, an estimate and the top of the standings. */
struct run_screen {
    const char *command;
    const struct tournament_session *session;
    bool is_terminal;
    bool is_qualifying; /* what is shown */
    int64_t started_ns; /* when that was shown first; 0: not yet */
    int played_before;  /* games, then */
    int64_t next_ns;    /* when to draw again */
    struct terminal_lines lines;
    struct terminal_remarks remarks;
};

/* --- While it runs --- */

/* The estimate is made of the games of one phase: those of the qualification are another kind. */
static void print_progress(struct run_screen *screen, const struct tournament *t, FILE *out)
{
    int played = (int)tournament_count(t, GAME_PLAYED);
    int64_t total = tournament_expected_games(t);
    int64_t left = total - played - (int64_t)tournament_count(t, GAME_ANNULLED) -
                   (int64_t)tournament_count(t, GAME_CANCELLED);
    bool is_qualifying = t->qualifying_games > 0;
    if (is_qualifying) {
        left = (int64_t)t->qualifying_games;
        played = qualification_games(t);
        fprintf(out, "%s: qualification, %d of %lld games", t->roster->name, played,
                (long long)(played + left));
    } else {
        fprintf(out, "%s: round %d of %d, %d of %lld games", t->roster->name, tournament_round(t),
                tournament_rounds(t), played, (long long)total);
    }
    if (!screen->started_ns || screen->is_qualifying != is_qualifying) {
        screen->is_qualifying = is_qualifying;
        screen->started_ns = clock_now_ns();
        screen->played_before = played;
    }
    int fresh = played - screen->played_before;
    if (fresh) {
        char duration[32];
        double elapsed_s = (double)(clock_now_ns() - screen->started_ns) / 1e9;
        tournament_args_duration(elapsed_s / fresh * (double)left, duration, sizeof duration);
        fprintf(out, ", about %s left", duration);
    }
    fputc('\n', out);
}

/* In the judge's thread: the standings may take at most a hundredth of its time. */
static void on_tick(void *owner, const struct tournament *t)
{
    struct run_screen *screen = owner;
    int64_t now_ns = clock_now_ns();
    char *text = NULL;
    size_t bytes = 0;
    struct note why;
    if (!screen->is_terminal || now_ns < screen->next_ns) {
        return;
    }
    FILE *memory = open_memstream(&text, &bytes);
    if (!memory) {
        return;
    }
    print_progress(screen, t, memory);
    enum err err =
        t->qualifying_games ? ERR_NONE : tournament_table_standings(memory, t, TOP, &why);
    if (fclose(memory) == 0 && !err) {
        terminal_lines_show(&screen->lines, text);
    }
    free(text);
    int64_t cost_ns = clock_now_ns() - now_ns;
    screen->next_ns = now_ns + (100 * cost_ns > CLOCK_NS_PER_S ? 100 * cost_ns : CLOCK_NS_PER_S);
}

static void on_warning(void *owner, const char *sentence)
{
    struct run_screen *screen = owner;
    terminal_lines_erase(&screen->lines);
    fprintf(stderr, "plum %s: %s\n", screen->command, sentence);
}

static void on_qualification(void *owner, const struct estimate *e)
{
    char typical[32];
    char worst[32];
    char late[32];
    struct note sentence;
    const struct run_screen *screen = owner;
    tournament_args_duration(e->typical_s, typical, sizeof typical);
    tournament_args_duration(e->worst_s, worst, sizeof worst);
    tournament_args_duration(e->late_game_s[0], late, sizeof late);
    if (screen->session->workers.coordinator) {
        note_set(&sentence,
                 "qualification: %lld games against random (a program that uses all its time takes "
                 "%s a game)",
                 (long long)e->games, late);
    } else {
        note_set(&sentence,
                 "qualification: %lld games against random, %d at once: about %s if a turn takes "
                 "a tenth of its limit, at most %s (a program that uses all its time takes %s a "
                 "game)",
                 (long long)e->games, e->slots, typical, worst, late);
    }
    on_warning(owner, sentence.text);
}

static void on_remark(void *owner, const char *sentence)
{
    struct run_screen *screen = owner;
    const char *fresh = terminal_remarks_add(&screen->remarks, sentence);
    if (fresh) {
        on_warning(owner, fresh);
    }
}

/* --- The end --- */

/* How to continue. */
static void explain(const struct args *args, const struct tournament_file *file, enum err err,
                    struct note *why)
{
    const struct tournament *t = &file->tournament;
    bool is_run = args->command != &cmd_tournament_qualify;
    char word[200];
    const char *saved = store_saved(file->store);
    const char *path = shell_word(saved ? saved : store_path(file->store), word, sizeof word);
    const char *port = is_run ? args_option(args, "serve") : NULL;
    const char *letters = is_run && args_option(args, "anonymous") ? " --anonymous" : "";
    struct note how;
    note_set(&how, "plum tournament %s %.150s%s%s%s%s", is_run ? "resume" : "qualify", path,
             port ? " --serve" : "", port && *port ? "=" : "", port ? port : "", letters);
    struct note start = how;
    if (!workers_args_write(args, how.text, sizeof how.text)) {
        note_set(&how, "%.300s and the same options", start.text);
    }
    if (err == ERR_INTERRUPTED && t->qualifying_games) {
        note_set(why, "stopped in the qualification; continue with: %s", how.text);
    } else if (err == ERR_INTERRUPTED) {
        note_set(why, "stopped after %zu of %lld games; continue with: %s",
                 tournament_count(t, GAME_PLAYED), (long long)tournament_expected_games(t),
                 how.text);
    } else if (saved || !store_is_lost(file->store)) {
        struct note reason = *why;
        int room = (int)(sizeof why->text - strlen(how.text)) - 30; /* the command is not cut */
        note_set(why, "%.*s; %s: %s", room > 60 ? room : 60, reason.text,
                 saved ? "continue with" : "when that is fixed", how.text);
    }
}

static enum err print_standings(const struct args *args, const struct tournament_file *file,
                                struct note *why)
{
    const struct tournament *t = &file->tournament;
    if (args_option(args, "json")) {
        return tournament_table_json(t, false, why);
    }
    enum err err = tournament_table_standings(stdout, t, TABLE_ALL, why);
    return err ? err : tournament_table_attempts(stdout, "\n", file->store, &file->roster, why);
}

/* A session with its screen. */
static struct tournament_session make_session(const struct args *args, struct tournament_file *file,
                                              struct run_screen *screen)
{
    *screen = (struct run_screen){
        .command = args->command->name,
        .is_terminal = isatty(STDERR_FILENO),
        .lines = {.terminal = stderr},
    };
    return (struct tournament_session){
        .file = file,
        .cpu = args->cpu,
        .stop = interrupt_sets_flag(),
        .owner = screen,
        .on_qualification = on_qualification,
        .on_tick = on_tick,
        .on_warning = on_warning,
        .on_remark = on_remark,
    };
}

static enum err read_wish(const struct args *args, struct tournament_workers_wish *wish,
                          struct note *why)
{
    wish->slowest_percent = TOURNAMENT_WORKERS_SLOWEST_PERCENT;
    enum err err = workers_args_read(args, wish, why);
    err = err ? err
              : workers_args_percent(args, "slowest", TOURNAMENT_WORKERS_MAX_SLOWEST_PERCENT,
                                     &wish->slowest_percent, why);
    return err ? err : workers_args_percent(args, "verify", 100, &wish->verify_percent, why);
}

/* Prepares the players, then plays: all, or only the qualification. *has_begun is set when nothing
 * prevents the first game. */
static enum err play(const struct args *args, struct tournament_file *file,
                     enum err (*play_games)(struct tournament_session *session, struct note *why),
                     bool *has_begun, struct note *why)
{
    struct run_screen screen;
    struct tournament_session session = make_session(args, file, &screen);
    screen.session = &session;
    enum err err = ARGS_FIELDS(
        args, why,
        {"concurrency", ARGS_INT, &session.concurrency, 1, TOURNAMENT_SESSION_MAX_CONCURRENCY});
    err = err ? err : read_wish(args, &session.wish, why);
    if (!err) {
        err = tournament_session_prepare(&session, &problems, why);
        tournament_args_print_problems(store_path(file->store), &problems);
    }
    if (err == ERR_INTERRUPTED) {
        char word[200];
        note_set(why, "interrupted before the first game; continue with: plum %s %.150s",
                 args->command->name, shell_word(args->values[0], word, sizeof word));
    }
    if (!err) {
        *has_begun = true;
        err = play_games(&session, why);
        terminal_lines_erase(&screen.lines);
        if (err) {
            explain(args, file, err, why);
        }
    }
    tournament_session_free(&session);
    return err;
}

static enum err serve_and_play(const struct args *args, struct tournament_file *file,
                               bool *has_begun, struct note *why)
{
    struct web_server *server = NULL;
    enum err err = serving_start(args, store_path(file->store), &server, why);
    err = err ? err : play(args, file, tournament_session_play, has_begun, why);
    err = err ? err : print_standings(args, file, why);
    if (!err) {
        serving_linger(server);
    }
    web_server_stop(server);
    return err;
}

/* --- The commands --- */

/* A corrected command must be able to create it. */
static void close_or_remove(struct tournament_file *file, bool is_removed)
{
    if (is_removed) {
        tournament_file_remove(file);
    } else {
        tournament_file_close(file);
    }
}

static void print_remark(const char *sentence)
{
    fprintf(stderr, "plum tournament qualify: %s\n", sentence);
}

static enum err qualify(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    bool has_begun = false;
    bool is_new = true;
    if (!args->repeat_count != !args_option(args, "reason")) {
        return note_fail(why, ERR_INPUT, "%s",
                         args->repeat_count ? "--again needs a reason: --reason TEXT"
                                            : "--reason is for --again TEAM");
    }
    enum err err = tournament_session_enter(&file, args->values[0], args_option(args, "db"),
                                            args->cpu, &is_new, &problems, why);
    if (err) {
        tournament_args_print_problems(args->values[0], &problems);
        tournament_file_close(&file);
        return err;
    }
    if (args->repeat_count) {
        err = qualifier_again(&file, args->repeats, args->repeat_count, args_option(args, "reason"),
                              args->cpu, print_remark, why);
    }
    if (!err && !is_new) {
        tournament_args_print_edits(file.store, &file.tournament);
    }
    err = err ? err : play(args, &file, tournament_session_qualify, &has_begun, why);
    if (!err && args_option(args, "json")) {
        tournament_table_qualification_json(&file.tournament);
    } else if (!err) {
        tournament_table_qualification(&file.tournament);
        err = tournament_table_attempts(stdout, "\n", file.store, &file.roster, why);
    }
    close_or_remove(&file, is_new && !has_begun);
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    bool has_begun = false;
    bool is_new = true;
    enum err err = tournament_session_begin(&file, args->values[0], args_option(args, "db"),
                                            args->cpu, &is_new, &problems, why);
    if (err) {
        tournament_args_print_problems(args->values[0], &problems);
        tournament_file_close(&file);
        return err;
    }
    if (!is_new) {
        tournament_args_print_edits(file.store, &file.tournament);
    }
    err = serve_and_play(args, &file, &has_begun, why);
    close_or_remove(&file, is_new && !has_begun);
    return err;
}

static enum err resume(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    bool has_begun = false;
    enum err err = tournament_file_open(&file, args->values[0], STORE_CHANGE, args->cpu, why);
    if (!err) {
        tournament_args_print_edits(file.store, &file.tournament);
        err = serve_and_play(args, &file, &has_begun, why);
    }
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_qualify = {
    .name = "tournament qualify",
    .run = qualify,
    .summary = "let every team play two games against 'random' before the first round",
    .operands = "FILE",
    .options = {{"again", "TEAM...", "play its games again; may be given several times"},
                {"reason", "TEXT", "the reason for --again, which needs one, for the audit log"},
                {"db", "FILE", "the database of the roster (the roster's name with .db)"},
                {"concurrency", "N", "games at once (one core an agent, one for the judge)"},
                {"workers", "[HOST:PORT]", "other machines play (all networks, port 7586)"},
                {"queue", "URL", "the same over a NATS server that runs already"},
                {"lease", "SECONDS", "how long a silent worker keeps its pairing (30)"},
                {"slowest", "PERCENT", "refuse workers slower than that of this machine (50)"},
                {"verify", "PERCENT", "let two machines play that share, and compare (0)"},
                {"json", NULL, "print JSON"}},
};

const struct command cmd_tournament_run = {
    .name = "tournament run",
    .run = run,
    .summary = "play the tournament that a roster describes",
    .operands = "FILE",
    .options = {{"db", "FILE", "the database to make (the roster's name with .db)"},
                {"concurrency", "N", "games at once (one core an agent, one for the judge)"},
                {"serve", "[PORT]", "open a page on this machine to watch it on (8080)"},
                {"anonymous", NULL, "the teams on that page are letters"},
                {"workers", "[HOST:PORT]", "other machines play (all networks, port 7586)"},
                {"queue", "URL", "the same over a NATS server that runs already"},
                {"lease", "SECONDS", "how long a silent worker keeps its pairing (30)"},
                {"slowest", "PERCENT", "refuse workers slower than that of this machine (50)"},
                {"verify", "PERCENT", "let two machines play that share, and compare (0)"},
                {"json", NULL, "print the standings as JSON"}},
};

const struct command cmd_tournament_resume = {
    .name = "tournament resume",
    .run = resume,
    .summary = "continue a tournament that was stopped",
    .operands = "FILE",
    .options = {{"concurrency", "N", "games at once (one core an agent, one for the judge)"},
                {"serve", "[PORT]", "open a page on this machine to watch it on (8080)"},
                {"anonymous", NULL, "the teams on that page are letters"},
                {"workers", "[HOST:PORT]", "other machines play (all networks, port 7586)"},
                {"queue", "URL", "the same over a NATS server that runs already"},
                {"lease", "SECONDS", "how long a silent worker keeps its pairing (30)"},
                {"slowest", "PERCENT", "refuse workers slower than that of this machine (50)"},
                {"verify", "PERCENT", "let two machines play that share, and compare (0)"},
                {"json", NULL, "print the standings as JSON"}},
};
