/* Rosters: what is read, what is refused, and that everything is refused at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "game/registry.h"
#include "tournament/roster.h"

#define TWO_TEAMS "[team 1]\nplayer = random\n[team 2]\nplayer = random\n"
#define HOP "[tournament]\ngame = hop\n"

static struct roster_problems problems;

static enum err read_text(const char *text, struct roster *out)
{
    *out = (struct roster){0};
    return roster_read(text, strlen(text), CPU_BASELINE, out, &problems);
}

static struct roster read_good(const char *text)
{
    struct roster roster;
    enum err err = read_text(text, &roster);
    if (err) {
        fail_msg("refused: %s", problems.list[0].text);
    }
    return roster;
}

static void an_empty_choice_has_its_usual_value(void **state)
{
    (void)state;
    struct roster roster = read_good(HOP TWO_TEAMS);
    assert_string_equal(roster.name, "tournament");
    assert_string_equal(roster.game->name, "hop");
    assert_int_equal(roster.format, ROSTER_DOUBLE_ROUND_ROBIN);
    assert_int_equal(roster.games_per_pairing, 2);
    assert_int_equal(roster.rounds, 1);
    assert_int_equal(roster.seed, 1);
    assert_int_equal(roster.rules.sandbox, SANDBOX_AUTO);
    assert_false(roster.rules.violations_lose);
    assert_int_equal(roster.rules.memory_bytes, INT64_C(2) << 30);
    assert_false(roster.rules.ponder);
    assert_string_equal(roster.rules.python, "");
    assert_int_equal(roster.concurrency, 0);
    assert_true(ranking_rules_are_usual(&roster.ranking));
    assert_int_equal(roster.rules.judge.limit_ns, 5000000000);
    assert_int_equal(roster.rules.judge.grace_ns, 250000000);
    assert_false(roster.rules.judge.has_auction);
    assert_string_equal(roster.teams[1].name, "2");
    assert_int_equal(roster.teams[1].withdrawn_after, -1);
    roster_free(&roster);
}

static void meichu_is_swiss_by_default(void **state)
{
    (void)state;
    static const char meichu[] = "[tournament]\ngame = meichu\n";
    char text[256];
    snprintf(text, sizeof text, "%s%s", meichu, TWO_TEAMS);
    struct roster roster = read_good(text);
    assert_int_equal(roster.format, ROSTER_SWISS);
    roster_free(&roster);
    snprintf(text, sizeof text, "%sformat = double-round-robin\n%s", meichu, TWO_TEAMS);
    roster = read_good(text);
    assert_int_equal(roster.format, ROSTER_DOUBLE_ROUND_ROBIN);
    roster_free(&roster);
}

static void every_key_is_read(void **state)
{
    (void)state;
    struct roster roster = read_good(
        "\xef\xbb\xbf; a comment\r\n[tournament]\r\n  name = Spring \xe6\xa2\x85 ; not this\r\n"
        "game=meichu\r\nformat : swiss\r\nrounds = 7\r\ngames_per_pairing = 4\r\n"
        "time_limit = 1.5\r\ngrace = 0\r\nstartup_limit = 3\r\nhard_limit = 60\r\nseed = 99\r\n"
        "late_limit = 3\r\n"
        "memory = 32G\r\npython = ../venv/bin/python3\r\n"
        "sandbox = strict\r\nhostile_attempts = lose\r\ndisqualified_games = keep\r\nconcurrency = "
        "3\r\nponder = yes\r\npoints = 3 1 0\r\nbye_points = 2\r\n"
        "tiebreaks = direct, sonneborn-berger , wins\r\n"
        "# another\r\n[team a-1.x_]\r\nname = \xe9\xbb\x83\r\nplayer = builtin:3\r\ndays_late = "
        "2\r\n"
        "plagiarism = yes\r\nwithdrawn_after = 4\r\nwrong_name = yes\r\nmissing_report = no\r\n"
        "build_log = logs/a.txt\r\n"
        "[team b]\r\nsource = b.cpp more.cpp");
    assert_string_equal(roster.name, "Spring \xe6\xa2\x85");
    assert_int_equal(roster.format, ROSTER_SWISS);
    assert_int_equal(roster.rounds, 7);
    assert_int_equal(roster.games_per_pairing, 4);
    assert_int_equal(roster.rules.judge.limit_ns, 1500000000);
    assert_int_equal(roster.rules.judge.grace_ns, 0);
    assert_int_equal(roster.rules.judge.startup_ns, 3000000000);
    assert_int_equal(roster.rules.judge.hard_limit_ns, 60000000000);
    assert_int_equal(roster.rules.judge.late_limit, 3);
    assert_true(roster.rules.judge.has_auction);
    assert_int_equal(roster.rules.memory_bytes, INT64_C(32) << 30);
    assert_string_equal(roster.rules.python, "../venv/bin/python3");
    assert_int_equal(roster.seed, 99);
    assert_int_equal(roster.rules.sandbox, SANDBOX_STRICT);
    assert_true(roster.rules.violations_lose);
    assert_true(roster.keeps_disqualified_games);
    assert_int_equal(roster.concurrency, 3);
    assert_true(roster.rules.ponder);
    assert_int_equal(roster.ranking.win, 3);
    assert_int_equal(roster.ranking.draw, 1);
    assert_int_equal(roster.ranking.loss, 0);
    assert_int_equal(roster.ranking.bye, 2);
    assert_int_equal(roster.ranking.tie_break_count, 3);
    assert_int_equal(roster.ranking.tie_breaks[0], RANKING_DIRECT);
    assert_int_equal(roster.ranking.tie_breaks[1], RANKING_SONNEBORN);
    assert_int_equal(roster.ranking.tie_breaks[2], RANKING_WINS);
    const struct roster_team *team = &roster.teams[0];
    assert_string_equal(team->id, "a-1.x_");
    assert_string_equal(team->name, "\xe9\xbb\x83");
    assert_string_equal(team->player, "builtin:3");
    assert_int_equal(team->days_late, 2);
    assert_true(team->is_plagiarism);
    assert_int_equal(team->withdrawn_after, 4);
    assert_true(team->has_wrong_name);
    assert_false(team->lacks_report);
    assert_string_equal(team->build_log, "logs/a.txt");
    assert_string_equal(roster.teams[1].source, "b.cpp more.cpp");
    assert_int_equal(roster_find(&roster, "b"), 1);
    assert_int_equal(roster_find(&roster, "c"), -1);
    roster_free(&roster);
}

static void references_are_not_among_the_teams(void **state)
{
    (void)state;
    struct roster roster = read_good(HOP "reference = builtin:3\nreference = random\n" TWO_TEAMS);
    assert_int_equal(roster.team_count, 2);
    assert_int_equal(roster.reference_count, 2);
    assert_int_equal(roster_entrant_count(&roster), 4);
    assert_int_equal(roster_entrant(&roster, 1), 1);
    assert_int_equal(roster_entrant(&roster, 2), ROSTER_MAX_TEAMS - 1);
    assert_int_equal(roster_find(&roster, "random"), ROSTER_MAX_TEAMS - 2);
    assert_true(roster_is_reference(&roster, ROSTER_MAX_TEAMS - 2));
    assert_false(roster_is_reference(&roster, 1));
    assert_string_equal(roster.teams[ROSTER_MAX_TEAMS - 1].player, "builtin:3");
    assert_int_equal(roster.rounds, 1);
    roster_free(&roster);
}

static void teams_that_enter_later_do_not_change_the_rounds_of_the_others(void **state)
{
    static const struct {
        const char *format;
        int rounds;
    } rows[] = {{"double-round-robin", 1 + 2}, {"swiss", 3}, {"gauntlet", 1 + 2}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static const char late[] = "\n[team 3]\nplayer = random\nentered_after = 1\n"
                                   "[team 4]\nplayer = random\nentered_after = 2\n";
        char first[256];
        char text[512];
        snprintf(first, sizeof first, HOP "format = %s\n" TWO_TEAMS "; the end", rows[i].format);
        snprintf(text, sizeof text, "%s%s", first, late);
        struct roster roster = read_good(text);
        assert_int_equal(roster.team_count, 4);
        assert_int_equal(roster.starter_count, 2);
        assert_int_equal(roster.starter_bytes, strlen(first));
        assert_int_equal(roster.rounds, rows[i].rounds);
        assert_int_equal(roster.teams[3].entered_after, 2);
        assert_int_equal(roster.ranking.late_teams, 2);
        roster_free(&roster);
        roster = read_good(first);
        assert_int_equal(roster.starter_bytes, strlen(first));
        assert_int_equal(roster.teams[1].entered_after, -1);
        roster_free(&roster);
    }
}

static void rounds_follow_from_the_format(void **state)
{
    static const struct {
        const char *format;
        int rounds;
    } rows[] = {{"double-round-robin", 5}, {"swiss", 5}, {"gauntlet", 1}, {"knockout", 3}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 HOP "format = %s\n" TWO_TEAMS "[team 3]\nplayer = random\n[team 4]\n"
                     "player = random\n[team 5]\nplayer = random\n",
                 rows[i].format);
        struct roster roster = read_good(text);
        assert_int_equal(roster.rounds, rows[i].rounds);
        assert_string_equal(roster_format_name(roster.format), rows[i].format);
        roster_free(&roster);
    }
}

/* A command may be long, and contain the signs that have a meaning elsewhere in a line. */
static void a_long_line_is_read_whole(void **state)
{
    (void)state;
    for (int length = 150; length < 1000; length++) {
        char command[1024] = "ugi:./bot";
        char text[2048];
        for (int at = 9; at < length; at++) {
            command[at] = "a b=;#:x"[at * 7 % 8];
        }
        command[length - 1] = 'z';
        /* A space before a semicolon begins a comment, on purpose. */
        for (char *at = command + 9; at[1]; at++) {
            if (at[0] == ' ' && at[1] == ';') {
                at[1] = 'c';
            }
        }
        snprintf(text, sizeof text, HOP "[team 1]\nplayer = %s\n[team 2]\nplayer = random\n",
                 command);
        struct roster roster = read_good(text);
        assert_string_equal(roster.teams[0].player, command);
        roster_free(&roster);
    }
}

