/* Replaying: true records pass, and any false statement is found and named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/rng.h"
#include "game/registry.h"
#include "judge/bids.h"
#include "judge/record.h"
#include "judge/replay.h"
#include "random_game.h"
#include "record_support.h"
#include "scale.h"

#define HOP "[Game \"hop\"]\n"
#define REVERSI "[Game \"reversi\"]\n"
#define OTHELLO "[Game \"othello\"]\n"
#define MEICHU "[Game \"meichu\"]\n"
#define RESULT(text) "[Result \"" text "\"]\n"
#define SCORE(text) "[Score \"" text "\"]\n"
#define REASON(text) "[Reason \"" text "\"]\n"
#define START(text) "[Start \"" text "\"]\n"
#define BIDS(text) "[Bids \"" text "\"]\n"

/* Black steps home from 35, White from 62. */
#define TWO_MEN \
    START("......../......../......../.....X../......../......../..O...../........ b 0 0")
/* Black has nothing left and must pass. */
#define ONE_MAN \
    START("......../......../......../......../......../......../...O..../........ b 7 7")
/* One move before both have used 200. */
#define LAST_MOVE \
    START("......../......../......../...X..../......../......../...O..../........ w 200 199")
/* Two empty squares, 03 and 74: Black has both, White none. */
#define TWO_SQUARES \
    START("#XO.OXX#/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/#XXO.OX# b")
/* Black's soldier at 40 is next to White's flag at 30. */
#define FLAG                                                                                 \
    START("........./........./........./f......../S......../........./........./........s/" \
          "F........ b 10 10")

struct lie {
    const char *text;
    enum err err;
    const char *words; /* of the note */
};

/* Replays the only game of a text on one level. */
static enum err replay_text(enum cpu_level cpu, const char *text, struct replay *replay,
                            struct note *why)
{
    struct games games;
    if (games_read(&games, text, why)) {
        fail_msg("unreadable: %s\n%s", why->text, text);
    }
    assert_int_equal(games.count, 1);
    enum err err = replay_run(cpu, &games.records[0], replay, why);
    games_free(&games);
    return err;
}

static void expect_true(const char *text)
{
    for (enum cpu_level cpu = CPU_BASELINE; cpu <= cpu_best(); cpu++) {
        struct replay replay = {0};
        struct note why = {""};
        if (replay_text(cpu, text, &replay, &why)) {
            fail_msg("refused: %s\n%s", why.text, text);
        }
        replay_free(&replay);
    }
}

static void expect_all_true(const char *const *texts)
{
    for (; *texts; texts++) {
        expect_true(*texts);
    }
}

static void expect_lies(const struct lie *lies)
{
    for (; lies->text; lies++) {
        struct replay replay = {0};
        struct note why = {""};
        enum err err = replay_text(cpu_best(), lies->text, &replay, &why);
        if (err != lies->err || !strstr(why.text, lies->words)) {
            fail_msg("%d instead of %d, '%s' instead of '%s'\n%s", (int)err, (int)lies->err,
                     why.text, lies->words, lies->text);
        }
        replay_free(&replay);
    }
}

static void expect_final_position(const char *text, const char *position)
{
    struct replay replay = {0};
    struct note why = {""};
    char reached[GAME_POSITION_BYTES];
    assert_int_equal(replay_text(cpu_best(), text, &replay, &why), ERR_NONE);
    replay.game->write_position(&replay.states[replay.state_count - 1], reached);
    assert_string_equal(reached, position);
    replay_free(&replay);
}

