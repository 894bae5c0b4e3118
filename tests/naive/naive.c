#include "naive/naive.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct naive_game *const games[] = {
    &naive_hop, &naive_hop_noloop, &naive_reversi, &naive_othello, &naive_meichu,
};

const struct naive_game *naive_find(const char *name)
{
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        if (strcmp(games[i]->name, name) == 0) {
            return games[i];
        }
    }
    return NULL;
}

/* Reads " 123" without leading zeros. Returns what follows, or NULL. */
static const char *read_number(const char *text, int highest, int *out)
{
    if (text[0] != ' ' || !isdigit((unsigned char)text[1])) {
        return NULL;
    }
    if (text[1] == '0' && isdigit((unsigned char)text[2])) {
        return NULL;
    }
    int number = 0;
    for (text++; isdigit((unsigned char)*text); text++) {
        number = 10 * number + (*text - '0');
        if (number > highest) {
            return NULL;
        }
    }
    *out = number;
    return text;
}

bool naive_read(const struct naive_game *game, const char *text, struct naive_position *out)
{
    if (strcmp(text, "start") == 0) {
        text = game->start;
    }
    struct naive_position position = {0};
    for (int row = 0; row < game->rows; row++) {
        for (int column = 0; column < game->columns; column++, text++) {
            if (*text == '\0' || !strchr(game->letters, *text)) {
                return false;
            }
            position.cells[row * game->columns + column] = *text;
        }
        if (*text++ != (row < game->rows - 1 ? '/' : ' ')) {
            return false;
        }
    }
    if (*text != 'b' && *text != 'w') {
        return false;
    }
    position.to_move = *text++;
    for (int side = 0; side < 2 && game->highest_number; side++) {
        text = read_number(text, game->highest_number, &position.numbers[side]);
        if (!text) {
            return false;
        }
    }
    if (*text != '\0' || !game->is_valid(&position)) {
        return false;
    }
    *out = position;
    return true;
}

void naive_write(const struct naive_game *game, const struct naive_position *position,
                 char out[NAIVE_POSITION_BYTES])
{
    size_t length = 0;
    for (int row = 0; row < game->rows; row++) {
        for (int column = 0; column < game->columns; column++) {
            out[length++] = position->cells[row * game->columns + column];
        }
        out[length++] = row < game->rows - 1 ? '/' : ' ';
    }
    out[length++] = position->to_move;
    out[length] = '\0';
    if (game->highest_number) {
        snprintf(out + length, NAIVE_POSITION_BYTES - length, " %d %d", position->numbers[0],
                 position->numbers[1]);
    }
}

bool naive_equal(const struct naive_position *a, const struct naive_position *b)
{
    return memcmp(a->cells, b->cells, sizeof a->cells) == 0 && a->to_move == b->to_move &&
           a->numbers[0] == b->numbers[0] && a->numbers[1] == b->numbers[1];
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(((const struct naive_move *)a)->text, ((const struct naive_move *)b)->text);
}

void naive_moves(const struct naive_game *game, const struct naive_position *position,
                 struct naive_list *list)
{
    list->count = 0;
    if (strcmp(game->result(position).outcome, "ongoing") != 0) {
        return;
    }
    game->list_moves(position, list);
    if (list->count == 0) {
        struct naive_position after = game->sit_out(position);
        naive_list_add(list, "pass", &after);
        return;
    }
    qsort(list->moves, list->count, sizeof list->moves[0], compare_texts);
}

static bool apply_listed(const struct naive_game *game, const struct naive_position *position,
                         const char *move, struct naive_position *after)
{
    struct naive_list list = {0};
    naive_moves(game, position, &list);
    bool is_listed = false;
    for (size_t i = 0; i < list.count && !is_listed; i++) {
        is_listed = strcmp(list.moves[i].text, move) == 0;
        if (is_listed) {
            *after = list.moves[i].after;
        }
    }
    naive_list_free(&list);
    return is_listed;
}

bool naive_apply(const struct naive_game *game, const struct naive_position *position,
                 const char *move, struct naive_position *after)
{
    if (!game->apply_path || strcmp(move, "pass") == 0) {
        return apply_listed(game, position, move, after);
    }
    if (strcmp(game->result(position).outcome, "ongoing") != 0) {
        return false;
    }
    if (strcmp(move, "skip") == 0) {
        *after = game->sit_out(position);
        return true;
    }
    return game->apply_path(position, move, after);
}

struct naive_result naive_result(const struct naive_game *game,
                                 const struct naive_position *position)
{
    return game->result(position);
}

static uint64_t perft(const struct naive_game *game, const struct naive_position *position,
                      int depth)
{
    if (depth == 0) {
        return 1;
    }
    struct naive_list list = {0};
    naive_moves(game, position, &list);
    uint64_t sequences = 0;
    if (depth == 1) {
        sequences = list.count;
    } else {
        for (size_t i = 0; i < list.count; i++) {
            sequences += perft(game, &list.moves[i].after, depth - 1);
        }
    }
    naive_list_free(&list);
    return sequences;
}

uint64_t naive_perft(const char *game_name, const char *text, int depth)
{
    const struct naive_game *game = naive_find(game_name);
    struct naive_position position;
    if (!game || !naive_read(game, text, &position)) {
        abort();
    }
    return perft(game, &position, depth);
}

void naive_list_free(struct naive_list *list)
{
    free(list->moves);
    *list = (struct naive_list){0};
}

struct naive_move *naive_list_add(struct naive_list *list, const char *text,
                                  const struct naive_position *after)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->moves = realloc(list->moves, list->room * sizeof list->moves[0]);
        if (!list->moves) {
            abort();
        }
    }
    struct naive_move *move = &list->moves[list->count++];
    snprintf(move->text, sizeof move->text, "%s", text);
    move->after = *after;
    return move;
}
