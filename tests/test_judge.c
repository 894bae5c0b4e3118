/* The judge on a simulated clock: every fault in every game, at every moment. How a game begins is
 * in test_judge_start.c. Each game's record is written, read back and replayed (judge_table.c).
 *
 * Long because each fault has its cases in each game. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fake_world.h"
#include "games/meichu/state.h"
#include "judge_table.h"

/* Black steps home from 35, White from 62. */
#define TWO_MEN "......../......../......../.....X../......../......../..O...../........ b 0 0"
/* The same with three of Black's men at home already. */
#define THREE_HOME "......X./......X./......X./.....X../......../......../..O...../........ b 0 0"
/* White has used 199 moves, Black 200. */
#define LAST_MOVE \
    "......../......../......../...X..../......../......../...O..../........ w 200 199"
/* Black captures on 34 and leaves only the man on 50, which is at home. */
#define CAPTURE "......../......../......../...XO.../......../O......./......../........ b 0 0"
/* Black has no man. */
#define NO_BLACK "......../......../......../......../......../......../..O...../........ b 7 7"
/* Two empty squares, 03 and 74: Black has both, White none. */
#define TWO_SQUARES "#XO.OXX#/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/#XXO.OX# b"
/* Black's soldier at 40 is next to White's flag at 30. */
#define FLAG                                                                           \
    "........./........./........./f......../S......../........./........./........s/" \
    "F........ b 99 99"
/* The same, but White has no money to move with. */
#define POOR_WHITE                                                                     \
    "........./........./........./f......../S......../........./........./........s/" \
    "F........ b 99 1"

/* Players with scripts, before the game. */
struct scripts {
    const char *text[2];
};

static void set_scripts(struct table *table, const struct judge_rules *rules,
                        struct scripts *scripts)
{
    fake_mind *minds[2] = {scripted_mind, scripted_mind};
    void *thoughts[2] = {&scripts->text[0], &scripts->text[1]};
    table_init(table, rules, minds, thoughts);
}

/* --- Games without faults --- */

static void a_game_is_played_to_its_end(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "ready 35-36", "ready", "b:35-36 = 1-0 1 0 all-home");
    expect_at("hop", TWO_MEN, "ready 35-34", "ready 62-61", "b:35-34 w:62-61 = 0-1 0 1 all-home");
}

static void a_capture_can_bring_the_opponent_home(void **state)
{
    (void)state;
    expect_at("hop", CAPTURE, "ready 33-35", "ready", "b:33-35 = 0-1 0 1 all-home");
}

static void a_side_without_a_move_is_not_asked(void **state)
{
    (void)state;
    expect_at("hop", NO_BLACK, "ready", "ready 62-61", "b:pass* w:62-61 = 0-1 0 1 all-home");
    expect_at("reversi", TWO_SQUARES, "ready 74 03", "ready",
              "b:74 w:pass* b:03 = 1-0 60 -60 no-moves");
    expect_at("meichu", POOR_WHITE, "ready 40-41 41-40 40-30", "ready",
              "b:40-41 w:pass* b:41-40 w:pass* b:40-30 = 1-0 1 0 flag");
}

static void the_game_ends_when_both_have_used_their_moves(void **state)
{
    (void)state;
    expect_at("hop", LAST_MOVE, "ready", "ready 63-62", "w:63-62 = 1/2 0 0 move-limit");
}

static void everything_may_happen_before_a_call_returns(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "ready@now 35-34@now 34-35@now 35-36@now",
              "ready@now 62-63@now 63-62@now",
              "b:35-34 w:62-63 b:34-35 w:63-62 b:35-36 = 1-0 1 0 all-home");
    expect_at("hop", TWO_MEN, "ready@now crash@now", "ready@now 62-61@now",
              "{0 crashed} b:skip!crashed w:62-61 = 0-1 0 1 all-home");
    expect_at("hop", TWO_MEN, "ready@now hostile@now", "ready@now",
              "{0 hostile} = 0-1 0 1 hostile!");
    expect_at("hop", TWO_MEN, "ready@now resign@now", "ready@now", "= 0-1 0 1 resigned!");
    expect_at("hop", TWO_MEN, "crash@now", "ready@now", "{0 crashed} = 0-1 0 1 no-start!");
    expect_auction("ready@now bid:0/1@now resign@now", "ready@now bid:1/1@now",
                   "= 0-1 0 1 resigned!");
}