static void a_game_that_ended_on_the_board_is_true(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HOP RESULT("1-0") SCORE("1-0") REASON("all-home") TWO_MEN "\n1. b 35-36\n",
        HOP RESULT("0-1") SCORE("0-1") REASON("all-home") TWO_MEN "\n1. b 35-34\n2. w 62-61\n",
        HOP RESULT("1/2-1/2") SCORE("0-0") REASON("move-limit") LAST_MOVE "\n1. w 63-62\n",
        "[Game \"hop-noloop\"]\n" RESULT("1-0") TWO_MEN "\n1. b 35-36\n",
        REVERSI RESULT("1-0") SCORE("60--60") REASON("no-moves") TWO_SQUARES
        "\n1. b 03\n2. w pass\n3. b 74\n",
        MEICHU RESULT("1-0") SCORE("1-0") REASON("flag") FLAG "\n1. b 40-30\n",
        NULL,
    };
    expect_all_true(texts);
}

static void absent_score_and_reason_are_not_missed(void **state)
{
    (void)state;
    expect_true(HOP RESULT("1-0") TWO_MEN "\n1. b 35-36\n");
}

static void an_unknown_reason_is_not_checked(void **state)
{
    (void)state;
    expect_true(HOP RESULT("1-0") REASON("brilliancy") TWO_MEN "\n1. b 35-36\n");
}

static void a_finished_start_needs_no_ply(void **state)
{
    (void)state;
    expect_true(HOP RESULT("1-0") SCORE("1-0") START(
        "......../......../......../......X./......../......../..O...../........ w 1 0") "\n\n");
}

static void an_unfinished_game_is_true(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HOP RESULT("*") "\n\n",
        HOP RESULT("*") SCORE("0-0") "\n1. b 11-12\n",
        REVERSI RESULT("*") SCORE("1--1") "\n1. b 33\n",
        MEICHU RESULT("*") "\n1. b 64-63 {t=1 fault=late}\n",
        HOP RESULT("*") TWO_MEN "\n1. b 35-34\n{w t=1}\n",
        NULL,
    };
    expect_all_true(texts);
}

static void a_false_end_is_found(void **state)
{
    (void)state;
    static const struct lie lies[] = {
        {HOP RESULT("0-1") TWO_MEN "\n1. b 35-36\n", ERR_NEGATIVE,
         "line 2: tag Result: it is 0-1, but the game ended 1-0: all-home"},
        {HOP RESULT("1/2-1/2") TWO_MEN "\n1. b 35-36\n", ERR_NEGATIVE, "tag Result"},
        {HOP RESULT("*") TWO_MEN "\n1. b 35-36\n", ERR_NEGATIVE, "tag Result"},
        {HOP RESULT("1-0") SCORE("2-0") TWO_MEN "\n1. b 35-36\n", ERR_NEGATIVE,
         "line 3: tag Score: it is 2-0, but the game ended 1-0"},
        {HOP RESULT("1-0") SCORE("1-1") TWO_MEN "\n1. b 35-36\n", ERR_NEGATIVE, "tag Score"},
        {HOP RESULT("1-0") REASON("move-limit") TWO_MEN "\n1. b 35-36\n", ERR_NEGATIVE,
         "tag Reason: it is move-limit, but the game ended with all-home"},
        {HOP RESULT("1-0") REASON("flag") TWO_MEN "\n1. b 35-36\n", ERR_NEGATIVE, "tag Reason"},
        {HOP RESULT("1-0") REASON("hostile") TWO_MEN "\n1. b 35-36\n", ERR_NEGATIVE, "tag Reason"},
        {HOP RESULT("1-0") TWO_MEN "\n1. b 35-36\n2. w 62-61\n", ERR_NEGATIVE,
         "line 6: ply 2, White 62-61: the game was already over: all-home"},
        {HOP RESULT("1-0") TWO_MEN "\n1. b 35-36\n{w fault=hostile}\n", ERR_NEGATIVE,
         "ply 2, White to move: the game was already over"},
        {HOP RESULT("1-0") REASON("all-home") TWO_MEN "\n1. b 35-34\n", ERR_NEGATIVE,
         "tag Reason: it is all-home, but the game is not over"},
        {HOP RESULT("*") REASON("all-home") TWO_MEN "\n1. b 35-34\n", ERR_NEGATIVE, "tag Reason"},
        {HOP RESULT("1-0") TWO_MEN "\n1. b 35-34\n", ERR_NEGATIVE,
         "no tag Reason gives the reason"},
        {HOP RESULT("1-0") REASON("") TWO_MEN "\n1. b 35-34\n", ERR_NEGATIVE, "no tag Reason"},
        {HOP RESULT("1/2-1/2") REASON("agreed") TWO_MEN "\n1. b 35-34\n", ERR_NEGATIVE,
         "not a draw"},
        {HOP RESULT("*") SCORE("1-0") TWO_MEN "\n1. b 35-34\n", ERR_NEGATIVE, "tag Score"},
        {NULL, ERR_NONE, NULL},
    };
    expect_lies(lies);
}