/* One problem each; the text that must be found in it. */
static void each_mistake_has_its_sentence(void **state)
{
    static const struct {
        const char *text;
        const char *mentions;
    } rows[] = {
        {"", "no section [tournament]"},
        {HOP, "needs two teams"},
        {HOP "[team 1]\nplayer = random\n", "only one"},
        {"[tournament]\n" TWO_TEAMS, "line 1: game is missing"},
        {"[tournament]\ngame = chess\n" TWO_TEAMS, "line 2: game:"},
        {HOP "colour = red\n" TWO_TEAMS, "line 3: there is no key 'colour' in [tournament]"},
        {HOP "game = hop\n" TWO_TEAMS, "duplicate key game; the first is in line 2"},
        {HOP "format = league\n" TWO_TEAMS, "double-round-robin, swiss, gauntlet, knockout"},
        {HOP "rounds = 3\n" TWO_TEAMS, "only a swiss tournament"},
        {HOP "format = swiss\nrounds = 0\n" TWO_TEAMS, "rounds must be"},
        {HOP "games_per_pairing = 3\n" TWO_TEAMS, "must be even"},
        {HOP "time_limit = soon\n" TWO_TEAMS, "time_limit"},
        {HOP "time_limit = -1\n" TWO_TEAMS, "time_limit"},
        {HOP "hard_limit = 60\n" TWO_TEAMS, "one limit only"},
        {HOP "late_limit = -1\n" TWO_TEAMS, "late_limit must be"},
        {HOP "seed = -1\n" TWO_TEAMS, "seed must be"},
        {HOP "sandbox = maybe\n" TWO_TEAMS, "off, auto, strict"},
        {HOP "hostile_attempts = yes\n" TWO_TEAMS, "record, lose"},
        {HOP "memory = 2048\n" TWO_TEAMS, "memory must be a size from 16M to 1024G, as in 512M"},
        {HOP "memory = 1M\n" TWO_TEAMS, "memory must be"},
        {HOP "memory = 99999999999999G\n" TWO_TEAMS, "memory must be"},
        {HOP "memory = G\n" TWO_TEAMS, "memory must be"},
        {HOP "python = python3 -O\n" TWO_TEAMS, "python must be the name or path of one program"},
        {HOP "concurrency = 0\n" TWO_TEAMS, "concurrency must be"},
        {HOP "reference =\n" TWO_TEAMS, "line 3: reference has no value"},
        {HOP "reference = wizard\n" TWO_TEAMS, "line 3: reference:"},
        {HOP "reference = builtin:99\n" TWO_TEAMS, "line 3: reference:"},
        {HOP "reference = human\n" TWO_TEAMS, "reference: a person cannot"},
        {HOP "reference = random\nreference = random\n" TWO_TEAMS,
         "line 4: reference random: a team or another reference has that id"},
        {HOP "reference = random\n" TWO_TEAMS "[team random]\nplayer = random\n",
         "line 3: reference random: a team or another"},
        {HOP "reference = builtin:nodes=100000,threads=1,hash=1\n" TWO_TEAMS,
         "reference is too long: at most 31 bytes"},
        {HOP "reference = random\n[team 1]\nplayer = random\n", "needs two teams"},
        {HOP "reference = random\n" TWO_TEAMS "[student 1]\nteam = random\n",
         "there is no team random"},
        {HOP TWO_TEAMS "[team 3]\nplayer = random\nreference = random\n",
         "no key 'reference' in [team]"},
        {HOP TWO_TEAMS "[team 3]\nplayer = random\nentered_after = 1\n"
                       "[team 4]\nplayer = random\n",
         "line 10: team 4 takes part from the start, so it must come before"},
        {HOP "format = knockout\n" TWO_TEAMS "[team 3]\nplayer = random\nentered_after = 1\n",
         "no team can enter a knockout later"},
        {HOP "format = swiss\nrounds = 2\n" TWO_TEAMS
             "[team 3]\nplayer = random\nentered_after = 2\n",
         "team 3: entered_after must be below the number of rounds, 2"},
        {HOP "[team 1]\nplayer = random\n[team 2]\nplayer = random\nentered_after = 1\n",
         "needs two teams, and here is only one"},
        {HOP "points = 3\n" TWO_TEAMS, "line 3: points must be three whole numbers from 0 to 1000"},
        {HOP "points = 3 1 0 3\n" TWO_TEAMS, "points must be three"},
        {HOP "points = 1 0.5 0\n" TWO_TEAMS, "not '1 0.5 0'"},
        {HOP "points = 1 2 0\n" TWO_TEAMS, "a win gives most"},
        {HOP "points = 2 2 2\n" TWO_TEAMS, "more than a loss"},
        {HOP "points = 2 1 -1\n" TWO_TEAMS, "points must be three"},
        {HOP "points = 1001 1 0\n" TWO_TEAMS, "points must be three"},
        {HOP "bye_points = 3\n" TWO_TEAMS, "bye_points must be"},
        {HOP "points = 3 1 0\nbye_points = 4\n" TWO_TEAMS, "bye_points must be"},
        {HOP "tiebreaks = wins, luck\n" TWO_TEAMS,
         "line 3: tiebreaks: 'luck' is not a tie-break; list each of these at most once, with "
         "commas: wins, differential, buchholz, sonneborn-berger, direct"},
        {HOP "tiebreaks = wins, direct, wins\n" TWO_TEAMS, "'wins' is listed twice; list each"},
        {HOP "tiebreaks = points, wins\n" TWO_TEAMS, "'points' always decides first"},
        {HOP "tiebreaks = wins, lot\n" TWO_TEAMS, "'lot' always decides last"},
        {HOP "tiebreaks = ,\n" TWO_TEAMS, "names no tie-break"},
        {HOP "name =\n" TWO_TEAMS, "name has no value"},
        {HOP TWO_TEAMS "[team 3]\nplayer = ; what?\n", "player has no value"},
        {HOP "nonsense\n" TWO_TEAMS, "line 3: 'nonsense' is neither"},
        {"game = hop\n" HOP TWO_TEAMS, "line 1: game is in no section"},
        {HOP TWO_TEAMS "[teams 3]\nplayer = random\n", "no section is called [teams 3]"},
        {HOP TWO_TEAMS "[student 1]\nteam = 9\n", "student 1: there is no team 9"},
        {HOP TWO_TEAMS "[student 1]\nname = A\n[student 1]\nname = B\n",
         "duplicate student 1; the first is in"},
        {HOP TWO_TEAMS "[student a b]\nname = A\n", "'a b' is not an id for a student"},
        {HOP TWO_TEAMS "[team .9]\nplayer = random\n", "not '.' first"},
        {HOP TWO_TEAMS "[student 1]\nplayer = random\n", "there is no key 'player' in [student]"},
        {HOP TWO_TEAMS "[student 1]\nname = A\n[team 3]\nplayer = random\nid_team = -2\n",
         "id_team"},
        {HOP TWO_TEAMS HOP, "duplicate section [tournament]; the first is in line 1"},
        {HOP TWO_TEAMS "[team 1]\nplayer = random\n", "duplicate team 1; the first is in line 3"},
        {HOP TWO_TEAMS "[team a/b]\nplayer = random\n", "'a/b' is not an id"},
        {HOP TWO_TEAMS "[team ]\nplayer = random\n", "'' is not an id"},
        {HOP TWO_TEAMS "[team ..]\nplayer = random\n", "'..' is not an id"},
        {HOP TWO_TEAMS "[team 12345678901234567890123456789012]\nplayer = random\n",
         "is not an id"},
        {HOP TWO_TEAMS "[team 3\nplayer = random\n", "a section looks like this"},
        {HOP TWO_TEAMS "[team 3]\n", "line 7: team 3 needs a player or a source"},
        {HOP TWO_TEAMS "[team 3]\nplayer = random\nsource = a.c\n", "not both"},
        {HOP TWO_TEAMS "[team 3]\nplayer = wizard\n", "team 3: player:"},
        {HOP TWO_TEAMS "[team 3]\nplayer = template:x\n", "team 3: player:"},
        {HOP TWO_TEAMS "[team 3]\nplayer = human\n", "a person cannot"},
        {HOP TWO_TEAMS "[team x]\nsource = a.c\n", "must be the number"},
        {HOP TWO_TEAMS "[team 3]\nsource = a.c;rm\n", "signs of the shell"},
        {HOP TWO_TEAMS "[team 3]\nplayer = random\ndays_late = 1.5\n", "days_late must be"},
        {HOP TWO_TEAMS "[team 3]\nplayer = random\nplagiarism = perhaps\n", "yes or no"},
        {HOP "ponder = maybe\n" TWO_TEAMS, "ponder must be yes or no"},
        {HOP "late_hand_ins = never\n" TWO_TEAMS, "late_hand_ins must be one of play, refuse"},
        {HOP "late_hand_ins = refuse\n" TWO_TEAMS "days_late = 1\n", "late_hand_ins = play"},
        {HOP "penalties = late-move\n" TWO_TEAMS, "penalties must be none, or words"},
        {HOP "penalties = late-move 5 6\n" TWO_TEAMS, "not 'late-move 5 6'"},
        {HOP "penalties = late-move 101\n" TWO_TEAMS, "a percent from 0 to 100"},
        {HOP "penalties = noise 5\n" TWO_TEAMS, "The words, each at most once: late-move, "},
        {HOP "penalties = day-late 5, day-late 6\n" TWO_TEAMS, "each at most once"},
        {HOP TWO_TEAMS "[team 3]\nplayer = random\nage = 3\n", "no key 'age' in [team]"},
        {HOP "name = \xff\n" TWO_TEAMS, "not plain UTF-8"},
        {HOP "name = a\x1b[31m\n" TWO_TEAMS, "not plain UTF-8"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct roster roster;
        bool is_found = false;
        if (read_text(rows[i].text, &roster) != ERR_INPUT) {
            fail_msg("accepted: %s", rows[i].text);
        }
        assert_null(roster.teams);
        for (int j = 0; j < problems.count; j++) {
            is_found |= strstr(problems.list[j].text, rows[i].mentions) != NULL;
        }
        if (!is_found) {
            fail_msg("'%s' is missing; the first is '%s'", rows[i].mentions, problems.list[0].text);
        }
    }
}

static void all_mistakes_are_listed_in_order(void **state)
{
    (void)state;
    struct roster roster;
    assert_int_equal(read_text("[tournament]\nseed = x\nformat = y\ngame = z\nfoo\n"
                               "[team 1]\nplayer = random\nbar = 1\n[team 1]\n[team 9]\n",
                               &roster),
                     ERR_INPUT);
    static const char *const lines[] = {"line 2: ", "line 3: ", "line 4: ", "line 5: ",
                                        "line 8: ", "line 9: ", "line 9: ", "line 10: "};
    assert_int_equal(problems.count, 8);
    for (int i = 0; i < problems.count; i++) {
        assert_memory_equal(problems.list[i].text, lines[i], strlen(lines[i]));
    }
}

static void valid_fields_are_kept_for_further_checks(void **state)
{
    (void)state;
    struct roster roster = {0};
    const char *text = "[tournament]\ngame = hop\nfoo = 1\n[team a/b]\nsource = x.c\nage = 1\n"
                       "[team 2]\nplayer = random\nbuild_log = y.log\n";
    assert_int_equal(roster_read_anyway(text, strlen(text), CPU_BASELINE, &roster, &problems),
                     ERR_INPUT);
    assert_int_equal(problems.count, 3);
    assert_int_equal(problems.lines[0], 3);
    assert_int_equal(problems.lines[1], 4);
    assert_int_equal(problems.lines[2], 6);
    assert_int_equal(roster.team_count, 2);
    assert_string_equal(roster.teams[0].source, "x.c");
    assert_string_equal(roster.teams[1].build_log, "y.log");
    roster_problems_add(&problems, 5, "between");
    roster_problems_sort(&problems);
    assert_string_equal(problems.list[2].text, "line 5: between");
    roster_free(&roster);
}

static void more_mistakes_than_fit_are_counted(void **state)
{
    enum { MISTAKES = 3 * ROSTER_MAX_PROBLEMS };
    char text[16 * MISTAKES] = "";
    struct roster roster;
    (void)state;
    size_t length = 0;
    for (int i = 0; i < MISTAKES; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "nonsense\n");
    }
    assert_int_equal(read_text(text, &roster), ERR_INPUT);
    assert_true(problems.count >= MISTAKES);
}

