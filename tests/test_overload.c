/* A game that is decided against a program which something outside it kept from running is played
 * again, at most twice in a pairing. The players say what they waited for; the clock is real. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "play/pairing_run.h"
#include "game/registry.h"

enum { START_MS = 20, MS = 1000000 };

/* A player that never starts. */
struct silent_player {
    struct player player;
    int64_t waited_ns;
    int64_t used_ns;
};

static int64_t waited_ns[2];
static int64_t used_by[2];
static int agains;
static int games;
static struct game_again last_again;
static char reason[GAME_REASON_BYTES];
static struct note last_why;

static void begin(struct player *player, const struct player_view *view)
{
    (void)player, (void)view;
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    (void)player, (void)view;
    return 0;
}

static struct player_delay explain_delay(const struct player *player)
{
    return (struct player_delay){.waited_ns = ((const struct silent_player *)player)->waited_ns};
}

static int64_t used_ns(const struct player *player)
{
    return ((const struct silent_player *)player)->used_ns;
}

static void forget(struct player *player) { (void)player; }

static void close_player(struct player *player)
{
    player_report_now(player, (struct player_event){.kind = PLAYER_CLOSED});
}

static const struct player_class silent_class = {
    .begin = begin,
    .ask_move = ask_move,
    .explain_delay = explain_delay,
    .used_ns = used_ns,
    .forget = forget,
    .close = close_player,
    .free = player_free,
};

static struct player *make_player(struct match_run *run, int player, struct note *why)
{
    (void)run;
    struct silent_player *self = player_new(sizeof *self, &silent_class, "silent", why);
    if (self) {
        self->waited_ns = waited_ns[player];
        self->used_ns = used_by[player];
    }
    return (struct player *)self;
}

static void on_event(struct pairing_run *run, const struct game_event *event)
{
    (void)run, (void)event;
}

static void on_game(struct pairing_run *run, struct finished_game *take_game)
{
    (void)run;
    games++;
    last_again = take_game->again;
    snprintf(reason, sizeof reason, "%s", take_game->summary.reason);
    last_why = take_game->fault_list[0].why;
    assert_int_equal(take_game->fault_count, 2); /* not those of the games that were begun before */
    finished_game_free(take_game);
}

/* Without the pause. */
static void on_again(struct pairing_run *run, const struct note *why)
{
    agains++;
    assert_non_null(strstr(why->text, "silent: it did not start within 0.020 s; for "));
    uv_timer_start(&run->retry, run->retry.timer_cb, 0, 0);
}

static void on_done(struct pairing_run *run, enum err err, const struct note *why)
{
    (void)why;
    assert_int_equal(err, ERR_NONE);
    pairing_run_close(run);
    match_runner_close(run->runner);
}

static void play(int count)
{
    static const struct pairing_run_sink sink = {
        .on_event = on_event, .on_game = on_game, .on_again = on_again, .on_done = on_done};
    const struct match_runner_setup setup = {.slots = 1};
    const struct game *game = registry_find(CPU_BASELINE, "reversi", NULL);
    struct match_runner *runner = NULL;
    static struct pairing_run run;
    struct pairing_task task = {.work = {.to = count},
                                .rules.judge = judge_rules_usual(game),
                                .names = {"silent", "silent"}};
    struct note why;
    agains = games = 0;
    task.rules.judge.startup_ns = START_MS * MS;
    assert_int_equal(match_runner_open(&runner, &setup, &why), ERR_NONE);
    pairing_run_init(&run, runner, 0, &sink);
    run.match_run.make_player = make_player;
    assert_int_equal(pairing_run_start(&run, &task, &why), ERR_NONE);
    match_runner_finish(runner);
    assert_int_equal(games, count);
    assert_string_equal(reason, "both-absent");
}

static void a_pairing_of_starved_programs_is_played_again_twice(void **state)
{
    (void)state;
    waited_ns[0] = 10000 * (int64_t)MS;
    waited_ns[1] = used_by[0] = used_by[1] = 0;
    play(1);
    assert_int_equal(agains, 2);
    assert_int_equal(last_again.count, 2);
    assert_non_null(strstr(last_again.why.text, "because of something outside this game"));
    assert_non_null(strstr(last_why.text, "because of something outside this game"));
    play(2); /* twice in all, not in each game */
    assert_int_equal(agains, 2);
    assert_int_equal(last_again.count, 0);
}

static void others_are_judged_at_once(void **state)
{
    (void)state;
    waited_ns[0] = waited_ns[1] = used_by[0] = used_by[1] = 0;
    play(1);
    assert_int_equal(agains + last_again.count, 0);
    /* Each is slowed by the other: both had the processor. */
    waited_ns[0] = waited_ns[1] = used_by[0] = used_by[1] = 10000 * (int64_t)MS;
    play(1);
    assert_int_equal(agains + last_again.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pairing_of_starved_programs_is_played_again_twice),
        cmocka_unit_test(others_are_judged_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