static void a_draw_without_a_move_needs_two_missing_players(void **state)
{
    (void)state;
    static const char *const truths[] = {
        HOP RESULT("1/2-1/2") SCORE("0-0") REASON("no-start") TWO_MEN "\n\n",
        MEICHU RESULT("1/2-1/2") SCORE("0-0") REASON("no-bid") "\n\n",
        HOP RESULT("0-0") SCORE("0-0") REASON("both-absent") TWO_MEN "\n\n",
        MEICHU RESULT("0-0") SCORE("0-0") REASON("no-bid") "\n\n",
        NULL,
    };
    static const struct lie lies[] = {
        {HOP RESULT("1/2-1/2") REASON("no-start") "\n1. b 11-12\n", ERR_NEGATIVE, "not a draw"},
        {HOP RESULT("1/2-1/2") REASON("no-start") "\n{b fault=late}\n", ERR_NEGATIVE, "not a draw"},
        {HOP RESULT("1/2-1/2") REASON("hostile") "\n\n", ERR_NEGATIVE, "not a draw"},
        {HOP RESULT("1/2-1/2") "\n\n", ERR_NEGATIVE, "not a draw"},
        {HOP RESULT("0-0") REASON("both-absent") "\n1. b 11-12\n", ERR_NEGATIVE, "lost by both"},
        {HOP RESULT("0-0") REASON("no-start") "\n\n", ERR_NEGATIVE, "lost by both"},
        {HOP RESULT("0-0") SCORE("1-0") REASON("both-absent") "\n\n", ERR_NEGATIVE, "ended 0-0"},
        {HOP RESULT("1/2-1/2") SCORE("1-1") REASON("no-start") "\n\n", ERR_NEGATIVE, "ended 0-0"},
        {NULL, ERR_NONE, NULL},
    };
    expect_all_true(truths);
    expect_lies(lies);
}

static void a_loss_by_fault_or_resignation_is_true(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HOP RESULT("1-0") SCORE("1-0") REASON("malformed") TWO_MEN
        "\n1. b 35-34\n{w t=0.1 fault=malformed}\n",
        HOP RESULT("0-1") SCORE("0-1") REASON("hostile") "\n{b fault=hostile}\n",
        /* A hostile player need not be the side to move. */
        HOP RESULT("0-1") SCORE("0-1") REASON("hostile") "\n1. b 11-12\n{b fault=hostile}\n",
        HOP RESULT("0-1") SCORE("0-1") REASON("no-start") "\n\n",
        HOP RESULT("0-1") SCORE("0-1") REASON("resigned") "\n1. b 11-12\n{b t=4.2}\n",
        REVERSI RESULT("0-1") SCORE("3-4")
            REASON("malformed") "\n1. b 33\n2. w 34\n3. b 35\n{b fault=malformed}\n",
        REVERSI RESULT("1-0") SCORE("3--3")
            REASON("malformed") "\n1. b 33\n2. w 34\n3. b 35\n{w fault=malformed}\n",
        MEICHU RESULT("1-0") SCORE("1-0") REASON("invalid") "\n1. b 64-63\n{w fault=invalid}\n",
        MEICHU RESULT("1-0") SCORE("1-0") REASON("crashed") "\n1. b 64-63\n{w fault=crashed}\n",
        MEICHU RESULT("1-0") SCORE("1-0") REASON("late") "\n1. b 64-63\n{w t=120.5 fault=late}\n",
        MEICHU RESULT("1-0") SCORE("1-0")
            REASON("runtime-error") "\n1. b 64-63\n{w fault=crashed}\n",
        MEICHU RESULT("0-1") SCORE("0-1") REASON("no-bid") "\n\n",
        HOP RESULT("1-0") REASON("late-limit") "[LateLimit \"2\"]\n\n1. b 11-12\n2. w skip {t=5.3 "
                                               "fault=late}\n3. b 12-11\n{w fault=late}\n",
        NULL,
    };
    expect_all_true(texts);
}

