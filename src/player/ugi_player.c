/* ugi: programs that speak the Universal Game Interface, over pipes.
 *
 * Every question carries the whole game (`position … moves …`, then `go movetime`),
 * so the program needs no memory of ours. An answer to a question that the judge gave
 * up is still on its way and is passed over when it comes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/utf8.h"
#include "player/pipe_player.h"
#include "protocol/ugi.h"

enum { QUIT_GRACE_MS = 1000 };

enum ugi_wait { WAIT_NOTHING, WAIT_UGIOK, WAIT_READYOK, WAIT_BID, WAIT_MOVE };

struct ugi_player {
    struct pipe_player pipe;
    struct ugi_lines lines;
    enum ugi_wait wait;
    int stale_moves; /* answers still to come to questions that were given up */
    int64_t asked_ns;
    int64_t received_ns; /* when what is being read came */
    struct thought thought;
    char *question; /* the game so far, as it is sent to the program */
    size_t question_length;
    size_t question_room;
    size_t moves_written;
    bool has_start; /* `question` is about this game */
};

/* --- What the program sends --- */

static void take_move(struct ugi_player *self, const struct ugi_answer *answer)
{
    if (self->stale_moves > 0) {
        self->stale_moves--;
        if (self->stale_moves == 0 && self->wait == WAIT_NOTHING) {
            player_program_end_turn(&self->pipe.program);
        }
        return;
    }
    if (self->wait != WAIT_MOVE || self->asked_ns > self->received_ns) {
        return; /* there was no question, or it was sent before it */
    }
    struct player_event event = {.kind = PLAYER_MOVE, .thought = self->thought};
    self->wait = WAIT_NOTHING;
    player_program_end_turn(&self->pipe.program);
    if (game_read_move(self->pipe.game, answer->word, &event.move, &event.why)) {
        event.kind = PLAYER_FAULT;
        event.fault = FAULT_INVALID;
        utf8_clean(answer->word, event.answer.text, sizeof event.answer.text);
    }
    pipe_player_report(&self->pipe, event);
}

static void take_bid(struct ugi_player *self, const struct ugi_answer *answer)
{
    int64_t colour = 0;
    int64_t price = 0;
    struct note why;
    self->wait = WAIT_NOTHING;
    if (number_read(answer->word, "the colour of a bid", 0, 1, &colour, &why) ||
        number_read(answer->second, "the price of a bid", INT32_MIN, INT32_MAX, &price, &why)) {
        player_program_fault(&self->pipe.program, FAULT_INVALID, &why);
        return;
    }
    pipe_player_report(&self->pipe,
                       (struct player_event){.kind = PLAYER_BID, .bid = {(int)colour, price}});
}

static void start_game(struct ugi_player *self)
{
    self->has_start = false;
    self->wait = WAIT_READYOK;
    pipe_player_write(&self->pipe, "uginewgame\nisready\n");
}

static void take_line(struct ugi_player *self)
{
    struct ugi_answer answer = ugi_read_answer(self->lines.line);
    if (self->lines.is_too_long && answer.kind != UGI_INFO) {
        struct note why;
        note_set(&why, "a line of more than %d bytes", UGI_ANSWER_BYTES);
        player_program_fault(&self->pipe.program, FAULT_MALFORMED, &why);
    } else if (answer.kind == UGI_OK && self->wait == WAIT_UGIOK) {
        start_game(self);
    } else if (answer.kind == UGI_READY && self->wait == WAIT_READYOK) {
        self->wait = WAIT_NOTHING;
        self->stale_moves = 0; /* an answer that has not come by now never will */
        pipe_player_report(&self->pipe, (struct player_event){.kind = PLAYER_READY});
    } else if (answer.kind == UGI_BEST_MOVE) {
        take_move(self, &answer);
    } else if (answer.kind == UGI_RESPONSE && self->wait == WAIT_BID) {
        take_bid(self, &answer);
    } else if (answer.kind == UGI_INFO && answer.info.is_known) {
        const struct ugi_info *info = &answer.info;
        self->thought = (struct thought){true, info->depth, info->score_hundredths, info->nodes};
    }
}

static void on_output(struct pipe_player *pipe, const char *bytes, size_t count)
{
    struct ugi_player *self = (struct ugi_player *)pipe;
    self->received_ns = clock_now_ns();
    while (pipe->is_playing && ugi_lines_feed(&self->lines, &bytes, &count)) {
        take_line(self);
    }
}

