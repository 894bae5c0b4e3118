/* The parts of plum check that need no program: grades, guesses, findings, the report, and
 * opponents that let a game last. Long because each check has its cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/check_guess.h"
#include "app/check_summary.h"
#include "engine/time_limit.h"
#include "games/meichu/state.h"
#include "player/spending.h"
#include "rules_support.h"
#include "scale.h"

/* --- Grades --- */

static enum check_severity grade(enum penalty penalty, bool loses_game, int faults, int turns)
{
    return check_grade(&(struct check_tally){penalty, loses_game, faults, turns});
}

static void a_fault_that_loses_a_game_must_be_fixed(void **unused)
{
    (void)unused;
    assert_int_equal(grade(PENALTY_LOSS, true, 1, 50), CHECK_MUST_FIX);
    assert_int_equal(grade(PENALTY_NOTE, true, 1, 50), CHECK_MUST_FIX);
    assert_int_equal(grade(PENALTY_REPLACE_FOREVER, false, 1, 50), CHECK_MUST_FIX);
}

static void a_fault_that_costs_a_turn_or_marks_should_be_fixed(void **unused)
{
    (void)unused;
    assert_int_equal(grade(PENALTY_REPLACE, false, 1, 30), CHECK_SHOULD_FIX);
    assert_int_equal(grade(PENALTY_REPLACE, false, 1, 1), CHECK_SHOULD_FIX);
    assert_int_equal(grade(PENALTY_NOTE, false, 40, 40), CHECK_SHOULD_FIX);
}

static void one_turn_in_ten_must_be_fixed(void **unused)
{
    (void)unused;
    assert_int_equal(grade(PENALTY_REPLACE, false, 3, 30), CHECK_MUST_FIX);
    assert_int_equal(grade(PENALTY_REPLACE, false, 3, 31), CHECK_SHOULD_FIX);
    assert_int_equal(grade(PENALTY_REPLACE, false, 2, 2), CHECK_SHOULD_FIX);
}

static void the_verdict_counts_in_singular_and_plural(void **unused)
{
    static struct check_facts facts;
    static struct check_findings findings;
    struct note verdict;
    (void)unused;
    check_verdict(&facts, &findings, &verdict);
    assert_string_equal(verdict.text, "ready for the tournament");
    findings.totals[CHECK_SHOULD_FIX] = 1;
    check_verdict(&facts, &findings, &verdict);
    assert_string_equal(verdict.text, "ready for the tournament; 1 finding should be fixed");
    findings.totals[CHECK_MUST_FIX] = 2;
    check_verdict(&facts, &findings, &verdict);
    assert_string_equal(verdict.text,
                        "not ready: 2 findings must be fixed, 1 more should be fixed");
    assert_false(check_is_ready(&facts, &findings));
    findings.totals[CHECK_MUST_FIX] = 0;
    assert_true(check_is_ready(&facts, &findings));
    facts.is_interrupted = true;
    assert_false(check_is_ready(&facts, &findings));
}

static void a_program_that_was_not_seen_to_play_is_not_ready(void **unused)
{
    static struct check_facts facts;
    static struct check_findings findings = {.is_incomplete = true};
    struct note verdict;
    (void)unused;
    check_verdict(&facts, &findings, &verdict);
    assert_string_equal(verdict.text, "not ready: it was not seen to play both colours; more "
                                      "--max-time lets it");
    assert_false(check_is_ready(&facts, &findings));
}

static void an_illegal_move_does_not_upset_a_trial(void **unused)
{
    static struct check_trial trial = {
        .fault_count = 1,
        .faults = {{.fault = {.kind = FAULT_INVALID}}, {.fault = {.kind = FAULT_CRASHED}}}};
    (void)unused;
    assert_null(check_trial_upset(&trial));
    trial.fault_count = 2;
    assert_ptr_equal(check_trial_upset(&trial), &trial.faults[1]);
}

/* --- Guesses --- */

static const char *guess(const char *name, enum player_kind kind, const char *position,
                         const char *move)
{
    static struct note out;
    const struct game *game = find_game(cpu_best(), name);
    struct check_fault fault = {.phase = JUDGE_PLAYING};
    struct note why;
    struct state state;
    assert_int_equal(game_read_position(game, position, &state, &why), ERR_NONE);
    assert_int_equal(game_read_move(game, move, &fault.cause.move, &why), ERR_NONE);
    game->write_position(&state, fault.fault.position);
    fault.fault.kind = FAULT_INVALID;
    fault.cause.has_move = true;
    fault.side = game->to_move(&state);
    check_guess(game, kind, &fault, &out);
    return out.text;
}

static void swapped_rows_and_columns_are_guessed(void **unused)
{
    static const char position[] =
        "#......#/....O.../...X..../......../......../......../......../#......# b";
    (void)unused;
    assert_string_equal(guess("reversi", PLAYER_TCP, position, "14"),
                        "41 would be legal: rows and columns swapped?");
    assert_string_equal(guess("hop", PLAYER_TCP, "start", "02-03"),
                        "20-30 would be legal: rows and columns swapped?");
}

