/* What a position of reversi or othello is worth, by hand.
 *
 * Othello is classical: corners and the squares beside them, mobility now and later, discs
 * on the edges that can never be flipped again.
 *
 * In reversi without corners the eight squares beside the corners are never flipped, for no
 * line through them has a square on both sides; discs on the border are safe as soon as
 * they join one of those. Every empty central square is a move for both, so only border
 * moves are mobility.
 */
#include "games/reversi/eval.h"

#include "base/bits.h"
#include "games/reversi/board.h"
#include "games/reversi/state.h"

#define BORDER UINT64_C(0xff818181818181ff)
#define BESIDE_CORNERS UINT64_C(0x4281000000008142)
#define DIAGONAL_TO_CORNERS UINT64_C(0x0042000000004200)

#define FIRST_ROW UINT64_C(0x00000000000000ff)
#define LAST_ROW UINT64_C(0xff00000000000000)
#define FIRST_COLUMN UINT64_C(0x0101010101010101)
#define LAST_COLUMN UINT64_C(0x8080808080808080)

/* Squares next to a member of the set, in all eight directions. */
static uint64_t around(uint64_t set)
{
    uint64_t sideways = (set & ~LAST_COLUMN) << 1 | (set & ~FIRST_COLUMN) >> 1;
    uint64_t row = set | sideways;
    return sideways | row << 8 | row >> 8;
}

/* Grows `from` along rows `line` of own discs, one way or the other. */
static uint64_t grow(uint64_t from, uint64_t discs, int shift)
{
    for (int i = 0; i < 6; i++) {
        from |= discs & (from << shift | from >> shift);
    }
    return from;
}

/* Border discs that can never be flipped again: those that join an anchor along an edge of
 * own discs, and all of a full edge. */
static uint64_t stable_border(uint64_t discs, uint64_t occupied, uint64_t anchors, uint64_t holes)
{
    static const uint64_t edges[4] = {FIRST_ROW, LAST_ROW, FIRST_COLUMN, LAST_COLUMN};
    uint64_t stable = discs & anchors;
    for (int i = 0; i < 4; i++) {
        uint64_t mine = discs & edges[i];
        stable |= grow(mine & anchors, mine, i < 2 ? 1 : 8);
        if (!(edges[i] & ~(occupied | holes))) {
            stable |= mine;
        }
    }
    return stable;
}

int reversi_evaluate(uint64_t own, uint64_t other)
{
    enum { ANCHOR = 250, STABLE = 150, BORDER_MOVE = 60, FRONTIER = 8, DISC = 10, LAST = 100 };
    uint64_t occupied = own | other;
    uint64_t empty = ~(occupied | REVERSI_CORNERS);
    uint64_t border = empty & BORDER;
    int moves = bits_count(board_reach(own, other) & border) -
                bits_count(board_reach(other, own) & border);
    int anchors = bits_count(own & BESIDE_CORNERS) - bits_count(other & BESIDE_CORNERS);
    int stable = bits_count(stable_border(own, occupied, BESIDE_CORNERS, REVERSI_CORNERS)) -
                 bits_count(stable_border(other, occupied, BESIDE_CORNERS, REVERSI_CORNERS));
    uint64_t near = around(empty);
    int frontier = bits_count(own & near) - bits_count(other & near);
    int discs = bits_count(own) - bits_count(other);
    int last = bits_count(empty) & 1 ? LAST : -LAST;
    return ANCHOR * anchors + STABLE * stable + BORDER_MOVE * moves - FRONTIER * frontier +
           DISC * discs + last;
}

/* Discs next to an empty corner, along the edge or diagonally. */
static int beside_empty_corner(uint64_t discs, uint64_t empty, uint64_t where)
{
    uint64_t corners = empty & REVERSI_CORNERS;
    return bits_count(discs & where & around(corners));
}

int othello_evaluate(uint64_t own, uint64_t other)
{
    enum { CORNER = 700, STABLE = 200, DIAGONAL = 300, BESIDE = 120, MOVE = 70, FRONTIER = 25 };
    uint64_t occupied = own | other;
    uint64_t empty = ~occupied;
    int corners = bits_count(own & REVERSI_CORNERS) - bits_count(other & REVERSI_CORNERS);
    int stable = bits_count(stable_border(own, occupied, REVERSI_CORNERS, 0)) -
                 bits_count(stable_border(other, occupied, REVERSI_CORNERS, 0));
    int diagonal = beside_empty_corner(own, empty, DIAGONAL_TO_CORNERS) -
                   beside_empty_corner(other, empty, DIAGONAL_TO_CORNERS);
    int beside = beside_empty_corner(own, empty, BESIDE_CORNERS) -
                 beside_empty_corner(other, empty, BESIDE_CORNERS);
    int moves = bits_count(board_reach(own, other) & empty) -
                bits_count(board_reach(other, own) & empty);
    int frontier = bits_count(around(empty) & own) - bits_count(around(empty) & other);
    return CORNER * corners + STABLE * stable - DIAGONAL * diagonal - BESIDE * beside +
           MOVE * moves - FRONTIER * frontier;
}
