/* builtin: our engine as a player.
 *
 * Thinking happens in a thread of the player's own, so that neither the judge nor
 * another game waits for it. The loop's thread hands over a question and is woken
 * when the answer is there.
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "engine/bid.h"
#include "engine/engine.h"
#include "engine/time_limit.h"
#include "base/mailbox.h"
#include "player/player_setup.h"

enum { MATCH_HASH_MB = 16 };

struct builtin_question {
    int number;
    int games; /* begun so far: for another one the engine forgets what it knows */
    const struct game *game;
    struct state state;
    struct engine_limits limits;
};

struct builtin_answer {
    int number; /* of the question */
    int64_t at_ns;
    struct engine_report report;
};

struct builtin_player {
    struct player player;
    const struct player_spec *spec;
    struct builtin_options options;
    struct engine engine;
    int asked; /* number of the question whose answer is awaited; 0: none */
    int last_number;
    int games;

    uv_thread_t thread;
    uv_async_t answered;
    struct mailbox questions; /* one at a time */
    struct mailbox answers;   /* the one that is awaited, and one that no longer is */
    atomic_int cancelled;     /* this question, and those before it, need no answer */
    atomic_bool stop;
};

/* --- The thinking thread --- */

static void think(void *owner)
{
    struct builtin_player *self = owner;
    struct builtin_question question;
    int games = 0;
    while (mailbox_wait(&self->questions, &question)) {
        struct builtin_answer answer = {.number = question.number};
        atomic_store(&self->stop, false); /* from here on it is for this question … */
        if (question.number <= atomic_load(&self->cancelled)) {
            continue; /* … which it was set for before */
        }
        if (question.games != games) {
            games = question.games;
            engine_clear(&self->engine);
        }
        engine_search(&self->engine,
                      &(struct engine_request){.game = question.game,
                                               .state = &question.state,
                                               .limits = question.limits,
                                               .stop = &self->stop},
                      &answer.report);
        answer.at_ns = clock_now_ns();
        if (question.number > atomic_load(&self->cancelled)) {
            bool has_room = mailbox_put(&self->answers, &answer);
            assert(has_room);
        }
    }
}

/* --- The loop's thread --- */

static void wake(void *owner) { uv_async_send(owner); }

static void on_answered(uv_async_t *async)
{
    struct builtin_player *self = async->data;
    struct builtin_answer answer;
    while (mailbox_take(&self->answers, &answer)) {
        if (answer.number == self->asked) {
            const struct engine_report *report = &answer.report;
            self->asked = 0;
            player_report(&self->player,
                          &(struct player_event){
                              .kind = PLAYER_MOVE,
                              .at_ns = answer.at_ns,
                              .move = report->move,
                              .thought = {true, report->depth, report->score, report->nodes}});
        }
    }
}

static void begin(struct player *player, const struct player_view *view)
{
    struct builtin_player *self = (struct builtin_player *)player;
    (void)view;
    self->games++;
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
    const struct builtin_question question = {self->asked, self->games, view->game, *view->now,
                                              limits_for(self, view)};
    bool has_room = mailbox_put(&self->questions, &question);
    assert(has_room); /* the judge asks one at a time */
    return asked_ns;
}

static void forget(struct player *player)
{
    struct builtin_player *self = (struct builtin_player *)player;
    struct builtin_question question;
    struct builtin_answer answer;
    self->asked = 0;
    atomic_store(&self->cancelled, self->last_number);
    atomic_store(&self->stop, true);
    while (mailbox_take(&self->questions, &question) || mailbox_take(&self->answers, &answer)) {
    }
}

static void on_closed(uv_handle_t *handle)
{
    player_report_now(handle->data, (struct player_event){.kind = PLAYER_CLOSED});
}

static void close_player(struct player *player)
{
    struct builtin_player *self = (struct builtin_player *)player;
    forget(player);
    mailbox_close(&self->questions);
    uv_thread_join(&self->thread);
    uv_close((uv_handle_t *)&self->answered, on_closed);
}

static void free_player(struct player *player)
{
    struct builtin_player *self = (struct builtin_player *)player;
    mailbox_free(&self->questions);
    mailbox_free(&self->answers);
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
    self->spec = spec;
    self->options = *o;
    self->answered.data = self;
    enum err err = engine_init(&self->engine, o->hash_mb ? o->hash_mb : MATCH_HASH_MB,
                               o->threads ? o->threads : 1, why);
    err = err ? err
              : mailbox_init(&self->questions, 1, sizeof(struct builtin_question), NULL, NULL, why);
    err = err ? err
              : mailbox_init(&self->answers, 2, sizeof(struct builtin_answer), &self->answered,
                             wake, why);
    if (err) {
        free_player(&self->player);
        return NULL;
    }
    uv_async_init(setup->loop, &self->answered, on_answered);
    if (uv_thread_create(&self->thread, think, self)) {
        note_set(why, "the system gives us no more threads");
        uv_close((uv_handle_t *)&self->answered, free_unused);
        return NULL;
    }
    return &self->player;
}
