/* naive_hop: both editions of hop. X is Black and goes for columns 6 and 7, O is White
 * and goes for columns 0 and 1. */
#include "naive/naive.h"

#include <stdio.h>
#include <string.h>

enum {
    SIZE = 8,
    SQUARES = 64,
    MAX_PIECES = 9,
    MAX_TURNS = 200,
    /* A hopping piece stays on one of 4 x 4 squares and can have captured any of 2^9 sets. */
    MAX_ROUTES = 1 + 16 * 512,
};

/* Directions, in the order of the squares they lead to. */
enum { UP, LEFT, RIGHT, DOWN, DIRECTIONS };

/* A piece on its way: the squares it has visited and the board now. */
struct route {
    char cells[SQUARES];
    unsigned char squares[NAIVE_MAX_PATH];
    int count;
};

static int side_index(char side) { return side == 'b' ? 0 : 1; }

static char piece_of(char side) { return side == 'b' ? 'X' : 'O'; }

static bool is_home(char piece, int square)
{
    int column = square % SIZE;
    return piece == 'X' ? column >= 6 : column <= 1;
}

/* The adjacent square, or -1 off the board. */
static int neighbour(int square, int direction)
{
    static const int rows[DIRECTIONS] = {[UP] = -1, [DOWN] = 1};
    static const int columns[DIRECTIONS] = {[LEFT] = -1, [RIGHT] = 1};
    int row = square / SIZE + rows[direction];
    int column = square % SIZE + columns[direction];
    bool is_on_board = row >= 0 && row < SIZE && column >= 0 && column < SIZE;
    return is_on_board ? row * SIZE + column : -1;
}

static struct route begin_route(const struct naive_position *position, int from)
{
    struct route route = {.count = 1};
    memcpy(route.cells, position->cells, SQUARES);
    route.squares[0] = (unsigned char)from;
    return route;
}

static int last_square(const struct route *route) { return route->squares[route->count - 1]; }

static bool add_square(struct route *route, int to)
{
    if (route->count == NAIVE_MAX_PATH) {
        return false;
    }
    int from = last_square(route);
    route->cells[to] = route->cells[from];
    route->cells[from] = '.';
    route->squares[route->count++] = (unsigned char)to;
    return true;
}

static bool step(struct route *route, int direction)
{
    int to = neighbour(last_square(route), direction);
    return to >= 0 && route->cells[to] == '.' && add_square(route, to);
}

static bool hop(struct route *route, int direction)
{
    char mover = route->cells[last_square(route)];
    int over = neighbour(last_square(route), direction);
    if (over < 0 || route->cells[over] == '.') {
        return false;
    }
    int to = neighbour(over, direction);
    if (to < 0 || route->cells[to] != '.' || !add_square(route, to)) {
        return false;
    }
    if (route->cells[over] != mover) {
        route->cells[over] = '.';
    }
    return true;
}

static bool ends_on_visited_square(const struct route *route)
{
    return memchr(route->squares, last_square(route), (size_t)route->count - 1) != NULL;
}

static void write_route(const struct route *route, char out[NAIVE_MOVE_BYTES])
{
    for (int i = 0; i < route->count; i++) {
        *out++ = (char)('0' + route->squares[i] / SIZE);
        *out++ = (char)('0' + route->squares[i] % SIZE);
        *out++ = i < route->count - 1 ? '-' : '\0';
    }
}

static struct naive_position sit_out(const struct naive_position *position)
{
    struct naive_position after = *position;
    after.numbers[side_index(position->to_move)]++;
    after.to_move = naive_other(position->to_move);
    return after;
}

static struct naive_position finish_route(const struct naive_position *position,
                                          const struct route *route)
{
    struct naive_position after = sit_out(position);
    memcpy(after.cells, route->cells, SQUARES);
    return after;
}

static bool is_better_text(const char *a, const char *b)
{
    return strlen(a) != strlen(b) ? strlen(a) < strlen(b) : strcmp(a, b) < 0;
}

/* Of the routes that lead to one position only the best text stays in the list. */
static void list_route(const struct naive_position *position, const struct route *route,
                       struct naive_list *list)
{
    struct naive_position after = finish_route(position, route);
    char text[NAIVE_MOVE_BYTES];
    write_route(route, text);
    for (size_t i = 0; i < list->count; i++) {
        if (naive_equal(&list->moves[i].after, &after)) {
            if (is_better_text(text, list->moves[i].text)) {
                snprintf(list->moves[i].text, sizeof list->moves[i].text, "%s", text);
            }
            return;
        }
    }
    naive_list_add(list, text, &after);
}

static bool is_board_in(const struct route *routes, int count, const struct route *route)
{
    for (int i = 0; i < count; i++) {
        if (memcmp(routes[i].cells, route->cells, SQUARES) == 0) {
            return true;
        }
    }
    return false;
}

/* Breadth first, and in the order of texts within each length: the first route to a board is
 * the best one. The first entry is the piece before it moves, so it does not count as reached. */
static void list_hops_with_loops(const struct naive_position *position, int from,
                                 struct naive_list *list)
{
    struct route routes[MAX_ROUTES + 1];
    int count = 0;
    routes[count++] = begin_route(position, from);
    for (int i = 0; i < count; i++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            struct route next = routes[i];
            if (hop(&next, direction) && !is_board_in(routes + 1, count - 1, &next)) {
                routes[count++] = next;
                list_route(position, &next, list);
            }
        }
    }
}

