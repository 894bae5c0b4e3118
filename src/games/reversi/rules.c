/* The rules of reversi without corners and of othello, the standard game.
 *
 * Both games differ in three things only, gathered in `struct reversi_variant`: where a
 * move need not flip, what the start is, and which side gets the empty squares at
 * the end. The functions take the variant as a constant, so that the compiler
 * makes a version for each.
 *
 * No position has more than 60 legal moves in reversi (64 squares less the
 * corners) and fewer in othello.
 */
#include "games/reversi/state.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/bits.h"
#include "base/hash.h"
#include "games/reversi/board.h"
#include "games/reversi/variant.h"

static struct state start(const struct reversi_variant *v)
{
    return reversi_pack((struct reversi_state){{v->start[0], v->start[1]}, SIDE_BLACK});
}

static enum side to_move(const struct state *state)
{
    return (enum side)reversi_unpack(state).to_move;
}

static inline uint64_t legal_for(const struct reversi_variant *v, const struct reversi_state *s,
                                 uint64_t side)
{
    return variant_legal(v, s->discs[side], s->discs[side ^ 1]);
}

static size_t moves(const struct reversi_variant *v, const struct state *state, struct move *out)
{
    struct reversi_state s = reversi_unpack(state);
    uint64_t legal = legal_for(v, &s, s.to_move);
    size_t count = 0;
    if (!legal && legal_for(v, &s, s.to_move ^ 1)) {
        out[count++] = move_pass();
    }
    while (legal) {
        out[count++] =
            (struct move){.kind = MOVE_PATH, .count = 1, .squares = {(uint8_t)bits_pop(&legal)}};
    }
    return count;
}

static struct result result(const struct reversi_variant *v, const struct state *state)
{
    struct reversi_state s = reversi_unpack(state);
    int lead = bits_count(s.discs[SIDE_BLACK]) - bits_count(s.discs[SIDE_WHITE]);
    if (legal_for(v, &s, SIDE_BLACK) || legal_for(v, &s, SIDE_WHITE)) {
        return (struct result){OUTCOME_ONGOING, {lead, -lead}, ""};
    }
    lead = variant_final(v, s.discs[SIDE_BLACK], s.discs[SIDE_WHITE]);
    enum outcome outcome = lead > 0 ? OUTCOME_BLACK : lead < 0 ? OUTCOME_WHITE : OUTCOME_DRAW;
    return (struct result){outcome, {lead, -lead}, "no-moves"};
}

static const struct game_reason reasons[] = {{"no-moves", "no move is left"}, {NULL, NULL}};

/* Explains why a disc on this square is illegal. */
static void explain_refusal(const struct reversi_variant *v, const struct reversi_state *s,
                            int square, struct note *why)
{
    int row = square / 8;
    int column = square % 8;
    uint64_t bit = bits_one(square);
    enum side side = (enum side)s->to_move;
    if (v->holes & bit) {
        note_set(why, "square %d%d is a corner: corners are holes and never occupied", row, column);
    } else if ((s->discs[0] | s->discs[1]) & bit) {
        note_set(why, "square %d%d is not empty: it has a %s disc", row, column,
                 s->discs[SIDE_BLACK] & bit ? "black" : "white");
    } else if (!legal_for(v, s, s->to_move)) {
        note_set(why, "square %d%d: %s has no legal square and must pass", row, column,
                 side_title(side));
    } else if (v->free_squares) {
        note_set(why,
                 "square %d%d is on the border and a %s disc there would flip nothing: "
                 "border squares need a flip",
                 row, column, side_name(side));
    } else {
        note_set(why, "square %d%d: a %s disc there would flip nothing, and every move must flip",
                 row, column, side_name(side));
    }
}

static enum err apply(const struct reversi_variant *v, struct state *state, const struct move *move,
                      struct note *why)
{
    struct reversi_state s = reversi_unpack(state);
    uint64_t side = s.to_move;
    uint64_t legal = legal_for(v, &s, side);
    if (!legal && !legal_for(v, &s, side ^ 1)) {
        return note_fail(why, ERR_NEGATIVE, "the game is over: neither side has a legal square");
    }
    if (move->kind == MOVE_PASS && legal) {
        int square = bits_lowest(legal);
        return note_fail(why, ERR_NEGATIVE,
                         "%s may not pass: it has legal squares, %d%d for instance",
                         side_title((enum side)side), square / 8, square % 8);
    }
    bool is_on_board = move->count == 1 && move->squares[0] < REVERSI_SQUARES;
    if (move->kind != MOVE_PASS && !(move->kind == MOVE_PATH && is_on_board)) {
        return note_fail(why, ERR_NEGATIVE, "a move is one square of the board");
    }
    if (move->kind == MOVE_PATH) {
        int square = move->squares[0];
        if (!(legal & bits_one(square))) {
            explain_refusal(v, &s, square, why);
            return ERR_NEGATIVE;
        }
        uint64_t flips = board_flips(s.discs[side], s.discs[side ^ 1], square);
        s.discs[side] |= flips | bits_one(square);
        s.discs[side ^ 1] &= ~flips;
    }
    s.to_move = side ^ 1;
    *state = reversi_pack(s);
    return ERR_NONE;
}

static uint64_t key(const struct state *state)
{
    struct reversi_state s = reversi_unpack(state);
    return hash_pair(hash_pair(s.discs[0], s.discs[1]), s.to_move);
}

