#include "play/spectators.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "judge/annotation.h"
#include "judge/record.h"

struct remote_board {
    struct tournament_work work;
    bool is_shown; /* all that was received so far; else the rest of the game is not */
    int index;     /* of the game in its pairing */
    int last;      /* the highest index of the games that were shown */
    int plies;
    struct state state; /* after them */
};

/* --- What is shown --- */

static void show_start(const struct spectators *s, const struct tournament_work *work, int index,
                       int black, const char *position)
{
    char text[GAME_POSITION_BYTES + 32];
    snprintf(text, sizeof text, "%d %d %s", work->team[black], work->team[1 - black], position);
    writer_add_event(s->writer, "start", work->first_game + index, text);
}

static void show_ply(const struct spectators *s, int game, int number, enum side side,
                     const struct move *move, const struct annotation *facts)
{
    char text[GAME_MOVE_BYTES + ANNOTATION_BYTES + 32];
    record_ply_line(s->rules->game, move, side, number, facts, text, sizeof text);
    writer_add_ply(s->writer, game, text);
}

/* --- Games here --- */

void spectators_take(struct spectators *s, int slot, const struct tournament_work *work,
                     const struct game_event *event)
{
    struct worker_board *board = &s->slots[slot];
    if (work->phase != PHASE_ROUNDS) {
        return;
    }
    if (event->kind == GAME_EVENT_START) {
        worker_board_begin(board, &(struct cluster_key){.work = *work}, event->game, event->judge);
    } else if (event->kind == GAME_EVENT_PLY) {
        worker_board_add(board, event->ply);
    }
}

void spectators_end_game(struct spectators *s, int game)
{
    for (int i = 0; i < s->slot_count; i++) {
        struct worker_board *board = &s->slots[i];
        if (board->key.work.first_game + board->index == game) {
            worker_board_end(board);
        }
    }
}

void spectators_begin_again(struct spectators *s, const struct tournament_work *work, int index)
{
    if (work->phase == PHASE_ROUNDS) {
        writer_begin_again(s->writer, work->first_game + index);
        spectators_end_game(s, work->first_game + index);
    }
}

static void show_board(const struct spectators *s, struct worker_board *board)
{
    const struct tournament_work *work = &board->key.work;
    if (!board->has_begun) {
        show_start(s, work, board->index, board->black, board->start);
        board->has_begun = true;
    }
    while (board->sent < board->count) {
        const struct judge_ply *ply = &board->plies[board->sent++];
        const struct annotation facts = {
            .has_time = ply->was_asked,
            .time_ns = ply->time_ns,
            .has_fault = ply->has_fault,
            .fault = ply->fault,
        };
        show_ply(s, work->first_game + board->index, board->sent, ply->side, &ply->move, &facts);
    }
}

void spectators_show(struct spectators *s)
{
    for (int i = 0; i < s->slot_count; i++) {
        if (s->slots[i].is_running) {
            show_board(s, &s->slots[i]);
        }
    }
}

/* --- Games of workers --- */

static struct remote_board *find(struct spectators *s, const struct tournament_work *work)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct tournament_work *own = &s->list[i].work;
        if (own->pairing == work->pairing && own->from == work->from) {
            return &s->list[i];
        }
    }
    return NULL;
}

static struct remote_board *find_or_add(struct spectators *s, const struct tournament_work *work)
{
    struct remote_board *board = find(s, work);
    if (board) {
        return board;
    }
    struct remote_board *larger =
        array_reserve(s->list, &s->capacity, s->count + 1, sizeof *larger);
    if (!larger) {
        return NULL;
    }
    s->list = larger;
    board = &larger[s->count++];
    *board = (struct remote_board){.work = *work};
    return board;
}

/* Its first position is one that the rules allow. */
static bool begin(const struct spectators *s, struct remote_board *board,
                  const struct cluster_plies *plies)
{
    const struct game *game = s->rules->game;
    char position[GAME_POSITION_BYTES];
    struct note ignored;
    board->state = game->start();
    if (s->rules->has_auction && game_read_position(game, plies->start, &board->state, &ignored)) {
        return false;
    }
    board->index = plies->index;
    board->last = plies->index > board->last ? plies->index : board->last;
    board->plies = 0;
    game->write_position(&board->state, position);
    writer_begin_again(s->writer, board->work.first_game + plies->index);
    show_start(s, &board->work, plies->index, plies->black, position);
    return true;
}

static bool play(const struct spectators *s, struct remote_board *board,
                 const struct cluster_ply *ply)
{
    const struct game *game = s->rules->game;
    const struct annotation facts = {
        .has_time = ply->has_time,
        .time_ns = ply->time_ns,
        .has_fault = ply->has_fault,
        .fault = ply->fault,
    };
    struct move move;
    struct note ignored;
    enum side side = game->to_move(&board->state);
    if (game_is_over(game, &board->state) || game_read_move(game, ply->move, &move, &ignored) ||
        game->apply(&board->state, &move, &ignored)) {
        return false;
    }
    show_ply(s, board->work.first_game + board->index, ++board->plies, side, &move, &facts);
    return true;
}

void spectators_take_plies(struct spectators *s, const struct cluster_plies *plies)
{
    const struct tournament_work *work = &plies->key.work;
    bool is_of_work =
        work->phase == PHASE_ROUNDS && plies->index >= work->from && plies->index < work->to;
    struct remote_board *board = is_of_work ? find_or_add(s, work) : NULL;
    if (!board) {
        return;
    }
    if (plies->first == 0 && plies->start[0]) {
        board->is_shown = begin(s, board, plies);
    } else if (plies->index != board->index || plies->first != board->plies) {
        board->is_shown = false; /* something was lost */
    }
    for (int i = 0; board->is_shown && i < plies->count; i++) {
        board->is_shown = play(s, board, &plies->plies[i]);
    }
}

void spectators_end_work(struct spectators *s, const struct tournament_work *work)
{
    struct remote_board *board = find(s, work);
    if (board) {
        for (int i = work->from; i <= board->last; i++) {
            writer_begin_again(s->writer, work->first_game + i);
        }
        *board = s->list[--s->count];
    }
}

/* --- Public --- */

enum err spectators_open(struct spectators *s, const struct judge_rules *rules, int slots,
                         struct note *why)
{
    int count = slots > 1 ? slots : 1;
    *s = (struct spectators){.rules = rules, .slot_count = count};
    s->slots = calloc((size_t)count, sizeof *s->slots);
    return s->slots ? ERR_NONE
                    : note_fail(why, ERR_ENVIRONMENT, "no memory for %d games at once", count);
}

void spectators_free(struct spectators *s)
{
    for (int i = 0; s->slots && i < s->slot_count; i++) {
        worker_board_free(&s->slots[i]);
    }
    free(s->slots);
    free(s->list);
}
