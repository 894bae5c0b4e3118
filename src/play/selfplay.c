#include "play/selfplay.h"

#include "play/selfplay_file.h"
#include "play/selfplay_workers.h"
#include "base/clock.h"

struct selfplay_run {
    const struct selfplay_options *options;
    FILE *file;
    enum err err; /* of a record that could not be written */
    struct note why;
};

static void on_game_event(void *owner, const struct game_event *event)
{
    struct selfplay_run *run = owner;
    const struct selfplay_options *options = run->options;
    if (event->kind != GAME_EVENT_OVER) {
        return;
    }
    run->err = record_append(&event->finished->record, run->file, options->path, &run->why);
    if (run->err) {
        match_stop(event->match);
    }
    if (options->on_progress) {
        int played = match_score(event->match)->games;
        options->on_progress(options->owner, options->match.from + played, played);
    }
}

/* The games must not depend on the load of the machine: a late player is waited for. */
static void set_limits(struct judge_rules *rules)
{
    const int64_t patience_ns = 3600 * CLOCK_NS_PER_S;
    rules->limit_ns = (int64_t)(rules->game->time_limit_s * 1e9);
    rules->grace_ns = patience_ns;
    rules->startup_ns = patience_ns;
    rules->hard_limit_ns = patience_ns;
    rules->game_limit_ns = 24 * patience_ns;
}

static enum err play(struct selfplay_run *run, int *played, struct note *why)
{
    const struct selfplay_options *options = run->options;
    const struct game_sink sink = {run, on_game_event};
    struct match *match = NULL;
    const struct match_runner_options runner = {.match = options->match,
                                                .specs = {&options->player, &options->player},
                                                .cpu_level = options->cpu};
    enum err err = match_runner_run(&runner, &sink, &match, why);
    *played = match ? match_score(match)->games : 0;
    match_free(match);
    if (run->err) {
        *why = run->why;
        return run->err;
    }
    return err;
}

enum err selfplay_run(struct selfplay_options *options, int *played, struct note *why)
{
    struct selfplay_run run = {.options = options};
    char date[CLOCK_DATE_BYTES];
    clock_write_today(date);
    options->match.date = date;
    options->match.keeps_records = true;
    set_limits(&options->match.rules);
    *played = 0;
    enum err err = selfplay_file_open(options, &run.file, &options->match.from, why);
    if (err) {
        return err;
    }
    if (options->match.from < options->match.games) {
        err = options->wish.address || options->wish.url
                  ? selfplay_workers_play(options, run.file, played, why)
                  : play(&run, played, why);
    }
    if (fclose(run.file) && !err) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %m", options->path);
    }
    return err;
}