/* Depth first over every path that visits no square twice. */
static void list_hops_without_loops(const struct naive_position *position,
                                    const struct route *route, struct naive_list *list)
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        struct route next = *route;
        if (hop(&next, direction) && !ends_on_visited_square(&next)) {
            list_route(position, &next, list);
            list_hops_without_loops(position, &next, list);
        }
    }
}

static void list_steps(const struct naive_position *position, int from, struct naive_list *list)
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        struct route route = begin_route(position, from);
        if (step(&route, direction)) {
            list_route(position, &route, list);
        }
    }
}

static void hop_list_moves(const struct naive_position *position, struct naive_list *list)
{
    for (int from = 0; from < SQUARES; from++) {
        if (position->cells[from] == piece_of(position->to_move)) {
            list_steps(position, from, list);
            list_hops_with_loops(position, from, list);
        }
    }
}

static void noloop_list_moves(const struct naive_position *position, struct naive_list *list)
{
    for (int from = 0; from < SQUARES; from++) {
        if (position->cells[from] == piece_of(position->to_move)) {
            struct route route = begin_route(position, from);
            list_steps(position, from, list);
            list_hops_without_loops(position, &route, list);
        }
    }
}

/* Reads "10-12-32" from `text`. Returns how many squares, or 0 when it is not a path. */
static int read_path(const char *text, int squares[NAIVE_MAX_PATH])
{
    for (int count = 0; count < NAIVE_MAX_PATH; text += 3) {
        if (text[0] < '0' || text[0] > '7' || text[1] < '0' || text[1] > '7') {
            return 0;
        }
        squares[count++] = (text[0] - '0') * SIZE + (text[1] - '0');
        if (text[2] == '\0') {
            return count;
        }
        if (text[2] != '-') {
            return 0;
        }
    }
    return 0;
}

/* Continues to the square `to` by a step or by a hop. */
static bool go(struct route *route, int to, bool (*by)(struct route *, int direction))
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        struct route next = *route;
        if (by(&next, direction) && last_square(&next) == to) {
            *route = next;
            return true;
        }
    }
    return false;
}

static bool apply_path(const struct naive_position *position, const char *path, bool is_noloop,
                       struct naive_position *after)
{
    int squares[NAIVE_MAX_PATH];
    int count = read_path(path, squares);
    if (count < 2 || position->cells[squares[0]] != piece_of(position->to_move)) {
        return false;
    }
    struct route route = begin_route(position, squares[0]);
    if (count > 2 || !go(&route, squares[1], step)) {
        for (int i = 1; i < count; i++) {
            if (!go(&route, squares[i], hop) || (is_noloop && ends_on_visited_square(&route))) {
                return false;
            }
        }
    }
    *after = finish_route(position, &route);
    return true;
}

static bool hop_apply_path(const struct naive_position *position, const char *path,
                           struct naive_position *after)
{
    return apply_path(position, path, false, after);
}

static bool noloop_apply_path(const struct naive_position *position, const char *path,
                              struct naive_position *after)
{
    return apply_path(position, path, true, after);
}

static int count_pieces(const struct naive_position *position, char piece)
{
    int count = 0;
    for (int square = 0; square < SQUARES; square++) {
        count += position->cells[square] == piece;
    }
    return count;
}

static int count_home(const struct naive_position *position, char piece)
{
    int count = 0;
    for (int square = 0; square < SQUARES; square++) {
        count += position->cells[square] == piece && is_home(piece, square);
    }
    return count;
}

static bool are_all_home(const struct naive_position *position, char piece)
{
    int pieces = count_pieces(position, piece);
    return pieces > 0 && count_home(position, piece) == pieces;
}

static struct naive_result result(const struct naive_position *position)
{
    int black = count_home(position, 'X');
    int white = count_home(position, 'O');
    struct naive_result result = {.outcome = "ongoing", .score = {black, white}};
    bool is_limit_reached = position->numbers[0] == MAX_TURNS && position->numbers[1] == MAX_TURNS;
    if (are_all_home(position, 'X') || are_all_home(position, 'O') || is_limit_reached) {
        result.outcome = black > white ? "black" : black < white ? "white" : "draw";
    }
    return result;
}

static bool is_valid(const struct naive_position *position)
{
    int lead = position->to_move == 'b' ? 0 : 1;
    return count_pieces(position, 'X') <= MAX_PIECES && count_pieces(position, 'O') <= MAX_PIECES &&
           position->numbers[0] == position->numbers[1] + lead;
}

#define START                                                                 \
    "X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O" \
    " b 0 0"

const struct naive_game naive_hop = {
    .name = "hop",
    .start = START,
    .letters = ".XO",
    .rows = SIZE,
    .columns = SIZE,
    .highest_number = MAX_TURNS,
    .is_valid = is_valid,
    .list_moves = hop_list_moves,
    .apply_path = hop_apply_path,
    .sit_out = sit_out,
    .result = result,
};

const struct naive_game naive_hop_noloop = {
    .name = "hop-noloop",
    .start = START,
    .letters = ".XO",
    .rows = SIZE,
    .columns = SIZE,
    .highest_number = MAX_TURNS,
    .is_valid = is_valid,
    .list_moves = noloop_list_moves,
    .apply_path = noloop_apply_path,
    .sit_out = sit_out,
    .result = result,
};
