#include "cli/tournament_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/shell_word.h"
#include "app/match_runner.h"
#include "app/entrants.h"
#include "cli/interrupt.h"
#include "cli/roster_remarks.h"
#include "cli/terminal.h"
#include "app/tournament_runner.h"
#include "cli/tournament_screen.h"
#include "cli/tournament_table.h"
#include "app/sandbox_setup.h"

enum { MAX_CONCURRENCY = 1000 };

struct run {
    struct tournament_file *file;
    const struct args *args;
    struct entrants entrants;
    struct sandbox sandbox;
    int concurrency;
    struct tournament_screen screen;
    struct terminal_remarks remarks;
};

int tournament_run_concurrency(void)
{
    int pairs = (match_runner_cores() - 1) / 2;
    return pairs > 1 ? pairs : 1;
}

/* --- What is said while it runs --- */

static void on_tick(void *owner, const struct tournament *t)
{
    struct run *run = owner;
    tournament_screen_draw(&run->screen, t);
}

static void say(struct run *run, const char *sentence)
{
    tournament_screen_wipe(&run->screen);
    fprintf(stderr, "plum %s: %s\n", run->args->command->name, sentence);
}

static void on_remark(void *owner, const char *sentence)
{
    struct run *run = owner;
    const char *fresh = terminal_remarks_add(&run->remarks, sentence);
    if (fresh) {
        say(run, fresh);
    }
}

/* --- Before --- */