static void a_failure_of_this_machine_ends_the_game_without_a_result(void **state)
{
    static const struct {
        const char *scripts[2];
        const char *log;
    } games[] = {
        {{"fail@now", "ready@now"}, "failed"},
        {{"fail", "crash@now"}, "{1 crashed} failed"},
        {{"ready fail", "ready"}, "failed"},
        {{"ready 35-34 34-35", "ready fail"}, "b:35-34 failed"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct table table;
        struct judge_rules rules = table_rules("hop", TWO_MEN);
        play_scripts(&table, &rules, games[i].scripts[0], games[i].scripts[1]);
        assert_string_equal(table.log, games[i].log);
        table_free(&table);
    }
}

/* --- Late --- */

static void an_answer_at_the_end_of_the_grace_is_in_time(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("hop", TWO_MEN);
    play_scripts(&table, &rules, "ready 35-36@5.25", "ready");
    assert_string_equal(table.log, "b:35-36 = 1-0 1 0 all-home");
    assert_int_equal(table.last_ply.time_ns, 5250000000);
    assert_int_equal(table.players[0]->forgets, 0);
    table_free(&table);
}

static void a_nanosecond_later_it_is_late(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("hop", TWO_MEN);
    play_scripts(&table, &rules, "ready 35-36@5.250000001 35-36", "ready 62-63");
    assert_string_equal(table.log, "{0 late} b:skip!late w:62-63 b:35-36 = 1-0 1 0 all-home");
    assert_int_equal(table.last_fault.time_ms, 5250);
    assert_int_equal(table.players[0]->forgets, 1);
    table_free(&table);
}

static void the_judge_stops_waiting_after_the_grace(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("hop", TWO_MEN);
    play_scripts(&table, &rules, "ready silent 35-36", "ready 62-63");
    assert_string_equal(table.log, "{0 late} b:skip!late w:62-63 b:35-36 = 1-0 1 0 all-home");
    assert_int_equal(table.last_fault.time_ms, 5250);
    assert_int_equal(table.players[0]->forgets, 1);
    assert_int_equal(table.players[1]->forgets, 0);
    assert_non_null(strstr(table.last_fault.why.text, "5.250"));
    table_free(&table);
}

static void the_clock_starts_when_the_question_is_sent(void **state)
{
    (void)state;
    struct table table;
    struct scripts scripts = {
        {"ready 35-34@5.25 34-35@5.25", "ready 62-63 63-62@5.250000001 resign"}};
    struct judge_rules rules = table_rules("hop", TWO_MEN);
    set_scripts(&table, &rules, &scripts);
    table.players[0]->sending_ns = 2 * FAKE_SECOND;
    table.players[1]->sending_ns = FAKE_SECOND;
    table_play(&table);
    assert_string_equal(table.log, "b:35-34 w:62-63 b:34-35 {1 late} w:skip!late b:35-25 "
                                   "= 1-0 1 0 resigned!");
    table_free(&table);
}

static void an_answer_before_the_question_was_sent_took_no_time(void **state)
{
    (void)state;
    struct table table;
    struct scripts scripts = {{"ready crash@now", "ready 62-61"}};
    struct judge_rules rules = table_rules("hop", TWO_MEN);
    set_scripts(&table, &rules, &scripts);
    table.players[0]->sending_ns = FAKE_SECOND;
    table_play(&table);
    assert_string_equal(table.log, "{0 crashed} b:skip!crashed w:62-61 = 0-1 0 1 all-home");
    assert_int_equal(table.last_fault.time_ms, 0);
    table_free(&table);
}

static void a_delay_of_the_host_costs_no_move(void **state)
{
    (void)state;
    static const struct {
        bool has_auction;
        const char *first;
        const char *words;
    } cases[] = {
        {false, "ready@11 40-30", "b:40-30 = 1-0 1 0 flag"},
        {false, "ready 40-30@31", "b:40-30 = 1-0 1 0 flag"},
        {false, "ready 40-30@121", "b:40-30 = 1-0 1 0 flag"},
        {true, "ready bid:0/1@31 resign", "= 0-1 0 1 resigned!"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table table;
        struct scripts scripts = {{cases[i].first, "ready bid:1/1"}};
        struct judge_rules rules =
            cases[i].has_auction ? table_auction_rules() : table_rules("meichu", FLAG);
        set_scripts(&table, &rules, &scripts);
        table.is_sleepy = true;
        table_play(&table);
        assert_string_equal(table.log, cases[i].words);
        table_free(&table);
    }
}

/* The host reads them together, and wakes the judge only afterwards. */
static void an_answer_that_is_known_to_be_late_is_late_although_the_host_was_delayed(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        const char *position;
        bool has_auction;
        const char *scripts[2];
        const char *words;
    } cases[] = {
        {"hop", TWO_MEN, false, {"ready 35-36@=5.25", "ready"}, "b:35-36 = 1-0 1 0 all-home"},
        {"hop",
         TWO_MEN,
         false,
         {"ready 35-36@=5.250000001 35-36", "ready 62-63"},
         "{0 late} b:skip!late w:62-63 b:35-36 = 1-0 1 0 all-home"},
        {"hop",
         TWO_MEN,
         false,
         {"ready invalid@=6 35-36", "ready 62-63"},
         "{0 late} b:skip!late w:62-63 b:35-36 = 1-0 1 0 all-home"},
        {"hop", TWO_MEN, false, {"ready@=11", "ready"}, "{0 late} = 0-1 0 1 no-start!"},
        {"hop", TWO_MEN, false, {"ready@=11", "ready@11"}, "{0 late} = 0-1 0 1 no-start!"},
        {"meichu",
         FLAG,
         false,
         {"ready 40-30@=31", "ready"},
         "{0 late} b:40-30!late = 1-0 1 0 flag"},
        {"meichu", FLAG, false, {"ready 40-30@=121", "ready"}, "{0 late} {0 late} = 0-1 0 1 late!"},
        {NULL, NULL, true, {"ready bid:0/1@=31", "ready bid:1/1@31"}, "{0 late} = 0-1 0 1 no-bid!"},
        {NULL,
         NULL,
         true,
         {"ready bid:0/1@=30.25 resign", "ready bid:1/1@31"},
         "= 0-1 0 1 resigned!"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table table;
        struct scripts scripts = {{cases[i].scripts[0], cases[i].scripts[1]}};
        struct judge_rules rules = cases[i].has_auction
                                       ? table_auction_rules()
                                       : table_rules(cases[i].game, cases[i].position);
        set_scripts(&table, &rules, &scripts);
        table.is_sleepy = true;
        table_play(&table);
        assert_string_equal(table.log, cases[i].words);
        table_free(&table);
    }
}

static void an_early_wake_does_no_harm(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_auction_rules();
    struct scripts scripts = {
        {"ready@10 bid:0/5@30.25 83-84@120.25 resign", "ready@9 bid:1/5@20 resign@30.25"}};
    set_scripts(&table, &rules, &scripts);
    table.is_hasty = true;
    table_play(&table);
    assert_string_equal(table.log, "{0 late} {0 invalid} = 0-1 0 1 invalid!");
    table_free(&table);
}

static void a_late_answer_is_ignored_whenever_it_comes(void **state)
{
    (void)state;
    /* While the other thinks, legal or not, and when it is asked again it answers only once. */
    expect_at("hop", TWO_MEN, "ready silent +35-36@6 35-34 +34-35@1 34-35",
              "ready 62-63@3 63-53@3 resign",
              "{0 late} b:skip!late w:62-63 b:35-34 w:63-53 b:34-35 = 1-0 1 0 resigned!");
    expect_at("hop", TWO_MEN, "ready silent +invalid@6 35-36", "ready 62-63@3",
              "{0 late} b:skip!late w:62-63 b:35-36 = 1-0 1 0 all-home");
    expect_at("meichu", FLAG, "ready 40-41 +invalid@1 41-40 40-30", "ready 78-77@3",
              "b:40-41 w:78-77 b:41-40 w:77-07 b:40-30 = 1-0 1 0 flag");
}

static void an_invalid_answer_that_comes_too_late_is_only_late(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "ready 35-37@5.250000001 35-36", "ready 62-63",
              "{0 late} b:skip!late w:62-63 b:35-36 = 1-0 1 0 all-home");
    expect_at("hop", TWO_MEN, "ready invalid@5.250000001 35-36", "ready 62-63",
              "{0 late} b:skip!late w:62-63 b:35-36 = 1-0 1 0 all-home");
}

static void a_crash_after_the_limit_is_both(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "ready silent +crash@5.250000001", "ready 62-63 63-62 62-61",
              "{0 late} b:skip!late w:62-63 {0 crashed} b:skip*!crashed w:63-62 b:skip*!crashed "
              "w:62-61 = 0-1 0 1 all-home");
}

