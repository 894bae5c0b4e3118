/* unavailable_player: a player whose program cannot be started, so that its games are lost and not
 * missing. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/loop.h"
#include "player/player_spec.h"

struct unavailable_player {
    struct player player;
    struct note why;
};

static void begin(struct player *player, const struct player_view *view, bool has_auction,
                  uint64_t seed)
{
    const struct unavailable_player *self = (const struct unavailable_player *)player;
    (void)view;
    (void)has_auction;
    (void)seed;
    player_report(player, &(struct player_event){.kind = PLAYER_FAULT,
                                                 .at_ns = clock_now_ns(),
                                                 .fault = FAULT_CRASHED,
                                                 .why = self->why});
}

static void ask_bid(struct player *player, const struct player_view *view)
{
    (void)player;
    (void)view;
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    (void)player;
    (void)view;
    return clock_now_ns();
}

static void forget(struct player *player) { (void)player; }

static void close_player(struct player *player)
{
    player_report(player, &(struct player_event){.kind = PLAYER_CLOSED, .at_ns = clock_now_ns()});
}

static void free_player(struct player *player) { free(player); }

static const struct player_class unavailable_class = {
    .begin = begin,
    .ask_bid = ask_bid,
    .ask_move = ask_move,
    .forget = forget,
    .close = close_player,
    .free = free_player,
};

struct player *unavailable_make(const char *name, const char *reason, struct note *why)
{
    struct unavailable_player *self = calloc(1, sizeof *self);
    if (!self) {
        note_set(why, "no memory for a player");
        return NULL;
    }
    self->player = (struct player){.class = &unavailable_class, .name = name};
    note_set(&self->why, "%s", reason);
    return &self->player;
}
