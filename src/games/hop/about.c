/* about: help texts, examples and searches of `plum bench`.
 *
 * The positions are from games of the engine against itself.
 */
#include <stddef.h>

#include "game/about.h"
#include "games/hop/state.h"

static const struct game_text texts[] = {
    {"result", "In hop a score is the number of own pieces on the own target region."},
    {"unit", "men at home in hop"},
    {"moves", "In hop a move names every square that the piece visits, 10-12-32; of the paths that "
              "lead to the same position only the shortest is listed."},
    {"apply", "hop accepts every valid path, not only the listed one, and 'skip' for a turn that "
              "was lost by a fault."},
    {"position", "  hop, hop-noloop  8 rows of . X O, b or w to move, moves used by each side\n"},
    {"solve",
     "In hop the difference counts men at home. Hop stops after 100 million positions with exit "
     "code 1. It is searched to its move limit, because men can be brought home until then: that "
     "is possible with five moves left to each side and all men, or more moves and few men."},
    {"bestmove", "In hop the engine plays for the fastest win it finds; `plum solve` finds the "
                 "largest number of men at home."},
    {NULL, NULL},
};

static const struct game_example examples[] = {
    {"apply", "plum apply hop start 22-23 35-34", "a step by each side"},
    {"result",
     "plum result hop \"......X./......../......../......../......../......../......../.O...... w "
     "9 "
     "8\"",
     "each side has one piece on its target: a draw"},
    {NULL, NULL, NULL},
};

static const struct game_search bench[] = {
    {11, "start"},
    {11, "......../.XX...../.XXX..OO/.XX..OO./.....OO./.X...OO./X......./......O. b 6 6"},
    {11, "......../......../..XXOO../....OO../..XXOO../..XX..X./...O..../..O..... b 18 18"},
    {0, NULL},
};

static const struct game_search noloop_bench[] = {
    {11, "start"},
    {11, "X......./.X....../X.X...O./.XXX.OO./.XX..O../.....OOO/......../.....OO. b 6 6"},
    {11, "...O..../......O./......../..XX..../..XX.OO./....OO../...XOO../........ b 18 18"},
    {0, NULL},
};

const struct game_about hop_about = {.texts = texts, .examples = examples, .bench = bench};
const struct game_about hop_noloop_about = {.bench = noloop_bench};
