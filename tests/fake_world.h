/* fake_world: a made-up clock, and players that live on it.
 *
 * What is due next happens next, and the clock jumps there. At one moment players come first
 * and alarms last: a host looks for answers before it says that the time is up.
 *
 * A fake player does what its mind tells it. The mind is a function of the test; it is asked
 * each time the judge wants something and lets the player say things, at once or later.
 */
#ifndef TESTS_FAKE_WORLD_H
#define TESTS_FAKE_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "player/player.h"

enum {
    FAKE_ALARMS = 64,
    FAKE_EVENTS = 4096,
};

#define FAKE_SECOND INT64_C(1000000000)

struct fake_player;

struct fake_event {
    int64_t when_ns;
    struct fake_player *player;
    int question; /* that it answers; 0: none, a forgotten question does not silence it */
    struct player_event event;
};

/* A zeroed struct is the beginning of time. */
struct fake_world {
    int64_t now_ns;
    struct fake_event *events; /* FAKE_EVENTS of them, in order of their making */
    size_t event_count;
    bool is_set[FAKE_ALARMS];
    int64_t alarms_ns[FAKE_ALARMS];
    void *owner;
    void (*ring)(void *owner, int alarm);
};

void fake_world_init(struct fake_world *world, void *owner, void (*ring)(void *owner, int alarm));
void fake_world_free(struct fake_world *world);

/* Replaces the alarm's last time. */
void fake_world_set_alarm(struct fake_world *world, int alarm, int64_t when_ns);

/* Lets the next thing happen; false: nothing is left to come. */
bool fake_world_step(struct fake_world *world);

enum fake_question { FAKE_START, FAKE_BID, FAKE_MOVE };

/* `view` is that of the question. */
typedef void fake_mind(struct fake_player *player, enum fake_question question,
                       const struct player_view *view);

struct fake_player {
    struct player player;
    struct fake_world *world;
    fake_mind *mind;
    void *thoughts;     /* the mind's own */
    int64_t sending_ns; /* how long a question is on its way */
    int64_t closing_ns; /* how long it takes to leave */
    uint64_t seed;      /* of the game */
    int question;       /* number of the last one */
    int last_forgotten; /* questions up to this one need no answer */
    int forgets;        /* what the judge called, and how often */
    int begins;
    int ends;
    int observed; /* plies of this game */
    int learned;
    bool is_beginning;  /* inside the judge's call */
    struct bid own_bid; /* as learned */
    struct bid other_bid;
    enum side colour;
    bool by_lot;
    enum outcome outcome; /* as it ended */
    int64_t waited_ns;    /* what it answers to explain_delay and used_ns */
    int64_t watched_ns;
    bool is_explained;
    int64_t used_ns;
};

/* On the heap; class->free frees it. */
struct fake_player *fake_player_make(struct fake_world *world, const char *name, fake_mind *mind,
                                     void *thoughts);

enum { FAKE_AT_ONCE = -1 }; /* before the judge's call has returned */

/* An answer to the last question, that long after it was sent. Never heard once forgotten. It is
 * known when it came if its `came_ns` is not 0. */
void fake_answer(struct fake_player *player, int64_t delay_ns, struct player_event event);

/* Anything else, that long from now. */
void fake_say(struct fake_player *player, int64_t delay_ns, struct player_event event);

#endif
