#include "play/match_source.h"

#include "play/pool.h"

struct match_source {
    const struct match_source_options *options;
    struct match_score *score;
    struct pool *pool;
    int next_game;
};

/* --- Which games are next --- */

static bool next(void *owner, struct tournament_work *out)
{
    struct match_source *s = owner;
    const struct match_options *match = &s->options->match;
    int left = match->games - s->next_game;
    int count = !match->rules.is_selfplay && left > 1 ? 2 : 1;
    if (left == 0) {
        return false;
    }
    *out =
        (struct tournament_work){.pairing = s->next_game, .first_game = s->next_game, .to = count};
    s->next_game += count;
    return true;
}

static void describe(void *owner, const struct tournament_work *work, struct pool_pairing *out)
{
    const struct match_source *s = owner;
    const struct match_options *match = &s->options->match;
    (void)work;
    out->task = (struct pairing_task){
        .rules = match->rules,
        .seed = match->seed,
        .date = match->date,
        .sandbox = match->sandbox,
        .specs = {s->options->specs[0], s->options->specs[1]},
        .openings = match->openings,
        .opening_count = match->opening_count,
        .is_final = true,
        .is_unrecorded = !match->keeps_records,
    };
}

static bool is_over(void *owner, bool is_stopping)
{
    const struct match_source *s = owner;
    return is_stopping || s->score->games == s->options->match.games;
}

/* --- What happens --- */

static void on_event(void *owner, const struct pool_place *place, const struct game_event *event)
{
    struct match_source *s = owner;
    const struct match_source_options *options = s->options;
    const struct judge *judge = event->judge;
    int game = place->work->first_game + event->game;
    switch (event->kind) {
    case GAME_EVENT_PLY:
        if (event->ply->was_asked) {
            match_score_add_time(s->score, event->player, event->ply->time_ns);
        }
        if (options->on_ply) {
            options->on_ply(options->owner, game, event);
        }
        break;
    case GAME_EVENT_FAULT:
        match_log_fault(options->log, game, judge->colour[judge->last_fault.player], event->fault);
        break;
    case GAME_EVENT_PLAYER_CLOSED:
        match_log_streams(options->log, event->player, event->closed);
        break;
    default:
        break;
    }
}

static void on_game(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game)
{
    struct match_source *s = owner;
    struct note why = {""};
    (void)machine;
    match_score_add(s->score, &take_game->summary);
    enum err err = s->options->on_game(s->options->owner, work->first_game + take_game->index,
                                       take_game, &why);
    finished_game_free(take_game);
    if (err || s->score->sprt != SPRT_OPEN) {
        pool_stop(s->pool, err, &why);
    }
}

static void on_remark(void *owner, const char *sentence)
{
    const struct match_source *s = owner;
    s->options->on_remark(s->options->owner, sentence);
}

static const struct pool_source source = {
    .next = next,
    .describe = describe,
    .on_event = on_event,
    .on_game = on_game,
    .is_over = is_over,
    .on_remark = on_remark,
};

/* --- Public --- */

enum err match_source_play(const struct match_source_options *options, struct match_score *score,
                           struct note *why)
{
    struct match_source s = {.options = options, .score = score};
    const struct pool_options pool = {
        .source = &source,
        .owner = &s,
        .setup = {.cpu_level = options->cpu_level,
                  .sandbox = options->sandbox,
                  .screen = options->screen,
                  .restart = options->restart,
                  .has_tcp = options->specs[0]->kind == PLAYER_TCP ||
                             options->specs[1]->kind == PLAYER_TCP},
        .slots = options->concurrency,
        .is_ordered = true,
    };
    score->has_pairs = !options->match.rules.is_selfplay;
    enum err err = pool_open(&s.pool, &pool, why);
    if (err) {
        return err;
    }
    err = pool_run(s.pool, why);
    pool_free(s.pool);
    if (err == ERR_INTERRUPTED) {
        note_set(why, "interrupted after %d of %d games", score->games, options->match.games);
    }
    return err;
}