static void huge_and_strange_files_are_refused(void **state)
{
    (void)state;
    struct roster roster = {0};
    char *text = malloc(ROSTER_MAX_BYTES + 1);
    memset(text, ' ', ROSTER_MAX_BYTES + 1);
    assert_int_equal(roster_read(text, ROSTER_MAX_BYTES + 1, CPU_BASELINE, &roster, &problems),
                     ERR_INPUT);
    memset(text, '=', 8000);
    assert_int_equal(roster_read(text, 8000, CPU_BASELINE, &roster, &problems), ERR_INPUT);
    assert_non_null(strstr(problems.list[0].text, "too long"));
    text[3] = '\0';
    assert_int_equal(roster_read(text, 10, CPU_BASELINE, &roster, &problems), ERR_INPUT);
    assert_non_null(strstr(problems.list[0].text, "not a text file"));
    char *at = text + snprintf(text, 64, HOP);
    for (int i = 0; i <= ROSTER_MAX_TEAMS; i++) {
        at += snprintf(at, 64, "[team %d]\nplayer = random\n", i);
    }
    assert_int_equal(roster_read(text, (size_t)(at - text), CPU_BASELINE, &roster, &problems),
                     ERR_INPUT);
    assert_non_null(strstr(problems.list[0].text, "more than 1000 teams"));
    free(text);
}

