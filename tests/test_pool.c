/* A source that no command uses: challengers play the holder of a crown until they are stopped. It
 * shows what a new way to play has to say, and that the pool does the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "game/registry.h"
#include "play/pool.h"

enum { CHALLENGERS = 4, MOST_PAIRINGS = 9 };

struct crown {
    struct pool *pool;
    struct player_spec specs[CHALLENGERS];
    const struct game *game;
    int holder;
    int next;  /* challenger */
    int begun; /* pairings, as are the next two */
    int done;  /* all games played */
    int cut;   /* by the stop */
    int games;
    int forfeits;
};

static bool next_challenger(void *owner, struct tournament_work *out)
{
    struct crown *crown = owner;
    crown->next = (crown->next + 1) % CHALLENGERS;
    crown->next += crown->next == crown->holder;
    crown->next %= CHALLENGERS;
    *out = (struct tournament_work){.pairing = crown->begun,
                                    .first_game = 2 * crown->begun,
                                    .to = 2,
                                    .team = {crown->holder, crown->next}};
    crown->begun++;
    return true;
}

/* The last challenger has no program: the games are lost without a start. */
static void describe(void *owner, const struct tournament_work *work, struct pool_pairing *out)
{
    struct crown *crown = owner;
    out->task = (struct pairing_task){
        .rules = {.judge = {.game = crown->game, .limit_ns = 5000000000, .grace_ns = 250000000}},
        .seed = 7};
    for (int i = 0; i < 2; i++) {
        bool is_there = work->team[i] < CHALLENGERS - 1;
        out->task.specs[i] = is_there ? &crown->specs[work->team[i]] : NULL;
        out->task.absence[i] = "it has no program";
        out->task.names[i] = is_there ? crown->specs[work->team[i]].text : "nobody";
    }
}

static void on_game(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game)
{
    struct crown *crown = owner;
    assert_string_equal(machine, "");
    crown->games++;
    crown->forfeits += take_game->summary.is_forfeit;
    const struct game_summary *game = &take_game->summary;
    enum side winner = game->outcome == OUTCOME_BLACK ? SIDE_BLACK : SIDE_WHITE;
    if (game->outcome != OUTCOME_DRAW && game->colour[1] == winner) {
        crown->holder = work->team[1];
    }
    finished_game_free(take_game);
}

/* The stop comes while the other slot plays. */
static void on_done(void *owner, const struct tournament_work *work, enum err err,
                    const struct note *why)
{
    struct crown *crown = owner;
    struct note enough = {"enough"};
    (void)work, (void)why;
    crown->done += !err;
    crown->cut += err == ERR_INTERRUPTED;
    if (crown->done == MOST_PAIRINGS && !err) {
        pool_stop(crown->pool, ERR_INTERRUPTED, &enough);
    }
}

static bool is_over(void *owner, bool is_stopping)
{
    (void)owner;
    return is_stopping;
}

static void on_remark(void *owner, const char *sentence) { (void)owner, (void)sentence; }

static const struct pool_source source = {.next = next_challenger,
                                          .describe = describe,
                                          .on_game = on_game,
                                          .on_done = on_done,
                                          .is_over = is_over,
                                          .on_remark = on_remark};

static void challengers_play_until_they_are_stopped(void **state)
{
    (void)state;
    struct note why;
    struct crown crown = {.game = registry_find(CPU_BASELINE, "reversi", &why)};
    for (int i = 0; i < CHALLENGERS; i++) {
        char text[32];
        snprintf(text, sizeof text, "random:seed=%d", i + 1);
        assert_int_equal(player_spec_read(text, crown.game, &crown.specs[i], &why), ERR_NONE);
    }
    const struct pool_options options = {
        .source = &source, .owner = &crown, .setup = {.cpu_level = CPU_BASELINE}, .slots = 2};
    assert_int_equal(pool_open(&crown.pool, &options, &why), ERR_NONE);
    assert_int_equal(pool_run(crown.pool, &why), ERR_INTERRUPTED);
    assert_string_equal(why.text, "enough");
    pool_free(crown.pool);
    assert_int_equal(crown.begun, crown.done + crown.cut);
    assert_true(crown.games >= 2 * MOST_PAIRINGS && crown.forfeits > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(challengers_play_until_they_are_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