static void the_other_colour_is_guessed(void **unused)
{
    (void)unused;
    assert_string_equal(guess("hop", PLAYER_TCP, "start", "17-07"),
                        "legal for the other colour: is is_black used?");
    assert_string_equal(guess("hop-noloop", PLAYER_FILE, "start", "17-07"),
                        "legal for the other colour: is the line color used?");
}

static void squares_counted_from_one_are_guessed(void **unused)
{
    (void)unused;
    assert_string_equal(guess("hop", PLAYER_TCP, "start", "71-72"),
                        "60-61 would be legal: rows and columns counted from 1?");
    assert_string_equal(
        guess("reversi", PLAYER_TCP,
              "#......#/......../..OX..../.....X../......../......../......../#......# w", "35"),
        "53 and 24 would be legal: rows and columns swapped, or counted from 1?");
}

static void swapped_ends_of_a_move_are_guessed(void **unused)
{
    (void)unused;
    assert_string_equal(
        guess("hop", PLAYER_TCP,
              "......../XO.O..../......../......../......../......../......../........ b 0 0",
              "10-14"),
        "10-12-14 would be legal: name every square of the way");
}

static void squares_off_the_board_may_be_counted_from_one(void **unused)
{
    const struct game *game = find_game(cpu_best(), "meichu");
    struct check_fault fault = {.phase = JUDGE_PLAYING, .fault = {.kind = FAULT_INVALID}};
    struct note out;
    (void)unused;
    struct state start = game->start();
    game->write_position(&start, fault.fault.position);
    struct move moves[GAME_MAX_MOVES];
    assert_true(game->moves(&start, moves) > 0);
    int from = moves[0].squares[0];
    int to = moves[0].squares[1];
    note_set(&fault.cause.answer, "[%d, %d, %d, %d]", from / 9 + 1, from % 9 + 1, to / 9 + 1,
             to % 9 + 1);
    check_guess(game, PLAYER_TEMPLATE, &fault, &out);
    assert_non_null(strstr(out.text, "counted from 1?"));
}

static void unpaid_moves_are_guessed(void **unused)
{
    static const char poor[] =
        "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./"
        ".B.SBS.B./..SBFBS.. b 2 90";
    (void)unused;
    assert_string_equal(
        guess("meichu", PLAYER_TEMPLATE, poor, "64-62"),
        "legal with more money: does the program pay for every move, 1 + distance?");
}

static void a_move_that_fits_nothing_has_no_guess(void **unused)
{
    (void)unused;
    assert_string_equal(guess("hop", PLAYER_TCP, "start", "00-77"), "");
}

static void a_pass_that_is_awaited_is_guessed(void **unused)
{
    struct check_fault fault = {.phase = JUDGE_PLAYING, .side = SIDE_BLACK, .other_passed = true};
    struct note out;
    (void)unused;
    fault.fault.kind = FAULT_LATE;
    fault.cause.is_idle = true;
    snprintf(fault.fault.position, sizeof fault.fault.position,
             "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./.B.SBS.B./"
             "..SBFBS.. b 0 0");
    check_guess(find_game(cpu_best(), "meichu"), PLAYER_TEMPLATE, &fault, &out);
    assert_non_null(strstr(out.text, "White has just passed"));
    assert_non_null(strstr(out.text, "compare its budgets with the judge's: Black 0, White 0"));
    fault.cause.is_idle = false;
    check_guess(find_game(cpu_best(), "meichu"), PLAYER_TEMPLATE, &fault, &out);
    assert_string_equal(out.text, "");
}

static void another_kind_is_asked_whether_it_knows_its_colour(void **unused)
{
    (void)unused;
    assert_string_equal(guess("hop", PLAYER_UGI, "start", "17-07"),
                        "legal for the other colour: does the program know which colour it has?");
}

static void a_move_instead_of_a_pass_is_guessed(void **unused)
{
    struct check_fault fault = {.phase = JUDGE_PLAYING, .side = SIDE_WHITE, .own_passed = true};
    struct note out;
    (void)unused;
    const struct game *game = find_game(cpu_best(), "meichu");
    struct state start = game->start();
    fault.fault.kind = FAULT_HOSTILE;
    game->write_position(&start, fault.fault.position);
    check_guess(game, PLAYER_TEMPLATE, &fault, &out);
    assert_string_equal(out.text, "White had to pass: does the program pay for every move, 1 + "
                                  "distance, and pass with a budget of 0 or 1?");
    fault.phase = JUDGE_BIDDING;
    check_guess(find_game(cpu_best(), "meichu"), PLAYER_TEMPLATE, &fault, &out);
    assert_string_equal(out.text, "");
}

/* --- Findings --- */

static struct check_facts facts;
static struct player_spec spec;
static struct judge_rules rules;
static int64_t answers_ns[] = {1000000, 2000000, 3000000};