static void a_false_loss_is_found(void **state)
{
    (void)state;
    static const struct lie lies[] = {
        {REVERSI RESULT("0-1") SCORE("3--3")
             REASON("malformed") "\n1. b 33\n2. w 34\n3. b 35\n{b fault=malformed}\n",
         ERR_NEGATIVE, "tag Score: it is 3--3, but the game ended 3-4"},
        {REVERSI RESULT("0-1") REASON("malformed") "\n1. b 33\n{w fault=malformed}\n", ERR_NEGATIVE,
         "ply 2, White to move: the closing turn is White's, but Black lost"},
        {REVERSI RESULT("1-0") REASON("malformed") "\n1. b 33\n{w fault=hostile}\n", ERR_NEGATIVE,
         "has fault=hostile, but the Reason is malformed"},
        {HOP RESULT("1-0") REASON("invalid") "\n1. b 11-12\n{w fault=invalid}\n", ERR_NEGATIVE,
         "a game of hop is not lost by being invalid"},
        {HOP RESULT("1-0") REASON("late") "\n1. b 11-12\n", ERR_NEGATIVE, "by being late"},
        {HOP RESULT("1-0") REASON("late-limit") "\n1. b 11-12\n{w fault=late}\n", ERR_NEGATIVE,
         "no tag LateLimit gives the limit"},
        {HOP RESULT("1-0") REASON("late-limit") "[LateLimit \"2\"]\n\n1. b 11-12\n{w fault=late}\n",
         ERR_NEGATIVE, "1 of the loser's last turns in a row are late and the limit is 2"},
        {HOP RESULT("1-0") REASON("late-limit") "[LateLimit \"1\"]\n\n1. b 11-12\n", ERR_NEGATIVE,
         "0 of the loser's last turns in a row are late"},
        {HOP RESULT("1-0") REASON("late-limit") "[LateLimit \"x\"]\n\n1. b 11-12\n{w fault=late}\n",
         ERR_INPUT, "tag LateLimit"},
        {HOP RESULT("1-0") REASON("judge") "\n1. b 11-12\n{w fault=crashed}\n", ERR_NEGATIVE,
         "by being crashed"},
        {NULL, ERR_NONE, NULL},
    };
    expect_lies(lies);
}

static void an_illegal_ply_is_found(void **state)
{
    (void)state;
    static const struct lie lies[] = {
        {HOP RESULT("*") "\n1. b 10-13\n", ERR_NEGATIVE, "line 4: ply 1, Black 10-13: "},
        {HOP RESULT("*") "\n1. b 11-12\n2. w 17-16\n3. b 17-27\n", ERR_NEGATIVE,
         "line 6: ply 3, Black 17-27: "},
        {HOP RESULT("*") "\n1. b 10-18\n", ERR_NEGATIVE, "off the board"},
        {HOP RESULT("*") "\n1. b e2e4\n", ERR_INPUT, "line 4: ply 1, Black e2e4: "},
        {HOP RESULT("*") "\n1. b pass\n", ERR_NEGATIVE, "ply 1, Black pass: "},
        {REVERSI RESULT("*") "\n1. b skip\n", ERR_INPUT, "ply 1, Black skip: "},
        {OTHELLO RESULT("*") "\n1. b 33\n", ERR_NEGATIVE, "ply 1, Black 33: "},
        {HOP RESULT("*") "\n1. w 17-16\n", ERR_NEGATIVE, "it is Black's turn"},
        {HOP RESULT("*") "\n1. b 11-12\n2. b 12-13\n", ERR_NEGATIVE, "it is White's turn"},
        {NULL, ERR_NONE, NULL},
    };
    expect_lies(lies);
}