static void a_skip_uses_one_of_the_moves(void **state)
{
    (void)state;
    expect_at("hop", LAST_MOVE, "ready", "ready silent",
              "{1 late} w:skip!late = 1/2 0 0 move-limit");
}

static void reversi_late_is_the_first_legal_square_in_row_major_order(void **state)
{
    (void)state;
    expect_at("reversi", TWO_SQUARES, "ready silent 74", "ready",
              "{0 late} b:03!late w:pass* b:74 = 1-0 60 -60 no-moves");
    expect_at("reversi", TWO_SQUARES, "ready 74@5.25", "ready",
              "b:74 w:pass* b:03 = 1-0 60 -60 no-moves");
    expect_at("reversi", "start", "ready silent resign", "ready silent",
              "{0 late} b:11!late {1 late} w:12!late = 0-1 0 1 resigned!");
    expect_at("othello", "start", "ready silent resign", "ready silent",
              "{0 late} b:23!late {1 late} w:22!late = 0-1 0 1 resigned!");
}

static void meichu_late_is_a_penalty_and_the_move_counts(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("meichu", FLAG);
    expect_game(&rules, "ready 40-30@30.25", "ready", "b:40-30 = 1-0 1 0 flag");
    expect_game(&rules, "ready 40-30@30.250000001", "ready",
                "{0 late} b:40-30!late = 1-0 1 0 flag");
    play_scripts(&table, &rules, "ready 40-30@99.5", "ready");
    assert_string_equal(table.log, "{0 late} b:40-30!late = 1-0 1 0 flag");
    assert_int_equal(table.last_ply.time_ns, 99500000000);
    assert_int_equal(table.last_fault.time_ms, 30250);
    assert_int_equal(table.players[0]->forgets, 0);
    assert_int_equal(table.judge.fault_count[0][FAULT_LATE], 1);
    table_free(&table);
}

