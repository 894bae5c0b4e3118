#include "random_position.h"

#include <string.h>

/* A rectangle of squares, both ends included. */
struct area {
    int top, bottom, left, right;
};

static int between(struct rng *rng, int low, int high)
{
    return low + (int)rng_below(rng, (uint64_t)(high - low + 1));
}

static bool chance(struct rng *rng, int percent) { return between(rng, 1, 100) <= percent; }

/* Puts a piece on a random empty square of the area; gives up where it is crowded. */
static void put_one(char *cells, int size, char letter, struct area area, struct rng *rng)
{
    enum { ATTEMPTS = 40 };
    for (int i = 0; i < ATTEMPTS; i++) {
        int row = between(rng, area.top, area.bottom);
        int column = between(rng, area.left, area.right);
        if (cells[row * size + column] == '.') {
            cells[row * size + column] = letter;
            return;
        }
    }
}

static void put(char *cells, int size, char letter, int count, struct area area, struct rng *rng)
{
    for (int i = 0; i < count; i++) {
        put_one(cells, size, letter, area, rng);
    }
}

/* A random square part of a board, at least `smallest` wide. */
static struct area random_area(int size, int smallest, struct rng *rng)
{
    int side = between(rng, smallest, size);
    int top = between(rng, 0, size - side);
    int left = between(rng, 0, size - side);
    return (struct area){top, top + side - 1, left, left + side - 1};
}

/* Pieces on squares of one colour of the chequered board, with gaps between them: a piece on
 * the other colour finds long chains and loops. */
static void put_chequered(char *cells, struct rng *rng)
{
    static const struct area board = {0, 7, 0, 7};
    char side = chance(rng, 50) ? 'X' : 'O';
    int own = between(rng, 3, 8);
    for (int square = 0; square < 64; square++) {
        cells[square] = (square / 8 + square % 8) % 2 == 0 ? '-' : '.';
    }
    put(cells, 8, side, own, random_area(8, 5, rng), rng);
    put(cells, 8, side == 'X' ? 'O' : 'X', between(rng, 3, 9), random_area(8, 5, rng), rng);
    for (int square = 0; square < 64; square++) {
        cells[square] = cells[square] == '-' ? '.' : cells[square];
    }
    put(cells, 8, side, between(rng, 1, 9 - own), board, rng);
}

/* Most pieces on their own target columns. */
static void put_nearly_home(char *cells, struct rng *rng)
{
    static const struct area board = {0, 7, 0, 7};
    put(cells, 8, 'X', between(rng, 0, 7), (struct area){0, 7, 6, 7}, rng);
    put(cells, 8, 'O', between(rng, 0, 7), (struct area){0, 7, 0, 1}, rng);
    put(cells, 8, 'X', between(rng, 0, 2), board, rng);
    put(cells, 8, 'O', between(rng, 0, 2), board, rng);
}

static void put_men(char *cells, struct rng *rng)
{
    struct area area = random_area(8, 4, rng);
    if (chance(rng, 40)) {
        put_chequered(cells, rng);
    } else if (chance(rng, 30)) {
        put_nearly_home(cells, rng);
    } else {
        int most = chance(rng, 30) ? 2 : 9;
        put(cells, 8, 'X', between(rng, 0, most), area, rng);
        put(cells, 8, 'O', between(rng, 0, most), area, rng);
    }
}

static void count_turns(struct naive_position *position, struct rng *rng)
{
    int lead = position->to_move == 'w' ? 1 : 0;
    int lowest = chance(rng, 30) ? 196 : 0;
    int turns = chance(rng, 30) ? 0 : between(rng, lowest, 200 - lead);
    position->numbers[0] = turns + lead;
    position->numbers[1] = turns;
}

/* Any share of empty squares and of either colour; often with a full centre, where the
 * border decides and sides have to pass. */
static void put_discs(char *cells, struct rng *rng)
{
    int full = between(rng, 0, 100);
    int black = chance(rng, 10) ? 100 * between(rng, 0, 1) : between(rng, 0, 100);
    bool is_centre_full = chance(rng, 30);
    for (int square = 0; square < 64; square++) {
        int row = square / 8;
        int column = square % 8;
        bool is_central = row >= 1 && row <= 6 && column >= 1 && column <= 6;
        if (cells[square] == '.' && ((is_central && is_centre_full) || chance(rng, full))) {
            cells[square] = chance(rng, black) ? 'X' : 'O';
        }
    }
}

static void put_army(char *cells, const char *letters, struct rng *rng)
{
    struct area area = random_area(9, 6, rng);
    put(cells, 9, letters[0], chance(rng, 96) ? 1 : 0, area, rng);
    put(cells, 9, letters[1], chance(rng, 4) ? 0 : between(rng, 1, 5), area, rng);
    put(cells, 9, letters[2], between(rng, 0, 12), area, rng);
}

static int random_budget(struct rng *rng)
{
    switch (between(rng, 0, 3)) {
    case 0:
        return between(rng, 0, 3);
    case 1:
        return between(rng, 0, 12);
    case 2:
        return between(rng, 10, 150);
    default:
        return between(rng, 0, RANDOM_MAX_BUDGET);
    }
}

/* For a game of which nothing is known here. The first of its letters is the empty square. */
static void put_anything(const struct naive_game *game, struct naive_position *position,
                         struct rng *rng)
{
    int pieces = (int)strlen(game->letters) - 1;
    do {
        int full = between(rng, 0, 100);
        for (int square = 0; square < game->rows * game->columns; square++) {
            position->cells[square] =
                game->letters[chance(rng, full) ? between(rng, 1, pieces) : 0];
        }
        position->numbers[0] = between(rng, 0, game->highest_number);
        position->numbers[1] = between(rng, 0, game->highest_number);
    } while (!game->is_valid(position));
}

struct naive_position random_position(const struct naive_game *game, struct rng *rng)
{
    struct naive_position position = {.to_move = chance(rng, 50) ? 'b' : 'w'};
    memset(position.cells, '.', (size_t)(game->rows * game->columns));
    if (game == &naive_hop || game == &naive_hop_noloop) {
        put_men(position.cells, rng);
        count_turns(&position, rng);
    } else if (game == &naive_meichu) {
        put_army(position.cells, "FSB", rng);
        put_army(position.cells, "fsb", rng);
        position.numbers[0] = random_budget(rng);
        position.numbers[1] = random_budget(rng);
    } else if (game == &naive_reversi || game == &naive_othello) {
        if (game == &naive_reversi) {
            position.cells[0] = position.cells[7] = '#';
            position.cells[56] = position.cells[63] = '#';
        }
        put_discs(position.cells, rng);
    } else {
        put_anything(game, &position, rng);
    }
    return position;
}
