/* template: programs made from the course's template, which protocol to a person.
 *
 * The judge is that person. It reads the program's bid and moves among whatever else
 * is printed, and types in the opponent's. Passes are silent on both sides. The program
 * runs on a pseudo-terminal without echo, so that it does not hold its output back.
 *
 * No message announces the start. A program has started when it prints something; one that has been
 * silent for half of its time to start is taken to think about its bid.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "base/loop.h"
#include "player/pipe_player.h"
#include "protocol/template_text.h"

enum { GOODBYE_GRACE_MS = 500 };

struct template_player {
    struct pipe_player pipe;
    struct template_text text;
    uv_timer_t silence;
    int64_t patience_ms;
    bool is_starting; /* READY not yet sent */
    bool has_bid;     /* the program's bid came before it was asked, as it does */
    struct bid bid;
    bool is_bid_awaited;
    bool is_move_awaited;
    bool has_early_move; /* a move that came before the judge asked */
    struct template_phrase early_move;
    struct template_phrase near; /* what was printed last that resembles an answer */
    enum side colour;
};

static void describe_numbers(const struct template_phrase *phrase, int count, struct note *out)
{
    const int64_t *n = phrase->numbers;
    if (count == 2) {
        note_set(out, "colour %lld, price %lld", (long long)n[0], (long long)n[1]);
    } else {
        note_set(out, "[%lld, %lld, %lld, %lld]", (long long)n[0], (long long)n[1], (long long)n[2],
                 (long long)n[3]);
    }
}

/* Whether the program printed a number that is too large to be read: then its line is quoted. */
static bool is_beyond(int64_t number)
{
    return number >= NUMBER_DIGITS_MAX || number <= -NUMBER_DIGITS_MAX;
}

static void refuse(struct template_player *self, const struct note *answer, const struct note *why)
{
    pipe_player_report(&self->pipe, (struct player_event){.kind = PLAYER_FAULT,
                                                          .fault = FAULT_INVALID,
                                                          .answer = *answer,
                                                          .why = *why});
}

static void take_bid(struct template_player *self, const struct template_phrase *phrase)
{
    struct note answer;
    struct note why;
    if (self->has_bid) {
        return; /* a remark */
    }
    if (phrase->numbers[0] != 0 && phrase->numbers[0] != 1) {
        note_set(&why, "the colour of its bid is %lld; 0 is Black and 1 is White",
                 (long long)phrase->numbers[0]);
        describe_numbers(phrase, 2, &answer);
        if (is_beyond(phrase->numbers[0])) {
            utf8_clean(phrase->line, answer.text, sizeof answer.text);
            note_set(&why, "the colour of its bid '%.120s' is neither 0 (Black) nor 1 (White)",
                     answer.text);
        }
        refuse(self, &answer, &why);
        return;
    }
    self->bid = (struct bid){(int)phrase->numbers[0], phrase->numbers[1]};
    self->has_bid = true;
    if (self->is_bid_awaited) {
        self->is_bid_awaited = false;
        pipe_player_report(&self->pipe,
                           (struct player_event){.kind = PLAYER_BID, .bid = self->bid});
    }
}

static void tell_move(struct template_player *self, const struct template_phrase *phrase)
{
    const struct game *game = self->pipe.game;
    struct player_event event = {.kind = PLAYER_MOVE, .move = {.kind = MOVE_PATH, .count = 2}};
    for (int i = 0; i < 2; i++) {
        int64_t row = phrase->numbers[2 * i];
        int64_t column = phrase->numbers[2 * i + 1];
        if (row < 0 || row >= game->rows || column < 0 || column >= game->columns) {
            event.kind = PLAYER_FAULT;
            event.fault = FAULT_INVALID;
            describe_numbers(phrase, 4, &event.answer);
            note_set(&event.why, "square (%lld, %lld) of its move is off the board", (long long)row,
                     (long long)column);
            if (is_beyond(row) || is_beyond(column)) {
                utf8_clean(phrase->line, event.answer.text, sizeof event.answer.text);
                note_set(&event.why, "a square of its move '%.120s' is off the board",
                         event.answer.text);
            }
            break;
        }
        event.move.squares[i] = (uint8_t)(row * game->columns + column);
    }
    self->is_move_awaited = false;
    self->near.kind = TEMPLATE_NOTHING;
    player_program_end_turn(&self->pipe.program);
    pipe_player_report(&self->pipe, event);
}

