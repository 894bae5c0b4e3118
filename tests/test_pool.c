/* A source that no command uses: challengers play the holder of a crown until they are stopped,
 * here and on workers, one of which is killed. It shows what a new way to play has to say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game/registry.h"
#include "play/pool.h"
#include "process_support.h"

enum { CHALLENGERS = 4, ENOUGH = 9, MOST_PAIRINGS = 1 << 20 };

struct crown {
    struct pool *pool;
    struct crew crew;
    int holder, next;     /* of the challengers */
    int begun, done, cut; /* pairings; the last by the stop */
    int owed_below, owed; /* those that had begun when the worker was killed, until they are done */
    int forfeits, far;    /* games; `far`: of the surviving worker since then */
    bool is_done[MOST_PAIRINGS];
};

static struct pairing_rules rules;
static struct player_spec program;

static bool next_challenger(void *owner, struct tournament_work *out)
{
    struct crown *crown = owner;
    crown->next = (crown->next + 1) % CHALLENGERS;
    crown->next = (crown->next + (crown->next == crown->holder)) % CHALLENGERS;
    *out = (struct tournament_work){.pairing = crown->begun,
                                    .first_game = 2 * crown->begun,
                                    .to = 2,
                                    .team = {crown->holder, crown->next}};
    return crown->begun++ < MOST_PAIRINGS;
}

/* The first of them has no program: its games are lost without a start. */
static void describe(void *owner, const struct tournament_work *work, struct pool_pairing *out)
{
    (void)owner;
    out->task = (struct pairing_task){.rules = rules, .seed = 7, .date = "2026-01-31"};
    for (int i = 0; i < 2; i++) {
        out->task.specs[i] = work->team[i] ? &program : NULL;
        out->task.absence[i] = "it has no program";
        out->task.names[i] = work->team[i] ? "somebody" : "nobody";
    }
}

static void on_game(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game)
{
    struct crown *crown = owner;
    const struct game_summary *game = &take_game->summary;
    enum side winner = game->outcome == OUTCOME_BLACK ? SIDE_BLACK : SIDE_WHITE;
    if (game->outcome != OUTCOME_DRAW && game->colour[1] == winner) {
        crown->holder = work->team[1];
    }
    crown->forfeits += game->is_forfeit;
    crown->far += crown->owed_below && crew_is(1, machine);
    if (crew_is(0, machine) && !crown->owed_below) {
        crew_kill(&crown->crew, 0);
        crown->owed_below = crown->begun;
        crown->owed = crown->begun - crown->done;
    }
    pool_stored(crown->pool, work->first_game + take_game->index, 1);
    finished_game_free(take_game);
}

/* The stop comes while another slot plays. */
static void on_done(void *owner, const struct tournament_work *work, enum err err,
                    const struct note *why)
{
    struct crown *crown = owner;
    (void)why;
    assert_false(crown->is_done[work->pairing]);
    crown->is_done[work->pairing] = true;
    crown->done += !err;
    crown->cut += err == ERR_INTERRUPTED;
    crown->owed -= !err && work->pairing < crown->owed_below;
    bool has_survived = !crown->crew.queue.coordinator || (crown->far && !crown->owed);
    if (!err && crown->done >= ENOUGH && has_survived) {
        pool_stop(crown->pool, ERR_INTERRUPTED, &(struct note){"enough"});
    }
}

static bool is_over(void *owner, bool is_stopping) { return owner && is_stopping; }
static void on_remark(void *owner, const char *sentence) { (void)owner, (void)sentence; }
static bool claim(void *owner, const struct tournament_work *work) { return !owner && !work; }

static void play(struct crown *crown)
{
    static const struct pool_source source = {.next = next_challenger,
                                              .describe = describe,
                                              .on_game = on_game,
                                              .on_done = on_done,
                                              .is_over = is_over,
                                              .on_remark = on_remark,
                                              .claim = claim};
    struct note why;
    const struct pool_options options = {.source = &source,
                                         .owner = crown,
                                         .slots = 2,
                                         .coordinator = crown->crew.queue.coordinator};
    assert_int_equal(pool_open(&crown->pool, &options, &why), ERR_NONE);
    assert_int_equal(pool_run(crown->pool, &why), ERR_INTERRUPTED);
    assert_string_equal(why.text, "enough");
    assert_true(crown->forfeits > 0);
    pool_free(crown->pool);
}

static void challengers_play_until_they_are_stopped(void **state)
{
    static struct crown here, everywhere;
    struct note why;
    (void)state;
    rules.judge = judge_rules_usual(registry_find(CPU_BASELINE, "reversi", &why));
    assert_int_equal(player_spec_read("random", rules.judge.game, &program, &why), ERR_NONE);
    play(&here);
    assert_int_equal(here.begun, here.done + here.cut);
    if (!crew_open(&everywhere.crew, &rules, &why)) {
        SKIP_BECAUSE(why.text);
    }
    play(&everywhere);
    crew_close(&everywhere.crew);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(challengers_play_until_they_are_stopped)};
    crew_prepare(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
