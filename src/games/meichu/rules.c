/* The rules of MeiChu 2.0: slides, prices, captures, the end, the auction.
 *
 * A soldier reaches at most eight other squares in its row and eight in its
 * column, so no position has more than 5 × 16 = 80 legal moves.
 */
#include "games/meichu/state.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "games/meichu/board.h"

enum { MAX_PRICE = 140 };

static bool can_move(const struct meichu_state *s, int side) { return meichu_count(s, side) > 0; }

static bool is_over(const struct meichu_state *s)
{
    return meichu_is_decided(s) || (!can_move(s, s->to_move) && !can_move(s, s->to_move ^ 1));
}

static struct state start_with(const int budget[2])
{
    static const char text[] = "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./"
                               "..BBBBB../.B..S..B./.B.SBS.B./..SBFBS.. b 0 0";
    struct state state = {{0}};
    enum err err = meichu_read_position(text, &state, NULL);
    (void)err; /* the text above is well formed */
    struct meichu_state s = meichu_unpack(&state);
    s.budget[SIDE_BLACK] = (int16_t)budget[SIDE_BLACK];
    s.budget[SIDE_WHITE] = (int16_t)budget[SIDE_WHITE];
    return meichu_pack(s);
}

static struct state start(void) { return start_with((const int[2]){MEICHU_BUDGET, MEICHU_BUDGET}); }

static int budget(const struct state *state, enum side side)
{
    return meichu_unpack(state).budget[side];
}

static enum side to_move(const struct state *state)
{
    return (enum side)meichu_unpack(state).to_move;
}

static size_t list_moves(const struct state *state, struct move *out)
{
    struct meichu_state s = meichu_unpack(state);
    if (is_over(&s)) {
        return 0;
    }
    struct meichu_move found[MEICHU_MAX_MOVES];
    int count = meichu_generate(&s, s.to_move, found);
    for (int i = 0; i < count; i++) {
        struct move move = {.kind = MOVE_PATH, .count = 2, .squares = {found[i].from, found[i].to}};
        int at = i;
        for (; at > 0 && move_compare(&move, &out[at - 1]) < 0; at--) {
            out[at] = out[at - 1];
        }
        out[at] = move;
    }
    if (count == 0) {
        out[count++] = move_pass();
    }
    return (size_t)count;
}

static struct result win(int lead, const char *reason)
{
    if (lead == 0) {
        return (struct result){OUTCOME_DRAW, {0, 0}, reason};
    }
    return lead > 0 ? (struct result){OUTCOME_BLACK, {1, 0}, reason}
                    : (struct result){OUTCOME_WHITE, {0, 1}, reason};
}

static struct result result(const struct state *state)
{
    struct meichu_state s = meichu_unpack(state);
    if (!is_over(&s)) {
        return (struct result){OUTCOME_ONGOING, {0, 0}, ""};
    }
    bool black_flag = s.flag[SIDE_BLACK] != MEICHU_NO_FLAG;
    bool white_flag = s.flag[SIDE_WHITE] != MEICHU_NO_FLAG;
    if (black_flag != white_flag) {
        return win(black_flag ? 1 : -1, "flag");
    }
    const char *reason = meichu_is_decided(&s) ? "no-soldiers" : "no-moves";
    int soldiers = s.soldier_count[SIDE_BLACK] - s.soldier_count[SIDE_WHITE];
    if (soldiers) {
        return win(soldiers, reason);
    }
    int barriers[2];
    meichu_count_barriers(&s, barriers);
    return win(barriers[SIDE_BLACK] - barriers[SIDE_WHITE], reason);
}

static uint64_t key(const struct state *state)
{
    /* The rows are the first fields of the state and contain the place of every piece. */
    enum { ROW_WORDS = 4 * MEICHU_LINE * sizeof(uint16_t) / sizeof(uint64_t) };
    _Static_assert(ROW_WORDS == 9, "four sets of nine rows are nine words");
    struct meichu_state s = meichu_unpack(state);
    uint64_t rest = (uint64_t)(uint16_t)s.budget[0] | (uint64_t)(uint16_t)s.budget[1] << 16 |
                    (uint64_t)s.flag[0] << 32 | (uint64_t)s.flag[1] << 40 |
                    (uint64_t)s.to_move << 48;
    uint64_t hash = 0;
    for (int i = 0; i < ROW_WORDS - 1; i += 2) {
        hash = hash_pair(state->words[i] ^ hash, state->words[i + 1] ^ (uint64_t)i);
    }
    return hash_pair(state->words[ROW_WORDS - 1] ^ hash, rest);
}

/* --- What a judge accepts. --- */

