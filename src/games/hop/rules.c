/* The rules of hop, with and without loops.
 *
 * board.h finds the distinct results of a turn fast, for search and perft. A judge
 * also needs a path to each result and must accept every other valid path: both
 * are here and share nothing with board.h but the direction masks, so that each
 * can be tested against the other.
 */
#include "games/hop/state.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/bits.h"
#include "base/hash.h"
#include "games/hop/board.h"

_Static_assert((int)HOP_MAX_MOVES <= (int)GAME_MAX_MOVES, "a judge's list holds every hop move");

static bool all_home(uint64_t men, uint64_t target) { return men && !(men & ~target); }

static inline bool is_over(uint64_t black, uint64_t white, uint64_t plies)
{
    return plies >= HOP_PLY_LIMIT || all_home(black, HOP_BLACK_TARGET) ||
           all_home(white, HOP_WHITE_TARGET);
}

static bool state_is_over(const struct hop_state *s)
{
    return is_over(s->men[SIDE_BLACK], s->men[SIDE_WHITE], s->plies);
}

static struct state start(void)
{
    return hop_pack(
        (struct hop_state){{UINT64_C(0x0001020502050201), UINT64_C(0x8040a040a0408000)}, 0});
}

static enum side to_move(const struct state *state)
{
    return (enum side)(hop_unpack(state).plies & 1);
}

static struct result result(const struct state *state)
{
    struct hop_state s = hop_unpack(state);
    int black = bits_count(s.men[SIDE_BLACK] & HOP_BLACK_TARGET);
    int white = bits_count(s.men[SIDE_WHITE] & HOP_WHITE_TARGET);
    if (!state_is_over(&s)) {
        return (struct result){OUTCOME_ONGOING, {black, white}, ""};
    }
    bool somebody_home = all_home(s.men[SIDE_BLACK], HOP_BLACK_TARGET) ||
                         all_home(s.men[SIDE_WHITE], HOP_WHITE_TARGET);
    return (struct result){black > white   ? OUTCOME_BLACK
                           : black < white ? OUTCOME_WHITE
                                           : OUTCOME_DRAW,
                           {black, white},
                           somebody_home ? "all-home" : "move-limit"};
}

static const struct game_reason reasons[] = {
    {"all-home", "all men of one side are home"},
    {"move-limit", "both have used their 200 turns"},
    {NULL, NULL},
};

static uint64_t key(const struct state *state)
{
    struct hop_state s = hop_unpack(state);
    return hash_pair(hash_pair(s.men[0], s.men[1]), s.plies);
}

/* --- Paths: what a judge lists and accepts. --- */

enum direction { UP, LEFT, RIGHT, DOWN, DIRECTIONS }; /* in the order of the squares they lead to */

static const int8_t row_step[DIRECTIONS] = {-1, 0, 0, 1};
static const int8_t column_step[DIRECTIONS] = {0, -1, 1, 0};

/* The square `distance` squares away, or -1 off the board. */
static int neighbour(int square, enum direction direction, int distance)
{
    int row = square / 8 + row_step[direction] * distance;
    int column = square % 8 + column_step[direction] * distance;
    return row < 0 || row > 7 || column < 0 || column > 7 ? -1 : row * 8 + column;
}

static bool holds(uint64_t set, int square) { return set >> square & 1; }

/* The board while one man is on its way: it is in neither of the two sets. */
struct journey {
    uint64_t own;
    uint64_t enemy;
    uint64_t captured;
};

/* Where a hop leads, or -1; *captured gains the man hopped over if it is an enemy. */
static int hop_lands(const struct journey *j, int square, enum direction direction,
                     uint64_t *captured)
{
    int over = neighbour(square, direction, 1);
    int landing = neighbour(square, direction, 2);
    uint64_t enemy = j->enemy & ~j->captured;
    if (landing < 0 || !holds(j->own | enemy, over) || holds(j->own | enemy, landing)) {
        return -1;
    }
    *captured = j->captured | (enemy & bits_one(over));
    return landing;
}

