/* The networks of hop and MeiChu: sums that follow a game move by move are those of its positions,
 * and their value is the same on every processor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/rng.h"
#include "game/registry.h"
#include "games/hop/eval.h"
#include "games/meichu/eval.h"
#include "scale.h"

/* games/hop/eval.h and games/meichu/eval.h, once for each processor level */
#define DECLARE(level)                                                                  \
    void hop_sums_make_##level(const struct hop_state *, struct hop_sums *);            \
    void hop_sums_follow_##level(const struct hop_state *, const struct hop_state *,    \
                                 struct hop_sums *);                                    \
    int hop_evaluate_##level(const struct hop_state *, const struct hop_sums *);        \
    void meichu_sums_make_##level(const struct meichu_state *, struct meichu_sums *);   \
    void meichu_sums_follow_##level(const struct meichu_state *, struct meichu_move,    \
                                    const struct meichu_state *, struct meichu_sums *); \
    int meichu_evaluate_##level(const struct meichu_state *, const struct meichu_sums *);
DECLARE(baseline)
DECLARE(avx2)

static void check_hop(const struct hop_state *s, const struct hop_sums *followed)
{
    struct hop_sums sums;
    hop_sums_make_baseline(s, &sums);
    assert_memory_equal(&sums, followed, sizeof sums);
#ifdef PLUM_HAS_AVX2
    if (cpu_best() == CPU_AVX2) {
        struct hop_sums wide;
        hop_sums_make_avx2(s, &wide);
        assert_memory_equal(&sums, &wide, sizeof sums);
        assert_int_equal(hop_evaluate_baseline(s, &sums), hop_evaluate_avx2(s, &sums));
    }
#endif
}

static void check_meichu(const struct meichu_state *s, const struct meichu_sums *followed)
{
    struct meichu_sums sums;
    meichu_sums_make_baseline(s, &sums);
    assert_memory_equal(&sums, followed, sizeof sums);
#ifdef PLUM_HAS_AVX2
    if (cpu_best() == CPU_AVX2) {
        struct meichu_sums wide;
        meichu_sums_make_avx2(s, &wide);
        assert_memory_equal(&sums, &wide, sizeof sums);
        assert_int_equal(meichu_evaluate_baseline(s, &sums), meichu_evaluate_avx2(s, &sums));
    }
#endif
}

/* A random move is played on *state and returned. */
static struct move play_random(const struct game *game, struct rng *rng, struct state *state)
{
    static struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    assert_true(count > 0);
    struct move move = moves[rng_below(rng, count)];
    assert_int_equal(game->apply(state, &move, NULL), ERR_NONE);
    return move;
}

static void hop_sums_follow_a_game(void **unused)
{
    (void)unused;
    const struct game *game = registry_find(CPU_BASELINE, "hop", NULL);
    struct rng rng = rng_make(3);
    for (long i = 0; i < scaled(60); i++) {
        struct state state = game->start();
        struct hop_state before = hop_unpack(&state);
        struct hop_sums sums;
        hop_sums_make_baseline(&before, &sums);
        while (!game_is_over(game, &state)) {
            play_random(game, &rng, &state);
            struct hop_state after = hop_unpack(&state);
            hop_sums_follow_baseline(&before, &after, &sums);
            check_hop(&after, &sums);
            before = after;
        }
    }
}

static void meichu_sums_follow_a_game(void **unused)
{
    (void)unused;
    const struct game *game = registry_find(CPU_BASELINE, "meichu", NULL);
    struct rng rng = rng_make(4);
    for (long i = 0; i < scaled(300); i++) {
        struct state state = game->start();
        struct meichu_state before = meichu_unpack(&state);
        struct meichu_sums sums;
        meichu_sums_make_baseline(&before, &sums);
        while (!game_is_over(game, &state)) {
            struct move move = play_random(game, &rng, &state);
            struct meichu_state after = meichu_unpack(&state);
            if (move.kind == MOVE_PATH) {
                struct meichu_move step = {move.squares[0], move.squares[1]};
                meichu_sums_follow_baseline(&before, step, &after, &sums);
            }
            check_meichu(&after, &sums);
            before = after;
        }
    }
}

static void values_are_cut_before_they_look_like_a_win(void **unused)
{
    (void)unused;
    const int16_t last[] = {32767, 32767};
    const int32_t bias[] = {0};
    const struct net net = {.first = NULL, .last = last, .bias = bias, .scale = 32767};
    const int16_t high[] = {32767};
    const int16_t low[] = {-32768};
    assert_int_equal(net_value(&net, 0, high, high, 1), NET_MOST);
    assert_int_equal(net_value(&net, 0, low, low, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hop_sums_follow_a_game),
        cmocka_unit_test(meichu_sums_follow_a_game),
        cmocka_unit_test(values_are_cut_before_they_look_like_a_win),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