#define SQUARE(square) (square) / MEICHU_LINE, (square) % MEICHU_LINE

static const char *piece_name(struct cell cell)
{
    return meichu_look.pieces[cell.piece - PIECE_FIRST].one;
}

static enum err check_soldier(const struct meichu_state *s, int from, struct note *why)
{
    struct cell cell = meichu_at(s, from);
    const char *mover = side_title((enum side)s->to_move);
    if (cell.piece == PIECE_NONE) {
        note_set(why, "square %d%d, where the move starts, is empty", SQUARE(from));
    } else if (cell.side != s->to_move) {
        note_set(why, "the %s on square %d%d is not %s's", piece_name(cell), SQUARE(from), mover);
    } else if (cell.piece != MEICHU_SOLDIER) {
        note_set(why, "only soldiers move: there is a %s on square %d%d", piece_name(cell),
                 SQUARE(from));
    } else {
        return ERR_NONE;
    }
    return ERR_NEGATIVE;
}

static enum err check_way(const struct meichu_state *s, int from, int to, struct note *why)
{
    int rows = to / MEICHU_LINE - from / MEICHU_LINE;
    int columns = to % MEICHU_LINE - from % MEICHU_LINE;
    if ((rows == 0) == (columns == 0)) {
        return note_fail(why, ERR_NEGATIVE, "from square %d%d to %d%d is not along a row or column",
                         SQUARE(from), SQUARE(to));
    }
    int step = rows ? (rows > 0 ? MEICHU_LINE : -MEICHU_LINE) : (columns > 0 ? 1 : -1);
    for (int square = from + step; square != to; square += step) {
        struct cell cell = meichu_at(s, square);
        if (cell.piece != PIECE_NONE) {
            return note_fail(why, ERR_NEGATIVE,
                             "the way from square %d%d to %d%d is blocked: there is a %s on %d%d",
                             SQUARE(from), SQUARE(to), piece_name(cell), SQUARE(square));
        }
    }
    struct cell end = meichu_at(s, to);
    if (end.side == s->to_move && (end.piece == MEICHU_SOLDIER || end.piece == MEICHU_FLAG)) {
        return note_fail(why, ERR_NEGATIVE, "square %d%d holds %s's own %s", SQUARE(to),
                         side_title((enum side)s->to_move), piece_name(end));
    }
    return ERR_NONE;
}

static enum err check_price(const struct meichu_state *s, int from, int to, struct note *why)
{
    int side = s->to_move;
    if (meichu_affords(s, side, from, to)) {
        return ERR_NONE;
    }
    int price = 1 + meichu_distance(from, to);
    int surcharge = meichu_surcharge(s, side, to);
    if (surcharge > 0) {
        note_set(
            why,
            "from square %d%d to %d%d costs %d and %d more for the enemy barrier, but %s has %d",
            SQUARE(from), SQUARE(to), price, surcharge, side_title((enum side)side),
            s->budget[side]);
    } else {
        note_set(why, "from square %d%d to %d%d costs %d%s, but %s has %d", SQUARE(from),
                 SQUARE(to), price,
                 surcharge < 0 ? " before the 3 for the own barrier come back" : "",
                 side_title((enum side)side), s->budget[side]);
    }
    return ERR_NEGATIVE;
}

static enum err check_move(const struct meichu_state *s, const struct move *move, struct note *why)
{
    if (move->kind != MOVE_PATH || move->count != 2 || move->squares[0] >= MEICHU_SQUARES ||
        move->squares[1] >= MEICHU_SQUARES) {
        return note_fail(why, ERR_NEGATIVE, "a move is two squares of the board");
    }
    int from = move->squares[0];
    int to = move->squares[1];
    enum err err = check_soldier(s, from, why);
    err = err ? err : check_way(s, from, to, why);
    return err ? err : check_price(s, from, to, why);
}

static enum err apply(struct state *state, const struct move *move, struct note *why)
{
    struct meichu_state s = meichu_unpack(state);
    const char *mover = side_title((enum side)s.to_move);
    if (is_over(&s)) {
        return note_fail(why, ERR_NEGATIVE, "the game is over: %s",
                         meichu_is_decided(&s) ? "a flag was taken or a side has no soldier left"
                                               : "neither side can move");
    }
    if (move->kind == MOVE_PASS) {
        if (can_move(&s, s.to_move)) {
            return note_fail(why, ERR_NEGATIVE, "%s may not pass: it can move", mover);
        }
        s.to_move ^= 1;
    } else {
        enum err err = check_move(&s, move, why);
        if (err) {
            return err;
        }
        meichu_play(&s, (struct meichu_move){move->squares[0], move->squares[1]});
    }
    *state = meichu_pack(s);
    return ERR_NONE;
}

