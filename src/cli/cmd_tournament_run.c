/* cmd_tournament_run: run and resume, and what a person sees while a tournament runs. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/tournament_session.h"
#include "base/clock.h"
#include "base/shell_word.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/serving.h"
#include "cli/terminal.h"
#include "cli/tournament_args.h"
#include "cli/tournament_table.h"

enum { TOP = 10 }; /* rows of the standings while it runs */

static struct roster_problems problems; /* too large for the stack */

/* On standard error, if that is a terminal: progress, an estimate and the top of the standings. */
struct run_screen {
    const char *command;
    bool is_terminal;
    int64_t started_ns;
    size_t played_before; /* games, when it started */
    int64_t next_ns;      /* when to draw again */
    struct terminal_lines lines;
    struct terminal_remarks remarks;
};

/* --- While it runs --- */

static void print_progress(const struct run_screen *screen, const struct tournament *t, FILE *out)
{
    size_t played = tournament_count(t, GAME_PLAYED);
    int64_t total = tournament_expected_games(t);
    int64_t left = total - (int64_t)(played + tournament_count(t, GAME_ANNULLED) +
                                     tournament_count(t, GAME_CANCELLED));
    size_t fresh = played - screen->played_before;
    fprintf(out, "%s: round %d of %d, %zu of %lld games", t->roster->name, tournament_round(t),
            t->roster->rounds, played, (long long)total);
    if (fresh) {
        char duration[32];
        double elapsed_s = (double)(clock_now_ns() - screen->started_ns) / 1e9;
        tournament_args_duration(elapsed_s / (double)fresh * (double)left, duration,
                                 sizeof duration);
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
    enum err err = tournament_table_standings(memory, t, TOP, &why);
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
    char word[200];
    const char *saved = store_saved(file->store);
    const char *path = shell_word(saved ? saved : store_path(file->store), word, sizeof word);
    const char *port = args_option(args, "serve");
    if (err == ERR_INTERRUPTED) {
        note_set(why,
                 "stopped after %zu of %lld games; continue with: plum tournament resume "
                 "%.150s%s%s%s%s",
                 tournament_count(t, GAME_PLAYED), (long long)tournament_expected_games(t), path,
                 port ? " --serve" : "", port && *port ? "=" : "", port ? port : "",
                 args_option(args, "anonymous") ? " --anonymous" : "");
    } else if (saved || !store_is_lost(file->store)) {
        struct note reason = *why;
        note_set(why, "%.230s; %s: plum tournament resume %.110s", reason.text,
                 saved ? "continue with" : "when that is fixed", path);
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

/* *has_begun is set when nothing prevents the first game. */
static enum err play(const struct args *args, struct tournament_file *file, bool *has_begun,
                     struct note *why)
{
    struct run_screen screen = {
        .command = args->command->name,
        .is_terminal = isatty(STDERR_FILENO),
        .lines = {.terminal = stderr},
    };
    struct tournament_session session = {
        .file = file,
        .cpu = args->cpu,
        .stop = interrupt_sets_flag(),
        .owner = &screen,
        .on_tick = on_tick,
        .on_warning = on_warning,
        .on_remark = on_remark,
    };
    enum err err = ARGS_FIELDS(
        args, why,
        {"concurrency", ARGS_INT, &session.concurrency, 1, TOURNAMENT_SESSION_MAX_CONCURRENCY});
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
        screen.started_ns = clock_now_ns();
        screen.played_before = tournament_count(&file->tournament, GAME_PLAYED);
        err = tournament_session_play(&session, why);
        terminal_lines_erase(&screen.lines);
        if (err) {
            explain(args, file, err, why);
        }
    }
    tournament_session_free(&session);
    return err ? err : print_standings(args, file, why);
}

static enum err serve_and_play(const struct args *args, struct tournament_file *file,
                               bool *has_begun, struct note *why)
{
    struct web_server *server = NULL;
    enum err err = serving_start(args, store_path(file->store), &server, why);
    err = err ? err : play(args, file, has_begun, why);
    if (!err) {
        serving_linger(server);
    }
    web_server_stop(server);
    return err;
}

/* --- The commands --- */

static enum err run(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    bool has_begun = false;
    enum err err = tournament_session_create(&file, args->values[0], args_option(args, "db"),
                                             args->cpu, &problems, why);
    if (err) {
        tournament_args_print_problems(args->values[0], &problems);
        tournament_file_close(&file);
        return err;
    }
    err = serve_and_play(args, &file, &has_begun, why);
    if (has_begun) {
        tournament_file_close(&file);
    } else { /* the corrected command must be able to create it */
        tournament_file_remove(&file);
    }
    return err;
}

static enum err resume(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    bool has_begun = false;
    enum err err = tournament_file_open(&file, args->values[0], STORE_CHANGE, args->cpu, why);
    if (!err) {
        tournament_args_print_edits(file.store);
        err = serve_and_play(args, &file, &has_begun, why);
    }
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_run = {
    .name = "tournament run",
    .run = run,
    .summary = "play the tournament that a roster describes",
    .operands = "FILE",
    .details = "FILE is a roster. Every finished game is stored at once in a database next to it\n"
               "(class.ini has class.db). After Ctrl-C, a crash or a power cut 'plum tournament\n"
               "resume' continues, and the final table is the same.\n"
               "\n"
               "On a terminal the standings are shown while it runs. At the end they are\n"
               "printed; the page that --serve has opened then stays until Ctrl-C.",
    .options = {{"db", "FILE", "the database to make (the roster's name with .db)"},
                {"concurrency", "N", "games at once (one core an agent, one for the judge)"},
                {"serve", "[PORT]", "open a page on this machine to watch it on (8080)"},
                {"anonymous", NULL, "the teams on that page are letters"},
                {"json", NULL, "print the standings as JSON"}},
    .examples = {{"plum tournament run class.ini", "play it all"},
                 {"plum tournament run class.ini --serve", "and watch it in a browser"},
                 {"plum tournament run class.ini --db second.db --concurrency 4",
                  "once more, four games at a time"}},
};

const struct command cmd_tournament_resume = {
    .name = "tournament resume",
    .run = resume,
    .summary = "continue a tournament that was stopped",
    .operands = "FILE",
    .details = "FILE is the database. Finished games keep their results; a game that was\n"
               "interrupted is played again from its start with its own seed. Games that 'plum\n"
               "tournament replay' has set aside are also played.",
    .options = {{"concurrency", "N", "games at once (one core an agent, one for the judge)"},
                {"serve", "[PORT]", "open a page on this machine to watch it on (8080)"},
                {"anonymous", NULL, "the teams on that page are letters"},
                {"json", NULL, "print the standings as JSON"}},
    .examples = {{"plum tournament resume class.db", "play what is left"}},
};
