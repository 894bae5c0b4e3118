/* Reports of tournaments with random games and teams whose names are made to break the output. */
#include <limits.h>
#include <math.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "game/registry.h"
#include "judge/replay.h"
#include "random_game.h"
#include "record_support.h"
#include "report_support.h"
#include "course/blunders.h"
#include "report/report_data.h"
#include "report/caption.h"
#include "report/feedback.h"
#include "report/game_viewer.h"
#include "report/grade.h"
#include "report/grade_sheet.h"
#include "report/local_path.h"
#include "report/report_csv.h"

/* --- Phrases. --- */

static void expect_ending(const char *name, enum outcome outcome, const char *reason,
                          const char *wanted)
{
    char phrase[CAPTION_BYTES];
    const struct game *game = registry_find(CPU_BASELINE, name, NULL);
    assert_non_null(game);
    caption_ending(game, outcome, reason, phrase);
    assert_string_equal(phrase, wanted);
}

static void the_end_of_a_game_is_a_phrase_and_not_a_code(void **state)
{
    (void)state;
    expect_ending("hop", OUTCOME_BLACK, "all-home", "all men of one side are home");
    expect_ending("meichu", OUTCOME_BLACK, "no-soldiers", "White has no soldier left");
    expect_ending("meichu", OUTCOME_BOTH_LOST, "no-bid", "neither side made a bid");
    expect_ending("hop", OUTCOME_WHITE, "no-start", "Black did not start");
    expect_ending("hop", OUTCOME_DRAW, "no-start", "neither side started");
    expect_ending("hop", OUTCOME_BLACK, "late-limit", "White was late too many times in a row");
    expect_ending("hop", OUTCOME_BLACK, "adjourned", "adjourned");
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)); i++) {
        for (const struct game_reason *reason = game->reasons; reason->word; reason++) {
            char phrase[CAPTION_BYTES];
            caption_ending(game, OUTCOME_BLACK, reason->word, phrase);
            assert_non_null(strchr(phrase, ' '));
            assert_null(strpbrk(phrase, "{}-"));
        }
    }
}

/* --- The game viewer. --- */

static void expect_board(const struct game *game, const struct state *state, const char *cells)
{
    for (int square = 0; square < game->rows * game->columns; square++) {
        assert_int_equal(caption_letter(game, game->cell(state, square)), cells[square]);
    }
}

static void write_cells(const struct game *game, const struct state *state, char *cells)
{
    for (int square = 0; square < game->rows * game->columns; square++) {
        cells[square] = caption_letter(game, game->cell(state, square));
    }
    cells[game->rows * game->columns] = '\0';
}

static void expect_playback(const struct game *game, const struct record *record)
{
    struct replay replay = {0};
    struct note why;
    char cells[GAME_MAX_SQUARES + 1];
    struct state usual = game->start();
    char *text = record_to_text(record);
    char *viewer = NULL;
    assert_int_equal(replay_run(CPU_BASELINE, record, &replay, &why), ERR_NONE);
    assert_int_equal(game_viewer_text(CPU_BASELINE, text, &viewer, &why), ERR_NONE);
    char *rest = NULL;
    char *line = strtok_r(viewer, "\n", &rest);
    assert_int_equal(sscanf(line, "%81s", cells), 1);
    if (strcmp(cells, "-") == 0) {
        write_cells(game, &usual, cells);
    }
    expect_board(game, &replay.states[0], cells);
    size_t turns = 0;
    for (; (line = strtok_r(NULL, "\n", &rest)); turns++) {
        char side = 0;
        char move[GAME_MOVE_BYTES], ms[24], fault[16], changes[3 * GAME_MAX_SQUARES + 1];
        assert_int_equal(sscanf(line, "%c %299s %23s %15s %243s", &side, move, ms, fault, changes),
                         5);
        if (turns == record->ply_count) {
            assert_string_equal(move, "-");
            continue;
        }
        assert_string_equal(move, record_words(record, record->plies[turns].move));
        for (const char *at = changes; *at != '-' && *at; at += 3) {
            cells[(at[0] - '0') * game->columns + at[1] - '0'] = at[2];
        }
        expect_board(game, &replay.states[turns + 1], cells);
    }
    assert_int_equal(turns, record->ply_count + record->is_closed);
    free(viewer);
    free(text);
    replay_free(&replay);
}

