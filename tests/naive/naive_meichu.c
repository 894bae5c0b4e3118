/* naive_meichu: MeiChu 2.0. F flag, S soldier, B barrier; upper case Black, lower case White. */
#include "naive/naive.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZE = 9,
    SQUARES = 81,
    MAX_SOLDIERS = 5,
    MAX_BARRIERS = 12,
    MAX_BUDGET = 999,
};

static int side_index(char side) { return side == 'b' ? 0 : 1; }

/* The side's letter for a kind of piece: letter_of('w', 'S') is 's'. */
static char letter_of(char side, char kind)
{
    return (char)(side == 'b' ? toupper((unsigned char)kind) : tolower((unsigned char)kind));
}

static struct naive_position sit_out(const struct naive_position *position)
{
    struct naive_position after = *position;
    after.to_move = naive_other(position->to_move);
    return after;
}

/* Whether a soldier may end its move on such a square. */
static bool is_goal(char side, char letter)
{
    return letter == '.' || toupper((unsigned char)letter) == 'B' ||
           letter == letter_of(naive_other(side), 'S') ||
           letter == letter_of(naive_other(side), 'F');
}

static void list_move(const struct naive_position *position, int from, int to, int distance,
                      struct naive_list *list)
{
    char side = position->to_move;
    char target = position->cells[to];
    int budget = position->numbers[side_index(side)];
    int cost = 1 + distance;
    if (!is_goal(side, target) || budget < cost) {
        return;
    }
    if (target == letter_of(naive_other(side), 'B')) {
        cost += 3;
    }
    if (target == letter_of(side, 'B')) {
        cost -= 3;
    }
    if (budget < cost) {
        return;
    }
    struct naive_position after = sit_out(position);
    after.cells[to] = after.cells[from];
    after.cells[from] = '.';
    after.numbers[side_index(side)] -= cost;
    char text[] = {(char)('0' + from / SIZE), (char)('0' + from % SIZE), '-',
                   (char)('0' + to / SIZE),   (char)('0' + to % SIZE),   '\0'};
    naive_list_add(list, text, &after);
}

static void list_line(const struct naive_position *position, int from, int row_step,
                      int column_step, struct naive_list *list)
{
    for (int distance = 1; distance < SIZE; distance++) {
        int row = from / SIZE + distance * row_step;
        int column = from % SIZE + distance * column_step;
        if (row < 0 || row >= SIZE || column < 0 || column >= SIZE) {
            return;
        }
        int to = row * SIZE + column;
        list_move(position, from, to, distance, list);
        if (position->cells[to] != '.') {
            return;
        }
    }
}

static void list_moves(const struct naive_position *position, struct naive_list *list)
{
    for (int from = 0; from < SQUARES; from++) {
        if (position->cells[from] == letter_of(position->to_move, 'S')) {
            list_line(position, from, -1, 0, list);
            list_line(position, from, 1, 0, list);
            list_line(position, from, 0, -1, list);
            list_line(position, from, 0, 1, list);
        }
    }
}

static bool is_nobody_able_to_move(const struct naive_position *position)
{
    struct naive_list list = {0};
    struct naive_position other = sit_out(position);
    list_moves(position, &list);
    list_moves(&other, &list);
    bool is_nothing_left = list.count == 0;
    naive_list_free(&list);
    return is_nothing_left;
}

static int count_pieces(const struct naive_position *position, char letter)
{
    int count = 0;
    for (int square = 0; square < SQUARES; square++) {
        count += position->cells[square] == letter;
    }
    return count;
}

static struct naive_result decide(int difference)
{
    if (difference > 0) {
        return (struct naive_result){.outcome = "black", .score = {1, 0}};
    }
    if (difference < 0) {
        return (struct naive_result){.outcome = "white", .score = {0, 1}};
    }
    return (struct naive_result){.outcome = "draw"};
}

static struct naive_result result(const struct naive_position *position)
{
    int flags = count_pieces(position, 'F') - count_pieces(position, 'f');
    int soldiers = count_pieces(position, 'S') - count_pieces(position, 's');
    int barriers = count_pieces(position, 'B') - count_pieces(position, 'b');
    bool is_flag_gone = count_pieces(position, 'F') == 0 || count_pieces(position, 'f') == 0;
    bool is_wiped_out = count_pieces(position, 'S') == 0 || count_pieces(position, 's') == 0;
    if (!is_flag_gone && !is_wiped_out && !is_nobody_able_to_move(position)) {
        return (struct naive_result){.outcome = "ongoing"};
    }
    return decide(flags ? flags : soldiers ? soldiers : barriers);
}

static bool is_valid(const struct naive_position *position)
{
    return count_pieces(position, 'F') <= 1 && count_pieces(position, 'f') <= 1 &&
           count_pieces(position, 'S') <= MAX_SOLDIERS &&
           count_pieces(position, 's') <= MAX_SOLDIERS &&
           count_pieces(position, 'B') <= MAX_BARRIERS &&
           count_pieces(position, 'b') <= MAX_BARRIERS;
}

const struct naive_game naive_meichu = {
    .name = "meichu",
    .start = "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./.B.SBS.B./"
             "..SBFBS.. b 150 150",
    .letters = ".FSBfsb",
    .rows = SIZE,
    .columns = SIZE,
    .highest_number = MAX_BUDGET,
    .is_valid = is_valid,
    .list_moves = list_moves,
    .sit_out = sit_out,
    .result = result,
};