/* Collects moves: one path for each result, the shortest, then the smallest. */
struct collector {
    struct move *out;
    size_t count;
    uint64_t enemy;
    /* While one man is looked at: 1 + index into `out` by captured set and lattice square. */
    uint16_t by_result[HOP_MAX_CAPTURE_SETS][16];
    /* The same for men that returned to their start, over all men. */
    uint16_t by_return[HOP_MAX_CAPTURE_SETS];
};

static void collect(struct collector *c, uint64_t captured, const struct move *path)
{
    int from = path->squares[0];
    int to = path->squares[path->count - 1];
    unsigned set = hop_compress(c->enemy, captured);
    uint16_t *entry =
        from == to ? &c->by_return[set] : &c->by_result[set][to / 16 * 4 + to % 8 / 2];
    if (!*entry) {
        c->out[c->count++] = *path;
        *entry = (uint16_t)c->count;
        return;
    }
    struct move *known = &c->out[*entry - 1];
    if (path->count < known->count ||
        (path->count == known->count && move_compare(path, known) < 0)) {
        *known = *path;
    }
}

/* hop-noloop: every path, depth first. */
static void collect_paths(struct collector *c, struct journey j, uint64_t visited,
                          struct move *path)
{
    int square = path->squares[path->count - 1];
    for (enum direction d = UP; d < DIRECTIONS; d++) {
        uint64_t captured = 0;
        int landing = hop_lands(&j, square, d, &captured);
        if (landing < 0 || holds(visited, landing)) {
            continue;
        }
        path->squares[path->count++] = (uint8_t)landing;
        collect(c, captured, path);
        struct journey onward = {j.own, j.enemy, captured};
        collect_paths(c, onward, visited | bits_one(landing), path);
        path->count--;
    }
}

struct stop {
    uint64_t captured;
    int16_t parent;
    uint8_t square;
    uint8_t hops;
};

static struct move path_to(const struct stop *stops, int index)
{
    struct move path = {.kind = MOVE_PATH, .count = (uint8_t)(stops[index].hops + 1)};
    for (int i = index; i >= 0; i = stops[i].parent) {
        path.squares[stops[i].hops] = stops[i].square;
    }
    return path;
}

/* hop: breadth first over (square, captured set). Stops of one length are found in
 * the order of their paths, so the first path to a result is the one to list. */
static void collect_loops(struct collector *c, uint64_t own, int from)
{
    struct stop stops[HOP_MAX_MOVES];
    uint64_t seen[HOP_MAX_CAPTURE_SETS] = {0};
    int count = 1;
    stops[0] = (struct stop){.parent = -1, .square = (uint8_t)from};
    for (int i = 0; i < count; i++) {
        struct journey j = {own, c->enemy, stops[i].captured};
        for (enum direction d = UP; d < DIRECTIONS; d++) {
            uint64_t captured = 0;
            int landing = hop_lands(&j, stops[i].square, d, &captured);
            if (landing < 0) {
                continue;
            }
            uint64_t *squares = &seen[hop_compress(c->enemy, captured)];
            if (holds(*squares, landing)) {
                continue;
            }
            *squares |= bits_one(landing);
            stops[count] =
                (struct stop){captured, (int16_t)i, (uint8_t)landing, (uint8_t)(stops[i].hops + 1)};
            struct move path = path_to(stops, count);
            collect(c, captured, &path);
            count++;
        }
    }
}

static void collect_steps(struct collector *c, uint64_t empty, int from)
{
    for (enum direction d = UP; d < DIRECTIONS; d++) {
        int to = neighbour(from, d, 1);
        if (to >= 0 && holds(empty, to)) {
            c->out[c->count++] = (struct move){
                .kind = MOVE_PATH, .count = 2, .squares = {(uint8_t)from, (uint8_t)to}};
        }
    }
}

static void sort_moves(struct move *moves, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct move move = moves[i];
        size_t at = i;
        for (; at > 0 && move_compare(&move, &moves[at - 1]) < 0; at--) {
            moves[at] = moves[at - 1];
        }
        moves[at] = move;
    }
}