static void a_game_viewer_text_plays_back_every_position(void **state)
{
    (void)state;
    struct rng rng = rng_make(11);
    struct record record = {0};
    const struct game *game;
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)); i++) {
        for (int round = 0; round < 5; round++) {
            random_game(game, &rng, &record);
            expect_playback(game, &record);
        }
    }
    record_free(&record);
}

static void an_incorrect_record_makes_no_game_viewer_text(void **state)
{
    (void)state;
    struct note why;
    char *viewer = NULL;
    assert_int_equal(
        game_viewer_text(CPU_BASELINE,
                         "[Game \"reversi\"]\n[Result \"1-0\"]\n[Score \"1-0\"]\n\n1. b 00\n",
                         &viewer, &why),
        ERR_NEGATIVE);
    assert_null(viewer);
}

/* --- Tables. --- */

static void cells_of_a_table_stay_cells(void **state)
{
    (void)state;
    const struct {
        const char *text;
        const char *cell;
    } cases[] = {
        {"plain", "plain"},
        {"a,b", "\"a,b\""},
        {"say \"hi\"", "\"say \"\"hi\"\"\""},
        {"=1+1", "\"'=1+1\""},
        {"-1", "\"'-1\""},
        {"@x", "\"'@x\""},
        {"two\nlines", "\"two\nlines\""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        report_csv_text(out, cases[i].text);
        fclose(out);
        assert_string_equal(text, cases[i].cell);
        free(text);
    }
}

/* --- Figures. --- */

/* The sum of all members of that name. */
static long sum_of(const char *text, const char *member)
{
    long sum = 0;
    for (; (text = strstr(text, member)); text++) {
        sum += strtol(text + strlen(member), NULL, 10);
    }
    return sum;
}

static void the_json_agrees_with_the_standings(void **state)
{
    (void)state;
    struct report_data data;
    report_support_open(&data, false);
    char *text = report_support_json(&data, false);
    assert_int_equal(report_support_count(text, "\"place\":"), 5);
    assert_int_equal(sum_of(text, "\"place\":"), 1 + 2 + 3 + 4 + 5);
    assert_int_equal(report_support_count(text, "\"number\":"),
                     12); /* three rounds of two pairings */
    assert_int_equal(report_support_count(text, ",\"games\":2}"), 3); /* byes */
    assert_int_equal(report_support_count(text, "\"over\":true"), 1);
    assert_int_equal(sum_of(text, "\"points\":"), 12 * 2 + 3 * 4);
    free(text);
    report_data_close(&data);
}

static void every_table_has_a_line_for_each(void **state)
{
    (void)state;
    struct report_data data;
    report_support_open(&data, false);
    struct tournament_game *game = &data.tournament.games[0];
    game->summary.turns[game->summary.colour[0] == SIDE_BLACK ? 0 : 1].judged = 7;
    game->summary.turns[game->summary.colour[0] == SIDE_BLACK ? 1 : 0].judged = 5;
    char *standings = report_support_csv(report_csv_standings, &data, false);
    char *games = report_support_csv(report_csv_games, &data, false);
    char *faults = report_support_csv(report_csv_faults, &data, false);
    assert_int_equal(report_support_count(standings, "\n"), 1 + 5);
    assert_int_equal(report_support_count(games, "\n"), 1 + 12);
    assert_int_equal(report_support_count(games, ",black_judge_moves,white_judge_moves\n"), 1);
    assert_int_equal(report_support_count(games, ",7,5\n"), 1);
    assert_int_equal(report_support_count(faults, "\n"), 1 + (int)data.fault_count);
    assert_true(data.fault_count > 0);
    free(standings);
    free(games);
    free(faults);
    report_data_close(&data);
}

static void a_rating_near_zero_has_no_sign(void **state)
{
    (void)state;
    struct report_data data;
    report_support_open(&data, false);
    data.teams[data.rows[0].team].rating = (struct rating){.elo = -0.3, .error = 7.4, .games = 1};
    char *standings = report_support_csv(report_csv_standings, &data, false);
    assert_int_equal(report_support_count(standings, ",0,7,"), 1);
    assert_int_equal(report_support_count(standings, "-0,"), 0);
    free(standings);
    report_data_close(&data);
}

/* --- Marks. --- */

static void expect_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9)) {
        fail_msg("%.12g is not %.12g", value, expected);
    }
}

