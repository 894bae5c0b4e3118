#include "fake_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

void fake_world_init(struct fake_world *world, void *owner, void (*ring)(void *owner, int alarm))
{
    *world = (struct fake_world){.owner = owner, .ring = ring};
    world->events = malloc(FAKE_EVENTS * sizeof *world->events);
    assert_non_null(world->events);
}

void fake_world_free(struct fake_world *world)
{
    free(world->events);
    world->events = NULL;
}

void fake_world_set_alarm(struct fake_world *world, int alarm, int64_t when_ns)
{
    assert_in_range(alarm, 0, FAKE_ALARMS - 1);
    world->is_set[alarm] = true;
    world->alarms_ns[alarm] = when_ns;
}

static bool is_forgotten(const struct fake_event *event)
{
    return event->question && event->question <= event->player->last_forgotten;
}

static void drop(struct fake_world *world, size_t index)
{
    world->event_count--;
    memmove(world->events + index, world->events + index + 1,
            (world->event_count - index) * sizeof *world->events);
}

/* The first of the earliest. */
static size_t next_event(const struct fake_world *world)
{
    size_t best = 0;
    for (size_t i = 1; i < world->event_count; i++) {
        if (world->events[i].when_ns < world->events[best].when_ns) {
            best = i;
        }
    }
    return best;
}

static int next_alarm(const struct fake_world *world)
{
    int best = -1;
    for (int i = 0; i < FAKE_ALARMS; i++) {
        if (world->is_set[i] && (best < 0 || world->alarms_ns[i] < world->alarms_ns[best])) {
            best = i;
        }
    }
    return best;
}

static void move_clock(struct fake_world *world, int64_t when_ns)
{
    world->now_ns = when_ns > world->now_ns ? when_ns : world->now_ns;
}

bool fake_world_step(struct fake_world *world)
{
    size_t index = next_event(world);
    int alarm = next_alarm(world);
    if (world->event_count &&
        (alarm < 0 || world->events[index].when_ns <= world->alarms_ns[alarm])) {
        struct fake_event event = world->events[index];
        drop(world, index);
        move_clock(world, event.when_ns);
        if (!is_forgotten(&event)) {
            player_report(&event.player->player, &event.event);
        }
        return true;
    }
    if (alarm < 0) {
        return false;
    }
    world->is_set[alarm] = false;
    move_clock(world, world->alarms_ns[alarm]);
    world->ring(world->owner, alarm);
    return true;
}

/* --- Players --- */

static struct fake_player *self_of(struct player *player) { return (struct fake_player *)player; }

static void speak(struct fake_player *player, int64_t delay_ns, struct player_event event,
                  int question)
{
    struct fake_world *world = player->world;
    if (delay_ns == FAKE_AT_ONCE) {
        event.at_ns = world->now_ns;
        player_report(&player->player, &event);
        return;
    }
    event.at_ns = world->now_ns + delay_ns;
    event.came_ns = event.came_ns ? event.at_ns : 0;
    assert_in_range(world->event_count, 0, FAKE_EVENTS - 1);
    world->events[world->event_count++] = (struct fake_event){event.at_ns, player, question, event};
}

void fake_answer(struct fake_player *player, int64_t delay_ns, struct player_event event)
{
    int64_t sent_ns = delay_ns == FAKE_AT_ONCE ? 0 : player->sending_ns;
    speak(player, delay_ns + sent_ns, event, player->question);
}

void fake_say(struct fake_player *player, int64_t delay_ns, struct player_event event)
{
    speak(player, delay_ns, event, 0);
}

static void begin(struct player *player, const struct player_view *view)
{
    struct fake_player *self = self_of(player);
    self->begins++;
    self->observed = 0;
    self->seed = view->seed;
    self->last_forgotten = self->question++;
    self->is_beginning = true;
    self->mind(self, FAKE_START, view);
    self->is_beginning = false;
}

static void ask_bid(struct player *player, const struct player_view *view)
{
    struct fake_player *self = self_of(player);
    assert_false(self->is_beginning);
    self->question++;
    self->mind(self, FAKE_BID, view);
}

static void learn_bids(struct player *player, const struct bid *own, const struct bid *other,
                       enum side colour, bool by_lot)
{
    struct fake_player *self = self_of(player);
    self->learned++;
    self->own_bid = *own;
    self->other_bid = *other;
    self->colour = colour;
    self->by_lot = by_lot;
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct fake_player *self = self_of(player);
    int64_t sent_ns = self->world->now_ns + self->sending_ns;
    assert_false(self->is_beginning);
    assert_int_equal(self->observed, view->move_count); /* it knows all that was played */
    self->question++;
    self->mind(self, FAKE_MOVE, view);
    return sent_ns;
}

static void observe(struct player *player, const struct move *move, enum side mover)
{
    (void)move;
    (void)mover;
    self_of(player)->observed++;
}

static struct player_delay explain_delay(const struct player *player)
{
    const struct fake_player *self = (const struct fake_player *)player;
    int64_t waited_ns = self->waited_ns;
    struct player_delay delay = {.is_idle = true,
                                 .is_explained = self->is_explained,
                                 .waited_ns = waited_ns,
                                 .watched_ns = self->watched_ns,
                                 .reason = {"a guess"}};
    return waited_ns > 0 ? delay : (struct player_delay){0};
}

static int64_t used_ns(const struct player *player)
{
    return ((const struct fake_player *)player)->used_ns;
}

static void forget(struct player *player)
{
    struct fake_player *self = self_of(player);
    self->forgets++;
    self->last_forgotten = self->question;
}

static void end(struct player *player, enum outcome outcome)
{
    struct fake_player *self = self_of(player);
    self->ends++;
    self->outcome = outcome;
}

static void close_player(struct player *player)
{
    struct fake_player *self = self_of(player);
    struct fake_world *world = self->world;
    /* Whatever it still wanted to say is lost with it. */
    for (size_t i = world->event_count; i-- > 0;) {
        if (world->events[i].player == self) {
            drop(world, i);
        }
    }
    fake_say(self, self->closing_ns, (struct player_event){.kind = PLAYER_CLOSED});
}

static void free_player(struct player *player) { free(player); }

static const struct player_class fake_class = {
    .begin = begin,
    .ask_bid = ask_bid,
    .learn_bids = learn_bids,
    .ask_move = ask_move,
    .observe = observe,
    .explain_delay = explain_delay,
    .used_ns = used_ns,
    .forget = forget,
    .end = end,
    .close = close_player,
    .free = free_player,
};

struct fake_player *fake_player_make(struct fake_world *world, const char *name, fake_mind *mind,
                                     void *thoughts)
{
    struct fake_player *self = calloc(1, sizeof *self);
    assert_non_null(self);
    self->player = (struct player){.class = &fake_class, .name = name};
    self->world = world;
    self->mind = mind;
    self->thoughts = thoughts;
    return self;
}