static void meichu_past_the_hard_limit_is_lost(void **state)
{
    (void)state;
    expect_at("meichu", FLAG, "ready 40-30@120.25", "ready",
              "{0 late} b:40-30!late = 1-0 1 0 flag");
    expect_at("meichu", FLAG, "ready 40-30@120.250000001", "ready",
              "{0 late} {0 late} = 0-1 0 1 late!");
    expect_at("meichu", FLAG, "ready silent", "ready", "{0 late} {0 late} = 0-1 0 1 late!");
}

static void meichu_past_the_limit_of_a_game_is_lost(void **state)
{
    (void)state;
    struct judge_rules rules = table_rules("meichu", FLAG);
    rules.game_limit_ns = 50 * FAKE_SECOND;
    expect_game(&rules, "ready 40-41@25 41-40@25 40-30@0.25", "ready 78-77 77-78",
                "b:40-41 w:78-77 b:41-40 w:77-78 b:40-30 = 1-0 1 0 flag");
    expect_game(&rules, "ready 40-41@25 41-40@25 40-30@0.250000001", "ready 78-77 77-78",
                "b:40-41 w:78-77 b:41-40 w:77-78 {0 late} = 0-1 0 1 late!");
    expect_game(&rules, "ready 40-41@25 silent", "ready 78-77",
                "b:40-41 w:78-77 {0 late} = 0-1 0 1 late!");
    /* The other side's time is its own. */
    expect_game(&rules, "ready 40-41 41-40@29 40-30@19", "ready 78-77@29 77-78@20",
                "b:40-41 w:78-77 b:41-40 w:77-78 b:40-30 = 1-0 1 0 flag");
}

/* --- Invalid --- */

static struct judge_rules late_rules(const char *game, const char *position, int late_limit)
{
    struct judge_rules rules = table_rules(game, position);
    rules.late_limit = late_limit;
    return rules;
}

static void late_moves_in_a_row_lose_the_game_at_the_limit(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = late_rules("hop", TWO_MEN, 2);
    play_scripts(&table, &rules, "ready silent silent", "ready 62-63");
    assert_string_equal(table.log, "{0 late} b:skip!late w:62-63 {0 late} = 0-1 0 1 late-limit!");
    assert_non_null(
        strstr(table.last_fault.why.text, "late moves in a row: 2, which is the limit"));
    assert_string_equal(record_tag(&table.record, RECORD_LATE_LIMIT), "2");
    assert_true(table.record.is_closed);
    assert_int_equal(table.players[0]->forgets, 2);
    table_free(&table);
    rules = late_rules("reversi", "start", 1);
    expect_game(&rules, "ready 33 silent", "ready 34", "b:33 w:34 {0 late} = 0-1 0 1 late-limit!");
    rules = late_rules("hop", TWO_MEN, 0);
    expect_game(&rules, "ready silent silent silent 35-36", "ready 62-63 63-62 62-63",
                "{0 late} b:skip!late w:62-63 {0 late} b:skip!late w:63-62 {0 late} b:skip!late "
                "w:62-63 b:35-36 = 1-0 1 0 all-home");
}

static void an_answer_in_time_ends_a_row_of_late_moves(void **state)
{
    (void)state;
    struct judge_rules rules = late_rules("hop", TWO_MEN, 2);
    expect_game(&rules, "ready silent 35-34 silent 34-35 35-36", "ready 62-63 63-62 62-63 63-62",
                "{0 late} b:skip!late w:62-63 b:35-34 w:63-62 {0 late} b:skip!late w:62-63 "
                "b:34-35 w:63-62 b:35-36 = 1-0 1 0 all-home");
    expect_game(&rules, "ready silent invalid silent 35-36", "ready 62-63 63-62 62-63",
                "{0 late} b:skip!late w:62-63 {0 invalid} b:skip!invalid w:63-62 {0 late} "
                "b:skip!late w:62-63 b:35-36 = 1-0 1 0 all-home");
}

static void each_side_has_its_own_row_of_late_moves(void **state)
{
    (void)state;
    struct judge_rules rules = late_rules("hop", TWO_MEN, 2);
    expect_game(&rules, "ready silent silent", "ready silent",
                "{0 late} b:skip!late {1 late} w:skip!late {0 late} = 0-1 0 1 late-limit!");
}

static void a_pass_does_not_end_a_row_of_late_moves(void **state)
{
    (void)state;
    struct judge_rules rules = late_rules("meichu", POOR_WHITE, 2);
    expect_game(&rules, "ready 40-41@40 silent", "ready",
                "{0 late} b:40-41!late w:pass* {0 late} = 0-1 0 1 late-limit!");
}

static void meichu_is_lost_when_the_last_move_of_the_row_is_late_not_when_it_comes(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = late_rules("meichu", FLAG, 1);
    play_scripts(&table, &rules, "ready 40-30@31", "ready");
    assert_string_equal(table.log, "{0 late} = 0-1 0 1 late-limit!");
    assert_int_equal(table.last_fault.time_ms, 30250);
    table_free(&table);
}

