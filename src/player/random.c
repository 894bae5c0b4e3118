/* random: a player that takes any legal move, the same ones for the same seed. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"
#include "player/loop.h"
#include "player/spec.h"

struct random_player {
    struct player player;
    const struct player_spec *spec;
    struct rng rng;
};

static void tell(struct player *player, struct player_event event)
{
    event.at_ns = loop_now_ns();
    player_tell(player, &event);
}

static void begin(struct player *player, const struct player_view *view, bool has_auction,
                  uint64_t seed)
{
    struct random_player *self = (struct random_player *)player;
    (void)view;
    (void)has_auction;
    self->rng = rng_make(hash_pair(self->spec->seed, seed));
    tell(player, (struct player_event){.kind = PLAYER_READY});
}

static void ask_bid(struct player *player, const struct player_view *view)
{
    struct random_player *self = (struct random_player *)player;
    (void)view;
    struct bid any = {(int)rng_below(&self->rng, 2), (int64_t)rng_below(&self->rng, 20)};
    struct bid bid = self->spec->has_bid ? self->spec->bid : any;
    tell(player, (struct player_event){.kind = PLAYER_BID, .bid = bid});
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct random_player *self = (struct random_player *)player;
    struct move moves[GAME_MAX_MOVES];
    int64_t sent_ns = loop_now_ns();
    size_t count = view->game->moves(view->now, moves);
    tell(player,
         (struct player_event){.kind = PLAYER_MOVE, .move = moves[rng_below(&self->rng, count)]});
    return sent_ns;
}

static void forget(struct player *player) { (void)player; }

static void close_player(struct player *player)
{
    tell(player, (struct player_event){.kind = PLAYER_CLOSED});
}

static void free_player(struct player *player) { free(player); }

static const struct player_class random_class = {
    .begin = begin,
    .ask_bid = ask_bid,
    .ask_move = ask_move,
    .forget = forget,
    .close = close_player,
    .free = free_player,
};

struct player *random_make(const struct player_spec *spec, const struct player_setup *setup,
                           struct note *why)
{
    struct random_player *self = calloc(1, sizeof *self);
    (void)setup;
    if (!self) {
        note_set(why, "no memory for a player");
        return NULL;
    }
    self->player = (struct player){.class = &random_class, .name = spec->text};
    self->spec = spec;
    return &self->player;
}
