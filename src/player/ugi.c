/* ugi: programs that speak the Universal Game Interface, over pipes.
 *
 * Every question carries the whole game (`position … moves …`, then `go movetime`),
 * so the program needs no memory of ours. An answer to a question that the judge gave
 * up is still on its way and is passed over when it comes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "player/loop.h"
#include "player/piped.h"
#include "player/ugi_text.h"

enum { QUIT_GRACE_MS = 1000 };

enum ugi_wait { WAIT_NOTHING, WAIT_UGIOK, WAIT_READYOK, WAIT_BID, WAIT_MOVE };

struct ugi_player {
    struct piped piped;
    struct ugi_lines lines;
    enum ugi_wait wait;
    int stale_moves; /* answers still to come that nobody waits for */
    struct thought thought;
};

/* --- What it says --- */

static void take_move(struct ugi_player *self, const struct ugi_line *line)
{
    if (self->stale_moves > 0) {
        self->stale_moves--;
        return;
    }
    if (self->wait != WAIT_MOVE) {
        return;
    }
    struct player_event event = {.kind = PLAYER_MOVE, .thought = self->thought};
    self->wait = WAIT_NOTHING;
    if (game_read_move(self->piped.game, line->word, &event.move, &event.why)) {
        event.kind = PLAYER_FAULT;
        event.fault = FAULT_INVALID;
    }
    piped_tell(&self->piped, event);
}

static void take_bid(struct ugi_player *self, const struct ugi_line *line)
{
    int64_t colour = 0;
    int64_t price = 0;
    struct note why;
    self->wait = WAIT_NOTHING;
    if (number_read(line->word, "the colour of a bid", 0, 1, &colour, &why) ||
        number_read(line->second, "the price of a bid", INT32_MIN, INT32_MAX, &price, &why)) {
        piped_fault(&self->piped, FAULT_INVALID, &why);
        return;
    }
    piped_tell(&self->piped,
               (struct player_event){.kind = PLAYER_BID, .bid = {(int)colour, price}});
}

static void start_game(struct ugi_player *self)
{
    self->wait = WAIT_READYOK;
    piped_say(&self->piped, "uginewgame\nisready\n");
}

static void take_line(struct ugi_player *self, const char *text)
{
    struct ugi_line line = ugi_read_line(text);
    if (line.kind == UGI_OK && self->wait == WAIT_UGIOK) {
        start_game(self);
    } else if (line.kind == UGI_READY && self->wait == WAIT_READYOK) {
        self->wait = WAIT_NOTHING;
        piped_tell(&self->piped, (struct player_event){.kind = PLAYER_READY});
    } else if (line.kind == UGI_BEST_MOVE) {
        take_move(self, &line);
    } else if (line.kind == UGI_RESPONSE && self->wait == WAIT_BID) {
        take_bid(self, &line);
    } else if (line.kind == UGI_INFO && line.thought.is_known) {
        self->thought = line.thought;
    }
}

static void hear(struct piped *piped, const char *bytes, size_t count)
{
    struct ugi_player *self = (struct ugi_player *)piped;
    while (piped->is_playing && ugi_lines_feed(&self->lines, &bytes, &count)) {
        if (self->lines.is_too_long) {
            struct note why;
            note_set(&why, "a line of more than %d bytes", UGI_LINE_BYTES);
            piped_fault(piped, FAULT_MALFORMED, &why);
            return;
        }
        take_line(self, self->lines.line);
    }
}

static enum err prepare(struct piped *piped, struct process_spec *wishes, struct note *why)
{
    struct ugi_player *self = (struct ugi_player *)piped;
    (void)wishes;
    (void)why;
    self->lines = (struct ugi_lines){.used = 0};
    self->stale_moves = 0;
    self->wait = WAIT_NOTHING;
    return ERR_NONE;
}

static void greet(struct piped *piped)
{
    ((struct ugi_player *)piped)->wait = WAIT_UGIOK;
    piped_say(piped, "ugi\n");
}

static void greet_again(struct piped *piped) { start_game((struct ugi_player *)piped); }

static void goodbye(struct piped *piped)
{
    struct ugi_player *self = (struct ugi_player *)piped;
    self->wait = WAIT_NOTHING;
    piped_say(piped, "quit\n");
}

static const struct piped_talk ugi_talk = {
    .grace_ms = QUIT_GRACE_MS,
    .prepare = prepare,
    .greet = greet,
    .greet_again = greet_again,
    .hear = hear,
    .goodbye = goodbye,
};

/* --- What the judge calls --- */

static void ask_bid(struct player *player, const struct player_view *view)
{
    struct ugi_player *self = (struct ugi_player *)player;
    (void)view;
    self->wait = WAIT_BID;
    piped_say(&self->piped, "query bid\n");
}

/* "position startpos|fen START [moves …]", then "go movetime MS". */
static char *write_question(const struct player_view *view)
{
    char *text = NULL;
    size_t bytes = 0;
    char word[GAME_MOVE_BYTES];
    FILE *out = open_memstream(&text, &bytes);
    if (!out) {
        return NULL;
    }
    struct state usual = view->game->start();
    if (memcmp(&usual, view->start, sizeof usual) == 0) {
        fputs("position startpos", out);
    } else {
        char start[GAME_POSITION_BYTES];
        view->game->write_position(view->start, start);
        fprintf(out, "position fen %s", start);
    }
    for (size_t i = 0; i < view->move_count; i++) {
        game_write_move(view->game, &view->moves[i], word);
        fprintf(out, "%s %s", i ? "" : " moves", word);
    }
    fprintf(out, "\ngo movetime %lld\n", (long long)(view->limit_ns / 1000000));
    return fclose(out) ? NULL : text;
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct ugi_player *self = (struct ugi_player *)player;
    char *question = write_question(view);
    self->wait = WAIT_MOVE;
    self->thought = (struct thought){.is_known = false};
    if (question) {
        piped_say(&self->piped, question);
    }
    free(question);
    return loop_now_ns();
}

static void forget(struct player *player)
{
    struct ugi_player *self = (struct ugi_player *)player;
    if (self->wait == WAIT_MOVE) {
        self->stale_moves++;
        piped_say(&self->piped, "stop\n");
    }
    self->wait = WAIT_NOTHING;
}

static const struct player_class ugi_class = {
    .begin = piped_begin,
    .ask_bid = ask_bid,
    .ask_move = ask_move,
    .forget = forget,
    .end = piped_end,
    .close = piped_close,
    .free = piped_free,
    .log = piped_log,
};

struct player *ugi_make(const struct player_spec *spec, const struct player_setup *setup,
                        struct note *why)
{
    struct piped *piped =
        piped_make(sizeof(struct ugi_player), &ugi_class, &ugi_talk, spec, setup, why);
    return piped ? &piped->player : NULL;
}