static void an_invalid_move_in_hop_is_a_skip(void **state)
{
    (void)state;
    static const char *const answers[] = {"35-37", "00-01", "62-61", "pass", "skip", "invalid"};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        char script[64];
        snprintf(script, sizeof script, "ready %s 35-36", answers[i]);
        expect_at("hop", TWO_MEN, script, "ready 62-63",
                  "{0 invalid} b:skip!invalid w:62-63 b:35-36 = 1-0 1 0 all-home");
    }
}

static void an_invalid_move_in_reversi_is_the_first_legal_square(void **state)
{
    (void)state;
    expect_at("reversi", TWO_SQUARES, "ready 11", "ready",
              "{0 invalid} b:03!invalid w:pass* b:74 = 1-0 60 -60 no-moves");
    expect_at("reversi", TWO_SQUARES, "ready invalid pass", "ready",
              "{0 invalid} b:03!invalid w:pass* {0 invalid} b:74!invalid = 1-0 60 -60 no-moves");
}

static void an_invalid_move_in_meichu_loses(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("meichu", FLAG);
    expect_game(&rules, "ready invalid", "ready", "{0 invalid} = 0-1 0 1 invalid!");
    expect_game(&rules, "ready 40-41", "ready 78-00", "b:40-41 {1 invalid} = 1-0 1 0 invalid!");
    play_scripts(&table, &rules, "ready 40-31@2", "ready");
    assert_string_equal(table.log, "{0 invalid} = 0-1 0 1 invalid!");
    assert_non_null(strstr(table.last_fault.why.text, "40"));
    assert_int_equal(table.last_fault.time_ms, 2000);
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_int_equal(record_write(&table.record, file, NULL), ERR_NONE);
    fclose(file);
    assert_non_null(strstr(text, "\n{b t=2.000 fault=invalid}\n"));
    free(text);
    table_free(&table);
}

/* --- Crashed --- */

static void hop_crashed_on_its_turn_is_skipped_to_the_end(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("hop", TWO_MEN);
    play_scripts(&table, &rules, "ready crash", "ready 62-63 63-62 62-61");
    assert_string_equal(table.log, "{0 crashed} b:skip!crashed w:62-63 b:skip*!crashed w:63-62 "
                                   "b:skip*!crashed w:62-61 = 0-1 0 1 all-home");
    assert_int_equal(table.judge.fault_count[0][FAULT_CRASHED], 1);
    assert_int_equal(table.players[0]->observed, 0);
    assert_int_equal(table.players[1]->observed, 6);
    table_free(&table);
}

static void hop_crashed_on_the_others_turn_is_skipped_to_the_end(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "ready 35-34 +crash@3", "ready 62-63@5 63-62 62-61",
              "b:35-34 w:62-63 {0 crashed} b:skip*!crashed w:63-62 b:skip*!crashed w:62-61 "
              "= 0-1 0 1 all-home");
    /* Right after its own answer. */
    expect_at("hop", TWO_MEN, "ready 35-34 +crash@0.1", "ready 62-61",
              "b:35-34 w:62-61 = 0-1 0 1 all-home");
}

static void a_crash_is_reported_once(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "ready crash +crash@1 +hostile@2 +35-36@2", "ready 62-61@4",
              "{0 crashed} b:skip!crashed w:62-61 = 0-1 0 1 all-home");
}

static void two_crashed_players_of_hop_play_to_the_move_limit(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("hop-noloop", "start");
    play_scripts(&table, &rules, "ready crash", "ready crash");
    assert_int_equal(table.judge.move_count, 400);
    assert_non_null(strstr(table.log, "= 1/2 0 0 move-limit"));
    table_free(&table);
}

static void reversi_crashed_gets_first_squares_to_the_end(void **state)
{
    (void)state;
    expect_at("reversi", TWO_SQUARES, "ready crash", "ready",
              "{0 crashed} b:03!crashed w:pass* b:74*!crashed = 1-0 60 -60 no-moves");
    expect_at("reversi", "start", "ready 22 +crash@3", "ready 33@5 resign",
              "b:22 w:33 {0 crashed} b:11*!crashed = 1-0 1 -1 resigned!");
}

static void meichu_crashed_loses(void **state)
{
    (void)state;
    expect_at("meichu", FLAG, "ready crash", "ready", "{0 crashed} = 0-1 0 1 crashed!");
    expect_at("meichu", FLAG, "ready 40-41 +crash@3", "ready 78-77@5",
              "b:40-41 w:78-77 {0 crashed} = 0-1 0 1 crashed!");
}

static void a_ready_player_that_exits_before_the_first_move_has_crashed(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "ready +crash@1", "ready@2 62-61",
              "{0 crashed} b:skip*!crashed w:62-61 = 0-1 0 1 all-home");
    expect_at("hop", TWO_MEN, "ready +invalid@1 35-36", "ready@2",
              "{0 invalid} b:35-36 = 1-0 1 0 all-home");
    expect_at("meichu", FLAG, "ready +crash@1", "ready@2", "{0 crashed} = 0-1 0 1 crashed!");
}