/* A program that has done everything right. */
static void play_well(const char *name, const char *player)
{
    struct check_plan plans[CHECK_MAX_TRIALS];
    struct note why;
    const struct game *game = find_game(cpu_best(), name);
    assert_int_equal(player_spec_read(player, game, &spec, &why), ERR_NONE);
    rules = (struct judge_rules){
        .game = game, .limit_ns = 5000000000, .grace_ns = 250000000, .startup_ns = 10000000000};
    facts = (struct check_facts){
        .game = game, .spec = &spec, .rules = &rules, .answers_ns = answers_ns, .answer_count = 3};
    facts.trial_count = check_plan_trials(game, spec.kind, 1, plans);
    for (int i = 0; i < facts.trial_count; i++) {
        struct check_trial *trial = &facts.trials[i];
        *trial = (struct check_trial){.plan = plans[i],
                                      .end = plans[i].plies ? CHECK_ENOUGH : CHECK_COMPLETE,
                                      .game_count = plans[i].games,
                                      .is_started = true,
                                      .startup_ns = 100000000,
                                      .longest_ns = 3000000,
                                      .last_ns = 3000000,
                                      .conduct = {.starts = 1}};
        bool is_white = game->auction ? plans[i].bid.colour == SIDE_BLACK : plans[i].is_white;
        for (int j = 0; j < trial->game_count; j++) {
            trial->games[j] =
                (struct check_game){.colour = is_white != (j == 1) ? SIDE_WHITE : SIDE_BLACK,
                                    .has_bid = game->auction,
                                    .bid = {SIDE_BLACK, 7},
                                    .plies = 60,
                                    .turns = 30,
                                    .passes = {game->auction ? 1 : 0, game->auction ? 1 : 0},
                                    .is_finished = true};
            if (game->auction) {
                snprintf(trial->games[j].summary.reason, sizeof trial->games[j].summary.reason,
                         "no-moves");
            }
        }
    }
}

/* Its first trial has a fault in its first game. */
static struct check_fault *add_fault(enum fault kind, enum judge_phase phase, const char *why)
{
    struct check_trial *trial = &facts.trials[0];
    struct check_fault *fault = &trial->faults[trial->fault_count++];
    *fault = (struct check_fault){.fault = {.kind = kind},
                                  .side = trial->games[0].colour,
                                  .phase = phase,
                                  .loses_game = phase != JUDGE_PLAYING,
                                  .turns = 2};
    struct state start = facts.game->start();
    facts.game->write_position(&start, fault->fault.position);
    note_set(&fault->fault.why, "%s", why);
    trial->games[0].faults[kind]++;
    trial->is_started = phase == JUDGE_PLAYING;
    return fault;
}

static void expect(const char *check, enum check_severity severity, const char *words)
{
    static struct check_findings findings;
    check_list(&facts, &findings);
    for (int i = 0; i < findings.count; i++) {
        const struct check_finding *finding = &findings.items[i];
        if (strcmp(finding->check, check) == 0 && finding->severity == severity &&
            (strstr(finding->detail.text, words) || strstr(finding->guess.text, words) ||
             (finding->advice && strstr(finding->advice, words)))) {
            return;
        }
    }
    for (int i = 0; i < findings.count; i++) {
        print_error("%s, %s: %s; %s; %s\n", findings.items[i].check,
                    check_severity_name(findings.items[i].severity), findings.items[i].detail.text,
                    findings.items[i].guess.text,
                    findings.items[i].advice ? findings.items[i].advice : "");
    }
    fail_msg("no finding %s, %s: %s", check, check_severity_name(severity), words);
}

/* The advice on that fault of a program of that kind; NULL: there is none. */
static const char *advice_on(const char *game, const char *player, enum fault kind,
                             enum judge_phase phase, const char *why)
{
    static struct check_findings findings;
    play_well(game, player);
    add_fault(kind, phase, why);
    check_list(&facts, &findings);
    for (int i = 0; i < findings.count; i++) {
        if (findings.items[i].fault) {
            return findings.items[i].advice;
        }
    }
    fail_msg("the fault has no finding");
    return NULL;
}

static void a_program_that_does_everything_right_has_no_finding(void **unused)
{
    static const char *const players[][2] = {{"reversi", "tcp:7:./Team_7.cpp"},
                                             {"hop-noloop", "file:7:./Sample.py"},
                                             {"meichu", "template:./0816001"},
                                             {"hop", "ugi:./agent"}};
    static struct check_findings findings;
    (void)unused;
    for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
        play_well(players[i][0], players[i][1]);
        check_list(&facts, &findings);
        assert_int_equal(findings.totals[CHECK_OK], findings.count);
        assert_false(findings.is_incomplete);
    }
}

