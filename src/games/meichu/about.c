/* about: help texts, examples, searches of `plum bench`, and the chances after a payment.
 *
 * The positions are from games of the engine against itself. tools/lab/bids.sh measures the
 * chances.
 */
#include <stddef.h>

#include "game/about.h"
#include "games/meichu/state.h"

static const struct game_text texts[] = {
    {"result", "In meichu it is 1 for the winner and 0."},
    {"unit", "soldiers in meichu"},
    {"moves", "In meichu it names two squares, 74-64."},
    {"position",
     "  meichu           9 rows of . F S B f s b, b or w, Black's and White's budget\n"},
    {"pieces", "F is a flag, S a soldier, B a barrier."},
    {"solve",
     "In meichu it is 1 for a win, -1 for a loss and 0 for a draw. Meichu stops after 100 million "
     "positions with exit code 1. It can be solved when a side wins by force, or when both have "
     "little money and there are few barriers: own barriers pay for moves."},
    {"kit", "In meichu it is the functions bid and make_decision."},
    {NULL, NULL},
};

static const struct game_search bench[] = {
    {9, "start"},
    {9, "...sfb.../.b..b..b./.bs.s..b./..bbbss../...S...../S...BBB../.B....SB./.B.SBS.B./...BFB... "
        "b 140 141"},
    {9, "...bfb.../.b.sb..b./.b.....b./..bbb.b../....S..../..BB..B../.B.....B./.B..B..../...BFs... "
        "w 121 109"},
    {0, NULL},
};

static const struct game_chance chances[] = {
    {0, {623, 366}},   {20, {623, 366}},  {40, {615, 356}}, {60, {615, 356}}, {80, {593, 342}},
    {100, {495, 297}}, {110, {313, 212}}, {120, {84, 52}},  {130, {2, 4}},    {140, {0, 0}},
};

const struct game_about meichu_about = {
    .texts = texts,
    .bench = bench,
    .chances = chances,
    .chance_count = sizeof chances / sizeof chances[0],
};
