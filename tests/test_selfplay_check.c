/* Results of workers in self-play: only the records that one machine would have written. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/result_check.h"
#include "game/registry.h"
#include "judge/judge.h"
#include "judge/recorder.h"
#include "tournament/match.h"

enum { FIRST = 50, PLIES = 6 };

static const struct cluster_terms terms = {
    .game = "othello",
    .date = "2026-01-31",
    .rules.judge.limit_ns = 5000000000,
    .rules.judge.grace_ns = 3600000000000,
    .lease_ms = 30000,
    .rules.is_selfplay = true,
    .rules.opening_plies = PLIES,
};

static struct cluster_job some_job(void)
{
    return (struct cluster_job){
        .key = {.stamp = 3, .work = {.pairing = 1, .first_game = FIRST, .to = 1}},
        .seed = 42,
        .players = {{.can_play = true, .spec = "random"}, {.can_play = true, .spec = "random"}},
    };
}

static const struct game *the_game(void)
{
    struct note why;
    const struct game *game = registry_find(cpu_best(), "othello", &why);
    assert_non_null(game);
    return game;
}

/* The first legal move, up to the end or `most` plies. */
static struct state play(const struct game *game, struct state state, int most, struct record *out)
{
    static struct move moves[GAME_MAX_MOVES];
    struct note why;
    for (int ply = 0; ply < most && !game_is_over(game, &state); ply++) {
        enum side side = game->to_move(&state);
        const struct annotation facts = {.has_time = true, .time_ns = 1000000};
        assert_true(game->moves(&state, moves) > 0);
        assert_int_equal(recorder_add_move(out, game, ply + 1, side, &moves[0], &facts, &why),
                         ERR_NONE);
        assert_int_equal(game->apply(&state, &moves[0], &why), ERR_NONE);
    }
    return state;
}

/* The record that game number `number` could have; White resigns after that many plies. */
static char *make_record(int number, int most)
{
    const struct game *game = the_game();
    const struct match_options match = {.rules = {.judge.game = game, .opening_plies = PLIES},
                                        .seed = 42};
    struct judge_rules rules = {.game = game,
                                .limit_ns = 5000000000,
                                .grace_ns = 3600000000000,
                                .seed = match_game_seed(42, number)};
    struct record record = {0};
    struct note why = {""};
    char round[16];
    struct state opening = match_opening(&match, number);
    struct state state = play(game, opening, most, &record);
    struct result result = game_is_over(game, &state)
                               ? game->result(&state)
                               : judge_forfeit_result(game, &state, SIDE_WHITE, "resigned");
    const struct recorder_game played = {.game = game,
                                         .names = {"random", "random"},
                                         .result = result,
                                         .rules = &rules,
                                         .start = &opening};
    const struct recorder_labels labels = {.round = round, .date = "2026-01-31"};
    snprintf(round, sizeof round, "%d", number + 1);
    assert_int_equal(recorder_add_tags(&record, &played, &labels, &why), ERR_NONE);
    char *text = record_to_string(&record);
    assert_non_null(text);
    record_free(&record);
    return text;
}

/* With the first `old` replaced by `new`; frees the text. */
static char *edit(char *text, const char *old, const char *new)
{
    size_t room = strlen(text) + strlen(new) + 1;
    char *out = malloc(room);
    const char *at = strstr(text, old);
    assert_non_null(out);
    assert_non_null(at);
    snprintf(out, room, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    free(text);
    return out;
}

static enum err check(char *take_record, char **out, struct note *why)
{
    struct cluster_job job = some_job();
    struct cluster_result result = {.key = job.key, .machine = "lab-7"};
    result.games = calloc(1, sizeof *result.games);
    assert_non_null(result.games);
    result.games[0].record = take_record;
    enum err err = result_check(cpu_best(), &terms, &job, &result, why);
    *out = strdup(result.games[0].record);
    assert_non_null(*out);
    cluster_result_free(&result);
    return err;
}

static void refuse(char *take_record, const char *reason)
{
    struct note why = {""};
    char *out = NULL;
    assert_int_equal(check(take_record, &out, &why), ERR_INPUT);
    if (!strstr(why.text, reason)) {
        fail_msg("'%s' instead of '%s'", why.text, reason);
    }
    free(out);
}

static char *good_record(void) { return make_record(FIRST, 1000); }

static void the_record_of_one_machine_is_accepted_as_it_is(void **state)
{
    (void)state;
    struct note why = {""};
    char *record = good_record();
    char *same = strdup(record);
    char *out = NULL;
    enum err err = check(record, &out, &why);
    assert_string_equal(why.text, "");
    assert_int_equal(err, ERR_NONE);
    assert_string_equal(out, same);
    free(out);
    free(same);
}

static void another_game_of_the_run_is_refused(void **state)
{
    (void)state;
    refuse(make_record(FIRST + 1, 1000), "another game, player or seed");
}

static void another_player_or_opening_is_refused(void **state)
{
    (void)state;
    char *other = make_record(FIRST + 1, 1000);
    char seed[2][32];
    char round[2][32];
    for (int i = 0; i < 2; i++) {
        snprintf(seed[i], sizeof seed[i], "Seed \"%" PRIu64, match_game_seed(42, FIRST + i));
        snprintf(round[i], sizeof round[i], "Round \"%d", FIRST + i + 1);
    }
    refuse(edit(edit(other, seed[1], seed[0]), round[1], round[0]), "another opening");
    refuse(edit(good_record(), "White \"random", "White \"random:seed=2"), "another game, player");
}

static void a_game_that_did_not_end_on_the_board_is_refused(void **state)
{
    (void)state;
    refuse(make_record(FIRST, 20), "did not end on the board");
    refuse(edit(good_record(), "{t=0.001}", "{t=0.001 fault=late}"), "");
}

static void a_tag_more_or_less_is_refused(void **state)
{
    (void)state;
    refuse(edit(good_record(), "[Date ", "[Event \"x\"]\n[Date "), "another tag");
    refuse(edit(good_record(), "[Date ", "[Machine \"x\"]\n[Date "), "another tag");
    refuse(edit(good_record(), "[Round \"51\"]", "[Round \"52\"]"), "tag Round");
    refuse(edit(good_record(), "[Date \"2026-01-31\"]\n", ""), "tag Date");
    refuse(edit(good_record(), "[TimeLimit \"5.000\"]\n", ""), "tag TimeLimit");
    refuse(edit(good_record(), "[Grace \"3600.000\"]", "[Grace \"1.000\"]"), "tag Grace");
}

static void another_text_of_the_same_game_is_refused(void **state)
{
    (void)state;
    refuse(edit(good_record(), "\n1. b ", "\n1.  b "), "another form");
    refuse(edit(good_record(), "\n\n1. b ", "\n\n\n1. b "), "another form");
}

static void an_impossible_move_is_refused(void **state)
{
    (void)state;
    refuse(edit(good_record(), "\n1. b ", "\n1. w "), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_record_of_one_machine_is_accepted_as_it_is),
        cmocka_unit_test(another_game_of_the_run_is_refused),
        cmocka_unit_test(another_player_or_opening_is_refused),
        cmocka_unit_test(a_game_that_did_not_end_on_the_board_is_refused),
        cmocka_unit_test(a_tag_more_or_less_is_refused),
        cmocka_unit_test(another_text_of_the_same_game_is_refused),
        cmocka_unit_test(an_impossible_move_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