/* --- Malformed and hostile --- */

static void malformed_and_hostile_lose_at_any_time(void **state)
{
    (void)state;
    static const char *const games[] = {"hop", "hop-noloop", "reversi", "othello", "meichu"};
    static const char *const faults[] = {"malformed", "hostile"};
    for (size_t i = 0; i < 10; i++) {
        const char *fault = faults[i % 2];
        struct judge_rules rules = table_rules(games[i / 2], "start");
        rules.start = rules.game->start_with ? rules.game->start() : rules.start;
        char script[64];
        char words[64];
        snprintf(script, sizeof script, "ready %s", fault);
        snprintf(words, sizeof words, "{0 %s} = 0-1 0 1 %s!", fault, fault);
        expect_game(&rules, script, "ready", words); /* on its turn */
        snprintf(script, sizeof script, "%s", fault);
        expect_game(&rules, script, "ready", words); /* before it is ready */
        snprintf(script, sizeof script, "ready +%s@1", fault);
        expect_game(&rules, script, "ready@2", words); /* before the other is ready */
        snprintf(script, sizeof script, "ready +%s@3", fault);
        snprintf(words, sizeof words, "{1 %s} = 1-0 1 0 %s!", fault, fault);
        expect_game(&rules, "ready silent", script, words); /* on the other's turn */
    }
}

static void the_question_to_the_other_player_is_withdrawn(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("hop", TWO_MEN);
    play_scripts(&table, &rules, "ready silent", "ready +hostile@3");
    assert_string_equal(table.log, "{1 hostile} = 1-0 1 0 hostile!");
    assert_int_equal(table.players[0]->forgets, 1);
    assert_int_equal(table.players[1]->forgets, 0);
    assert_int_equal(table.last_fault.time_ms, -1);
    table_free(&table);
}

static void a_forfeit_raises_the_winners_score_where_needed(void **state)
{
    (void)state;
    expect_at("hop", THREE_HOME, "ready hostile", "ready", "{0 hostile} = 0-1 3 4 hostile!");
    expect_at("hop", THREE_HOME, "ready silent", "ready +hostile@1",
              "{1 hostile} = 1-0 3 0 hostile!");
    expect_at("reversi", TWO_SQUARES, "ready hostile", "ready", "{0 hostile} = 0-1 50 51 hostile!");
}

/* --- Resigning --- */

static void a_player_that_resigns_loses(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "ready resign", "ready", "= 0-1 0 1 resigned!");
    expect_at("hop", TWO_MEN, "ready silent", "ready +resign@3", "= 1-0 1 0 resigned!");
    expect_at("hop", THREE_HOME, "ready resign", "ready", "= 0-1 3 4 resigned!");
    struct table table;
    struct judge_rules rules = table_rules("hop", TWO_MEN);
    play_scripts(&table, &rules, "ready resign", "ready");
    assert_int_equal(table.players[0]->forgets, 0); /* it did answer */
    table_free(&table);
    expect_at("hop", TWO_MEN, "ready +resign@1", "ready@5", "= 0-1 0 1 resigned!");
    expect_auction("ready resign", "ready bid:0/5", "= 0-1 0 1 resigned!");
    /* at once, whatever the other one does */
    expect_at("hop", TWO_MEN, "ready +resign@1", "silent", "= 0-1 0 1 resigned!");
    expect_auction("ready resign", "ready silent", "= 0-1 0 1 resigned!");
}

/* --- Noise --- */

static void events_that_fit_nowhere_change_nothing(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "ready +ready@0.2 +bid:0/5@0.3 +35-36@0 35-34 +ready@1 34-35 35-36",
              "ready@1 62-63 +63-62@1 63-62",
              "b:35-34 w:62-63 b:34-35 w:63-62 b:35-36 = 1-0 1 0 all-home");
}

/* A player that cannot receive: it ends while the judge sends to it. */
static void crash_at_once(struct player *player)
{
    fake_say((struct fake_player *)player, FAKE_AT_ONCE,
             (struct player_event){
                 .kind = PLAYER_FAULT, .fault = FAULT_CRASHED, .why = {"a broken pipe"}});
}

static void crash_when_observing(struct player *player, const struct move *move, enum side mover)
{
    (void)move;
    (void)mover;
    crash_at_once(player);
}

static void crash_when_told_the_end(struct player *player, enum outcome outcome)
{
    ((struct fake_player *)player)->ends++;
    ((struct fake_player *)player)->outcome = outcome;
    crash_at_once(player);
}

static void crash_when_learning(struct player *player, const struct bid *own,
                                const struct bid *other, enum side colour, bool by_lot)
{
    (void)own;
    (void)other;
    (void)colour;
    (void)by_lot;
    crash_at_once(player);
}

