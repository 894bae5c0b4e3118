#include "play/worker_board.h"

#include <stdlib.h>
#include <string.h>

void worker_board_free(struct worker_board *board)
{
    free(board->plies);
    *board = (struct worker_board){0};
}

void worker_board_begin(struct worker_board *board, const struct cluster_key *key, int index,
                        const struct judge *judge)
{
    struct judge_ply *plies = board->plies ? board->plies : malloc(JUDGE_MAX_PLIES * sizeof *plies);
    *board = (struct worker_board){
        .is_running = plies,
        .key = *key,
        .index = index,
        .black = judge_player_of(judge, SIDE_BLACK) ^ (index & 1), /* they take turns */
        .plies = plies,
    };
    judge->rules.game->write_position(&judge->start, board->start);
}

void worker_board_add(struct worker_board *board, const struct judge_ply *ply)
{
    if (board->is_running && board->count < JUDGE_MAX_PLIES) {
        board->plies[board->count++] = *ply;
    }
}

void worker_board_end(struct worker_board *board) { board->is_running = false; }

bool worker_board_next(struct worker_board *board, const struct game *game,
                       struct cluster_plies *out)
{
    if (!board->is_running || (board->has_begun && board->sent == board->count)) {
        return false;
    }
    *out = (struct cluster_plies){
        .key = board->key, .index = board->index, .black = board->black, .first = board->sent};
    if (!board->has_begun) {
        memcpy(out->start, board->start, sizeof out->start);
    }
    while (board->sent < board->count && out->count < CLUSTER_MAX_PLIES) {
        const struct judge_ply *ply = &board->plies[board->sent++];
        struct cluster_ply *sent = &out->plies[out->count++];
        *sent = (struct cluster_ply){
            .has_time = ply->was_asked,
            .time_ns = ply->was_asked && ply->time_ns > 0 ? ply->time_ns : 0,
            .has_fault = ply->has_fault,
            .fault = ply->has_fault ? ply->fault : FAULT_LATE,
        };
        game_write_move(game, &ply->move, sent->move);
    }
    board->has_begun = true;
    return true;
}
