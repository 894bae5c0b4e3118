/* builtin: our engine as a player.
 *
 * Thinking happens in a thread of the player's own, so that neither the judge nor
 * another game waits for it. The loop's thread hands over a question and is woken
 * when the answer is there.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "engine/bid.h"
#include "engine/engine.h"
#include "engine/time_limit.h"
#include "base/loop.h"
#include "player/player_setup.h"

enum { MATCH_HASH_MB = 16 };

struct builtin_question {
    int number; /* 0: none yet */
    const struct game *game;
    struct state state;
    struct engine_limits limits;
};

struct builtin_player {
    struct player player;
    const struct player_spec *spec;
    struct builtin_options options;
    struct engine engine;
    int asked; /* number of the question whose answer is awaited; 0: none */
    int last_number;
    bool is_new_game;

    uv_thread_t thread;
    uv_async_t answered;
    uv_mutex_t lock;
    uv_cond_t changed;
    /* Below: guarded by the lock. */
    struct builtin_question question;
    struct engine_report report;
    int64_t report_ns;
    int report_number;
    int cancelled; /* number of a question that needs no answer */
    bool clear_first;
    bool is_leaving;

    atomic_bool stop;
};

/* --- The thinking thread --- */

static void think(void *owner)
{
    struct builtin_player *self = owner;
    int done = 0;
    uv_mutex_lock(&self->lock);
    for (;;) {
        if (self->question.number == self->cancelled) {
            done = self->cancelled;
        }
        if (!self->is_leaving && self->question.number == done) {
            uv_cond_wait(&self->changed, &self->lock);
            continue;
        }
        if (self->is_leaving) {
            break;
        }
        struct builtin_question question = self->question;
        bool clear_first = self->clear_first;
        self->clear_first = false;
        atomic_store(&self->stop, false);
        uv_mutex_unlock(&self->lock);

        struct engine_report report;
        if (clear_first) {
            engine_clear(&self->engine);
        }
        engine_search(&self->engine,
                      &(struct engine_request){.game = question.game,
                                               .state = &question.state,
                                               .limits = question.limits,
                                               .stop = &self->stop},
                      &report);

        uv_mutex_lock(&self->lock);
        done = question.number;
        self->report = report;
        self->report_ns = clock_now_ns();
        self->report_number = done;
        uv_async_send(&self->answered);
    }
    uv_mutex_unlock(&self->lock);
}

/* --- The loop's thread --- */

static void on_answered(uv_async_t *async)
{
    struct builtin_player *self = async->data;
    uv_mutex_lock(&self->lock);
    struct engine_report report = self->report;
    struct player_event event = {.kind = PLAYER_MOVE, .at_ns = self->report_ns};
    int number = self->report_number;
    uv_mutex_unlock(&self->lock);
    if (number != self->asked || number == 0) {
        return;
    }
    self->asked = 0;
    event.move = report.move;
    event.thought = (struct thought){true, report.depth, report.score, report.nodes};
    player_report(&self->player, &event);
}

static void begin(struct player *player, const struct player_view *view)
{
    struct builtin_player *self = (struct builtin_player *)player;
    (void)view;
    self->is_new_game = true;
    player_report_now(player, (struct player_event){.kind = PLAYER_READY});
}

static void ask_bid(struct player *player, const struct player_view *view)
{
    const struct player_spec *spec = ((const struct builtin_player *)player)->spec;
    struct bid bid = spec->has_bid ? spec->bid : engine_bid(view->game);
    player_report_now(player, (struct player_event){.kind = PLAYER_BID, .bid = bid});
}

static struct engine_limits limits_for(const struct builtin_player *self,
                                       const struct player_view *view)
{
    const struct builtin_options *o = &self->options;
    struct engine_limits limits = {
        .depth = o->depth,
        .nodes = (uint64_t)o->nodes,
        .time_ns = time_limit_within(view->limit_ns),
        .level = o->level,
        .seed = view->seed + view->move_count,
    };
    if (!o->movetime_ms) { /* a time that was asked for is used */
        limits.early_ns = time_limit_early(limits.time_ns);
    } else if (o->movetime_ms * 1000000 < limits.time_ns) {
        limits.time_ns = o->movetime_ms * 1000000;
    }
    return limits;
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct builtin_player *self = (struct builtin_player *)player;
    int64_t asked_ns = clock_now_ns();
    self->asked = ++self->last_number;
    uv_mutex_lock(&self->lock);
    self->question =
        (struct builtin_question){self->asked, view->game, *view->now, limits_for(self, view)};
    self->clear_first |= self->is_new_game;
    uv_cond_signal(&self->changed);
    uv_mutex_unlock(&self->lock);
    self->is_new_game = false;
    return asked_ns;
}

static void forget(struct player *player)
{
    struct builtin_player *self = (struct builtin_player *)player;
    self->asked = 0;
    uv_mutex_lock(&self->lock);
    self->cancelled = self->last_number;
    atomic_store(&self->stop, true);
    uv_mutex_unlock(&self->lock);
}

static void on_closed(uv_handle_t *handle)
{
    player_report_now(handle->data, (struct player_event){.kind = PLAYER_CLOSED});
}

static void close_player(struct player *player)
{
    struct builtin_player *self = (struct builtin_player *)player;
    uv_mutex_lock(&self->lock);
    self->is_leaving = true;
    atomic_store(&self->stop, true);
    uv_cond_signal(&self->changed);
    uv_mutex_unlock(&self->lock);
    uv_thread_join(&self->thread);
    uv_close((uv_handle_t *)&self->answered, on_closed);
}

static void free_player(struct player *player)
{
    struct builtin_player *self = (struct builtin_player *)player;
    uv_cond_destroy(&self->changed);
    uv_mutex_destroy(&self->lock);
    engine_free(&self->engine);
    free(self);
}

static void free_unused(uv_handle_t *handle) { free_player(handle->data); }

static const struct player_class builtin_class = {
    .begin = begin,
    .ask_bid = ask_bid,
    .ask_move = ask_move,
    .forget = forget,
    .close = close_player,
    .free = free_player,
};

struct player *builtin_make(const struct player_spec *spec, const struct player_setup *setup,
                            struct note *why)
{
    const struct builtin_options *o = &spec->builtin;
    struct builtin_player *self = player_new(sizeof *self, &builtin_class, spec->text, why);
    if (!self) {
        return NULL;
    }
    if (engine_init(&self->engine, o->hash_mb ? o->hash_mb : MATCH_HASH_MB,
                    o->threads ? o->threads : 1, why)) {
        free(self);
        return NULL;
    }
    self->spec = spec;
    self->options = *o;
    self->answered.data = self;
    uv_mutex_init(&self->lock);
    uv_cond_init(&self->changed);
    uv_async_init(setup->loop, &self->answered, on_answered);
    if (uv_thread_create(&self->thread, think, self)) {
        note_set(why, "the system gives us no more threads");
        uv_close((uv_handle_t *)&self->answered, free_unused);
        return NULL;
    }
    return &self->player;
}
