/* The proof in src/games/hop/board.h bounds the moves of any hop position by a maximum over a
 * few small numbers. This is that maximum, and a hunt for positions that come near it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "game/registry.h"
#include "games/hop/board.h"

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

/* 2k - ⌈2√k⌉: the most lattice edges among k squares. */
static int most_edges(int k)
{
    int root = 0; /* ⌈2√k⌉ */
    while (root * root < 4 * k) {
        root++;
    }
    return 2 * k - root;
}

/* The most results of one man that can hop over `own` own men and `enemies` enemy men. */
static int most_results(int own, int enemies)
{
    int most = 1;
    for (int k = 1; k <= 16; k++) {
        for (int groups = larger(1, k - own); groups <= k && groups - 1 <= enemies; groups++) {
            int freedom = smaller(enemies - groups + 1, most_edges(k) - k + 1);
            most = larger(most, k << freedom);
        }
    }
    return most;
}

static void the_named_maximum_is_the_proven_one(void **unused)
{
    (void)unused;
    int most = 0;
    for (int even = 0; even <= 9; even++) {
        for (int even_enemies = 0; even_enemies <= 9; even_enemies++) {
            int odd = 9 - even;
            int results = even * most_results(odd, 9 - even_enemies) +
                          odd * most_results(even, even_enemies) + 4 * 9;
            most = larger(most, results);
        }
    }
    assert_int_equal(most, HOP_MAX_MOVES);
    assert_true((int)HOP_MAX_MOVES <= (int)GAME_MAX_MOVES);
}

/* Own and enemy men on the edges of a lattice, changed one at a time towards more moves. */
static void climbing_positions_stay_below_it(void **unused)
{
    (void)unused;
    struct rng rng = rng_make(1);
    int best = 0;
    for (int start = 0; start < 60; start++) {
        uint64_t men[2] = {0, 0};
        int count = 0;
        for (int placed = 0; placed < 18;) {
            uint64_t bit = UINT64_C(1) << rng_below(&rng, 64);
            if (!((men[0] | men[1]) & bit)) {
                men[placed++ % 2] |= bit;
            }
        }
        count = hop_count(true, men[0], men[1]);
        for (int step = 0; step < 3000; step++) {
            uint64_t changed[2] = {men[0], men[1]};
            uint64_t side = rng_below(&rng, 2);
            int from = (int)rng_below(&rng, 64);
            int to = (int)rng_below(&rng, 64);
            if (!(changed[side] >> from & 1) || (men[0] | men[1]) >> to & 1) {
                continue;
            }
            changed[side] ^= UINT64_C(1) << from | UINT64_C(1) << to;
            int now = hop_count(true, changed[0], changed[1]);
            assert_true(now <= HOP_MAX_MOVES);
            if (now >= count) {
                men[0] = changed[0];
                men[1] = changed[1];
                count = now;
            }
        }
        best = larger(best, count);
    }
    print_message("the most moves found: %d of at most %d\n", best, HOP_MAX_MOVES);
    assert_true(best > 98);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_named_maximum_is_the_proven_one),
        cmocka_unit_test(climbing_positions_stay_below_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