static const struct grade *grade_of(const struct report_data *data, const struct grade *grades,
                                    const char *id)
{
    int team = roster_find(&data->roster, id);
    while (grades->team != team) {
        grades++;
    }
    return grades;
}

static void marks_are_as_worked_by_hand(void **state)
{
    (void)state;
    struct report_data data;
    struct grade grades[5];
    const struct grade_policy policy = {
        .base = 50,
        .extra = 20,
        .percent = {[GRADE_WRONG_NAME] = 10, [GRADE_DAYS_LATE] = 10, [GRADE_PLAGIARISM] = 100}};
    report_support_open(&data, false);
    for (int i = 0; i < 5; i++) {
        data.teams[i].is_qualified = data.rows[4].team != i; /* all but the last */
    }
    grade_make(&data, &policy, grades);
    /* Four qualified: 20, 20 * 2/3, 20 * 1/3 and 0 on top of 50. */
    for (int i = 0; i < 4; i++) {
        assert_int_equal(grades[i].rank, i + 1);
        expect_close(grades[i].base, 50);
        expect_close(grades[i].extra, 20.0 * (3 - i) / 3);
    }
    assert_int_equal(grades[4].rank, 0);
    expect_close(grades[4].score, 0);
    const struct grade *late = grade_of(&data, grades, "13");
    expect_close(late->percent, 30);
    expect_close(late->score, (late->base + late->extra) * 0.7);
    assert_string_equal(late->penalties[GRADE_DAYS_LATE].evidence.text, "3 days late");
    expect_close(grade_of(&data, grades, "14")->score, 0);
    expect_close(grade_of(&data, grades, "15")->percent, 10);
    report_data_close(&data);
}

static void every_fault_is_evidence_against_its_team(void **state)
{
    (void)state;
    struct report_data data;
    struct grade grades[5];
    const struct grade_policy policy = grade_policy_usual();
    report_support_open(&data, false);
    grade_make(&data, &policy, grades);
    for (int i = 0; i < 5; i++) {
        int counts[2] = {0};
        const struct report_fault *first = NULL;
        for (size_t k = 0; k < data.fault_count; k++) {
            if (data.faults[k].team == grades[i].team) {
                first = first ? first : &data.faults[k];
                counts[data.faults[k].fault.kind != FAULT_LATE || data.faults[k].is_fatal]++;
            }
        }
        assert_int_equal(grades[i].penalties[GRADE_LATE_MOVE].count, counts[0]);
        assert_int_equal(grades[i].penalties[GRADE_RUNTIME_ERROR].count, counts[1]);
        expect_close(grades[i].penalties[GRADE_LATE_MOVE].percent, counts[0] ? 5 : 0);
        if (first) {
            char words[64];
            const char *evidence =
                grades[i].penalties[first->fault.kind != FAULT_LATE].evidence.text;
            snprintf(words, sizeof words, "game %d move %d", first->game + 1, first->fault.ply + 1);
            assert_memory_equal(evidence, words, strlen(words));
            snprintf(words, sizeof words, "(%s)", fault_name(first->fault.kind));
            assert_non_null(strstr(evidence, words));
        }
    }
    report_data_close(&data);
}

/* What is said of team 0 when it lost game 0 for that reason after two faults of that kind;
 * FAULT_KINDS: after none. */
