#include "play/remote_boards.h"

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

enum { TEXT_BYTES = GAME_MOVE_BYTES + ANNOTATION_BYTES + 32 };

void remote_boards_free(struct remote_boards *boards)
{
    free(boards->list);
    *boards = (struct remote_boards){0};
}

static struct remote_board *find(struct remote_boards *boards, const struct tournament_work *work)
{
    for (size_t i = 0; i < boards->count; i++) {
        const struct tournament_work *own = &boards->list[i].work;
        if (own->pairing == work->pairing && own->from == work->from) {
            return &boards->list[i];
        }
    }
    return NULL;
}

static struct remote_board *find_or_add(struct remote_boards *boards,
                                        const struct tournament_work *work)
{
    struct remote_board *board = find(boards, work);
    if (board) {
        return board;
    }
    struct remote_board *larger =
        array_reserve(boards->list, &boards->capacity, boards->count + 1, sizeof *larger);
    if (!larger) {
        return NULL;
    }
    boards->list = larger;
    board = &larger[boards->count++];
    *board = (struct remote_board){.work = *work};
    return board;
}

/* Its first position is one that the rules allow. */
static bool begin(struct remote_board *board, const struct judge_rules *rules,
                  const struct cluster_plies *plies, struct writer *writer)
{
    const struct tournament_work *work = &board->work;
    char position[GAME_POSITION_BYTES];
    char text[GAME_POSITION_BYTES + 32];
    struct note ignored;
    int game = work->first_game + plies->index;
    board->state = rules->game->start();
    if (rules->has_auction &&
        game_read_position(rules->game, plies->start, &board->state, &ignored)) {
        return false;
    }
    board->index = plies->index;
    board->last = plies->index > board->last ? plies->index : board->last;
    board->plies = 0;
    rules->game->write_position(&board->state, position);
    snprintf(text, sizeof text, "%d %d %s", work->team[plies->black], work->team[1 - plies->black],
             position);
    writer_begin_again(writer, game);
    writer_add_event(writer, "start", game, text);
    return true;
}

static bool play(struct remote_board *board, const struct game *game, const struct cluster_ply *ply,
                 struct writer *writer)
{
    const struct annotation facts = {
        .has_time = ply->has_time,
        .time_ns = ply->time_ns,
        .has_fault = ply->has_fault,
        .fault = ply->fault,
    };
    struct move move;
    struct note ignored;
    char text[TEXT_BYTES];
    enum side side = game->to_move(&board->state);
    if (game_is_over(game, &board->state) || game_read_move(game, ply->move, &move, &ignored) ||
        game->apply(&board->state, &move, &ignored)) {
        return false;
    }
    record_ply_line(game, &move, side, ++board->plies, &facts, text, sizeof text);
    writer_add_ply(writer, board->work.first_game + board->index, text);
    return true;
}

void remote_boards_take(struct remote_boards *boards, const struct judge_rules *rules,
                        const struct cluster_plies *plies, struct writer *writer)
{
    const struct tournament_work *work = &plies->key.work;
    bool is_of_work = plies->index >= work->from && plies->index < work->to;
    struct remote_board *board = is_of_work ? find_or_add(boards, work) : NULL;
    if (!board) {
        return;
    }
    if (plies->first == 0 && plies->start[0]) {
        board->is_shown = begin(board, rules, plies, writer);
    } else if (plies->index != board->index || plies->first != board->plies) {
        board->is_shown = false; /* something was lost */
    }
    for (int i = 0; board->is_shown && i < plies->count; i++) {
        board->is_shown = play(board, rules->game, &plies->plies[i], writer);
    }
}

void remote_boards_end(struct remote_boards *boards, const struct tournament_work *work,
                       struct writer *writer)
{
    struct remote_board *board = find(boards, work);
    if (board) {
        for (int i = work->from; i <= board->last; i++) {
            writer_begin_again(writer, work->first_game + i);
        }
        *board = boards->list[--boards->count];
    }
}