static size_t list_moves(bool allow_loops, const struct state *state, struct move *out)
{
    struct hop_state s = hop_unpack(state);
    if (state_is_over(&s)) {
        return 0;
    }
    uint64_t own = s.men[s.plies & 1];
    uint64_t enemy = s.men[~s.plies & 1];
    struct collector c = {.out = out, .enemy = enemy};
    for (uint64_t men = own; men;) {
        int from = bits_pop(&men);
        collect_steps(&c, ~(own | enemy), from);
        memset(c.by_result, 0, sizeof c.by_result);
        if (allow_loops) {
            collect_loops(&c, own ^ bits_one(from), from);
        } else {
            struct move path = {.kind = MOVE_PATH, .count = 1, .squares = {(uint8_t)from}};
            collect_paths(&c, (struct journey){own ^ bits_one(from), enemy, 0}, bits_one(from),
                          &path);
        }
    }
    if (c.count == 0) {
        out[c.count++] = move_pass();
    }
    sort_moves(out, c.count);
    return c.count;
}

static bool has_move(uint64_t own, uint64_t enemy)
{
    uint64_t empty = ~(own | enemy);
    uint64_t steps[4];
    hop_steps(own, empty, steps);
    return steps[0] || steps[1] || steps[2] || steps[3] || hop_starters(own, own | enemy, empty);
}

/* "square 34" as arguments of a format. */
#define SQUARE(square) (square) / 8, (square) % 8

static enum err refuse_start(const struct hop_state *s, int square, struct note *why)
{
    enum side side = (enum side)(s->plies & 1);
    if (holds(s->men[side ^ 1], square)) {
        note_set(why, "the piece on square %d%d is not %s's", SQUARE(square), side_title(side));
    } else {
        note_set(why, "square %d%d, where the move starts, is empty", SQUARE(square));
    }
    return ERR_NEGATIVE;
}

/* Checks the hop between two squares and adds what it captures. */
static enum err follow_hop(struct journey *j, int from, int to, struct note *why)
{
    int rows = to / 8 - from / 8;
    int columns = to % 8 - from % 8;
    bool is_straight = (rows == 0 && (columns == 2 || columns == -2)) ||
                       (columns == 0 && (rows == 2 || rows == -2));
    if (!is_straight) {
        return note_fail(
            why, ERR_NEGATIVE,
            "from square %d%d to %d%d is neither a step to the next square nor a hop over one, "
            "along a row or column",
            SQUARE(from), SQUARE(to));
    }
    int over = (from + to) / 2;
    uint64_t men = j->own | (j->enemy & ~j->captured);
    if (!holds(men, over)) {
        return note_fail(why, ERR_NEGATIVE,
                         "square %d%d is empty: there is nothing to hop over between %d%d and %d%d",
                         SQUARE(over), SQUARE(from), SQUARE(to));
    }
    if (holds(men, to)) {
        return note_fail(why, ERR_NEGATIVE,
                         "square %d%d, where the hop over %d%d lands, is not empty", SQUARE(to),
                         SQUARE(over));
    }
    j->captured |= j->enemy & bits_one(over);
    return ERR_NONE;
}

static enum err follow_step(const struct journey *j, const struct move *move, struct note *why)
{
    int from = move->squares[0];
    int to = move->squares[1];
    if (holds(j->own | j->enemy, to)) {
        return note_fail(why, ERR_NEGATIVE,
                         "square %d%d is not empty: a step from %d%d needs an empty square",
                         SQUARE(to), SQUARE(from));
    }
    if (move->count > 2) {
        return note_fail(why, ERR_NEGATIVE,
                         "the step from square %d%d to %d%d ends the move, but %d%d follows",
                         SQUARE(from), SQUARE(to), SQUARE(move->squares[2]));
    }
    return ERR_NONE;
}

static bool is_step(int from, int to)
{
    int rows = to / 8 - from / 8;
    int columns = to % 8 - from % 8;
    return rows * rows + columns * columns == 1;
}