static struct grade lose_by(enum fault kind, const char *reason)
{
    struct report_data data;
    struct grade grades[5];
    const struct grade_policy policy = grade_policy_usual();
    report_support_open(&data, false);
    struct tournament_game *game = &data.tournament.games[0];
    int loser = game->team[0];
    struct report_fault faults[] = {
        {.game = 0, .team = loser, .fault = {.ply = 9, .kind = kind}},
        {.game = 0, .team = loser, .fault = {.ply = 9, .kind = kind}},
    };
    struct report_fault *own = data.faults;
    size_t own_count = data.fault_count;
    game->summary.is_forfeit = true;
    memset(game->summary.faults, 0, sizeof game->summary.faults);
    if (kind != FAULT_KINDS) {
        game->summary.faults[0][kind] = 2;
    }
    game->summary.outcome = game->summary.colour[0] == SIDE_BLACK ? OUTCOME_WHITE : OUTCOME_BLACK;
    snprintf(game->summary.reason, sizeof game->summary.reason, "%s", reason);
    for (size_t i = 1; i < data.tournament.game_count; i++) {
        data.tournament.games[i].summary.is_forfeit = false;
    }
    data.faults = faults;
    data.fault_count = kind == FAULT_KINDS ? 0 : 2;
    report_data_set_phases(&data);
    grade_make(&data, &policy, grades);
    struct grade grade = *grade_of(&data, grades, data.roster.teams[loser].id);
    data.faults = own;
    data.fault_count = own_count;
    report_data_close(&data);
    return grade;
}

static void a_turn_past_the_hard_limit_is_late_and_then_a_runtime_error(void **state)
{
    (void)state;
    struct grade grade = lose_by(FAULT_LATE, "late");
    assert_string_equal(grade.penalties[GRADE_LATE_MOVE].evidence.text, "game 1 move 10 (late)");
    assert_string_equal(grade.penalties[GRADE_RUNTIME_ERROR].evidence.text,
                        "game 1 move 10 (hard limit)");
    expect_close(grade.penalties[GRADE_RUNTIME_ERROR].percent, 5);
}

static void a_game_lost_by_the_late_limit_is_late_and_not_a_runtime_error(void **state)
{
    (void)state;
    struct grade grade = lose_by(FAULT_LATE, "late-limit");
    assert_string_equal(grade.penalties[GRADE_LATE_MOVE].evidence.text,
                        "game 1 move 10 (late); game 1 move 10 (late limit)");
    assert_int_equal(grade.penalties[GRADE_RUNTIME_ERROR].count, 0);
}

static void a_bid_or_a_start_that_failed_is_a_runtime_error_by_its_name(void **state)
{
    (void)state;
    struct grade grade = lose_by(FAULT_INVALID, "no-bid");
    assert_int_equal(grade.penalties[GRADE_LATE_MOVE].count, 0);
    assert_non_null(strstr(grade.penalties[GRADE_RUNTIME_ERROR].evidence.text,
                           "game 1 bid and 1 more (invalid)"));
    grade = lose_by(FAULT_LATE, "no-start");
    assert_non_null(
        strstr(grade.penalties[GRADE_RUNTIME_ERROR].evidence.text, "game 1 start (late)"));
    grade = lose_by(FAULT_KINDS, "no-start");
    assert_non_null(strstr(grade.penalties[GRADE_RUNTIME_ERROR].evidence.text, " did not start)"));
}

static void a_ruling_reads_as_it_was_written(void **state)
{
    struct roster_team team = {.days_late = 1};
    enum ruling_key key = RULING_KEYS;
    char entry[RULING_BYTES];
    (void)state;
    ruling_write(RULING_DAYS_LATE, 3, entry);
    assert_string_equal(entry, "note days_late = 3");
    assert_true(ruling_apply(entry, &team, &key) && key == RULING_DAYS_LATE);
    assert_int_equal(team.days_late, 3);
    ruling_write(RULING_PLAGIARISM, 1, entry);
    assert_true(ruling_apply(entry, &team, &key) && team.is_plagiarism);
    assert_false(ruling_apply("note plagiarism = maybe", &team, &key));
    assert_false(ruling_apply("withdraw", &team, &key));
    assert_true(team.is_plagiarism);
}

