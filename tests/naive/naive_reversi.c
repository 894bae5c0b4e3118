/* naive_reversi: Reversi without corners, and Othello. X is Black, O is White. */
#include "naive/naive.h"

#include <string.h>

enum { SIZE = 8, SQUARES = 64 };

static char disc_of(char side) { return side == 'b' ? 'X' : 'O'; }

static bool is_corner(int square)
{
    int row = square / SIZE;
    int column = square % SIZE;
    return (row == 0 || row == SIZE - 1) && (column == 0 || column == SIZE - 1);
}

static bool is_central(int square)
{
    int row = square / SIZE;
    int column = square % SIZE;
    return row >= 1 && row <= 6 && column >= 1 && column <= 6;
}

/* What is `distance` squares away, '#' off the board. */
static char look(const char *cells, int square, int row_step, int column_step, int distance)
{
    int row = square / SIZE + distance * row_step;
    int column = square % SIZE + distance * column_step;
    bool is_on_board = row >= 0 && row < SIZE && column >= 0 && column < SIZE;
    return is_on_board ? cells[row * SIZE + column] : '#';
}

/* How many discs a disc of `side` placed on `square` encloses in one direction. */
static int count_enclosed(const char *cells, int square, char side, int row_step, int column_step)
{
    int enclosed = 0;
    while (look(cells, square, row_step, column_step, enclosed + 1) == disc_of(naive_other(side))) {
        enclosed++;
    }
    bool is_closed = look(cells, square, row_step, column_step, enclosed + 1) == disc_of(side);
    return is_closed ? enclosed : 0;
}

/* Places a disc and flips what it encloses. Returns how many were flipped. */
static int place(char *cells, int square, char side)
{
    int flipped = 0;
    for (int row_step = -1; row_step <= 1; row_step++) {
        for (int column_step = -1; column_step <= 1; column_step++) {
            if (row_step == 0 && column_step == 0) {
                continue;
            }
            int enclosed = count_enclosed(cells, square, side, row_step, column_step);
            for (int i = 1; i <= enclosed; i++) {
                cells[square + i * (row_step * SIZE + column_step)] = disc_of(side);
            }
            flipped += enclosed;
        }
    }
    cells[square] = disc_of(side);
    return flipped;
}

static struct naive_position sit_out(const struct naive_position *position)
{
    struct naive_position after = *position;
    after.to_move = naive_other(position->to_move);
    return after;
}

static void list_moves(const struct naive_position *position, bool is_centre_free,
                       struct naive_list *list)
{
    for (int square = 0; square < SQUARES; square++) {
        if (position->cells[square] != '.') {
            continue;
        }
        struct naive_position after = sit_out(position);
        int flipped = place(after.cells, square, position->to_move);
        if (flipped > 0 || (is_centre_free && is_central(square))) {
            char text[3] = {(char)('0' + square / SIZE), (char)('0' + square % SIZE), '\0'};
            naive_list_add(list, text, &after);
        }
    }
}

static void reversi_list_moves(const struct naive_position *position, struct naive_list *list)
{
    list_moves(position, true, list);
}

static void othello_list_moves(const struct naive_position *position, struct naive_list *list)
{
    list_moves(position, false, list);
}

static bool is_over(const struct naive_position *position, bool is_centre_free)
{
    struct naive_list list = {0};
    struct naive_position other = sit_out(position);
    list_moves(position, is_centre_free, &list);
    list_moves(&other, is_centre_free, &list);
    bool is_nothing_left = list.count == 0;
    naive_list_free(&list);
    return is_nothing_left;
}

static int count_cells(const struct naive_position *position, char letter)
{
    int count = 0;
    for (int square = 0; square < SQUARES; square++) {
        count += position->cells[square] == letter;
    }
    return count;
}

static struct naive_result decide(bool over, int difference)
{
    const char *winner = difference > 0 ? "black" : difference < 0 ? "white" : "draw";
    return (struct naive_result){
        .outcome = over ? winner : "ongoing",
        .score = {difference, -difference},
    };
}

static struct naive_result reversi_result(const struct naive_position *position)
{
    return decide(is_over(position, true), count_cells(position, 'X') - count_cells(position, 'O'));
}

static struct naive_result othello_result(const struct naive_position *position)
{
    bool over = is_over(position, false);
    int difference = count_cells(position, 'X') - count_cells(position, 'O');
    int empty = count_cells(position, '.');
    if (over && difference > 0) {
        difference += empty;
    } else if (over && difference < 0) {
        difference -= empty;
    }
    return decide(over, difference);
}

static bool reversi_is_valid(const struct naive_position *position)
{
    for (int square = 0; square < SQUARES; square++) {
        if (is_corner(square) != (position->cells[square] == '#')) {
            return false;
        }
    }
    return true;
}

static bool othello_is_valid(const struct naive_position *position)
{
    (void)position;
    return true;
}

const struct naive_game naive_reversi = {
    .name = "reversi",
    .start = "#......#/......../......../......../......../......../......../#......# b",
    .letters = ".XO#",
    .rows = SIZE,
    .columns = SIZE,
    .is_valid = reversi_is_valid,
    .list_moves = reversi_list_moves,
    .sit_out = sit_out,
    .result = reversi_result,
};

const struct naive_game naive_othello = {
    .name = "othello",
    .start = "......../......../......../...OX.../...XO.../......../......../........ b",
    .letters = ".XO",
    .rows = SIZE,
    .columns = SIZE,
    .is_valid = othello_is_valid,
    .list_moves = othello_list_moves,
    .sit_out = sit_out,
    .result = othello_result,
};
