#include "app/check_trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"

static const struct {
    const char *name;
    const char *spec;
    enum spending spending;
} opponents[] = {
    [CHECK_RANDOM] = {"random", "random", SPENDING_ANY},
    [CHECK_LOW_LEVEL] = {"builtin:2", "builtin:2", SPENDING_ANY},
    [CHECK_SAVER] = {"an opponent that saves", "random", SPENDING_SLOW},
    [CHECK_SPENDER] = {"an opponent that spends", "random", SPENDING_QUICK},
};

const char *check_opponent_name(enum check_opponent opponent) { return opponents[opponent].name; }

int check_trial_finished(const struct check_trial *trial)
{
    int finished = 0;
    for (int i = 0; i < trial->game_count; i++) {
        finished += trial->games[i].is_finished;
    }
    return finished;
}

const struct check_fault *check_trial_upset(const struct check_trial *trial)
{
    for (int i = 0; i < trial->fault_count; i++) {
        const struct check_fault *at = &trial->faults[i];
        if (at->loses_game || at->fault.kind != FAULT_INVALID) {
            return at;
        }
    }
    return NULL;
}

bool check_trial_is_sound(const struct check_trial *trial) { return !check_trial_upset(trial); }

/* --- What happens --- */

static struct check_game *begin_game(struct check_watch *run, int game)
{
    if (game >= run->trial->game_count) {
        run->trial->game_count = game + 1;
        run->last_move[SIDE_BLACK] = run->last_move[SIDE_WHITE] = MOVE_PATH;
    }
    return &run->trial->games[game];
}

/* The program's number for the judge: in the second game they have traded places. */
static int program_in(const struct check_watch *run, int game)
{
    return game % 2 == 0 ? run->program : 1 - run->program;
}

static void take_facts(struct check_watch *run, int game, const struct judge *judge)
{
    struct check_game *out = begin_game(run, game);
    int program = program_in(run, game);
    out->colour = judge->colour[program];
    out->has_bid = judge->has_bid[program];
    out->bid = judge->bids[program];
    out->plies = judge->move_count;
}

/* The game has begun, that long ago. */
static void note_start(struct check_watch *run, int64_t ago_ns)
{
    if (!run->trial->is_started) {
        run->trial->is_started = true;
        run->trial->startup_ns = clock_now_ns() - ago_ns - run->started_ns;
    }
}

static void note_time(struct check_trial *trial, struct check_game *game, int64_t time_ns)
{
    trial->longest_ns = time_ns > trial->longest_ns ? time_ns : trial->longest_ns;
    game->longest_ns = time_ns > game->longest_ns ? time_ns : game->longest_ns;
}

static void note_ply(struct check_watch *run, int game, const struct judge_ply *ply)
{
    struct check_trial *trial = run->trial;
    note_start(run, ply->time_ns);
    run->last_move[ply->side] = (enum move_kind)ply->move.kind;
    trial->games[game].passes[ply->side] += ply->move.kind == MOVE_PASS;
    if (ply->was_asked && ply->side == trial->games[game].colour) {
        trial->games[game].turns++;
        trial->last_ns = ply->time_ns;
        note_time(trial, &trial->games[game], ply->time_ns);
    }
}

/* The judge reports one move twice where it is late first and lost later. */
static bool is_same_late_move(struct check_watch *run, int game, const struct game_fault *fault)
{
    bool is_same = fault->kind == FAULT_LATE && run->last_late_game == game &&
                   run->last_late_ply == fault->ply;
    if (fault->kind == FAULT_LATE) {
        run->last_late_game = game;
        run->last_late_ply = fault->ply;
    }
    return is_same;
}

static bool loses_game(const struct judge *judge, const struct game_fault *fault, bool is_again)
{
    enum penalty penalty = judge->rules.game->penalties[fault->kind];
    return judge->phase != JUDGE_PLAYING || penalty == PENALTY_LOSS ||
           (penalty == PENALTY_NOTE && is_again);
}