/* --- Perft, with the generator of the search. --- */

static inline uint64_t count_moves(const struct meichu_state *s)
{
    if (meichu_is_decided(s)) {
        return 0;
    }
    int count = meichu_count(s, s->to_move);
    return count ? (uint64_t)count : can_move(s, s->to_move ^ 1);
}

static uint64_t perft_from(const struct meichu_state *s, int depth)
{
    if (depth == 1) {
        return count_moves(s);
    }
    if (meichu_is_decided(s)) {
        return 0;
    }
    struct meichu_move moves[MEICHU_MAX_MOVES];
    int count = meichu_generate(s, s->to_move, moves);
    if (!count) {
        struct meichu_state passed = *s;
        passed.to_move ^= 1;
        return can_move(s, passed.to_move) ? perft_from(&passed, depth - 1) : 0;
    }
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        struct meichu_state next = *s;
        meichu_play(&next, moves[i]);
        total += perft_from(&next, depth - 1);
    }
    return total;
}

static uint64_t perft(const struct state *state, int depth)
{
    struct meichu_state s = meichu_unpack(state);
    return depth == 0 ? 1 : perft_from(&s, depth);
}

/* No fault lets the judge move for a player; a side that cannot move passes. */
static struct move replacement(const struct state *state)
{
    (void)state;
    return move_pass();
}

/* --- The auction. --- */

static struct auction_outcome auction(const struct bid bids[2], int lot)
{
    struct auction_outcome outcome = {.budget = {MEICHU_BUDGET, MEICHU_BUDGET}};
    int64_t price[2];
    for (int player = 0; player < 2; player++) {
        outcome.colour[player] = (enum side)bids[player].colour;
        price[player] = bids[player].price > MAX_PRICE ? MAX_PRICE : bids[player].price;
    }
    if (bids[0].colour != bids[1].colour) {
        return outcome;
    }
    if (price[0] == price[1] && lot < 0) {
        outcome.needs_lot = true;
        return outcome;
    }
    enum side wanted = (enum side)bids[0].colour;
    bool first_gets_it = price[0] == price[1] ? lot == (int)wanted : price[0] > price[1];
    int64_t lower = price[0] < price[1] ? price[0] : price[1];
    outcome.colour[0] = first_gets_it ? wanted : side_other(wanted);
    outcome.colour[1] = side_other(outcome.colour[0]);
    outcome.budget[wanted] -= (int)(lower > 0 ? lower : 0) + 1;
    return outcome;
}

static const struct game_reason reasons[] = {
    {"flag", "the flag is taken"},
    {"no-soldiers", "{loser} has no soldier left"},
    {"no-moves", "neither side can move"},
    {NULL, NULL},
};

static const struct game meichu = {
    .name = "meichu",
    .summary =
        "MeiChu 2.0: soldiers, barriers and budgets; take the flag after bidding for a colour",
    .rows = MEICHU_LINE,
    .columns = MEICHU_LINE,
    .time_limit_s = 30,
    .is_swiss = true,
    .hard_limit_s = 120,
    .penalties = {[FAULT_LATE] = PENALTY_NOTE,
                  [FAULT_INVALID] = PENALTY_LOSS,
                  [FAULT_CRASHED] = PENALTY_LOSS,
                  [FAULT_MALFORMED] = PENALTY_LOSS,
                  [FAULT_HOSTILE] = PENALTY_LOSS},
    .path_min = 2,
    .path_max = 2,
    .reasons = reasons,
    .assignment = {.protocols = PROTOCOL_TEMPLATE,
                   .is_by_student = true,
                   .max_report_pages = 5,
                   .percent = {[DEDUCT_LATE_MOVE] = 5,
                               [DEDUCT_RUNTIME_ERROR] = 5,
                               [DEDUCT_WRONG_NAME] = 10,
                               [DEDUCT_DAY_LATE] = 10,
                               [DEDUCT_PLAGIARISM] = 100},
                   .kit = "meichu",
                   .has_agent_source = true},
    .look = &meichu_look,
    .about = &meichu_about,
    .start = start,
    .to_move = to_move,
    .moves = list_moves,
    .apply = apply,
    .result = result,
    .key = key,
    .perft = perft,
    .replacement = replacement,
    .read_position = meichu_read_position,
    .write_position = meichu_write_position,
    .cell = meichu_cell,
    .status = meichu_status,
    .auction = auction,
    .start_with = start_with,
    .budget = budget,
};

extern const struct game *const GAME_EXPORT(meichu)[];
const struct game *const GAME_EXPORT(meichu)[] = {&meichu, NULL};