static enum err follow_path(bool allow_loops, struct journey *j, const struct move *move,
                            struct note *why)
{
    if (is_step(move->squares[0], move->squares[1])) {
        return follow_step(j, move, why);
    }
    uint64_t visited = bits_one(move->squares[0]);
    for (int i = 1; i < move->count; i++) {
        int from = move->squares[i - 1];
        int to = move->squares[i];
        if (i > 1 && is_step(from, to)) {
            return note_fail(why, ERR_NEGATIVE,
                             "steps and hops do not mix: from square %d%d to %d%d is a step",
                             SQUARE(from), SQUARE(to));
        }
        enum err err = follow_hop(j, from, to, why);
        if (err) {
            return err;
        }
        if (!allow_loops && holds(visited, to)) {
            return note_fail(why, ERR_NEGATIVE,
                             "square %d%d is visited twice, which hop-noloop forbids", SQUARE(to));
        }
        visited |= bits_one(to);
    }
    return ERR_NONE;
}

static enum err play_path(bool allow_loops, struct hop_state *s, const struct move *move,
                          struct note *why)
{
    if (move->count < 2 || move->count > GAME_MAX_PATH) {
        return note_fail(why, ERR_NEGATIVE,
                         "a move names 2 to %d squares, not %d: the start and at most %d hops",
                         GAME_MAX_PATH, move->count, HOP_MAX_HOPS);
    }
    for (int i = 0; i < move->count; i++) {
        if (move->squares[i] >= HOP_SQUARES) {
            return note_fail(why, ERR_NEGATIVE, "square number %d of the move is off the board",
                             i + 1);
        }
    }
    int side = (int)(s->plies & 1);
    int from = move->squares[0];
    int to = move->squares[move->count - 1];
    if (!holds(s->men[side], from)) {
        return refuse_start(s, from, why);
    }
    struct journey j = {s->men[side] ^ bits_one(from), s->men[side ^ 1], 0};
    enum err err = follow_path(allow_loops, &j, move, why);
    if (err) {
        return err;
    }
    s->men[side] = j.own | bits_one(to);
    s->men[side ^ 1] = j.enemy & ~j.captured;
    return ERR_NONE;
}

static enum err apply(bool allow_loops, struct state *state, const struct move *move,
                      struct note *why)
{
    struct hop_state s = hop_unpack(state);
    enum side side = (enum side)(s.plies & 1);
    if (state_is_over(&s)) {
        return note_fail(why, ERR_NEGATIVE, "the game is over: %s",
                         s.plies >= HOP_PLY_LIMIT
                             ? "both sides have used 200 moves"
                             : "a side has all its pieces on its target region");
    }
    if (move->kind == MOVE_PASS && has_move(s.men[side], s.men[side ^ 1])) {
        return note_fail(why, ERR_NEGATIVE, "%s may not pass: it has a valid move",
                         side_title(side));
    }
    if (move->kind == MOVE_PATH) {
        enum err err = play_path(allow_loops, &s, move, why);
        if (err) {
            return err;
        }
    } else if (move->kind != MOVE_PASS && move->kind != MOVE_SKIP) {
        return note_fail(why, ERR_NEGATIVE, "a move is a path, a pass or a skip");
    }
    s.plies++;
    *state = hop_pack(s);
    return ERR_NONE;
}

/* --- Perft, with the generator of the search. --- */

static inline uint64_t count_moves(bool allow_loops, const struct hop_state *s)
{
    if (state_is_over(s)) {
        return 0;
    }
    int count = hop_count(allow_loops, s->men[s->plies & 1], s->men[~s->plies & 1]);
    return count ? (uint64_t)count : 1;
}

static inline struct hop_state after(const struct hop_state *s, struct hop_move move)
{
    struct hop_state next = *s;
    uint64_t side = s->plies & 1;
    next.men[side] ^= bits_one(move.from);
    next.men[side] |= bits_one(move.to);
    if (move.captured) {
        next.men[side ^ 1] ^= hop_expand(s->men[side ^ 1], move.captured);
    }
    next.plies++;
    return next;
}

