/* random: a player that takes any legal move, the same ones for the same seed; or one that keeps
 * the game going, see player/spending.h. */
#include <stdlib.h>
#include <uv.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/loop.h"
#include "player/player_setup.h"

enum {
    MAX_PAUSES = 6, /* of one game */
    LEAST_PAUSE_MS = 50,
    MOST_PAUSE_MS = 1000,
};

struct random_player {
    struct player player;
    const struct player_spec *spec;
    struct rng rng;
    /* Not on the stack, whose pages are probed one by one at each call: that took half of the time
     * of a match of random players. */
    struct move moves[GAME_MAX_MOVES];
    /* Below: only where it keeps a spending. After a pass of the opponent it pauses as long as the
     * opponent has ever taken, so that a program that does not know that it has to pass shows it.
     */
    uv_timer_t pause;
    struct move move; /* sent after the pause */
    int pauses;
    int64_t told_ns; /* its last move */
    int64_t longest_ns;
};

static void begin(struct player *player, const struct player_view *view)
{
    struct random_player *self = (struct random_player *)player;
    self->rng = rng_make(hash_pair(self->spec->seed, view->seed));
    self->pauses = 0;
    self->told_ns = 0;
    self->longest_ns = 0;
    player_report_now(player, (struct player_event){.kind = PLAYER_READY});
}

static void ask_bid(struct player *player, const struct player_view *view)
{
    struct random_player *self = (struct random_player *)player;
    (void)view;
    struct bid any = {(int)rng_below(&self->rng, 2), (int64_t)rng_below(&self->rng, 20)};
    struct bid bid = self->spec->has_bid ? self->spec->bid : any;
    player_report_now(player, (struct player_event){.kind = PLAYER_BID, .bid = bid});
}

static void tell_move(struct random_player *self)
{
    self->told_ns = clock_now_ns();
    player_report_now(&self->player,
                      (struct player_event){.kind = PLAYER_MOVE, .move = self->move});
}

static void on_pause_over(uv_timer_t *timer) { tell_move(timer->data); }

static struct move any_move(struct random_player *self, const struct player_view *view)
{
    size_t count = view->game->moves(view->now, self->moves);
    return self->moves[rng_below(&self->rng, count)];
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct random_player *self = (struct random_player *)player;
    enum spending spending = self->spec->spending;
    int64_t now_ns = clock_now_ns();
    bool has_passed = view->move_count && view->moves[view->move_count - 1].kind == MOVE_PASS;
    self->move = spending == SPENDING_ANY
                     ? any_move(self, view)
                     : spending_move(spending, view->game, view->now, &self->rng);
    if (self->told_ns && !has_passed && now_ns - self->told_ns > self->longest_ns) {
        self->longest_ns = now_ns - self->told_ns;
    }
    if (spending != SPENDING_ANY && has_passed && self->pauses < MAX_PAUSES) {
        int64_t pause_ms = 2 * self->longest_ns / CLOCK_NS_PER_MS + LEAST_PAUSE_MS;
        self->pauses++;
        uv_timer_start(&self->pause, on_pause_over,
                       (uint64_t)(pause_ms < MOST_PAUSE_MS ? pause_ms : MOST_PAUSE_MS), 0);
    } else {
        tell_move(self);
    }
    return now_ns;
}

static void forget(struct player *player)
{
    struct random_player *self = (struct random_player *)player;
    if (self->spec->spending != SPENDING_ANY) {
        uv_timer_stop(&self->pause);
    }
}

static void on_closed(uv_handle_t *handle)
{
    player_report_now(handle->data, (struct player_event){.kind = PLAYER_CLOSED});
}

static void close_player(struct player *player)
{
    struct random_player *self = (struct random_player *)player;
    if (self->spec->spending != SPENDING_ANY) {
        uv_close((uv_handle_t *)&self->pause, on_closed);
    } else {
        player_report_now(player, (struct player_event){.kind = PLAYER_CLOSED});
    }
}

static const struct player_class random_class = {
    .begin = begin,
    .ask_bid = ask_bid,
    .ask_move = ask_move,
    .forget = forget,
    .close = close_player,
    .free = player_free,
};

struct player *random_make(const struct player_spec *spec, const struct player_setup *setup,
                           struct note *why)
{
    struct random_player *self = player_new(sizeof *self, &random_class, spec->text, why);
    if (!self) {
        return NULL;
    }
    self->spec = spec;
    if (spec->spending != SPENDING_ANY) {
        uv_timer_init(setup->loop, &self->pause);
        self->pause.data = self;
    }
    return &self->player;
}