static void take_move(struct template_player *self, const struct template_phrase *phrase)
{
    if (self->is_move_awaited) {
        tell_move(self, phrase);
    } else if (!self->has_early_move) {
        self->has_early_move = true;
        self->early_move = *phrase;
    } else {
        struct note why;
        note_set(&why, "it moves again and again although it is the other side's turn");
        player_program_fault(&self->pipe.program, FAULT_HOSTILE, &why);
    }
}

/* The courses' templates print a move in two forms: one in Python, one in C and C++. */
static bool is_python(const struct template_player *self)
{
    return strstr(self->pipe.program.spec->command, "py");
}

static void refuse_line(struct template_player *self, const char *what, const char *line,
                        const char *wanted)
{
    struct note answer = {0};
    struct note why;
    utf8_clean(line, answer.text, sizeof answer.text);
    note_set(&why, "it printed '%.120s', which is not a %s; one looks like '%s'", answer.text, what,
             wanted);
    refuse(self, &answer, &why);
}

static void take_phrase(struct template_player *self, const struct template_phrase *phrase)
{
    switch (phrase->kind) {
    case TEMPLATE_NOTHING:
        break;
    case TEMPLATE_BID:
        take_bid(self, phrase);
        break;
    case TEMPLATE_MOVE:
        take_move(self, phrase);
        break;
    case TEMPLATE_BAD_BID:
        if (!self->has_bid) {
            refuse_line(self, "bid", phrase->line, "My bid: 0 5");
        }
        break;
    case TEMPLATE_BAD_MOVE:
        if (self->is_move_awaited) {
            self->is_move_awaited = false;
            refuse_line(self, "move", phrase->line,
                        is_python(self) ? "My move : [6, 4, 5, 4]" : "Move (6, 4) to (5, 4).");
        }
        break;
    case TEMPLATE_NEAR_BID:
    case TEMPLATE_NEAR_MOVE:
        self->near = *phrase;
        break;
    }
}

static void report_ready(struct template_player *self)
{
    uv_timer_stop(&self->silence);
    if (self->is_starting) {
        self->is_starting = false;
        pipe_player_report(&self->pipe, (struct player_event){.kind = PLAYER_READY});
    }
}

static void on_silence(uv_timer_t *timer) { report_ready(timer->data); }

static void on_output(struct pipe_player *pipe, const char *bytes, size_t count)
{
    struct template_player *self = (struct template_player *)pipe;
    report_ready(self);
    while (pipe->is_playing && count) {
        struct template_phrase phrase = template_feed(&self->text, &bytes, &count);
        take_phrase(self, &phrase);
    }
}

static void prepare(struct pipe_player *pipe, struct process_spec *wishes)
{
    static const char *const environment[] = {"PYTHONUNBUFFERED=1", "TERM=dumb", NULL};
    struct template_player *self = (struct template_player *)pipe;
    wishes->environment = environment;
    memset(&self->text, 0, sizeof self->text);
    self->is_starting = true;
    self->has_bid = false;
    self->is_bid_awaited = false;
    self->is_move_awaited = false;
    self->has_early_move = false;
    self->near.kind = TEMPLATE_NOTHING;
}

static void on_start(struct pipe_player *pipe)
{
    struct template_player *self = (struct template_player *)pipe;
    uv_timer_start(&self->silence, on_silence, (uint64_t)self->patience_ms, 0);
}

static void on_program_end(struct pipe_player *pipe)
{
    uv_timer_stop(&((struct template_player *)pipe)->silence);
}

/* The Python one waits for Enter at the end. */
static void ask_to_exit(struct pipe_player *pipe) { pipe_player_write(pipe, "\n"); }

static const struct pipe_protocol template_protocol = {
    .grace_ms = GOODBYE_GRACE_MS,
    .wants_terminal = true,
    .prepare = prepare,
    .on_start = on_start,
    .on_output = on_output,
    .ask_to_exit = ask_to_exit,
    .on_program_end = on_program_end,
};

