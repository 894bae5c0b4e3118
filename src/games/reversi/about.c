/* about: help texts, examples and searches of `plum bench`.
 *
 * The positions are from games of the engine against itself.
 */
#include <stddef.h>

#include "game/about.h"
#include "games/reversi/state.h"

enum { MARGIN = 500 }; /* five discs */

static const struct game_text texts[] = {
    {"result", "In reversi and othello it is own pieces minus the other's."},
    {"unit", "discs in reversi and othello"},
    {"moves", "In reversi and othello it names one square, 23."},
    {"position", "  reversi          8 rows of . X O with # in the corners, b or w\n"
                 "  othello          8 rows of . X O, b or w\n"},
    {"solve", "In reversi and othello it counts discs. They take about three times as long for "
              "each additional empty square: seconds for 20, minutes for 26, far too long for more "
              "than 30; --time sets a limit."},
    {NULL, NULL},
};

static const struct game_example examples[] = {
    {"engine", "printf 'position startpos moves 34\\ngo depth 6\\n' | plum engine reversi",
     "White's answer"},
    {NULL, NULL, NULL},
};

static const struct game_search bench[] = {
    {8, "start"},
    {9, "#......#/...X..O./..OXXO../.OOOOOO./.XOOXOO./..XXXX../..OXX.../#......# w"},
    {60, "#OX..X.#/.XOOOOOO/.XXOOOO./.XXOOXX./.XXOOXXX/.XOXXOX./.OXOOXX./#..XO..# b"},
    {0, NULL},
};

static const struct game_example othello_examples[] = {
    {"apply", "plum apply othello start 23 22 21", "three moves"},
    {"perft", "plum perft othello start 6", "8200"},
    {"show",
     "plum show othello \"......../......../......../...OX.../...XO.../......../......../........ "
     "b\"",
     "a position in full"},
    {"solve",
     "plum solve othello 'O..OOOOX/.OOOOOOX/OOXXOOOX/OOXOOOXX/OOOOOOXX/...OOOOX/....O..X/........ "
     "b'",
     "+38 10"},
    {NULL, NULL, NULL},
};

static const struct game_search othello_bench[] = {
    {12, "start"},
    {12, ".XXXX.../..XO..../.OXXXX../OOXOX.../OOOXXX../.OOOX.../...XX.../....X... w"},
    {60, ".XXXX.O./.OOOOX../OOOOXXOX/.XOOOOOO/XXXOOOO./OXXOOOX./.XXOOX../..OO.X.. b"},
    {0, NULL},
};

const struct game_about reversi_about = {
    .texts = texts, .examples = examples, .bench = bench, .margin = MARGIN};
const struct game_about othello_about = {
    .examples = othello_examples, .bench = othello_bench, .margin = MARGIN};