static uint64_t perft_from(bool allow_loops, const struct hop_state *s, int depth)
{
    if (depth == 1) {
        return count_moves(allow_loops, s);
    }
    if (state_is_over(s)) {
        return 0;
    }
    struct hop_move moves[HOP_MAX_MOVES];
    int count = hop_generate(allow_loops, s->men[s->plies & 1], s->men[~s->plies & 1], moves);
    if (!count) {
        struct hop_state passed = *s;
        passed.plies++;
        return perft_from(allow_loops, &passed, depth - 1);
    }
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        struct hop_state next = after(s, moves[i]);
        total += perft_from(allow_loops, &next, depth - 1);
    }
    return total;
}

static uint64_t perft(bool allow_loops, const struct state *state, int depth)
{
    struct hop_state s = hop_unpack(state);
    return depth == 0 ? 1 : perft_from(allow_loops, &s, depth);
}

static struct move replacement(const struct state *state)
{
    struct hop_state s = hop_unpack(state);
    return has_move(s.men[s.plies & 1], s.men[~s.plies & 1]) ? move_skip() : move_pass();
}

/* The functions of `struct game` for one edition. */
#define DEFINE_EDITION(name, allow_loops)                                                        \
    static size_t name##_moves(const struct state *state, struct move *out)                      \
    {                                                                                            \
        return list_moves(allow_loops, state, out);                                              \
    }                                                                                            \
    static enum err name##_apply(struct state *state, const struct move *move, struct note *why) \
    {                                                                                            \
        return apply(allow_loops, state, move, why);                                             \
    }                                                                                            \
    static uint64_t name##_perft(const struct state *state, int depth)                           \
    {                                                                                            \
        return perft(allow_loops, state, depth);                                                 \
    }

DEFINE_EDITION(loops, true)
DEFINE_EDITION(noloop, false)

#define GAME_ROW(edition, title, sentence, story, attempts_lose, ...)                             \
    {                                                                                             \
        .name = title, .summary = sentence, .rows = 8, .columns = 8, .time_limit_s = 5,           \
        .penalties = {[FAULT_LATE] = PENALTY_REPLACE,                                             \
                      [FAULT_INVALID] = PENALTY_REPLACE,                                          \
                      [FAULT_CRASHED] = PENALTY_REPLACE_FOREVER,                                  \
                      [FAULT_MALFORMED] = PENALTY_LOSS,                                           \
                      [FAULT_HOSTILE] = PENALTY_LOSS},                                            \
        .hostile_attempts_lose = attempts_lose, .is_move_skippable = true, .path_min = 2,         \
        .path_max = GAME_MAX_PATH, .reasons = reasons,                                            \
        .assignment = {.protocols = PROTOCOL_TCP | PROTOCOL_FILE,                                 \
                       .max_report_pages = 5,                                                     \
                       .kit = "hop",                                                              \
                       .has_agent_source = true,                                                  \
                       __VA_ARGS__},                                                              \
        .look = &hop_look, .about = story, .start = start, .to_move = to_move,                    \
        .moves = edition##_moves, .apply = edition##_apply, .result = result, .key = key,         \
        .perft = edition##_perft, .replacement = replacement, .read_position = hop_read_position, \
        .write_position = hop_write_position, .cell = hop_cell, .zone = hop_zone,                 \
        .status = hop_status,                                                                     \
    }

static const struct game hop =
    GAME_ROW(loops, "hop", "Hop across and capture on the way; a chain may loop, at most 99 hops",
             &hop_about, true, .speaks_files = false);
static const struct game hop_noloop =
    GAME_ROW(noloop, "hop-noloop", "Hop, the edition in which no square is visited twice in a move",
             &hop_noloop_about, false, .speaks_files = true, .refuses_late = true);

extern const struct game *const GAME_EXPORT(hop)[];
const struct game *const GAME_EXPORT(hop)[] = {&hop, &hop_noloop, NULL};