/* --- What the judge calls --- */

static void begin(struct player *player, const struct player_view *view)
{
    ((struct template_player *)player)->patience_ms = view->startup_ns / 2000000;
    pipe_player_begin(player, view);
}

static void ask_bid(struct player *player, const struct player_view *view)
{
    struct template_player *self = (struct template_player *)player;
    (void)view;
    player_program_begin_turn(&self->pipe.program);
    if (self->has_bid) {
        pipe_player_report(&self->pipe,
                           (struct player_event){.kind = PLAYER_BID, .bid = self->bid});
    } else {
        self->is_bid_awaited = true;
    }
}

static void learn_bids(struct player *player, const struct bid *own, const struct bid *other,
                       enum side colour, bool by_lot)
{
    struct template_player *self = (struct template_player *)player;
    char text[TEMPLATE_INPUT_BYTES];
    (void)own;
    self->colour = colour;
    template_write_bid(other, by_lot, colour, text);
    pipe_player_write(&self->pipe, text);
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct template_player *self = (struct template_player *)player;
    (void)view;
    player_program_begin_turn(&self->pipe.program);
    int64_t now_ns = clock_now_ns();
    self->is_move_awaited = true;
    if (self->has_early_move) {
        self->has_early_move = false;
        tell_move(self, &self->early_move);
    }
    return now_ns;
}

/* A line that was perhaps meant as the answer is quoted, with the form that is read. */
static struct player_delay explain_delay(const struct player *player)
{
    const struct template_player *self = (const struct template_player *)player;
    const struct template_phrase *near = &self->near;
    struct player_delay delay = player_program_delay(player);
    char line[TEMPLATE_LINE_BYTES];
    long long n[4];
    utf8_clean(near->line, line, sizeof line);
    for (int i = 0; i < 4; i++) {
        n[i] = (long long)near->numbers[i];
    }
    if (near->kind == TEMPLATE_NEAR_MOVE && self->is_move_awaited) {
        delay.is_explained = true;
        note_set(&delay.reason,
                 is_python(self) ? "it printed '%s', which is not read as a move: print "
                                   "'My move : [%lld, %lld, %lld, %lld]'"
                                 : "it printed '%s', which is not read as a move: print "
                                   "'Move (%lld, %lld) to (%lld, %lld).'",
                 line, n[0], n[1], n[2], n[3]);
    } else if (near->kind == TEMPLATE_NEAR_BID && self->is_bid_awaited) {
        delay.is_explained = true;
        note_set(&delay.reason,
                 "it printed '%s', which is not read as a bid: print 'My bid: %lld %lld'", line,
                 n[0], n[1]);
    }
    return delay;
}

static void observe(struct player *player, const struct move *move, enum side mover)
{
    struct template_player *self = (struct template_player *)player;
    char text[TEMPLATE_INPUT_BYTES];
    if (move->kind != MOVE_PATH || mover == self->colour) {
        return;
    }
    template_write_move(self->pipe.game, move, text);
    pipe_player_write(&self->pipe, text);
}

static void forget(struct player *player)
{
    ((struct template_player *)player)->is_move_awaited = false;
}

static void on_timer_closed(uv_handle_t *handle) { pipe_player_close(handle->data); }

static void close_player(struct player *player)
{
    uv_close((uv_handle_t *)&((struct template_player *)player)->silence, on_timer_closed);
}

static const struct player_class template_class = {
    .begin = begin,
    .ask_bid = ask_bid,
    .learn_bids = learn_bids,
    .ask_move = ask_move,
    .observe = observe,
    .explain_delay = explain_delay,
    .used_ns = player_program_used_ns,
    .forget = forget,
    .end = pipe_player_end,
    .close = close_player,
    .free = player_program_free,
    .log = player_program_log,
    .conduct = player_program_conduct,
};

struct player *template_make(const struct player_spec *spec, const struct player_setup *setup,
                             struct note *why)
{
    struct template_player *self = (struct template_player *)pipe_player_make(
        sizeof *self, &template_class, &template_protocol, spec, setup, why);
    if (!self) {
        return NULL;
    }
    uv_timer_init(setup->loop, &self->silence);
    self->silence.data = self;
    return &self->pipe.program.player;
}
