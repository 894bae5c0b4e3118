/* The search expects of the program what most first programs do: it takes a goal or a man if it
 * can, and otherwise comes nearer to the goal for little money. A search that expects the best
 * reply instead protects itself against plans that such programs do not have, takes more time, and
 * spends all its money less often. test_check.c counts how often this one does.
 */
#include "player/spending.h"

#include <stdlib.h>
#include <string.h>

#include "game/look.h"

enum {
    DEPTH = 4, /* two moves of each side */
    LIKELY_REPLIES = 2,
    INFINITE = 1 << 28,
    TOO_EARLY = -(1 << 24), /* the game ends before a budget does */
    REACHED = 1 << 20,
    PLY = 1 << 8, /* sooner is better, and a later loss also */
};

/* What counts in a position; found by trying. */
enum {
    COIN = 15,
    OWN_MAN = 60,
    LAST_MAN = -300, /* of the opponent: it can no longer be taken */
    NEAR_WALL = 60,  /* an own wall two steps from the goal */
    NEXT_WALL = 240,
    NEARNESS = 6, /* of an enemy man, for each step less than FAR */
    FAR = 8,
};

/* What a reply is worth to a program that looks at nothing but this move. */
enum { TAKES_GOAL = 1000, TAKES_MAN = 50, CERTAIN = 30, STEP = 3 };

struct spending_search {
    const struct game *game;
    enum side side;
    enum side spender; /* whose budget is to be spent */
};

static int budget_of(const struct spending_search *p, const struct state *state, enum side side)
{
    return p->game->budget ? p->game->budget(state, side) : 0;
}

static int distance(const struct spending_search *p, int a, int b)
{
    int columns = p->game->columns;
    return abs(a / columns - b / columns) + abs(a % columns - b % columns);
}

static enum piece_role role_of(const struct spending_search *p, struct cell cell)
{
    return look_piece(p->game, cell.piece)->role;
}

/* -1: it was taken, or there is none. */
static int find_goal(const struct spending_search *p, const struct state *state, enum side side)
{
    for (int square = 0; square < p->game->rows * p->game->columns; square++) {
        struct cell cell = p->game->cell(state, square);
        if (cell.side == side && role_of(p, cell) == ROLE_GOAL) {
            return square;
        }
    }
    return -1;
}

static int evaluate(const struct spending_search *p, const struct state *state)
{
    int goal = find_goal(p, state, p->side);
    int enemies = 0;
    int value = -COIN * budget_of(p, state, p->spender);
    if (p->spender != p->side) {
        value += COIN * budget_of(p, state, p->side);
    }
    for (int square = 0; goal >= 0 && square < p->game->rows * p->game->columns; square++) {
        struct cell cell = p->game->cell(state, square);
        enum piece_role role = role_of(p, cell);
        int steps = distance(p, square, goal);
        if (role == ROLE_WALL && cell.side == p->side) {
            value += steps == 1 ? NEXT_WALL : steps <= 2 ? NEAR_WALL : 0;
        } else if (role == ROLE_MAN && cell.side == p->side) {
            value += OWN_MAN;
        } else if (role == ROLE_MAN && cell.side == side_other(p->side)) {
            enemies++;
            value -= steps < FAR ? NEARNESS * (FAR - steps) : 0;
        }
    }
    return value + (enemies == 1 ? LAST_MAN : 0);
}

/* A game that is over although a side could still move. */
static bool is_decided(const struct spending_search *p, const struct state *state)
{
    struct result result = p->game->result(state);
    return result.outcome != OUTCOME_ONGOING && strcmp(result.reason, "no-moves") != 0;
}

static int likelihood(const struct spending_search *p, const struct state *before,
                      const struct state *after, const struct move *move, int goal)
{
    static const int worth[] = {[ROLE_MAN] = TAKES_MAN, [ROLE_WALL] = 0, [ROLE_GOAL] = TAKES_GOAL};
    enum side other = side_other(p->side);
    int to = move->squares[move->count - 1];
    struct cell target = p->game->cell(before, to);
    int value = budget_of(p, after, other) - budget_of(p, before, other);
    if (target.side == p->side) {
        value += worth[role_of(p, target)];
    }
    return value +
           (goal < 0 ? 0 : STEP * (distance(p, move->squares[0], goal) - distance(p, to, goal)));
}

/* Moves the likely replies to the front, the likeliest first; returns how many there are. */
static size_t keep_likely(const struct spending_search *p, const struct state *state,
                          struct move *moves, size_t count)
{
    int values[GAME_MAX_MOVES];
    int goal = find_goal(p, state, p->side);
    for (size_t i = 0; i < count; i++) {
        struct state after = *state;
        bool is_legal = !p->game->apply(&after, &moves[i], NULL);
        values[i] = is_legal ? likelihood(p, state, &after, &moves[i], goal) : -INFINITE;
    }
    for (size_t kept = 0; kept < count; kept++) {
        size_t best = kept;
        for (size_t i = kept + 1; i < count; i++) {
            best = values[i] > values[best] ? i : best;
        }
        if (kept >= LIKELY_REPLIES && values[best] < CERTAIN) {
            return kept;
        }
        struct move move = moves[best];
        int value = values[best];
        moves[best] = moves[kept];
        values[best] = values[kept];
        moves[kept] = move;
        values[kept] = value;
    }
    return count;
}

/* Alpha-beta. The value is for p->side, whichever side moves. */
static int search(const struct spending_search *p, const struct state *state, int ply, int alpha,
                  int beta)
{
    struct move moves[GAME_MAX_MOVES];
    if (is_decided(p, state)) {
        return TOO_EARLY + PLY * ply;
    }
    size_t count = p->game->moves(state, moves);
    enum side side = p->game->to_move(state);
    if (!count || (moves[0].kind == MOVE_PASS && side == p->spender)) {
        return REACHED - PLY * ply + evaluate(p, state);
    }
    if (ply >= DEPTH) {
        return evaluate(p, state);
    }
    if (side != p->side && moves[0].kind != MOVE_PASS) {
        count = keep_likely(p, state, moves, count);
    }
    for (size_t i = 0; i < count && alpha < beta; i++) {
        struct state after = *state;
        int value = TOO_EARLY;
        if (!p->game->apply(&after, &moves[i], NULL)) {
            value = search(p, &after, ply + 1, alpha, beta);
        }
        if (side == p->side) {
            alpha = value > alpha ? value : alpha;
        } else {
            beta = value < beta ? value : beta;
        }
    }
    return side == p->side ? alpha : beta;
}

struct move spending_move(enum spending spending, const struct game *game,
                          const struct state *state, struct rng *rng)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    size_t ties = 0;
    int most = -INFINITE;
    struct move best = moves[0];
    enum side side = game->to_move(state);
    const struct spending_search pacer = {game, side,
                                          spending == SPENDING_QUICK ? side : side_other(side)};
    for (size_t i = 0; i < count; i++) {
        struct state after = *state;
        if (game->apply(&after, &moves[i], NULL)) {
            continue;
        }
        int value = search(&pacer, &after, 1, most - 1, INFINITE);
        if (value > most) {
            most = value;
            best = moves[i];
            ties = 1;
        } else if (value == most && rng_below(rng, ++ties) == 0) {
            best = moves[i];
        }
    }
    return best;
}
