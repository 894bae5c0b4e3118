/* human: a person who types moves at the terminal that plum was started from.
 *
 * Input is read only while it is this person's turn, so that two of them can share it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/loop.h"
#include "player/player_setup.h"

enum { LINE_BYTES = 1024 };

enum human_wait { WAIT_NOTHING, WAIT_BID, WAIT_MOVE };

struct human_player {
    struct player player;
    const struct human_screen *screen;
    int descriptor; /* of the input, one for each player */
    int old_flags;  /* the terminal is not ours alone: libuv's mark on it is wiped off */
    uv_poll_t input;
    enum human_wait wait;
    const struct game *game;
    struct state now;
    size_t used;
    char line[LINE_BYTES];
};

static void report(struct human_player *self, struct player_event event)
{
    uv_poll_stop(&self->input);
    self->wait = WAIT_NOTHING;
    player_report_now(&self->player, event);
}

static void print(const struct human_player *self, const char *sentence)
{
    self->screen->print(self->screen->owner, sentence);
}

static void take_bid(struct human_player *self, char *line)
{
    struct note why;
    int64_t colour = 0;
    int64_t price = 0;
    char *space = strchr(line, ' ');
    if (!space) {
        print(self, "a bid is a colour, 0 for Black or 1 for White, and a price: 0 5");
        return;
    }
    *space = '\0';
    if (number_read(line, "the colour", 0, 1, &colour, &why) ||
        number_read(space + 1, "the price", INT32_MIN, INT32_MAX, &price, &why)) {
        print(self, why.text);
        return;
    }
    report(self, (struct player_event){.kind = PLAYER_BID, .bid = {(int)colour, price}});
}

/* A typing error is not a fault: only a legal move reaches the judge. */
static void take_move(struct human_player *self, const char *line)
{
    struct player_event event = {.kind = PLAYER_MOVE};
    struct state after = self->now;
    struct note why;
    if (game_read_move(self->game, line, &event.move, &why) ||
        self->game->apply(&after, &event.move, &why)) {
        print(self, why.text);
        return;
    }
    report(self, event);
}

static void take_line(struct human_player *self, char *line)
{
    line[strcspn(line, "\r")] = '\0';
    if (self->wait == WAIT_NOTHING || !*line) {
        return;
    }
    if (strcmp(line, "resign") == 0) {
        report(self, (struct player_event){.kind = PLAYER_RESIGNS});
    } else if (self->wait == WAIT_BID) {
        take_bid(self, line);
    } else {
        take_move(self, line);
    }
}

static void take_byte(struct human_player *self, char byte)
{
    if (byte == '\n') {
        self->line[self->used] = '\0';
        self->used = 0;
        take_line(self, self->line);
    } else if (self->used + 1 < LINE_BYTES) {
        self->line[self->used++] = byte;
    }
}

/* One line at a time: what follows it may be the other player's. */
static void on_input(uv_poll_t *poll, int status, int events)
{
    struct human_player *self = poll->data;
    char byte = '\0';
    ssize_t count = 1;
    (void)events;
    while (!status && self->wait != WAIT_NOTHING && count > 0) {
        count = read(self->descriptor, &byte, 1);
        if (count > 0) {
            take_byte(self, byte);
        }
    }
    bool has_ended = status || count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
    if (has_ended) {
        struct note why;
        note_set(&why, "the input has ended");
        report(self,
               (struct player_event){.kind = PLAYER_FAULT, .fault = FAULT_CRASHED, .why = why});
    }
}

static void wait_for(struct human_player *self, enum human_wait wait)
{
    self->wait = wait;
    uv_poll_start(&self->input, UV_READABLE, on_input);
}

static void begin(struct player *player, const struct player_view *view)
{
    struct human_player *self = (struct human_player *)player;
    self->game = view->game;
    self->used = 0;
    report(self, (struct player_event){.kind = PLAYER_READY});
}

static void ask_bid(struct player *player, const struct player_view *view)
{
    struct human_player *self = (struct human_player *)player;
    (void)view;
    wait_for(self, WAIT_BID);
    print(self, "your bid: colour (0 Black, 1 White) and price, as in 0 5");
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct human_player *self = (struct human_player *)player;
    self->now = *view->now;
    wait_for(self, WAIT_MOVE);
    self->screen->show(self->screen->owner, view);
    return clock_now_ns();
}

static void forget(struct player *player)
{
    struct human_player *self = (struct human_player *)player;
    if (self->wait == WAIT_MOVE) {
        print(self, "this turn is over");
    }
    uv_poll_stop(&self->input);
    self->wait = WAIT_NOTHING;
}

static void on_closed(uv_handle_t *handle)
{
    struct human_player *self = handle->data;
    fcntl(self->descriptor, F_SETFL, self->old_flags);
    close(self->descriptor);
    player_report_now(&self->player, (struct player_event){.kind = PLAYER_CLOSED});
}

static void close_player(struct player *player)
{
    uv_close((uv_handle_t *)&((struct human_player *)player)->input, on_closed);
}

static const struct player_class human_class = {
    .begin = begin,
    .ask_bid = ask_bid,
    .ask_move = ask_move,
    .forget = forget,
    .close = close_player,
    .free = player_free,
};

struct player *human_make(const struct player_spec *spec, const struct player_setup *setup,
                          struct note *why)
{
    struct human_player *self = player_new(sizeof *self, &human_class, spec->text, why);
    if (!self) {
        return NULL;
    }
    self->descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    self->old_flags = fcntl(self->descriptor, F_GETFL) & ~O_NONBLOCK;
    if (self->descriptor < 0 || uv_poll_init(setup->loop, &self->input, self->descriptor)) {
        note_set(why, "a human player types at a terminal or through a pipe; the input is neither");
        if (self->descriptor >= 0) {
            close(self->descriptor);
        }
        free(self);
        return NULL;
    }
    self->screen = setup->screen;
    self->input.data = self;
    return &self->player;
}