static void plies_are_numbered_one_by_one_or_in_pairs(void **state)
{
    (void)state;
    static const char *const texts[] = {
        REVERSI RESULT("*") "\n1. b 33\n2. w 34\n3. b 35\n4. w 43\n",
        REVERSI RESULT("*") "\n1. b 33\n1. w 34\n2. b 35\n2. w 43\n",
        HOP RESULT("0-1") ONE_MAN "\n1. b pass\n2. w 63-62\n3. b pass\n4. w 62-61\n",
        HOP RESULT("*")
            START("......../......../......../.....X../......../......../...O..../........ w "
                  "1 0") "\n1. w 63-73\n2. b 35-34\n2. w 73-72\n3. b 34-33\n",
        NULL,
    };
    static const struct lie lies[] = {
        {REVERSI RESULT("*") "\n2. b 33\n", ERR_NEGATIVE,
         "line 4: ply 1, Black 33: it is numbered 2"},
        {REVERSI RESULT("*") "\n1. b 33\n3. w 34\n", ERR_NEGATIVE, "it is numbered 3"},
        {REVERSI RESULT("*") "\n1. b 33\n2. w 34\n2. b 35\n", ERR_NEGATIVE, "it is numbered 2"},
        {REVERSI RESULT("*") "\n1. b 33\n1. w 34\n3. b 35\n", ERR_NEGATIVE, "it is numbered 3"},
        {REVERSI RESULT("*") "\n1. b 33\n1. w 34\n1. b 35\n", ERR_NEGATIVE, "it is numbered 1"},
        {NULL, ERR_NONE, NULL},
    };
    expect_all_true(texts);
    expect_lies(lies);
}

static void a_turn_lost_by_a_fault_is_played_by_the_judge(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HOP RESULT("*") "\n1. b skip {t=5.3 fault=late}\n2. w skip {fault=invalid}\n",
        HOP RESULT("*") "\n1. b skip {t=5.3}\n2. w skip\n",
        HOP RESULT("*") "\n1. b skip {fault=crashed}\n2. w 17-16\n3. b skip\n",
        REVERSI RESULT("*") "\n1. b 11 {fault=late}\n2. w 12 {fault=invalid}\n3. b 66\n",
        REVERSI RESULT("*") "\n1. b 11 {fault=crashed}\n2. w 55\n3. b 12\n4. w 66\n5. b 13\n",
        OTHELLO RESULT("*") "\n1. b 23 {fault=late}\n",
        MEICHU RESULT("*") "\n1. b 64-63 {t=31 fault=late}\n",
        NULL,
    };
    static const struct lie lies[] = {
        {HOP RESULT("*") "\n1. b 11-12 {t=5.3 fault=late}\n", ERR_NEGATIVE,
         "ply 1, Black 11-12: after the fault the judge plays skip"},
        {HOP RESULT("*") "\n1. b skip {fault=crashed}\n2. w 17-16\n3. b 11-12\n", ERR_NEGATIVE,
         "ply 3, Black 11-12: after the fault the judge plays skip"},
        {HOP RESULT("*") "\n1. b skip {fault=malformed}\n", ERR_NEGATIVE,
         "fault=malformed loses a game of hop at once"},
        {REVERSI RESULT("*") "\n1. b 33 {fault=late}\n", ERR_NEGATIVE, "the judge plays 11"},
        {REVERSI RESULT("*") "\n1. b 11 {fault=crashed}\n2. w 55\n3. b 33\n", ERR_NEGATIVE,
         "ply 3, Black 33: after the fault the judge plays 12"},
        {OTHELLO RESULT("*") "\n1. b 32 {fault=invalid}\n", ERR_NEGATIVE, "the judge plays 23"},
        {MEICHU RESULT("*") "\n1. b 64-63 {fault=invalid}\n", ERR_NEGATIVE,
         "loses a game of meichu"},
        {NULL, ERR_NONE, NULL},
    };
    expect_all_true(texts);
    expect_lies(lies);
}

