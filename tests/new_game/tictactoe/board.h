/* board: a position of tic-tac-toe, for rules and search. */
#ifndef GAMES_TICTACTOE_BOARD_H
#define GAMES_TICTACTOE_BOARD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "game/game.h"

enum { TICTACTOE_ALL = 0x1ff };

struct tictactoe {
    uint64_t marks[2]; /* by side; square row * 3 + column is a bit */
    uint64_t stones;   /* of neither side: nothing is played on them */
};

static inline struct tictactoe tictactoe_unpack(const struct state *state)
{
    struct tictactoe s;
    memcpy(&s, state, sizeof s);
    return s;
}

static inline struct state tictactoe_pack(struct tictactoe s)
{
    struct state state = {{0}};
    memcpy(&state, &s, sizeof s);
    return state;
}

static inline int tictactoe_count(uint64_t marks)
{
    int count = 0;
    for (; marks; marks &= marks - 1) {
        count++;
    }
    return count;
}

static inline uint64_t tictactoe_taken(struct tictactoe s)
{
    return s.marks[0] | s.marks[1] | s.stones;
}

static inline int tictactoe_side(struct tictactoe s)
{
    return tictactoe_count(s.marks[0]) > tictactoe_count(s.marks[1]);
}

static inline bool tictactoe_has_line(uint64_t marks)
{
    static const uint16_t lines[] = {0x007, 0x038, 0x1c0, 0x049, 0x092, 0x124, 0x111, 0x054};
    for (int i = 0; i < 8; i++) {
        if ((marks & lines[i]) == lines[i]) {
            return true;
        }
    }
    return false;
}

static inline struct tictactoe tictactoe_play(struct tictactoe s, int square)
{
    s.marks[tictactoe_side(s)] |= UINT64_C(1) << square;
    return s;
}

#endif