static void names_of_files_are_checked(void **unused)
{
    static const struct {
        const char *game;
        const char *player;
        enum check_severity severity;
        const char *words;
    } cases[] = {
        {"reversi", "tcp:7:python3 Sample.py", CHECK_OK, "Sample.py"},
        {"reversi", "tcp:7:python3 a/Team_7.py", CHECK_OK, "Team_7.py"},
        {"reversi", "tcp:7:python3 Team_8.py", CHECK_SHOULD_FIX,
         "hand it in as Sample or as Team_"},
        {"reversi", "tcp:7:./Team_77.cpp", CHECK_SHOULD_FIX, "Team_77.cpp"},
        {"meichu", "template:python3 0816001.py", CHECK_OK, "0816001.py"},
        {"meichu", "template:./A0816001", CHECK_OK, ""},
        {"meichu", "template:./7", CHECK_SHOULD_FIX, "name it after your student number"},
        {"meichu", "template:python3 main.py", CHECK_SHOULD_FIX,
         "costs 10 % of the project's score"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        play_well(cases[i].game, cases[i].player);
        if (*cases[i].words) {
            expect("file name", cases[i].severity, cases[i].words);
        }
    }
}

static void a_late_start_names_what_the_program_has_to_do(void **unused)
{
    (void)unused;
    assert_non_null(strstr(advice_on("hop", "tcp:7:./a", FAULT_LATE, JUDGE_STARTING, "late"),
                           "connect to localhost:8888 and to send its team's number"));
    assert_non_null(strstr(advice_on("hop", "ugi:./a", FAULT_LATE, JUDGE_STARTING, "late"),
                           "run the command by hand"));
}

static void a_slow_start_should_be_fixed(void **unused)
{
    (void)unused;
    play_well("reversi", "tcp:7:./a");
    facts.trials[0].startup_ns = 4900000000;
    expect("start-up", CHECK_OK, "4.90 s of 10 s");
    facts.trials[0].startup_ns = 5100000000;
    expect("start-up", CHECK_SHOULD_FIX, "5.10 s of 10 s");
    expect("start-up", CHECK_SHOULD_FIX, "on a busier machine it takes longer");
}

static void a_state_file_that_is_not_read_is_named(void **unused)
{
    (void)unused;
    play_well("hop-noloop", "file:7:./a");
    facts.trials[0].startup_ns = 10000000000;
    expect("start-up", CHECK_SHOULD_FIX, "it has not read state_7.txt within 10 s");
    expect("start-up", CHECK_SHOULD_FIX, "read that file in the folder where it is started");
}

static void another_team_number_must_be_fixed(void **unused)
{
    (void)unused;
    play_well("reversi", "tcp:7:./a");
    note_set(&facts.trials[0].remark, "a program calls itself team 8, not 7; it plays on");
    expect("team", CHECK_MUST_FIX, "is idTeam 7?");
    expect("team", CHECK_MUST_FIX, "set idTeam in STcpClient to your team's number");
}

static void bids_are_explained(void **unused)
{
    (void)unused;
    play_well("meichu", "template:./a");
    expect("bid", CHECK_OK, "black for 7");
    facts.trials[0].games[0].bid.price = 1000;
    expect("bid", CHECK_OK, "black for 1000, which counts as 140");
    assert_non_null(strstr(advice_on("meichu", "template:./a", FAULT_LATE, JUDGE_BIDDING, "late"),
                           "print 'My bid: COLOUR PRICE', colour 0 or 1, and to flush its output"));
}

static void a_late_move_has_the_advice_that_fits_its_cause(void **unused)
{
    (void)unused;
    assert_non_null(strstr(advice_on("hop", "tcp:7:./a", FAULT_LATE, JUDGE_PLAYING, "late"),
                           "look at the clock while it thinks"));
    facts.trials[0].faults[0].cause.is_idle = true;
    expect("as Black", CHECK_SHOULD_FIX, "find out what it waits for at its own turn");
    expect("as Black", CHECK_SHOULD_FIX, "against random, ply 1: late: late");
    expect("clock", CHECK_SHOULD_FIX, "; 1 late move");
    facts.trials[0].games[0].faults[FAULT_LATE] = 2;
    expect("as Black", CHECK_SHOULD_FIX,
           "against random, ply 1: late, the first of 2 in 60 turns: ");
    facts.trials[0].faults[0].cause.is_explained = true;
    static struct check_findings findings;
    check_list(&facts, &findings);
    for (int i = 0; i < findings.count; i++) {
        assert_true(!findings.items[i].fault || !findings.items[i].advice);
    }
}

static void every_fault_of_a_move_has_its_advice(void **unused)
{
    (void)unused;
    assert_non_null(strstr(advice_on("hop", "tcp:7:./a", FAULT_INVALID, JUDGE_PLAYING, "x"),
                           "compare its answer with the board it was sent"));
    assert_non_null(strstr(advice_on("hop", "tcp:7:./a", FAULT_MALFORMED, JUDGE_PLAYING, "x"),
                           "an answer is exactly what docs/agents.md says"));
    assert_non_null(strstr(advice_on("hop", "tcp:7:./a", FAULT_HOSTILE, JUDGE_PLAYING, "x"),
                           "answer every question once, and nothing else"));
    assert_non_null(strstr(advice_on("hop", "tcp:7:./a", FAULT_CRASHED, JUDGE_PLAYING, "x"),
                           "look at what it wrote to standard error"));
}

static void a_file_agent_that_connects_gets_advice(void **unused)
{
    (void)unused;
    (void)advice_on("hop-noloop", "file:7:./a", FAULT_CRASHED, JUDGE_PLAYING, "x");
    snprintf(facts.trials[0].log, sizeof facts.trials[0].log,
             "ConnectionError: [Errno 111] Connection refused");
    expect("as Black", CHECK_MUST_FIX, "it seems to use TCP: check it as tcp:TEAM:COMMAND");
}

static void a_program_that_ends_too_early_gets_advice(void **unused)
{
    static const char why[] = "it ended by itself with exit code 0";
    (void)unused;
    assert_non_null(strstr(advice_on("hop", "tcp:7:./a", FAULT_CRASHED, JUDGE_PLAYING, why),
                           "let it ask for boards until the judge sends code 0"));
    expect("as Black", CHECK_MUST_FIX, "it ended by itself with exit code 0 after 2 moves");
    facts.trials[0].faults[0].turns = 1;
    expect("as Black", CHECK_MUST_FIX, "it ended by itself with exit code 0 after 1 move");
    assert_non_null(strstr(advice_on("hop-noloop", "file:7:./a", FAULT_CRASHED, JUDGE_PLAYING, why),
                           "let it answer until the state file has move 0"));
    assert_non_null(strstr(advice_on("hop", "ugi:./a", FAULT_CRASHED, JUDGE_PLAYING, why),
                           "let it answer until the game is over"));
}

static void a_move_near_the_limit_should_be_fixed(void **unused)
{
    (void)unused;
    play_well("reversi", "tcp:7:./a");
    facts.trials[1].longest_ns = 2400000000;
    expect("clock", CHECK_OK, "median 2.0 ms, longest 2.40 s of 5 s");
    facts.trials[1].longest_ns = 2600000000;
    expect("clock", CHECK_SHOULD_FIX, "leave a margin");
    facts.trials[3].longest_ns = 9000000000; /* after the connection broke */
    expect("clock", CHECK_SHOULD_FIX, "longest 2.60 s of 5 s");
}

static void budgets_are_ok_only_if_passes_were_seen(void **unused)
{
    (void)unused;
    play_well("meichu", "template:./a");
    expect("budgets", CHECK_OK, "it passed 4 times, its opponents 4 times");
    for (int i = 0; i < facts.trial_count; i++) {
        facts.trials[i].games[0].passes[facts.trials[i].games[0].colour] = 0;
    }
    expect("budgets", CHECK_SKIPPED, "its own passes were not tried");
    for (int i = 0; i < facts.trial_count; i++) {
        facts.trials[i].games[0].passes[SIDE_BLACK] = facts.trials[i].games[0].passes[SIDE_WHITE] =
            0;
        memcpy(facts.trials[i].games[0].summary.reason, "flag", sizeof "flag");
    }
    expect("budgets", CHECK_SKIPPED, "no game lasted until a budget was spent");
    play_well("meichu", "template:./a");
    add_fault(FAULT_LATE, JUDGE_PLAYING, "x")->other_passed = true;
    expect("budgets", CHECK_SKIPPED, "there is a fault after a pass");
}

static void a_program_for_one_game_gets_advice(void **unused)
{
    (void)unused;
    play_well("reversi", "tcp:7:./a");
    facts.trials[0].conduct.starts = 2;
    expect("two games", CHECK_SHOULD_FIX, "it exits after a game");
    expect("two games", CHECK_SHOULD_FIX, "ask for boards until the judge sends code 0");
    add_fault(FAULT_CRASHED, JUDGE_PLAYING, "x");
    expect("two games", CHECK_SKIPPED, "a fault made a new start necessary");
    facts.trials[0].games[1].is_finished = false;
    expect("two games", CHECK_SKIPPED, "a fault ended the games before");
}

static void a_program_that_does_not_exit_gets_advice(void **unused)
{
    static const char *const cases[][3] = {
        {"reversi", "tcp:7:./a", "it does not leave after code 0"},
        {"hop-noloop", "file:7:./a", "it does not leave after move 0"},
        {"hop", "ugi:./a", "it does not leave after quit"},
        {"meichu", "template:./a", "it does not leave after the end of the game"}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        play_well(cases[i][0], cases[i][1]);
        facts.trials[1].conduct.overstayed = true;
        expect("leaving", CHECK_SHOULD_FIX, cases[i][2]);
        expect("leaving", CHECK_SHOULD_FIX, "it is killed shortly afterwards");
    }
}

static void a_program_that_does_not_reconnect_gets_advice(void **unused)
{
    (void)unused;
    play_well("reversi", "tcp:7:./a");
    expect("reconnect", CHECK_OK, "it came back and answered after 3.0 ms");
    struct check_trial *last = &facts.trials[facts.trial_count - 1];
    last->fault_count = 1;
    last->faults[0] = (struct check_fault){.fault = {.kind = FAULT_LATE}, .phase = JUDGE_PLAYING};
    note_set(&last->faults[0].fault.why, "no move within 5.250 s");
    expect("reconnect", CHECK_SHOULD_FIX, "it did not come back: no move within 5.250 s");
    expect("reconnect", CHECK_SHOULD_FIX, "connect again, send the team's number");
}

static void a_skipped_check_has_its_reason(void **unused)
{
    (void)unused;
    play_well("reversi", "tcp:7:./a");
    for (int i = 0; i < facts.trial_count; i++) {
        facts.trials[i] = (struct check_trial){.plan = facts.trials[i].plan};
    }
    facts.answer_count = 0;
    expect("start-up", CHECK_SKIPPED, "not tried: the program did not start a game");
    facts.trials[0].end = CHECK_TIME_UP;
    expect("clock", CHECK_SKIPPED, "not tried: the time was up");
    facts.is_interrupted = true;
    expect("as Black", CHECK_SKIPPED, "not tried: interrupted");
}

static void our_agents_keep_the_margin_that_is_asked_for(void **unused)
{
    (void)unused;
    play_well("hop", "tcp:7:./a");
    facts.trials[0].longest_ns = time_limit_of_agent(rules.limit_ns) + 200000000;
    expect("clock", CHECK_OK, "longest 2.45 s of 5 s");
}

/* --- The report --- */

static void what_must_be_fixed_is_first(void **unused)
{
    static struct check_findings findings;
    (void)unused;
    play_well("reversi", "tcp:7:./main.cpp");
    add_fault(FAULT_CRASHED, JUDGE_PLAYING, "x")->loses_game = true;
    facts.trials[0].games[1].is_finished = false;
    check_list(&facts, &findings);
    for (int i = 1; i < findings.count; i++) {
        static const int ranks[] = {
            [CHECK_MUST_FIX] = 0, [CHECK_SHOULD_FIX] = 1, [CHECK_OK] = 2, [CHECK_SKIPPED] = 3};
        assert_in_range(ranks[findings.items[i].severity], ranks[findings.items[i - 1].severity],
                        3);
    }
    assert_string_equal(findings.items[0].check, "as Black");
    assert_string_equal(findings.items[1].check, "file name");
    assert_string_equal(findings.items[2].check, "start-up");
    assert_string_equal(findings.items[findings.count - 1].check, "two games");
}

static void what_was_not_tried_is_one_line(void **unused)
{
    static struct check_findings findings;
    struct note line;
    (void)unused;
    play_well("reversi", "tcp:7:./a");
    check_list(&facts, &findings);
    check_summary_untried(&findings, &line);
    assert_string_equal(line.text, "");
    add_fault(FAULT_CRASHED, JUDGE_PLAYING, "x");
    facts.trials[0].conduct.starts = 2;
    facts.trials[facts.trial_count - 1].end = CHECK_NOT_RUN;
    check_list(&facts, &findings);
    check_summary_untried(&findings, &line);
    assert_string_equal(line.text,
                        "not tried: two games: a fault made a new start necessary; reconnect: a "
                        "fault ended the games before");
    play_well("reversi", "tcp:7:./a");
    facts.trials[0].is_started = false;
    facts.trials[0].games[1].is_finished = false;
    facts.trials[facts.trial_count - 1].end = CHECK_NOT_RUN;
    check_list(&facts, &findings);
    check_summary_untried(&findings, &line);
    assert_string_equal(line.text, "not tried: start-up, team, two games, reconnect: the program "
                                   "did not start a game");
}

static void a_quick_check_names_what_it_leaves_out(void **unused)
{
    static struct check_findings findings;
    struct note text;
    (void)unused;
    play_well("reversi", "tcp:7:./a");
    facts.is_quick = true;
    for (int i = 0; i < facts.trial_count; i++) {
        assert_int_equal(facts.trials[i].plan.is_quick, i == 0);
        if (!facts.trials[i].plan.is_quick) {
            facts.trials[i] = (struct check_trial){.end = CHECK_NOT_RUN};
        }
    }
    check_list(&facts, &findings);
    check_summary_untried(&findings, &text);
    assert_string_equal(text.text, "not tried: reconnect: only without --quick");
    check_verdict(&facts, &findings, &text);
    assert_string_equal(text.text, "nothing must be fixed so far; the whole check, without "
                                   "--quick, tries the rest");
    assert_true(check_is_ready(&facts, &findings));
}

static void a_game_is_one_line(void **unused)
{
    struct check_trial trial = {.plan = {.opponent = CHECK_RANDOM}};
    struct check_game *game = &trial.games[0];
    struct note line;
    (void)unused;
    *game = (struct check_game){.colour = SIDE_WHITE,
                                .plies = 61,
                                .turns = 30,
                                .longest_ns = 6200000,
                                .is_finished = true,
                                .summary = {.outcome = OUTCOME_WHITE, .score = {3, 9}}};
    check_summary_game(&trial, game, &line);
    assert_string_equal(line.text, "won 9 to 3 against random, 61 plies, longest move 6.2 ms");
    game->faults[FAULT_INVALID] = 2;
    game->is_finished = false;
    trial.end = CHECK_TIME_UP;
    check_summary_game(&trial, game, &line);
    assert_string_equal(line.text,
                        "61 plies against random, then stopped for lack of time, longest "
                        "move 6.2 ms; 2 invalid");
}

static void the_same_fault_and_the_same_lines_are_shown_once(void **unused)
{
    static struct check_findings findings;
    int times = 0;
    (void)unused;
    play_well("hop", "tcp:7:./a");
    add_fault(FAULT_CRASHED, JUDGE_PLAYING, "x")->loses_game = true;
    struct check_fault *other = add_fault(FAULT_CRASHED, JUDGE_PLAYING, "x");
    other->loses_game = true;
    other->game = 1;
    facts.trials[0].games[1].faults[FAULT_CRASHED] = 1;
    check_list(&facts, &findings);
    assert_string_equal(findings.items[1].check, "as White");
    assert_true(check_summary_is_same(&findings.items[0], &findings.items[1]));
    note_set(&other->fault.why, "y");
    assert_false(check_summary_is_same(&findings.items[0], &findings.items[1]));
    assert_int_equal(check_summary_repeats("a\nb\na\nb\n", &times), 4);
    assert_int_equal(times, 2);
    assert_int_equal(check_summary_repeats("a\nb\na\n", &times), 6);
    assert_int_equal(times, 1);
    assert_int_equal(check_summary_repeats("no end", &times), 6);
    assert_int_equal(check_summary_repeats("", &times), 0);
}

/* --- Opponents that let a game last --- */

/* Programs as first ones are: they look at their own moves only. */
struct habit {
    int flag; /* what taking it is worth */
    int soldier;
    int step; /* nearer to the flag */
    int coin; /* that the move costs */
};

static const struct habit any_move = {0, 0, 0, 0};
static const struct habit capturer = {1000, 50, 0, 0};
static const struct habit kit = {1000, 50, 3, 1}; /* clients/python/meichu */

static int find_flag(const struct game *game, const struct state *state, enum side side)
{
    int square = 0;
    while (game->cell(state, square).piece != MEICHU_FLAG ||
           game->cell(state, square).side != side) {
        square++;
    }
    return square;
}

static int distance(const struct game *game, int a, int b)
{
    return abs(a / game->columns - b / game->columns) + abs(a % game->columns - b % game->columns);
}

static int worth(const struct habit *habit, const struct game *game, const struct state *state,
                 const struct move *move)
{
    enum side side = game->to_move(state);
    enum side other = side_other(side);
    struct state after = *state;
    if (move->kind == MOVE_PASS) {
        return 0;
    }
    assert_int_equal(game->apply(&after, move, NULL), ERR_NONE);
    struct cell target = game->cell(state, move->squares[1]);
    int flag = find_flag(game, state, other);
    int nearer = distance(game, move->squares[0], flag) - distance(game, move->squares[1], flag);
    int prize = target.side != other             ? 0
                : target.piece == MEICHU_FLAG    ? habit->flag
                : target.piece == MEICHU_SOLDIER ? habit->soldier
                                                 : 0;
    return prize + habit->step * nearer -
           habit->coin * (game->budget(state, side) - game->budget(&after, side));
}

static struct move habit_move(const struct habit *habit, const struct game *game,
                              const struct state *state, struct rng *rng)
{
    static struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    size_t ties = 0;
    struct move best = moves[0];
    for (size_t i = 0; i < count; i++) {
        int difference =
            ties ? worth(habit, game, state, &moves[i]) - worth(habit, game, state, &best) : 1;
        ties = difference > 0 ? 1 : ties + (difference == 0);
        if (difference > 0 || (difference == 0 && rng_below(rng, ties) == 0)) {
            best = moves[i];
        }
    }
    return best;
}

/* In how many of the games that side has to pass, the one with the pace or the other. */
static int count_passing(enum spending pace, const struct habit *habit, int games)
{
    const struct game *game = find_game(cpu_best(), "meichu");
    int reached = 0;
    for (int i = 0; i < games; i++) {
        enum side pacer = i % 2 ? SIDE_WHITE : SIDE_BLACK;
        enum side wanted = pace == SPENDING_QUICK ? pacer : side_other(pacer);
        struct state state = game->start();
        struct rng rng = rng_make((uint64_t)i);
        bool has_passed = false;
        while (!has_passed && !game_is_over(game, &state)) {
            enum side side = game->to_move(&state);
            struct move move = side == pacer ? spending_move(pace, game, &state, &rng)
                                             : habit_move(habit, game, &state, &rng);
            assert_int_equal(game->apply(&state, &move, NULL), ERR_NONE);
            has_passed = move.kind == MOVE_PASS && side == wanted;
        }
        reached += has_passed;
    }
    return reached;
}

static void an_opponent_that_spends_has_to_pass(void **unused)
{
    (void)unused;
    int any = (int)scaled(3);
    int capturers = (int)scaled(4);
    int kits = (int)scaled(12);
    assert_in_range(count_passing(SPENDING_QUICK, &any_move, any), any, any);
    assert_in_range(count_passing(SPENDING_QUICK, &capturer, capturers), capturers, capturers);
    assert_in_range(count_passing(SPENDING_QUICK, &kit, kits), 3 * kits / 4, kits);
}

static void a_program_has_to_pass_against_an_opponent_that_saves(void **unused)
{
    (void)unused;
    int any = (int)scaled(2);
    assert_in_range(count_passing(SPENDING_SLOW, &any_move, any), any, any);
}

static void games_about_budgets_are_played_again_with_the_other_colour(void **unused)
{
    struct check_plan plans[CHECK_MAX_TRIALS];
    int count = check_plan_trials(find_game(cpu_best(), "meichu"), PLAYER_TEMPLATE, 1, plans);
    int retries = 0;
    (void)unused;
    for (int i = 1; i < count; i++) {
        if (plans[i].is_retry) {
            retries++;
            assert_int_equal(plans[i].opponent, plans[i - 1].opponent);
            assert_int_not_equal(plans[i].bid.colour, plans[i - 1].bid.colour);
        }
    }
    assert_int_equal(retries, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_that_loses_a_game_must_be_fixed),
        cmocka_unit_test(a_fault_that_costs_a_turn_or_marks_should_be_fixed),
        cmocka_unit_test(one_turn_in_ten_must_be_fixed),
        cmocka_unit_test(the_verdict_counts_in_singular_and_plural),
        cmocka_unit_test(a_program_that_was_not_seen_to_play_is_not_ready),
        cmocka_unit_test(an_illegal_move_does_not_upset_a_trial),
        cmocka_unit_test(swapped_rows_and_columns_are_guessed),
        cmocka_unit_test(the_other_colour_is_guessed),
        cmocka_unit_test(squares_counted_from_one_are_guessed),
        cmocka_unit_test(swapped_ends_of_a_move_are_guessed),
        cmocka_unit_test(squares_off_the_board_may_be_counted_from_one),
        cmocka_unit_test(unpaid_moves_are_guessed),
        cmocka_unit_test(a_move_that_fits_nothing_has_no_guess),
        cmocka_unit_test(a_pass_that_is_awaited_is_guessed),
        cmocka_unit_test(another_kind_is_asked_whether_it_knows_its_colour),
        cmocka_unit_test(a_move_instead_of_a_pass_is_guessed),
        cmocka_unit_test(a_program_that_does_everything_right_has_no_finding),
        cmocka_unit_test(names_of_files_are_checked),
        cmocka_unit_test(a_late_start_names_what_the_program_has_to_do),
        cmocka_unit_test(a_slow_start_should_be_fixed),
        cmocka_unit_test(a_state_file_that_is_not_read_is_named),
        cmocka_unit_test(another_team_number_must_be_fixed),
        cmocka_unit_test(bids_are_explained),
        cmocka_unit_test(a_late_move_has_the_advice_that_fits_its_cause),
        cmocka_unit_test(every_fault_of_a_move_has_its_advice),
        cmocka_unit_test(a_file_agent_that_connects_gets_advice),
        cmocka_unit_test(a_program_that_ends_too_early_gets_advice),
        cmocka_unit_test(a_move_near_the_limit_should_be_fixed),
        cmocka_unit_test(budgets_are_ok_only_if_passes_were_seen),
        cmocka_unit_test(a_program_for_one_game_gets_advice),
        cmocka_unit_test(a_program_that_does_not_exit_gets_advice),
        cmocka_unit_test(a_program_that_does_not_reconnect_gets_advice),
        cmocka_unit_test(a_skipped_check_has_its_reason),
        cmocka_unit_test(our_agents_keep_the_margin_that_is_asked_for),
        cmocka_unit_test(what_must_be_fixed_is_first),
        cmocka_unit_test(what_was_not_tried_is_one_line),
        cmocka_unit_test(a_quick_check_names_what_it_leaves_out),
        cmocka_unit_test(a_game_is_one_line),
        cmocka_unit_test(the_same_fault_and_the_same_lines_are_shown_once),
        cmocka_unit_test(an_opponent_that_spends_has_to_pass),
        cmocka_unit_test(a_program_has_to_pass_against_an_opponent_that_saves),
        cmocka_unit_test(games_about_budgets_are_played_again_with_the_other_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
