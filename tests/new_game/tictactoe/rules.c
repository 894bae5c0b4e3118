/* Tic-tac-toe: the smallest game there is, to test that a game is one folder. */
#include <stddef.h>
#include <string.h>

#include "game/look.h"
#include "game/text.h"
#include "games/tictactoe/board.h"

enum { CROSS = PIECE_FIRST, NOUGHT, STONE };

static const struct piece_kind pieces[] = {
    {.one = "cross",
     .many = "crosses",
     .role = ROLE_MAN,
     .letters = {[SIDE_BLACK] = 'X'},
     .narrow = {[SIDE_BLACK] = "✕"},
     .wide = {[SIDE_BLACK] = " ✕ "},
     .drawing = "<path d=\"M-18-18L18 18M18-18L-18 18\" stroke=\"$fill\" stroke-width=\"8\"/>"},
    {.one = "nought",
     .many = "noughts",
     .role = ROLE_MAN,
     .letters = {[SIDE_WHITE] = 'O'},
     .narrow = {[SIDE_WHITE] = "○"},
     .wide = {[SIDE_WHITE] = " ○ "},
     .drawing = "<circle r=\"18\" fill=\"none\" stroke=\"$fill\" stroke-width=\"8\"/>"},
    {.one = "stone",
     .many = "stones",
     .role = ROLE_WALL,
     .letters = {[CELL_NEUTRAL] = '*'},
     .narrow = {[CELL_NEUTRAL] = "◆"},
     .wide = {[CELL_NEUTRAL] = "◢◆◣"},
     .drawing = "<path d=\"M0-24L24 0 0 24-24 0z\" fill=\"$fill\" stroke=\"$edge\"/>"},
    {.one = NULL},
};

static const struct look look = {
    .pieces = pieces,
    .unit = "lines",
    .theme = {.squares = {0xd8cfe6, 0xcbbfde},
              .frame = 0x4a3b66,
              .mark = 0xffd84a,
              THEME_BLACK_AND_WHITE},
};

static const struct game_reason reasons[] = {
    {"line", "three in a line"}, {"full", "the board is full"}, {NULL, NULL}};

static struct state start(void) { return tictactoe_pack((struct tictactoe){{0, 0}, 0}); }

static enum side to_move(const struct state *state)
{
    return (enum side)tictactoe_side(tictactoe_unpack(state));
}

static struct result result(const struct state *state)
{
    struct tictactoe s = tictactoe_unpack(state);
    for (int side = 0; side < 2; side++) {
        if (tictactoe_has_line(s.marks[side])) {
            struct result won = {side ? OUTCOME_WHITE : OUTCOME_BLACK, {0, 0}, "line"};
            won.score[side] = 1;
            return won;
        }
    }
    bool is_full = tictactoe_taken(s) == TICTACTOE_ALL;
    return (struct result){is_full ? OUTCOME_DRAW : OUTCOME_ONGOING, {0, 0}, is_full ? "full" : ""};
}

static size_t moves(const struct state *state, struct move *out)
{
    struct tictactoe s = tictactoe_unpack(state);
    size_t count = 0;
    for (int square = 0; square < 9 && result(state).outcome == OUTCOME_ONGOING; square++) {
        if (!(tictactoe_taken(s) >> square & 1)) {
            out[count] = (struct move){.kind = MOVE_PATH, .count = 1};
            out[count++].squares[0] = (uint8_t)square;
        }
    }
    return count;
}

static enum err apply(struct state *state, const struct move *move, struct note *why)
{
    struct tictactoe s = tictactoe_unpack(state);
    if (result(state).outcome != OUTCOME_ONGOING || move->kind != MOVE_PATH || move->count != 1 ||
        move->squares[0] >= 9 || tictactoe_taken(s) >> move->squares[0] & 1) {
        note_set(why, "the square is not free, or the game is over");
        return ERR_NEGATIVE;
    }
    *state = tictactoe_pack(tictactoe_play(s, move->squares[0]));
    return ERR_NONE;
}

static uint64_t key(const struct state *state)
{
    struct tictactoe s = tictactoe_unpack(state);
    return (s.stones << 18 | s.marks[0] << 9 | s.marks[1]) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t perft(const struct state *state, int depth)
{
    struct move list[GAME_MAX_MOVES];
    size_t count = depth ? moves(state, list) : 0;
    uint64_t sum = depth ? 0 : 1;
    for (size_t i = 0; i < count; i++) {
        struct state next = *state;
        if (!apply(&next, &list[i], NULL)) {
            sum += perft(&next, depth - 1);
        }
    }
    return sum;
}

static struct move replacement(const struct state *state)
{
    struct move list[GAME_MAX_MOVES];
    moves(state, list);
    return list[0];
}

static enum err read_position(const char *text, struct state *out, struct note *why)
{
    uint8_t cells[9];
    enum side side;
    struct tictactoe s = {{0, 0}, 0};
    enum err err = text_read_board(&text, 3, 3, ".XO*", cells, why);
    if (!err) {
        err = text_read_side(&text, &side, why);
    }
    if (!err) {
        err = text_read_end(text, why);
    }
    if (err) {
        return err;
    }
    for (int i = 0; i < 9; i++) {
        s.marks[0] |= (uint64_t)(cells[i] == 1) << i;
        s.marks[1] |= (uint64_t)(cells[i] == 2) << i;
        s.stones |= (uint64_t)(cells[i] == 3) << i;
    }
    if (tictactoe_side(s) != (int)side) {
        note_set(why, "the other side is to move");
        return ERR_INPUT;
    }
    *out = tictactoe_pack(s);
    return ERR_NONE;
}

static struct cell cell(const struct state *state, int square)
{
    struct tictactoe s = tictactoe_unpack(state);
    if (s.marks[0] >> square & 1) {
        return (struct cell){CROSS, SIDE_BLACK};
    }
    if (s.marks[1] >> square & 1) {
        return (struct cell){NOUGHT, SIDE_WHITE};
    }
    return s.stones >> square & 1 ? (struct cell){STONE, CELL_NEUTRAL}
                                  : (struct cell){PIECE_NONE, SIDE_BLACK};
}

static void write_position(const struct state *state, char out[GAME_POSITION_BYTES])
{
    uint8_t cells[9];
    for (int i = 0; i < 9; i++) {
        cells[i] = (uint8_t)cell_wire(cell(state, i));
    }
    text_write_board(out, 3, 3, ".XO*", cells, to_move(state));
}

static void status(const struct state *state, char out[GAME_STATUS_BYTES])
{
    (void)state;
    out[0] = '\0';
}

static const struct game tictactoe = {
    .name = "tictactoe",
    .summary = "Three in a row",
    .rows = 3,
    .columns = 3,
    .time_limit_s = 5,
    .penalties = {PENALTY_LOSS, PENALTY_LOSS, PENALTY_LOSS, PENALTY_LOSS, PENALTY_LOSS},
    .path_min = 1,
    .path_max = 1,
    .reasons = reasons,
    .look = &look,
    .start = start,
    .to_move = to_move,
    .moves = moves,
    .apply = apply,
    .result = result,
    .key = key,
    .perft = perft,
    .replacement = replacement,
    .read_position = read_position,
    .write_position = write_position,
    .cell = cell,
    .status = status,
};

extern const struct game *const GAME_EXPORT(tictactoe)[];
const struct game *const GAME_EXPORT(tictactoe)[] = {&tictactoe, NULL};