static void a_side_that_must_pass_after_a_crash_passes(void **state)
{
    (void)state;
    expect_true(REVERSI RESULT("1-0") TWO_SQUARES
                "\n1. b 03 {fault=crashed}\n2. w pass {fault=crashed}\n3. b 74\n");
}

static void the_auction_sets_the_budgets(void **state)
{
    (void)state;
    const char board[] = "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./"
                         ".B.SBS.B./..SBFBS..";
    static const struct {
        const char *bids;
        int budgets[2];
    } cases[] = {
        {"0 5, 0 40", {144, 150}},         {"1 40, 1 5", {150, 144}},
        {"0 5, 1 40", {150, 150}},         {"0 5, 0 5, tie 0", {144, 150}},
        {"1 999, 1 999, tie 0", {150, 9}}, {"0 -7, 0 -9", {149, 150}},
        {"0 5, 0 40, tie 0", {144, 150}},  {"0 5, 1 40, tie 1", {150, 150}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        char position[GAME_POSITION_BYTES];
        snprintf(text, sizeof text, MEICHU RESULT("*") "[Bids \"%s\"]\n\n\n", cases[i].bids);
        snprintf(position, sizeof position, "%s b %d %d", board, cases[i].budgets[0],
                 cases[i].budgets[1]);
        expect_final_position(text, position);
    }
}

static void the_start_tag_outweighs_the_bids(void **state)
{
    (void)state;
    expect_true(MEICHU RESULT("1-0") FLAG BIDS("0 5, 1 3") "\n1. b 40-30\n");
}

static void bids_survive_their_text(void **state)
{
    (void)state;
    const char *const texts[] = {
        "0 5, 1 40",
        "1 -3, 1 0",
        "0 5, 0 5, tie 1",
        "0 -9223372036854775808, 1 9223372036854775807",
        "0 -9223372036854775808, 0 -9223372036854775808, tie 0",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct bids bids;
        struct note why = {""};
        char text[BIDS_BYTES];
        assert_int_equal(bids_read(texts[i], &bids, &why), ERR_NONE);
        bids_write(&bids, text);
        assert_string_equal(text, texts[i]);
    }
}

static void meaningless_tags_are_refused(void **state)
{
    (void)state;
    static const struct lie lies[] = {
        {RESULT("*") "\n\n", ERR_INPUT, "no tag Game"},
        {HOP "\n\n", ERR_INPUT, "no tag Result"},
        {"[Event \"x\"]\n[Game \"chess\"]\n" RESULT("*") "\n\n", ERR_INPUT,
         "line 2: tag Game: there is no game called 'chess'"},
        {HOP RESULT("2-0") "\n\n", ERR_INPUT, "line 2: tag Result: a result is"},
        {HOP RESULT("") "\n\n", ERR_INPUT, "tag Result"},
        {HOP RESULT("*") SCORE("") "\n\n", ERR_INPUT, "line 3: tag Score: a score is"},
        {HOP RESULT("*") SCORE("5") "\n\n", ERR_INPUT, "tag Score"},
        {HOP RESULT("*") SCORE("-") "\n\n", ERR_INPUT, "tag Score"},
        {HOP RESULT("*") SCORE("--") "\n\n", ERR_INPUT, "tag Score"},
        {HOP RESULT("*") SCORE("0-") "\n\n", ERR_INPUT, "tag Score"},
        {HOP RESULT("*") SCORE("0:0") "\n\n", ERR_INPUT, "tag Score"},
        {HOP RESULT("*") SCORE("0-0-0") "\n\n", ERR_INPUT, "tag Score"},
        {HOP RESULT("*") SCORE("99999999999999999999-0") "\n\n", ERR_INPUT, "tag Score"},
        {HOP RESULT("*") START("nowhere") "\n\n", ERR_INPUT, "line 3: tag Start: "},
        {HOP RESULT("*") BIDS("0 5, 0 40") "\n\n", ERR_INPUT, "tag Bids: hop has no auction"},
        {MEICHU RESULT("*") BIDS("") "\n\n", ERR_INPUT, "tag Bids: bids have the form"},
        {MEICHU RESULT("*") BIDS("0 5") "\n\n", ERR_INPUT, "bids have the form"},
        {MEICHU RESULT("*") BIDS("0 5 0 40") "\n\n", ERR_INPUT, "bids have the form"},
        {MEICHU RESULT("*") BIDS("0 5,  0 40") "\n\n", ERR_INPUT, "bids have the form"},
        {MEICHU RESULT("*") BIDS("0 5, 0 5 tie 0") "\n\n", ERR_INPUT, "bids have the form"},
        {MEICHU RESULT("*") BIDS("0 5, 0 5, lot 0") "\n\n", ERR_INPUT, "bids have the form"},
        {MEICHU RESULT("*") BIDS("0 5, 0 5, tie 0 0") "\n\n", ERR_INPUT, "bids have the form"},
        {MEICHU RESULT("*") BIDS("0 5, 0 5, tie 2") "\n\n", ERR_INPUT, "drawn by lot"},
        {MEICHU RESULT("*") BIDS("2 5, 0 5") "\n\n", ERR_INPUT, "the colour of a bid"},
        {MEICHU RESULT("*") BIDS("0 5, 0 x") "\n\n", ERR_INPUT, "the price of a bid"},
        {MEICHU RESULT("*") BIDS("0 5, 0 5") "\n\n", ERR_INPUT, "equal bids need a lot"},
        {MEICHU RESULT("*") BIDS("0 141, 0 200") "\n\n", ERR_INPUT, "equal bids need a lot"},
        {NULL, ERR_NONE, NULL},
    };
    expect_lies(lies);
}

static void a_failed_replay_keeps_what_could_be_played(void **state)
{
    (void)state;
    struct replay replay = {0};
    struct note why;
    assert_int_equal(
        replay_text(cpu_best(), REVERSI RESULT("*") "\n1. b 33\n2. w 33\n3. b 44\n", &replay, &why),
        ERR_NEGATIVE);
    assert_int_equal(replay.state_count, 2);
    assert_int_equal(replay.game->to_move(&replay.states[1]), SIDE_WHITE);
    assert_int_equal(replay_text(cpu_best(), "[Game \"go\"]\n\n\n", &replay, &why), ERR_INPUT);
    assert_int_equal(replay.state_count, 0);
    assert_null(replay.game);
    replay_free(&replay);
}

/* A record made by a judge has no lines. */
static void a_record_that_was_never_text_can_be_replayed(void **state)
{
    (void)state;
    struct record record = {0};
    struct replay replay = {0};
    struct note why = {""};
    assert_int_equal(record_add_tag(&record, "Game", "hop", &why), ERR_NONE);
    assert_int_equal(record_add_tag(&record, "Result", "*", &why), ERR_NONE);
    assert_int_equal(record_add_ply(&record, 1, SIDE_BLACK, "10-13", NULL, &why), ERR_NONE);
    assert_int_equal(replay_run(cpu_best(), &record, &replay, &why), ERR_NEGATIVE);
    assert_int_equal(strncmp(why.text, "ply 1, Black 10-13: ", 20), 0);
    record_free(&record);
    replay_free(&replay);
}

static bool has_reason(const struct game *game, const char *word)
{
    for (const struct game_reason *reason = game->reasons; reason->word; reason++) {
        if (strcmp(reason->word, word) == 0) {
            return true;
        }
    }
    return false;
}

/* The text read and written again, replayed; every reason on the board is one the game lists. */
static void check_random_game(enum cpu_level cpu, const struct record *record)
{
    struct games games;
    struct replay replay = {0};
    struct note why = {""};
    char *text = record_to_text(record);
    assert_int_equal(games_read(&games, text, &why), ERR_NONE);
    char *again = record_to_text(&games.records[0]);
    assert_string_equal(again, text);
    if (replay_run(cpu, &games.records[0], &replay, &why)) {
        fail_msg("refused: %s\n%s", why.text, text);
    }
    assert_int_equal(replay.state_count, record->ply_count + 1);
    struct result result = replay.game->result(&replay.states[record->ply_count]);
    if (result.outcome != OUTCOME_ONGOING) {
        assert_true(has_reason(replay.game, result.reason));
    }
    free(text);
    free(again);
    replay_free(&replay);
    games_free(&games);
}

/* One lie about a tag or the last ply makes the record false. */
static void check_spoilt_copies(enum cpu_level cpu, const struct record *record)
{
    struct replay replay = {0};
    struct note why = {""};
    struct record spoilt = *record;
    record_text result = record->tags[RECORD_RESULT].value;
    spoilt.tags[RECORD_SCORE].value = result;
    if (strcmp(record_tag(record, RECORD_SCORE), record_tag(record, RECORD_RESULT)) != 0) {
        assert_int_not_equal(replay_run(cpu, &spoilt, &replay, &why), ERR_NONE);
    }
    spoilt = *record;
    spoilt.tags[RECORD_RESULT].value = record->tags[RECORD_REASON].value;
    assert_int_equal(replay_run(cpu, &spoilt, &replay, &why), ERR_INPUT);
    spoilt = *record;
    spoilt.ply_count = record->ply_count ? record->ply_count - 1 : 0;
    if (!record->is_closed) {
        assert_int_equal(replay_run(cpu, &spoilt, &replay, &why), ERR_NEGATIVE);
    }
    replay_free(&replay);
}

static void random_games_with_faults_are_true_and_their_spoilt_copies_false(void **state)
{
    (void)state;
    struct rng rng = rng_make(2019);
    struct record record = {0};
    for (enum cpu_level cpu = CPU_BASELINE; cpu <= cpu_best(); cpu++) {
        const struct game *game = NULL;
        for (size_t i = 0; (game = registry_at(cpu, i)); i++) {
            for (long n = 0; n < scaled(100); n++) {
                random_game(game, &rng, &record);
                check_random_game(cpu, &record);
                check_spoilt_copies(cpu, &record);
            }
        }
    }
    record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_that_ended_on_the_board_is_true),
        cmocka_unit_test(absent_score_and_reason_are_not_missed),
        cmocka_unit_test(an_unknown_reason_is_not_checked),
        cmocka_unit_test(a_finished_start_needs_no_ply),
        cmocka_unit_test(an_unfinished_game_is_true),
        cmocka_unit_test(a_false_end_is_found),
        cmocka_unit_test(a_draw_without_a_move_needs_two_missing_players),
        cmocka_unit_test(a_loss_by_fault_or_resignation_is_true),
        cmocka_unit_test(a_false_loss_is_found),
        cmocka_unit_test(an_illegal_ply_is_found),
        cmocka_unit_test(plies_are_numbered_one_by_one_or_in_pairs),
        cmocka_unit_test(a_turn_lost_by_a_fault_is_played_by_the_judge),
        cmocka_unit_test(a_side_that_must_pass_after_a_crash_passes),
        cmocka_unit_test(the_auction_sets_the_budgets),
        cmocka_unit_test(the_start_tag_outweighs_the_bids),
        cmocka_unit_test(bids_survive_their_text),
        cmocka_unit_test(meaningless_tags_are_refused),
        cmocka_unit_test(a_failed_replay_keeps_what_could_be_played),
        cmocka_unit_test(a_record_that_was_never_text_can_be_replayed),
        cmocka_unit_test(random_games_with_faults_are_true_and_their_spoilt_copies_false),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