static void much_evidence_is_counted_where_it_cannot_be_listed(void **state)
{
    (void)state;
    struct report_data data;
    struct grade grades[5];
    const struct grade_policy policy = grade_policy_usual();
    enum { IN_A_GAME = 10, MANY = 120 };
    report_support_open(&data, false);
    struct report_fault many[MANY];
    assert_in_range(data.tournament.game_count, MANY / IN_A_GAME, SIZE_MAX);
    for (int i = 0; i < MANY; i++) {
        many[i] = (struct report_fault){
            .game = i / IN_A_GAME, .team = 0, .fault = {.ply = i % IN_A_GAME, .kind = FAULT_LATE}};
    }
    struct report_fault *own = data.faults;
    size_t own_count = data.fault_count;
    data.faults = many;
    data.fault_count = MANY;
    grade_make(&data, &policy, grades);
    const struct grade_penalty *penalty =
        &grade_of(&data, grades, "11")->penalties[GRADE_LATE_MOVE];
    int listed =
        IN_A_GAME * report_support_count(penalty->evidence.text, " move 1 and 9 more (late)");
    char rest[32];
    snprintf(rest, sizeof rest, "; and %d more", MANY - listed);
    assert_int_equal(penalty->count, MANY);
    assert_true(listed > IN_A_GAME);
    assert_memory_equal(penalty->evidence.text, "game 1 move 1 and 9 more (late); game 2 ", 40);
    assert_string_equal(penalty->evidence.text + strlen(penalty->evidence.text) - strlen(rest),
                        rest);
    data.faults = own;
    data.fault_count = own_count;
    report_data_close(&data);
}

static void feedback_shows_a_team_its_own_faults_and_logs_escaped(void **state)
{
    (void)state;
    struct report_data data;
    struct grade grades[5];
    const struct grade_policy policy = grade_policy_usual();
    const struct blunders none = {0};
    struct note why;
    int logs = 0;
    report_support_open(&data, false);
    assert_int_equal(report_data_read_logs(&data, &why), ERR_NONE);
    grade_make(&data, &policy, grades);
    for (int i = 0; i < 5; i++) {
        char *text = NULL;
        size_t size = 0;
        int faults = 0;
        FILE *out = open_memstream(&text, &size);
        feedback_write(out, &data, &grades[i], &none);
        fclose(out);
        for (size_t k = 0; k < data.fault_count; k++) {
            faults += data.faults[k].team == grades[i].team;
        }
        assert_int_equal(report_support_count(text, "<article>"), faults);
        assert_int_equal(report_support_count(text, "data:image/svg+xml,"),
                         faults < FEEDBACK_MAX_BOARDS ? faults : FEEDBACK_MAX_BOARDS);
        logs += report_support_count(text, "?[31mand &lt;/script&gt; another");
        assert_int_equal(report_support_count(text, "<script"), 0);
        assert_int_equal(report_support_count(text, "<b>"), 0);
        assert_int_equal(report_support_count(text, "\033"), 0);
        free(text);
    }
    assert_int_equal(logs, 6); /* one of each pairing */
    report_data_close(&data);
}

/* The page of team 0 with a fault for that reason. The caller frees. */
static char *feedback_about(struct report_data *data, const char *why)
{
    struct grade grades[5];
    const struct grade_policy policy = grade_policy_usual();
    const struct blunders none = {0};
    char *text = NULL;
    size_t size = 0;
    struct report_fault fault = {.fault = {.kind = FAULT_CRASHED}};
    note_set(&fault.fault.why, "%s", why);
    snprintf(fault.fault.position, sizeof fault.fault.position, "%.100s", why);
    struct report_fault *own = data->faults;
    size_t own_count = data->fault_count;
    data->faults = &fault;
    data->fault_count = 1;
    grade_make(data, &policy, grades);
    FILE *out = open_memstream(&text, &size);
    feedback_write(out, data, grade_of(data, grades, data->roster.teams[0].id), &none);
    fclose(out);
    data->faults = own;
    data->fault_count = own_count;
    return text;
}

static void feedback_does_not_show_where_the_class_is_on_this_machine(void **state)
{
    (void)state;
    struct report_data data;
    char why[2 * PATH_MAX];
    report_support_open(&data, false);
    snprintf(why, sizeof why, "%s/.cache/<x> /etc/hosts", getpwuid(getuid())->pw_dir);
    char *text = feedback_about(&data, why);
    assert_non_null(strstr(text, "~/.cache/&lt;x&gt; /etc/hosts"));
    free(text);
    report_data_close(&data);
}