static void note_fault(struct check_watch *run, const struct game_event *event)
{
    struct check_trial *trial = run->trial;
    const struct judge *judge = event->judge;
    const struct game_fault *fault = event->fault;
    if (judge->phase == JUDGE_PLAYING) {
        note_start(run, judge->last_fault_ns);
    }
    if (fault->player != run->program) {
        return;
    }
    struct check_game *out = &trial->games[event->game];
    bool is_again = is_same_late_move(run, event->game, fault);
    bool is_lost = loses_game(judge, fault, is_again);
    out->faults[fault->kind] += !is_again;
    note_time(trial, out, judge->last_fault_ns);
    if ((out->faults[fault->kind] == 1 || is_lost) && trial->fault_count < CHECK_MAX_FAULTS) {
        trial->faults[trial->fault_count++] = (struct check_fault){
            .fault = *fault,
            .cause = *event->cause,
            .game = event->game,
            .side = out->colour,
            .phase = judge->phase,
            .loses_game = is_lost,
            .other_passed = run->last_move[side_other(out->colour)] == MOVE_PASS,
            .own_passed = run->last_move[out->colour] == MOVE_PASS,
            .turns = out->turns,
        };
    }
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

/* The last lines of one of its streams that fit; `stream` may be NULL. */
static void keep_end(player_stream_fn *stream, const struct player *program,
                     char out[CHECK_LOG_BYTES])
{
    char *text = player_read_stream(program, stream);
    size_t length = text ? strlen(text) : 0;
    size_t first = length > CHECK_LOG_BYTES - 1 ? length - (CHECK_LOG_BYTES - 1) : 0;
    if (text) {
        const char *line = first ? strchr(text + first, '\n') : NULL;
        snprintf(out, CHECK_LOG_BYTES, "%s", line ? line + 1 : text + first);
        clean_lines(out);
    }
    free(text);
}

static void keep_streams(struct check_trial *trial, const struct player *program)
{
    trial->conduct = program->class->conduct(program);
    keep_end(program->class->log, program, trial->log);
    keep_end(program->class->output, program, trial->output);
}

static bool has_seen_enough(const struct check_trial *trial)
{
    const struct check_game *game = &trial->games[trial->game_count ? trial->game_count - 1 : 0];
    return (trial->fault_count && !trial->is_started) ||
           game->faults[FAULT_LATE] >= CHECK_MAX_LATE ||
           (trial->plan.plies && game->plies >= trial->plan.plies);
}

/* --- Public --- */

enum err check_watch_prepare(struct check_watch *run, struct check_trial *trial,
                             const struct check_plan *plan, const struct pairing_rules *rules,
                             const struct player_spec *program, struct pairing_task *out,
                             struct note *why)
{
    enum err err =
        player_spec_read(opponents[plan->opponent].spec, rules->judge.game, &run->opponent, why);
    if (err) {
        return err;
    }
    run->opponent.spending = opponents[plan->opponent].spending;
    run->opponent.has_bid = plan->has_auction;
    run->opponent.bid = plan->bid;
    run->trial = trial;
    run->program = plan->is_white ? 1 : 0;
    run->started_ns = clock_now_ns();
    run->last_late_game = run->last_late_ply = -1;
    *trial = (struct check_trial){.plan = *plan};
    *out = (struct pairing_task){
        .rules = *rules,
        .seed = plan->seed,
        .hang_up_at = plan->hang_up_at,
        .is_final = true,
        .is_unrecorded = true,
    };
    if (plan->hang_up_at) { /* a program that thinks for long has to do it twice */
        out->rules.judge.limit_ns *= 2;
    }
    out->specs[run->program] = program;
    out->specs[1 - run->program] = &run->opponent;
    return ERR_NONE;
}

bool check_watch_take(struct check_watch *run, const struct game_event *event)
{
    switch (event->kind) {
    case GAME_EVENT_PLY:
        take_facts(run, event->game, event->judge);
        note_ply(run, event->game, event->ply);
        return has_seen_enough(run->trial);
    case GAME_EVENT_FAULT:
        take_facts(run, event->game, event->judge);
        note_fault(run, event);
        return has_seen_enough(run->trial);
    case GAME_EVENT_PLAYER_CLOSED:
        if (event->player == run->program) {
            keep_streams(run->trial, event->closed);
        }
        return false;
    default:
        return false;
    }
}

const struct check_game *check_watch_finish(struct check_watch *run,
                                            const struct finished_game *game)
{
    struct check_game *out = begin_game(run, game->index);
    out->colour = game->summary.colour[run->program];
    out->plies = (size_t)game->summary.plies;
    out->summary = game->summary;
    out->is_finished = true;
    return out;
}
