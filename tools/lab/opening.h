/* opening: where a match begins: random plies after which an engine sees both sides alike. */
#ifndef LAB_OPENING_H
#define LAB_OPENING_H

#include "random_plies.h"
#include "versus.h"

enum {
    OPENING_PLIES = 6, /* at least */
    OPENING_PLIES_MORE = 6,
    OPENING_BALANCED = 80, /* hundredths, in a search of … */
    OPENING_NODES = 20000,
};

static inline bool opening_is_balanced(struct versus *judge, const struct state *state)
{
    struct engine_limits limits = {.nodes = OPENING_NODES};
    judge->clear(&judge->engine);
    int score = versus_search(judge, state, &limits).score;
    return score <= OPENING_BALANCED && score >= -OPENING_BALANCED;
}

/* The rules are those of `game`: a build of other sources may have another layout of that table. */
static inline struct state opening_draw(const struct game *game, struct versus *judge,
                                        struct rng *rng)
{
    struct state state;
    int plies = 0;
    do {
        state = game->start();
        plies = OPENING_PLIES + (int)rng_below(rng, OPENING_PLIES_MORE);
    } while (!random_plies(game, rng, plies, &state) || !opening_is_balanced(judge, &state));
    return state;
}

#endif
