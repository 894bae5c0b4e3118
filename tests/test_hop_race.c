/* Races in hop that are claimed to be decided.
 *
 * A proof by induction over the claimed plies: with the winner to move there must be a move, with
 * the other to move all moves must lead to a claim of fewer plies, or to the end of a game that is
 * won. The replies are all that the rules allow, coming back and capturing among them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>

#include "base/bits.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "engine_support.h"
#include "game/registry.h"
#include "games/hop/state.h"
#include "scale.h"

/* src/games/hop/engine_race.h, for the processor level that every machine has */
int hop_race_baseline(const struct hop_state *s, unsigned side);

enum { COLUMNS = 8, MEN = 5 };

/* Men on columns `first` to `last`. */
static uint64_t random_men(struct rng *rng, int first, int last)
{
    uint64_t men = 0;
    for (int count = 1 + (int)rng_below(rng, MEN); count > 0; count--) {
        int column = first + (int)rng_below(rng, (unsigned)(last - first + 1));
        men |= bits_one((int)rng_below(rng, COLUMNS) * COLUMNS + column);
    }
    return men;
}

/* The armies have passed each other; the limit is near in one of four. */
static struct hop_state random_race(struct rng *rng)
{
    int border = 2 + (int)rng_below(rng, 4);
    struct hop_state s = {
        .men = {random_men(rng, border, 7), random_men(rng, 0, border - 1)},
        .plies = 40 + rng_below(rng, 2),
    };
    if (rng_below(rng, 4) == 0) {
        s.plies = HOP_PLY_LIMIT - 1 - rng_below(rng, 12);
    }
    return s;
}

static bool has_won(const struct game *game, const struct state *state, unsigned side)
{
    return game->result(state).outcome == (side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE);
}

/* Whether `side` has won, or is claimed to win within `plies` plies. */
static bool is_claimed(const struct game *game, const struct state *state, unsigned side, int plies)
{
    if (game_is_over(game, state)) {
        return has_won(game, state, side);
    }
    struct hop_state s = hop_unpack(state);
    int claimed = hop_race_baseline(&s, side);
    return claimed > 0 && claimed <= plies;
}

static bool holds(const struct game *game, const struct state *state, unsigned side, int plies)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    bool is_own_turn = game->to_move(state) == side;
    for (size_t i = 0; i < count; i++) {
        struct state next = play(game, state, &moves[i]);
        if (is_claimed(game, &next, side, plies - 1) == is_own_turn) {
            return is_own_turn;
        }
    }
    return !is_own_turn;
}

static void a_race_reported_as_decided_is_decided(void **state)
{
    const struct game *game = registry_find(CPU_BASELINE, *state, NULL);
    struct rng rng = rng_make(14);
    long claims[2] = {0};
    for (long i = 0; i < scaled(20000); i++) {
        struct hop_state s = random_race(&rng);
        struct state packed = hop_pack(s);
        if (game_is_over(game, &packed)) {
            continue;
        }
        for (unsigned side = 0; side < 2; side++) {
            int plies = hop_race_baseline(&s, side);
            if (plies && !holds(game, &packed, side, plies)) {
                char text[GAME_POSITION_BYTES];
                game->write_position(&packed, text);
                fail_msg("%s does not win within %d plies in %s", side ? "White" : "Black", plies,
                         text);
            }
            claims[side] += plies != 0;
        }
    }
    print_message("%s: %ld and %ld races decided of %ld\n", game->name, claims[0], claims[1],
                  scaled(20000));
    assert_true(claims[0] > scaled(20000) / 25);
    assert_true(claims[1] > scaled(20000) / 25);
}

static void a_race_without_an_opponent_is_won(void **state)
{
    (void)state;
    struct hop_state s = {.men = {bits_one(3), 0}, .plies = 100};
    assert_int_equal(hop_race_baseline(&s, SIDE_BLACK), 5);
    assert_int_equal(hop_race_baseline(&s, SIDE_WHITE), 0);
    s.plies = HOP_PLY_LIMIT - 4;
    assert_int_equal(hop_race_baseline(&s, SIDE_BLACK), 0);
    s.plies = HOP_PLY_LIMIT - 6;
    assert_int_equal(hop_race_baseline(&s, SIDE_BLACK), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_race_reported_as_decided_is_decided, "hop"),
        cmocka_unit_test_prestate(a_race_reported_as_decided_is_decided, "hop-noloop"),
        cmocka_unit_test(a_race_without_an_opponent_is_won),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
