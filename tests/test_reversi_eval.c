/* The evaluation of reversi and othello: what must hold whatever its weights are, and one thing
 * that they had to learn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>

#include "base/cpu.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "engine_support.h"
#include "game/registry.h"
#include "games/reversi/state.h"
#include "scale.h"

/* src/games/reversi/eval.h, once for each processor level */
int reversi_evaluate_baseline(bool has_corners, uint64_t own, uint64_t other);
int reversi_evaluate_avx2(bool has_corners, uint64_t own, uint64_t other);

static uint64_t mirrored(uint64_t set)
{
    uint64_t out = 0;
    for (int square = 0; square < REVERSI_SQUARES; square++) {
        out |= (set >> square & 1) << (square ^ 7);
    }
    return out;
}

static uint64_t transposed(uint64_t set)
{
    uint64_t out = 0;
    for (int square = 0; square < REVERSI_SQUARES; square++) {
        out |= (set >> square & 1) << (square % 8 * 8 + square / 8);
    }
    return out;
}

/* Mirroring and transposing in turn leads through all eight ways to look at a board. */
static void check_all_sides(bool has_corners, uint64_t own, uint64_t other)
{
    int value = reversi_evaluate_baseline(has_corners, own, other);
    for (int i = 0; i < 8; i++) {
        own = i % 2 ? transposed(own) : mirrored(own);
        other = i % 2 ? transposed(other) : mirrored(other);
        assert_int_equal(reversi_evaluate_baseline(has_corners, own, other), value);
    }
#ifdef PLUM_HAS_AVX2
    if (cpu_best() == CPU_AVX2) {
        assert_int_equal(reversi_evaluate_avx2(has_corners, own, other), value);
    }
#endif
}

static void a_turned_board_is_worth_the_same_on_every_processor(void **state)
{
    const struct game *game = registry_find(CPU_BASELINE, *state, NULL);
    struct rng rng = rng_make(8);
    for (long i = 0; i < scaled(2000); i++) {
        struct state position = random_opening(game, &rng, (int)(i % 45));
        struct reversi_state s = reversi_unpack(&position);
        check_all_sides(game->cell(&position, 0).piece != PIECE_HOLE, s.discs[0], s.discs[1]);
    }
}

/* Between equal players no side ever loses all discs, and an evaluation that has seen only such
 * games takes having no discs for an advantage. */
static void a_side_without_discs_is_in_danger_when_the_centre_fills(void **state)
{
    (void)state;
    struct engine_limits limits = {.depth = 2};
    assert_true(think("reversi",
                      "#...X..#/.XXXXXX./..XXXX../..XXXXX./.XXXXX../.XX.XX../.X.X.XX./#X....X# w",
                      limits)
                    .score < -1000);
    assert_true(think("reversi",
                      "#.O....#/.O.OO.../.OOOOOO./..OOOOO./..OOOO../O.OOOOO./.O.OOOO./#.O.O..# b",
                      limits)
                    .score < -1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_turned_board_is_worth_the_same_on_every_processor, "reversi"),
        cmocka_unit_test_prestate(a_turned_board_is_worth_the_same_on_every_processor, "othello"),
        cmocka_unit_test(a_side_without_discs_is_in_danger_when_the_centre_fills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