static void a_folder_with_a_longer_name_is_another_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *wanted;
    } cases[] = {
        {"/srv/class2/a /mnt/srv/class/b", "/srv/class2/a /mnt/srv/class/b"},
        {"in '/srv/class/b'; /srv/class/c/", "in 'b'; c/"},
        {"/srv/class", "."},
        {"in /srv/class. file:///srv/class/a", "in .. file://a"},
        {"/srv/class.files/a /srv/class中/a", "/srv/class.files/a /srv/class中/a"},
        {"/var/1 /etc/shadow /usr/bin/python3", "1 /etc/shadow /usr/bin/python3"},
    };
    struct local_path paths;
    local_path_init(&paths, "/srv/class");
    local_path_add_programs(&paths, "/srv/class",
                            "tcp:7:/usr/bin/python3 -u /var/agent.py /etc/shadow");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char shown[200] = "";
        size_t length = 0;
        const char *instead = NULL;
        const char *words = cases[i].text;
        const char *end = words + strlen(words);
        for (const char *at; (at = local_path_find(&paths, words, end, &length, &instead));
             words = at + length) {
            snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%.*s%s",
                     (int)(at - words), words, instead);
        }
        snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s", words);
        assert_string_equal(shown, cases[i].wanted);
    }
}

static void teams_with_the_same_name_have_their_ids_next_to_it(void **state)
{
    (void)state;
    struct report_data data;
    struct note why;
    struct grade grades[5];
    const struct grade_policy policy = grade_policy_usual();
    const struct blunders none = {0};
    report_support_open(&data, false);
    snprintf(data.roster.teams[2].name, sizeof data.roster.teams[2].name, "Ada");
    snprintf(data.roster.teams[4].name, sizeof data.roster.teams[4].name, "Ada");
    assert_int_equal(report_data_label_teams(&data, &why), ERR_NONE);
    char *page = report_support_page(&data, false);
    assert_int_equal(report_support_count(page, ">Ada (13)</a>"), 1);
    assert_int_equal(report_support_count(page, ">Ada (15)</a>"), 1);
    grade_make(&data, &policy, grades);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < 3; i++) {
        feedback_write(out, &data, grade_of(&data, grades, data.roster.teams[i].id), &none);
    }
    fclose(out);
    assert_int_equal(report_support_count(text, "<h1>Ada</h1>"), 1);
    assert_true(report_support_count(text, "Ada (13)") > 0); /* an opponent of the first two */
    assert_int_equal(report_support_count(text, "In the anonymous report"), 0);
    free(text);
    free(page);
    report_data_close(&data);
}

/* A team that lost all games of its own at the start, for one reason and once for another. */
static void feedback_lists_the_games_of_a_program_that_never_started_in_one_entry(void **state)
{
    (void)state;
    struct report_data data;
    struct grade grades[5];
    const struct grade_policy policy = grade_policy_usual();
    const struct blunders none = {0};
    report_support_open(&data, false);
    enum { GAMES = 6 };
    char same[] = "exit code 1 before it connected";
    char other[] = "killed before it connected";
    char position[GAME_POSITION_BYTES];
    struct state start = data.roster.game->start();
    data.roster.game->write_position(&start, position);
    struct report_fault faults[GAMES];
    for (int i = 0; i < GAMES; i++) {
        faults[i] = (struct report_fault){.game = i,
                                          .team = 2,
                                          .phase = FAULT_PHASE_START,
                                          .is_fatal = true,
                                          .fault = {.kind = FAULT_CRASHED}};
        note_set(&faults[i].fault.why, "%s", i == GAMES - 1 ? other : same);
        snprintf(faults[i].fault.position, sizeof position, "%s", position);
    }
    struct report_fault *own = data.faults;
    size_t own_count = data.fault_count;
    data.faults = faults;
    data.fault_count = GAMES;
    grade_make(&data, &policy, grades);
    const struct grade *grade = grade_of(&data, grades, data.roster.teams[2].id);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    feedback_write(out, &data, grade, &none);
    fclose(out);
    assert_int_equal(report_support_count(text, "<article>"), 2);
    assert_int_equal(report_support_count(text, "<h3>Start of 5 games: crashed</h3>"), 1);
    assert_int_equal(report_support_count(text, "<p>Games 1, 2, 3, 4, 5.</p>"), 1);
    assert_int_equal(report_support_count(text, "<h3>Start of 1 game: crashed</h3>"), 1);
    assert_int_equal(report_support_count(text, "<p>Game 6.</p>"), 1);
    assert_int_equal(report_support_count(text, same), 1);
    assert_int_equal(report_support_count(text, "data:image/svg+xml,"), 0);
    assert_int_equal(report_support_count(text, position), 0);
    free(text);
    data.faults = own;
    data.fault_count = own_count;
    report_data_close(&data);
}

