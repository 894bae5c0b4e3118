/* player: what all kinds of players share, which function makes each, and a player whose program
 * cannot be started, so that its games are lost and not missing. */
#include "player/player.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "player/player_setup.h"
#include "sandbox/process.h"

void *player_new(size_t bytes, const struct player_class *class, const char *name, struct note *why)
{
    struct player *player = calloc(1, bytes);
    if (!player) {
        note_set(why, "no memory for a player");
        return NULL;
    }
    *player = (struct player){.class = class, .name = name};
    return player;
}

void player_free(struct player *player) { free(player); }

void player_report_now(struct player *player, struct player_event event)
{
    event.at_ns = clock_now_ns();
    player_report(player, &event);
}

char *player_read_stream(const struct player *player, player_stream_fn *stream)
{
    enum { ROOM = PROCESS_STDERR_BYTES + 256 }; /* with the line about what was left out */
    char *text = stream ? malloc(ROOM) : NULL;
    size_t length = text ? stream(player, text, ROOM - 1) : 0;
    if (!length) {
        free(text);
        return NULL;
    }
    for (char *nul = text; (nul = memchr(nul, '\0', (size_t)(text + length - nul)));) {
        *nul = '?';
    }
    text[length] = '\0';
    return text;
}

/* --- A player that cannot play --- */

struct unavailable_player {
    struct player player;
    struct note why;
};

static void begin(struct player *player, const struct player_view *view)
{
    const struct unavailable_player *self = (const struct unavailable_player *)player;
    (void)view;
    player_report_now(player, (struct player_event){
                                  .kind = PLAYER_FAULT, .fault = FAULT_CRASHED, .why = self->why});
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
    player_report_now(player, (struct player_event){.kind = PLAYER_CLOSED});
}

static const struct player_class unavailable_class = {
    .begin = begin,
    .ask_bid = ask_bid,
    .ask_move = ask_move,
    .forget = forget,
    .close = close_player,
    .free = player_free,
};

struct player *unavailable_make(const char *name, const char *reason, struct note *why)
{
    struct unavailable_player *self = player_new(sizeof *self, &unavailable_class, name, why);
    if (!self) {
        return NULL;
    }
    note_set(&self->why, "%s", reason);
    return &self->player;
}

struct player *player_make(const struct player_spec *spec, const struct player_setup *setup,
                           struct note *why)
{
    static struct player *(*const makers[])(const struct player_spec *, const struct player_setup *,
                                            struct note *) = {
        [PLAYER_BUILTIN] = builtin_make, [PLAYER_RANDOM] = random_make,     [PLAYER_TCP] = tcp_make,
        [PLAYER_FILE] = file_make,       [PLAYER_TEMPLATE] = template_make, [PLAYER_UGI] = ugi_make,
        [PLAYER_HUMAN] = human_make,
    };
    return makers[spec->kind](spec, setup, why);
}