static void expect_breaking(const struct judge_rules *rules, int breaking,
                            const struct player_class *changes, const char *first,
                            const char *second, const char *words)
{
    struct table table;
    struct scripts scripts = {{first, second}};
    set_scripts(&table, rules, &scripts);
    struct player *player = &table.players[breaking]->player;
    struct player_class class = *player->class;
    class.observe = changes->observe ? changes->observe : class.observe;
    class.forget = changes->forget ? changes->forget : class.forget;
    class.end = changes->end ? changes->end : class.end;
    class.learn_bids = changes->learn_bids ? changes->learn_bids : class.learn_bids;
    player->class = &class;
    table_play(&table);
    assert_string_equal(table.log, words);
    table_free(&table);
}

static void a_player_may_crash_during_a_call_of_the_judge(void **state)
{
    (void)state;
    const struct player_class observing = {.observe = crash_when_observing};
    const struct player_class forgetting = {.forget = crash_at_once};
    const struct player_class ending = {.end = crash_when_told_the_end};
    const struct player_class learning = {.learn_bids = crash_when_learning};
    struct judge_rules hop = table_rules("hop", TWO_MEN);
    struct judge_rules flag = table_rules("meichu", FLAG);
    struct judge_rules auction = table_auction_rules();
    /* A player that receives a ply crashes after it was played, before the next question. */
    expect_breaking(&hop, 1, &observing, "ready 35-34 34-35 35-36", "ready",
                    "b:35-34 {1 crashed} w:skip*!crashed b:34-35 w:skip*!crashed b:35-36 "
                    "= 1-0 1 0 all-home");
    expect_breaking(&hop, 1, &observing, "ready silent 35-36", "ready",
                    "{0 late} b:skip!late {1 crashed} w:skip*!crashed b:35-36 = 1-0 1 0 all-home");
    expect_breaking(&hop, 0, &observing, "ready silent", "ready 62-63 63-62 62-61",
                    "{0 late} b:skip!late w:62-63 {0 crashed} b:skip*!crashed w:63-62 "
                    "b:skip*!crashed w:62-61 = 0-1 0 1 all-home");
    expect_breaking(&hop, 0, &forgetting, "ready silent", "ready 62-63 63-62 62-61",
                    "{0 late} b:skip!late w:62-63 {0 crashed} b:skip*!crashed w:63-62 "
                    "b:skip*!crashed w:62-61 = 0-1 0 1 all-home");
    /* Unless that ply was the last: the game is over at once. */
    expect_breaking(&flag, 1, &observing, "ready 40-30", "ready", "b:40-30 = 1-0 1 0 flag");
    expect_breaking(&hop, 0, &ending, "ready 35-36", "ready", "b:35-36 = 1-0 1 0 all-home");
    expect_breaking(&auction, 0, &learning, "ready bid:0/5", "ready bid:1/5",
                    "{0 crashed} = 0-1 0 1 crashed!");
    expect_breaking(&auction, 1, &forgetting, "ready bid:0/5", "ready silent",
                    "{1 late} = 1-0 1 0 no-bid!");
}

/* --- The end of everything --- */

static void an_abandoned_game_is_silent(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        const char *first;
        const char *second;
        int events;
    } cases[] = {
        {"hop", "ready silent 11-12 +crash@3 silent", "ready invalid crash@0.2", 8},
        {"hop", "silent", "silent", 2},
        {"meichu", "ready silent", "ready", 3},
        {"meichu", "ready hostile", "ready", 2},
        {"reversi", "ready silent silent", "ready@now 22@now resign@now", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int event = 1; event <= cases[i].events; event++) {
            struct table table;
            struct judge_rules rules = table_rules(cases[i].game, "start");
            struct scripts scripts = {{cases[i].first, cases[i].second}};
            set_scripts(&table, &rules, &scripts);
            table.events_till_abandoned = event;
            table_play(&table);
            assert_int_equal(table.events, event);
            table_free(&table);
        }
    }
}

static void an_abandoned_turn_is_forgotten(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("meichu", FLAG);
    struct scripts scripts = {{"ready 40-30@60", "ready"}};
    set_scripts(&table, &rules, &scripts);
    table.events_till_abandoned = 2; /* when the lateness is noted */
    table_play(&table);
    assert_string_equal(table.log, "{0 late} ");
    assert_int_equal(table.players[0]->forgets, 1);
    assert_int_equal(table.players[0]->ends, 0);
    table_free(&table);
}

/* One soldier a side walks to and fro between two squares. */
static void walk(struct fake_player *player, enum fake_question question,
                 const struct player_view *view)
{
    struct player_event event = {.kind = question == FAKE_START ? PLAYER_READY : PLAYER_MOVE};
    int home = view->side == SIDE_BLACK ? 40 : 49;
    bool is_home = view->game->cell(view->now, home).piece == MEICHU_SOLDIER;
    event.move = (struct move){
        .kind = MOVE_PATH,
        .count = 2,
        .squares = {(uint8_t)(is_home ? home : home + 1), (uint8_t)(is_home ? home + 1 : home)},
    };
    fake_answer(player, 1, event);
}