static enum err enter_folder(const struct tournament_file *file, struct note *why)
{
    const char *folder = store_folder(file->store);
    if (chdir(folder)) {
        note_set(why, "the roster's folder %.200s: %s", folder, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

/* Beside the roster and named after the database; a shell must be able to read it as one word. */
static void name_agents_folder(const struct store *store, char *out, size_t room)
{
    const char *path = store_path(store);
    const char *slash = strrchr(path, '/');
    snprintf(out, room, "./%.100s.agents", slash ? slash + 1 : path);
    for (char *at = out; *at; at++) {
        bool is_plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                        (*at >= '0' && *at <= '9') || strchr("./_-", *at);
        *at = is_plain ? *at : '_';
    }
}

static enum err refuse_missing(struct run *run, struct note *why)
{
    struct roster_problems *problems = calloc(1, sizeof *problems);
    if (!problems) {
        note_set(why, "no memory");
        return ERR_ENVIRONMENT;
    }
    entrants_find_missing(&run->file->roster, problems);
    bool is_good = problems->count == 0;
    if (!is_good) {
        roster_remarks_problems(store_path(run->file->store), problems);
        roster_problems_sum_up(problems, store_path(run->file->store), why);
    }
    free(problems);
    return is_good ? ERR_NONE : ERR_INPUT;
}

static enum err choose_concurrency(struct run *run, struct note *why)
{
    const struct roster *roster = &run->file->roster;
    int64_t wish = roster->concurrency ? roster->concurrency : tournament_run_concurrency();
    enum err err = args_number(run->args, "concurrency", 1, MAX_CONCURRENCY, &wish, why);
    run->concurrency = (int)wish;
    return err;
}

static void warn_of_sharing(struct run *run)
{
    bool is_chosen = args_option(run->args, "concurrency") || run->file->roster.concurrency;
    if (run->entrants.has_thinkers && 2 * run->concurrency + 1 > match_runner_cores()) {
        char sentence[160];
        snprintf(sentence, sizeof sentence,
                 "%d core%s for %d game%s at once%s: the judge and the agents share them",
                 match_runner_cores(), match_runner_cores() == 1 ? "" : "s", run->concurrency,
                 run->concurrency == 1 ? "" : "s", is_chosen ? "" : ", the fewest there can be");
        say(run, sentence);
    }
}

static void on_setup_remark(void *owner, const char *sentence) { say(owner, sentence); }

static enum err prepare_sandbox(struct run *run, struct note *why)
{
    const struct roster *roster = &run->file->roster;
    struct sandbox_limits limits = sandbox_limits_default();
    struct sandbox_setup_player *players = calloc((size_t)run->entrants.count, sizeof *players);
    limits.memory_bytes = roster->memory_bytes;
    if (!players) {
        note_set(why, "no memory for %d teams", run->entrants.count);
        return ERR_ENVIRONMENT;
    }
    for (int i = 0; i < run->entrants.count; i++) {
        const struct entrant *entrant = &run->entrants.list[i];
        players[i].spec = entrant->can_play ? &entrant->spec : NULL;
        snprintf(players[i].name, sizeof players[i].name, "team %s", roster->teams[i].id);
    }
    struct sandbox_setup setup = {
        .mode = roster->sandbox,
        .limits = &limits,
        .python = roster->python,
        .players = players,
        .player_count = run->entrants.count,
        .concurrency = run->concurrency,
        .owner = run,
        .on_remark = on_setup_remark,
    };
    enum err err = sandbox_setup_prepare(&setup, &run->sandbox, why);
    run->concurrency = setup.concurrency;
    free(players);
    return err;
}

static enum err prepare(struct run *run, struct note *why)
{
    char folder[128];
    const atomic_bool *is_interrupted = interrupt_sets_flag();
    enum err err = choose_concurrency(run, why);
    if (!err) {
        err = enter_folder(run->file, why);
    }
    if (!err) {
        err = refuse_missing(run, why);
    }
    if (!err) {
        name_agents_folder(run->file->store, folder, sizeof folder);
        err = entrants_make(&run->file->roster, folder, is_interrupted, run->file->store,
                            &run->entrants, why);
    }
    if (!err) {
        err = entrants_save_hashes(&run->file->roster, run->file->store, run, on_remark, why);
    }
    if (!err) {
        warn_of_sharing(run);
        err = prepare_sandbox(run, why);
    }
    if (!err && atomic_load(is_interrupted)) {
        err = ERR_INTERRUPTED;
    }
    if (err == ERR_INTERRUPTED) {
        char word[200];
        note_set(why, "interrupted before the first game; continue with: plum %s %.150s",
                 run->args->command->name, shell_word(run->args->values[0], word, sizeof word));
    }
    return err;
}

/* --- After --- */

static enum err print_standings(const struct run *run, struct note *why)
{
    const struct tournament *t = &run->file->tournament;
    if (!args_option(run->args, "json")) {
        return tournament_table_standings(stdout, t, TABLE_ALL, why);
    }
    return tournament_table_json(t, false, why);
}

/* What a person needs to go on. */
static void explain(const struct run *run, enum err err, struct note *why)
{
    const struct tournament *t = &run->file->tournament;
    char word[200];
    const char *saved = store_saved(run->file->store);
    const char *path = shell_word(saved ? saved : store_path(run->file->store), word, sizeof word);
    const char *port = args_option(run->args, "serve");
    if (err == ERR_INTERRUPTED) {
        note_set(why,
                 "stopped after %zu of %lld games; go on with: plum tournament resume %.150s%s%s%s",
                 tournament_table_count(t, GAME_PLAYED), (long long)tournament_expected_games(t),
                 path, port ? " --serve" : "", port && *port ? "=" : "", port ? port : "");
    } else if (saved || !store_is_lost(run->file->store)) {
        struct note reason = *why;
        note_set(why, "%.170s; %s: plum tournament resume %.110s", reason.text,
                 saved ? "continue with" : "when that is fixed", path);
    }
}

static enum err play(struct run *run, struct note *why)
{
    struct store *store = run->file->store;
    const struct tournament_runner_options options = {
        .store = store,
        .roster = &run->file->roster,
        .entrants = &run->entrants,
        .cpu_level = run->args->cpu,
        .sandbox = run->entrants.has_programs ? &run->sandbox : NULL,
        .concurrency = run->concurrency,
        .owner = run,
        .on_tick = on_tick,
        .on_remark = on_remark,
    };
    enum err err = store_audit(store, "run", "", why);
    if (!err) {
        run->screen = tournament_screen_open(&run->file->tournament);
        err = tournament_runner_play(&options, &run->file->tournament, why);
        tournament_screen_wipe(&run->screen);
    }
    if (!err || err == ERR_INTERRUPTED) {
        struct note unwritten;
        enum err noted = store_audit(store, err ? "stopped" : "finished", "", &unwritten);
        if (!noted) {
            noted = err ? store_confirm(store, &unwritten)
                        : store_verify(store,
                                       tournament_table_count(&run->file->tournament, GAME_PLAYED),
                                       &unwritten);
        }
        if (noted) {
            *why = unwritten;
            err = noted;
        }
    }
    if (err) {
        explain(run, err, why);
    }
    return err;
}

enum err tournament_run(struct tournament_file *file, const struct args *args, bool *has_begun,
                        struct note *why)
{
    struct run *run = calloc(1, sizeof *run);
    if (!run) {
        note_set(why, "no memory");
        return ERR_ENVIRONMENT;
    }
    run->file = file;
    run->args = args;
    enum err err = prepare(run, why);
    if (!err) {
        *has_begun = true;
        err = play(run, why);
    }
    if (!err) {
        err = print_standings(run, why);
    }
    entrants_free(&run->entrants);
    free(run);
    return err;
}