static void penalties_are_those_of_the_roster_or_of_the_game(void **state)
{
    struct roster roster;
    double percent[DEDUCTIONS];
    char list[DEDUCTION_LIST_BYTES];
    struct note why;
    (void)state;
    assert_int_equal(read_text(HOP "penalties = day-late 2.5,late-move 5\n" TWO_TEAMS, &roster),
                     ERR_NONE);
    assert_true(roster.has_penalties);
    assert_false(roster.refuses_late);
    deduction_list_write(roster.penalties, list);
    assert_string_equal(list, "late-move 5, day-late 2.5");
    roster_free(&roster);
    assert_int_equal(read_text(HOP TWO_TEAMS, &roster), ERR_NONE);
    assert_false(roster.has_penalties);
    assert_false(roster.rules.violations_lose);
    roster_free(&roster);
    const struct game *game;
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)); i++) {
        deduction_list_of(game, percent);
        deduction_list_write(percent, list);
        assert_string_equal(list, game->auction
                                      ? "late-move 5, runtime-error 5, wrong-name 10, day-late 10, "
                                        "plagiarism 100"
                                      : "plagiarism 100");
        assert_int_equal(game->hostile_attempts_lose, strcmp(game->name, "hop") == 0);
        assert_int_equal(deduction_list_read(list, percent, &why), ERR_NONE);
    }
    assert_int_equal(deduction_list_read("none", percent, &why), ERR_NONE);
    deduction_list_write(percent, list);
    assert_string_equal(list, "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(penalties_are_those_of_the_roster_or_of_the_game),
        cmocka_unit_test(an_empty_choice_has_its_usual_value),
        cmocka_unit_test(meichu_is_swiss_by_default),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(references_are_not_among_the_teams),
        cmocka_unit_test(teams_that_enter_later_do_not_change_the_rounds_of_the_others),
        cmocka_unit_test(rounds_follow_from_the_format),
        cmocka_unit_test(a_long_line_is_read_whole),
        cmocka_unit_test(each_mistake_has_its_sentence),
        cmocka_unit_test(all_mistakes_are_listed_in_order),
        cmocka_unit_test(valid_fields_are_kept_for_further_checks),
        cmocka_unit_test(more_mistakes_than_fit_are_counted),
        cmocka_unit_test(huge_and_strange_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
