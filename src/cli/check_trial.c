#include "cli/check_trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "cli/arena.h"

enum { PROGRAM, CHANCE }; /* the players of the match */

enum { WHOLE_LOG_BYTES = 80 * 1024 };

static const int64_t progress_ns = CLOCK_NS_PER_S / 5;

struct run {
    const struct check_plan *plan;
    struct check_trial *trial;
    int64_t started_ns;
    int64_t shown_ns;
    size_t plies; /* of the game that runs */
};

/* In the second game they have traded places. */
static int program_in(int game) { return game % 2 == 0 ? PROGRAM : CHANCE; }

static void show_progress(struct run *run, int game)
{
    int64_t now_ns = clock_now_ns();
    if (isatty(STDERR_FILENO) && now_ns - run->shown_ns > progress_ns) {
        run->shown_ns = now_ns;
        fprintf(stderr, "\r\033[Kgame %d, ply %zu", game + 1, run->plies);
    }
}

/* The game has begun, that long ago. */
static void note_start(struct run *run, int64_t ago_ns)
{
    if (!run->trial->is_started) {
        run->trial->is_started = true;
        run->trial->startup_ns = clock_now_ns() - ago_ns - run->started_ns;
    }
}

static void on_ply(void *owner, int game, const struct judge *judge, const struct judge_ply *ply)
{
    struct run *run = owner;
    struct check_trial *trial = run->trial;
    int program = program_in(game);
    run->plies = judge->move_count;
    note_start(run, ply->time_ns);
    if (ply->was_asked && ply->side == judge->colour[program]) {
        trial->last_ms = (double)ply->time_ns / CLOCK_NS_PER_MS;
    }
    trial->games[game].bid = judge->bids[program];
    show_progress(run, game);
}

static void on_fault(void *owner, int game, int player, const struct judge *judge,
                     const struct judge_fault *fault)
{
    struct run *run = owner;
    run->trial->games[game].bid = judge->bids[program_in(game)];
    if (judge->phase == JUDGE_PLAYING) {
        note_start(run, fault->time_ns);
    }
    if (player == PROGRAM && !run->trial->has_fault) {
        run->trial->has_fault = true;
        run->trial->fault = *fault;
        run->trial->fault_side = judge->colour[fault->player];
        run->trial->fault_phase = judge->phase;
    }
}

static bool on_game(void *owner, const struct match_game *game, const struct match_score *score)
{
    struct run *run = owner;
    struct check_game *out = &run->trial->games[run->trial->finished++];
    (void)score;
    out->colour = game->colour[PROGRAM];
    out->plies = game->plies;
    out->result = game->verdict.result;
    return true;
}

/* Nothing but lines of text is left. */
static void clean_lines(char *text)
{
    while (*text) {
        size_t length = utf8_printable(text);
        if (!length && *text != '\n' && *text != '\t') {
            *text = '?';
        }
        text += length ? length : 1;
    }
}

/* The last lines of one of its streams that fit; `read` may be NULL. */
static void keep_end(size_t (*read)(const struct player *, char *, size_t),
                     const struct player *program, char out[CHECK_LOG_BYTES])
{
    char *text = read ? malloc(WHOLE_LOG_BYTES) : NULL;
    size_t length = text ? read(program, text, WHOLE_LOG_BYTES - 1) : 0;
    size_t first = length > CHECK_LOG_BYTES - 1 ? length - (CHECK_LOG_BYTES - 1) : 0;
    if (text) {
        text[length] = '\0';
        const char *line = first ? strchr(text + first, '\n') : NULL;
        snprintf(out, CHECK_LOG_BYTES, "%s", line ? line + 1 : text + first);
        clean_lines(out);
    }
    free(text);
}

static void on_player_closed(void *owner, int player, struct player *closed)
{
    struct run *run = owner;
    if (player == PROGRAM) {
        run->trial->conduct = closed->class->conduct(closed);
        keep_end(closed->class->log, closed, run->trial->log);
        keep_end(closed->class->output, closed, run->trial->output);
    }
}

static void on_remark(void *owner, const char *sentence)
{
    struct run *run = owner;
    note_set(&run->trial->remark, "%s", sentence);
}

static bool has_seen_enough(void *owner)
{
    const struct run *run = owner;
    return run->trial->has_fault || (run->plan->plies && run->plies >= run->plan->plies);
}

static enum err choose_opponent(const struct check_plan *plan, struct player_spec *out,
                                struct note *why)
{
    enum err err = player_spec_read("random", plan->rules.game, out, why);
    if (!err && plan->answer) {
        out->has_bid = true;
        out->bid = *plan->answer;
    }
    return err;
}

static enum err play(struct run *run, const struct player_spec *opponent, struct note *why)
{
    const struct check_plan *plan = run->plan;
    const struct arena_watcher watcher = {.owner = run,
                                          .on_ply = on_ply,
                                          .on_fault = on_fault,
                                          .on_game = on_game,
                                          .on_player_closed = on_player_closed,
                                          .on_remark = on_remark,
                                          .has_seen_enough = has_seen_enough};
    const struct arena_options options = {
        .match = {.rules = plan->rules,
                  .games = plan->games,
                  .swap = true,
                  .seed = plan->seed,
                  .concurrency = 1},
        .specs = {[PROGRAM] = plan->spec, [CHANCE] = opponent},
        .cpu_level = plan->cpu,
        .box = plan->box,
        .python = plan->python,
        .hang_up_at = plan->hang_up_at,
    };
    struct match *match = NULL;
    run->started_ns = clock_now_ns();
    enum err err = arena_run(&options, &watcher, &match, why);
    if (match) {
        struct match_times times = match_score(match)->times[PROGRAM];
        run->trial->answers = times.count;
        run->trial->median_ms = match_time_ms(&times, 0.5);
        run->trial->max_ms = match_time_ms(&times, 1);
        match_free(match);
    }
    if (err == ERR_INTERRUPTED && has_seen_enough(run)) {
        *why = (struct note){""};
        err = ERR_NONE;
    }
    return err;
}

enum err check_trial_run(const struct check_plan *plan, struct check_trial *out, struct note *why)
{
    struct run run = {.plan = plan, .trial = out};
    struct player_spec opponent = {.kind = PLAYER_RANDOM};
    *out = (struct check_trial){.finished = 0};
    enum err err = choose_opponent(plan, &opponent, why);
    if (!err) {
        err = play(&run, &opponent, why);
    }
    if (run.shown_ns) {
        fputs("\r\033[K", stderr);
    }
    return err;
}