static void prepare(struct pipe_player *pipe, struct process_spec *wishes)
{
    struct ugi_player *self = (struct ugi_player *)pipe;
    (void)wishes;
    self->lines = (struct ugi_lines){.used = 0};
    self->stale_moves = 0;
    self->wait = WAIT_NOTHING;
}

static void on_start(struct pipe_player *pipe)
{
    ((struct ugi_player *)pipe)->wait = WAIT_UGIOK;
    pipe_player_write(pipe, "ugi\n");
}

static void on_next_game(struct pipe_player *pipe) { start_game((struct ugi_player *)pipe); }

static void ask_to_exit(struct pipe_player *pipe)
{
    struct ugi_player *self = (struct ugi_player *)pipe;
    self->wait = WAIT_NOTHING;
    pipe_player_write(pipe, "quit\n");
}

static const struct pipe_protocol ugi_protocol = {
    .grace_ms = QUIT_GRACE_MS,
    .prepare = prepare,
    .on_start = on_start,
    .on_next_game = on_next_game,
    .on_output = on_output,
    .ask_to_exit = ask_to_exit,
};

/* --- What the judge calls --- */

static void ask_bid(struct player *player, const struct player_view *view)
{
    struct ugi_player *self = (struct ugi_player *)player;
    (void)view;
    player_program_begin_turn(&self->pipe.program);
    self->wait = WAIT_BID;
    pipe_player_write(&self->pipe, "query bid\n");
}

static bool append(struct ugi_player *self, const char *text)
{
    size_t length = strlen(text);
    if (self->question_length + length + 1 > self->question_room) {
        size_t room = 2 * (self->question_length + length + 1);
        char *moved = realloc(self->question, room);
        if (!moved) {
            return false;
        }
        self->question = moved;
        self->question_room = room;
    }
    memcpy(self->question + self->question_length, text, length + 1);
    self->question_length += length;
    return true;
}

/* "position startpos|fen START [moves …]". Only what is new since the last question is written. */
static bool write_position(struct ugi_player *self, const struct player_view *view)
{
    char text[GAME_MOVE_BYTES];
    bool fits = true;
    if (!self->has_start) {
        struct state usual = view->game->start();
        bool is_usual = memcmp(&usual, view->start, sizeof usual) == 0;
        view->game->write_position(view->start, text);
        self->question_length = 0;
        self->moves_written = 0;
        self->has_start = true;
        fits = append(self, is_usual ? "position startpos" : "position fen ") &&
               (is_usual || append(self, text));
    }
    for (; fits && self->moves_written < view->move_count; self->moves_written++) {
        game_write_move(view->game, &view->moves[self->moves_written], text);
        fits = append(self, self->moves_written ? " " : " moves ") && append(self, text);
    }
    return fits;
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct ugi_player *self = (struct ugi_player *)player;
    char go[48];
    player_program_begin_turn(&self->pipe.program);
    snprintf(go, sizeof go, "\ngo movetime %lld\n", (long long)(view->limit_ns / 1000000));
    self->wait = WAIT_MOVE;
    self->thought = (struct thought){.is_known = false};
    bool fits = write_position(self, view);
    size_t length = self->question_length;
    if (fits && append(self, go)) {
        pipe_player_write(&self->pipe, self->question);
        self->question_length = length;
    } else {
        struct note why;
        note_set(&why, "no memory for a question");
        player_program_fault(&self->pipe.program, FAULT_CRASHED, &why);
    }
    self->asked_ns = clock_now_ns();
    return self->asked_ns;
}

static void forget(struct player *player)
{
    struct ugi_player *self = (struct ugi_player *)player;
    if (self->wait == WAIT_MOVE) {
        self->stale_moves++;
        pipe_player_write(&self->pipe, "stop\n");
    }
    self->wait = WAIT_NOTHING;
}

static void free_player(struct player *player)
{
    free(((struct ugi_player *)player)->question);
    player_program_free(player);
}

static const struct player_class ugi_class = {
    .begin = pipe_player_begin,
    .ask_bid = ask_bid,
    .ask_move = ask_move,
    .explain_delay = player_program_delay,
    .used_ns = player_program_used_ns,
    .forget = forget,
    .end = pipe_player_end,
    .close = pipe_player_close,
    .free = free_player,
    .log = player_program_log,
    .conduct = player_program_conduct,
};

struct player *ugi_make(const struct player_spec *spec, const struct player_setup *setup,
                        struct note *why)
{
    struct pipe_player *pipe =
        pipe_player_make(sizeof(struct ugi_player), &ugi_class, &ugi_protocol, spec, setup, why);
    return pipe ? &pipe->program.player : NULL;
}