/* Moves of the side to move; a forced pass is one, a finished game has none. */
static inline uint64_t count_moves(const struct reversi_variant *v, uint64_t own, uint64_t other)
{
    uint64_t legal = variant_legal(v, own, other);
    if (__builtin_expect(legal != 0, 1)) {
        return (uint64_t)bits_count(legal);
    }
    return variant_legal(v, other, own) != 0;
}

static inline __attribute__((always_inline)) uint64_t
perft_two(const struct reversi_variant *v, uint64_t own, uint64_t other, uint64_t legal)
{
    uint64_t total = 0;
    while (legal) {
        int square = bits_pop(&legal);
        uint64_t flips = board_flips(own, other, square);
        total += count_moves(v, other & ~flips, own | flips | bits_one(square));
    }
    return total;
}

static uint64_t perft_from(const struct reversi_variant *v, uint64_t own, uint64_t other, int depth)
{
    if (depth == 1) {
        return count_moves(v, own, other);
    }
    uint64_t legal = variant_legal(v, own, other);
    if (!legal) {
        return variant_legal(v, other, own) ? perft_from(v, other, own, depth - 1) : 0;
    }
    if (depth == 2) {
        return perft_two(v, own, other, legal);
    }
    uint64_t total = 0;
    while (legal) {
        int square = bits_pop(&legal);
        uint64_t flips = board_flips(own, other, square);
        total += perft_from(v, other & ~flips, own | flips | bits_one(square), depth - 1);
    }
    return total;
}

static uint64_t perft(const struct reversi_variant *v, const struct state *state, int depth)
{
    struct reversi_state s = reversi_unpack(state);
    uint64_t side = s.to_move;
    return depth == 0 ? 1 : perft_from(v, s.discs[side], s.discs[side ^ 1], depth);
}

static struct move replacement(const struct reversi_variant *v, const struct state *state)
{
    struct reversi_state s = reversi_unpack(state);
    uint64_t legal = legal_for(v, &s, s.to_move);
    if (!legal) {
        return move_pass();
    }
    return (struct move){.kind = MOVE_PATH, .count = 1, .squares = {(uint8_t)bits_lowest(legal)}};
}

/* The functions of `struct game` for one variant. */
#define DEFINE_VARIANT(name, variant)                                                            \
    static struct state name##_start(void) { return start(variant); }                            \
    static size_t name##_moves(const struct state *state, struct move *out)                      \
    {                                                                                            \
        return moves(variant, state, out);                                                       \
    }                                                                                            \
    static enum err name##_apply(struct state *state, const struct move *move, struct note *why) \
    {                                                                                            \
        return apply(variant, state, move, why);                                                 \
    }                                                                                            \
    static struct result name##_result(const struct state *state)                                \
    {                                                                                            \
        return result(variant, state);                                                           \
    }                                                                                            \
    static uint64_t name##_perft(const struct state *state, int depth)                           \
    {                                                                                            \
        return perft(variant, state, depth);                                                     \
    }                                                                                            \
    static struct move name##_replacement(const struct state *state)                             \
    {                                                                                            \
        return replacement(variant, state);                                                      \
    }

DEFINE_VARIANT(reversi, &reversi_variants[REVERSI])
DEFINE_VARIANT(othello, &reversi_variants[OTHELLO])

/* With these lines idTeam is on line 18 of the client, as the assignment says. */
static const char wire_note[] = "\n *"
                                "\n * The cells of the board, row by row:"
                                "\n *      0   empty"
                                "\n *      1   Black"
                                "\n *      2   White"
                                "\n *     -1   a corner of Reversi: no disc can be placed there"
                                "\n * A move is one square: its row, then its column.";

#define GAME_ROW(variant, has_agent, sentence)                                             \
    {                                                                                      \
        .name = #variant, .summary = sentence, .rows = 8, .columns = 8, .time_limit_s = 5, \
        .penalties = {[FAULT_LATE] = PENALTY_REPLACE,                                      \
                      [FAULT_INVALID] = PENALTY_REPLACE,                                   \
                      [FAULT_CRASHED] = PENALTY_REPLACE_FOREVER,                           \
                      [FAULT_MALFORMED] = PENALTY_LOSS,                                    \
                      [FAULT_HOSTILE] = PENALTY_LOSS},                                     \
        .path_min = 1, .path_max = 1, .reasons = reasons,                                  \
        .assignment = {.protocols = PROTOCOL_TCP | PROTOCOL_FILE,                          \
                       .max_report_pages = 5,                                              \
                       .kit = "reversi",                                                   \
                       .has_agent_source = has_agent,                                      \
                       .wire_note = wire_note},                                            \
        .look = &reversi_look, .about = &variant##_about, .start = variant##_start,        \
        .to_move = to_move, .moves = variant##_moves, .apply = variant##_apply,            \
        .result = variant##_result, .key = key, .perft = variant##_perft,                  \
        .replacement = variant##_replacement, .read_position = variant##_read_position,    \
        .write_position = variant##_write_position, .cell = variant##_cell,                \
        .status = reversi_status,                                                          \
    }

static const struct game reversi =
    GAME_ROW(reversi, true,
             "Reversi without corners: play anywhere in the centre, flip to play on the border");
static const struct game othello =
    GAME_ROW(othello, false, "Othello, the standard game: every move must flip");

extern const struct game *const GAME_EXPORT(reversi)[];
const struct game *const GAME_EXPORT(reversi)[] = {&reversi, &othello, NULL};