static void the_longest_game_fits(void **state)
{
    (void)state;
    struct table *table = malloc(sizeof *table);
    assert_non_null(table);
    struct judge_rules rules = table_rules(
        "meichu", "f......../........./........./........./....S..../....s..../........./"
                  "........./........F b 999 999");
    fake_mind *minds[2] = {walk, walk};
    void *thoughts[2] = {NULL, NULL};
    table_init(table, &rules, minds, thoughts);
    table_play(table);
    assert_int_equal(table->judge.move_count, 998);
    assert_non_null(strstr(table->log, "= 1/2 0 0 no-moves"));
    table_free(table);
    free(table);
}

static void the_record_keeps_names_that_are_text(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("hop", TWO_MEN);
    play_scripts(&table, &rules, "ready 35-36", "ready");
    assert_string_equal(record_tag(&table.record, RECORD_BLACK), "alice");
    assert_string_equal(record_tag(&table.record, RECORD_WHITE), "b\303\266b ?\"\\");
    assert_string_equal(record_tag(&table.record, RECORD_TIME_LIMIT), "5.000");
    assert_string_equal(record_tag(&table.record, RECORD_GRACE), "0.250");
    assert_string_equal(record_tag(&table.record, RECORD_START), TWO_MEN);
    table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_played_to_its_end),
        cmocka_unit_test(a_capture_can_bring_the_opponent_home),
        cmocka_unit_test(a_side_without_a_move_is_not_asked),
        cmocka_unit_test(the_game_ends_when_both_have_used_their_moves),
        cmocka_unit_test(everything_may_happen_before_a_call_returns),
        cmocka_unit_test(a_failure_of_this_machine_ends_the_game_without_a_result),
        cmocka_unit_test(an_answer_at_the_end_of_the_grace_is_in_time),
        cmocka_unit_test(a_nanosecond_later_it_is_late),
        cmocka_unit_test(the_judge_stops_waiting_after_the_grace),
        cmocka_unit_test(the_clock_starts_when_the_question_is_sent),
        cmocka_unit_test(an_answer_before_the_question_was_sent_took_no_time),
        cmocka_unit_test(a_delay_of_the_host_costs_no_move),
        cmocka_unit_test(an_answer_that_is_known_to_be_late_is_late_although_the_host_was_delayed),
        cmocka_unit_test(an_early_wake_does_no_harm),
        cmocka_unit_test(a_late_answer_is_ignored_whenever_it_comes),
        cmocka_unit_test(an_invalid_answer_that_comes_too_late_is_only_late),
        cmocka_unit_test(a_crash_after_the_limit_is_both),
        cmocka_unit_test(a_skip_uses_one_of_the_moves),
        cmocka_unit_test(reversi_late_is_the_first_legal_square_in_row_major_order),
        cmocka_unit_test(meichu_late_is_a_penalty_and_the_move_counts),
        cmocka_unit_test(meichu_past_the_hard_limit_is_lost),
        cmocka_unit_test(meichu_past_the_limit_of_a_game_is_lost),
        cmocka_unit_test(late_moves_in_a_row_lose_the_game_at_the_limit),
        cmocka_unit_test(an_answer_in_time_ends_a_row_of_late_moves),
        cmocka_unit_test(each_side_has_its_own_row_of_late_moves),
        cmocka_unit_test(a_pass_does_not_end_a_row_of_late_moves),
        cmocka_unit_test(meichu_is_lost_when_the_last_move_of_the_row_is_late_not_when_it_comes),
        cmocka_unit_test(an_invalid_move_in_hop_is_a_skip),
        cmocka_unit_test(an_invalid_move_in_reversi_is_the_first_legal_square),
        cmocka_unit_test(an_invalid_move_in_meichu_loses),
        cmocka_unit_test(hop_crashed_on_its_turn_is_skipped_to_the_end),
        cmocka_unit_test(hop_crashed_on_the_others_turn_is_skipped_to_the_end),
        cmocka_unit_test(a_crash_is_reported_once),
        cmocka_unit_test(two_crashed_players_of_hop_play_to_the_move_limit),
        cmocka_unit_test(reversi_crashed_gets_first_squares_to_the_end),
        cmocka_unit_test(meichu_crashed_loses),
        cmocka_unit_test(a_ready_player_that_exits_before_the_first_move_has_crashed),
        cmocka_unit_test(malformed_and_hostile_lose_at_any_time),
        cmocka_unit_test(the_question_to_the_other_player_is_withdrawn),
        cmocka_unit_test(a_forfeit_raises_the_winners_score_where_needed),
        cmocka_unit_test(a_player_that_resigns_loses),
        cmocka_unit_test(events_that_fit_nowhere_change_nothing),
        cmocka_unit_test(a_player_may_crash_during_a_call_of_the_judge),
        cmocka_unit_test(an_abandoned_game_is_silent),
        cmocka_unit_test(an_abandoned_turn_is_forgotten),
        cmocka_unit_test(the_longest_game_fits),
        cmocka_unit_test(the_record_keeps_names_that_are_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