/* --- Worst moves. --- */

static void the_worst_moves_are_the_sides_own_and_the_worst_first(void **state)
{
    (void)state;
    struct engine engine;
    struct note why;
    struct rng rng = rng_make(5);
    struct record record = {0};
    struct replay replay = {0};
    const struct game *game = registry_find(CPU_BASELINE, "meichu", &why);
    assert_int_equal(engine_init(&engine, 1, 1, &why), ERR_NONE);
    random_game(game, &rng, &record);
    assert_int_equal(replay_run(CPU_BASELINE, &record, &replay, &why), ERR_NONE);
    for (int side = SIDE_BLACK; side <= SIDE_WHITE; side++) {
        struct blunders found = {0};
        struct blunders again = {0};
        blunders_add(&found, &engine, &record, &replay, (enum side)side, 4, 300);
        blunders_add(&again, &engine, &record, &replay, (enum side)side, 4, 300);
        assert_true(found.count > 0); /* random play */
        assert_int_equal(found.count, again.count);
        int last = INT32_MAX;
        for (size_t i = 0; i < found.count; i++) {
            const struct blunder *blunder = &found.list[i];
            int loss = blunder->before - blunder->after;
            assert_int_equal(record.plies[blunder->ply].side, side);
            assert_string_equal(blunder->move,
                                record_words(&record, record.plies[blunder->ply].move));
            assert_string_not_equal(blunder->move, blunder->better);
            assert_memory_equal(&blunder->position, &replay.states[blunder->ply],
                                sizeof blunder->position);
            assert_true(loss >= 100 && loss <= last);
            assert_int_equal(blunder->ply, again.list[i].ply);
            last = loss;
        }
    }
    replay_free(&replay);
    record_free(&record);
    engine_free(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_of_a_game_is_a_phrase_and_not_a_code),
        cmocka_unit_test(a_game_viewer_text_plays_back_every_position),
        cmocka_unit_test(an_incorrect_record_makes_no_game_viewer_text),
        cmocka_unit_test(cells_of_a_table_stay_cells),
        cmocka_unit_test(the_json_agrees_with_the_standings),
        cmocka_unit_test(every_table_has_a_line_for_each),
        cmocka_unit_test(a_rating_near_zero_has_no_sign),
        cmocka_unit_test(marks_are_as_worked_by_hand),
        cmocka_unit_test(every_fault_is_evidence_against_its_team),
        cmocka_unit_test(a_turn_past_the_hard_limit_is_late_and_then_a_runtime_error),
        cmocka_unit_test(a_game_lost_by_the_late_limit_is_late_and_not_a_runtime_error),
        cmocka_unit_test(a_bid_or_a_start_that_failed_is_a_runtime_error_by_its_name),
        cmocka_unit_test(a_ruling_reads_as_it_was_written),
        cmocka_unit_test(much_evidence_is_counted_where_it_cannot_be_listed),
        cmocka_unit_test(feedback_shows_a_team_its_own_faults_and_logs_escaped),
        cmocka_unit_test(feedback_does_not_show_where_the_class_is_on_this_machine),
        cmocka_unit_test(a_folder_with_a_longer_name_is_another_place),
        cmocka_unit_test(teams_with_the_same_name_have_their_ids_next_to_it),
        cmocka_unit_test(feedback_lists_the_games_of_a_program_that_never_started_in_one_entry),
        cmocka_unit_test(the_worst_moves_are_the_sides_own_and_the_worst_first),
    };
    return cmocka_run_group_tests(tests, report_support_set_up, report_support_tear_down);
}
