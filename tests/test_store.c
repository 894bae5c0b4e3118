/* A tournament in a file: every failure has a sentence; and what `plum tournament run` and `check`
 * do, without a terminal. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sqlite3.h>

#include "play/estimate.h"
#include "app/late_entry.h"
#include "app/roster_check.h"
#include "play/tournament_session.h"
#include "base/file.h"
#include "base/folder.h"
#include "course/roster_change.h"
#include "store/pseudonym.h"

static const char good_roster[] = "[tournament]\ngame = reversi\nseed = 4\nconcurrency = 2\n"
                                  "[team 1]\nplayer = random:seed=1\n"
                                  "[team 2]\nplayer = random:seed=2\n"
                                  "[team 3]\nplayer = random:seed=3\n";

struct store_place {
    struct folder_scratch folder;
    char roster[FOLDER_SCRATCH_BYTES + 16];
    char database[FOLDER_SCRATCH_BYTES + 16];
};

static struct roster_problems problems; /* large */

/* --- Places and tournaments --- */

static void write_roster(const struct store_place *place, const char *text)
{
    assert_true(file_write(place->roster, "w", text, strlen(text)));
}

static int enter(void **state)
{
    struct store_place *place = calloc(1, sizeof *place);
    struct note why;
    assert_non_null(place);
    assert_int_equal(folder_scratch_make(&place->folder, &why), ERR_NONE);
    snprintf(place->roster, sizeof place->roster, "%s/class.ini", place->folder.path);
    snprintf(place->database, sizeof place->database, "%s/class.db", place->folder.path);
    write_roster(place, good_roster);
    *state = place;
    return 0;
}

static int leave(void **state)
{
    struct store_place *place = *state;
    folder_scratch_remove(&place->folder);
    free(place);
    return 0;
}

static void ignore_sentence(void *owner, const char *sentence)
{
    (void)owner;
    (void)sentence;
}

static void ignore_tick(void *owner, const struct tournament *t)
{
    (void)owner;
    (void)t;
}

static void create(const struct store_place *place, struct tournament_file *file)
{
    struct note why = {""};
    enum err err =
        tournament_session_create(file, place->roster, NULL, CPU_BASELINE, &problems, &why);
    if (err) {
        fail_msg("%s", why.text);
    }
}

static void play(struct tournament_file *file)
{
    static const atomic_bool never;
    struct note why = {""};
    struct tournament_session session = {.file = file,
                                         .cpu = CPU_BASELINE,
                                         .stop = &never,
                                         .on_tick = ignore_tick,
                                         .on_warning = ignore_sentence,
                                         .on_remark = ignore_sentence};
    enum err err = tournament_session_prepare(&session, &problems, &why);
    if (!err) {
        err = tournament_session_play(&session, &why);
    }
    if (err) {
        fail_msg("%s", why.text);
    }
    tournament_session_free(&session);
}

static void make_database(const struct store_place *place)
{
    struct tournament_file file = {0};
    create(place, &file);
    tournament_file_close(&file);
}

/* --- Failures --- */

static void expect_sentence(enum err err, const struct note *why)
{
    assert_int_equal(err, ERR_ENVIRONMENT);
    assert_true(why->text[0]);
}

static void a_database_that_cannot_be_opened_without_memory_is_named(void **state)
{
    const struct store_place *place = *state;
    struct note why = {""};
    struct store *store = NULL;
    make_database(place);
    sqlite3_hard_heap_limit64(1);
    enum err err = store_open(place->database, STORE_READ, &store, &why);
    sqlite3_hard_heap_limit64(0);
    expect_sentence(err, &why);
    assert_null(store);
    assert_non_null(strstr(why.text, place->database));
}

/* SQLite runs out of memory later and later. */
static void every_shortage_of_memory_while_opening_has_a_sentence(void **state)
{
    const struct store_place *place = *state;
    int failures = 0;
    make_database(place);
    for (sqlite3_int64 limit = 1000; limit < 300000; limit += 3000) {
        struct note why = {""};
        struct store *store = NULL;
        sqlite3_hard_heap_limit64(limit);
        enum err err = store_open(place->database, STORE_CHANGE, &store, &why);
        sqlite3_hard_heap_limit64(0);
        if (err) {
            expect_sentence(err, &why);
            failures++;
        }
        store_close(store);
    }
    assert_true(failures > 0);
}

/* --- Sessions --- */

static void a_roster_becomes_a_database_next_to_it(void **state)
{
    const struct store_place *place = *state;
    struct tournament_file file = {0};
    create(place, &file);
    assert_string_equal(store_path(file.store), place->database);
    assert_string_equal(store_folder(file.store), place->folder.path);
    assert_string_equal(store_roster(file.store), good_roster);
    tournament_file_close(&file);
}

static void a_session_plays_every_game_and_the_file_has_them(void **state)
{
    const struct store_place *place = *state;
    struct tournament_file file = {0};
    struct note why;
    create(place, &file);
    play(&file);
    assert_true(tournament_is_over(&file.tournament));
    tournament_file_close(&file);
    assert_int_equal(tournament_file_open(&file, place->database, STORE_READ, CPU_BASELINE, &why),
                     ERR_NONE);
    assert_int_equal(tournament_count(&file.tournament, GAME_PLAYED), 6);
    assert_true(tournament_is_over(&file.tournament));
    tournament_file_close(&file);
}

static void a_game_that_was_set_aside_is_played_by_the_next_session(void **state)
{
    const struct store_place *place = *state;
    struct tournament_file file = {0};
    struct note why;
    create(place, &file);
    play(&file);
    struct tournament_game before = file.tournament.games[2];
    assert_int_equal(store_replay(file.store, &(int){2}, 1, "test", &why), ERR_NONE);
    tournament_file_close(&file);
    assert_int_equal(tournament_file_open(&file, place->database, STORE_CHANGE, CPU_BASELINE, &why),
                     ERR_NONE);
    assert_int_equal(tournament_count(&file.tournament, GAME_PLAYED), 5);
    play(&file);
    struct tournament_game after = file.tournament.games[2];
    assert_int_equal(after.attempt, 1);
    assert_int_equal(after.summary.outcome, before.summary.outcome);
    assert_memory_equal(after.summary.score, before.summary.score, sizeof after.summary.score);
    tournament_file_close(&file);
}

static void problems_of_a_roster_are_returned_not_printed(void **state)
{
    const struct store_place *place = *state;
    struct tournament_file file = {0};
    struct note why;
    write_roster(place, "[tournament]\ngame = chess\n[team 1]\nplayer = random\n");
    assert_int_equal(
        tournament_session_create(&file, place->roster, NULL, CPU_BASELINE, &problems, &why),
        ERR_INPUT);
    assert_int_equal(problems.count, 2);
    assert_non_null(strstr(why.text, "2 problems in "));
    tournament_file_close(&file);
}

static void a_program_that_is_missing_prevents_the_database(void **state)
{
    const struct store_place *place = *state;
    struct tournament_file file = {0};
    struct note why;
    write_roster(place, "[tournament]\ngame = hop\n[team 1]\nplayer = random\n"
                        "[team 2]\nplayer = ugi:./missing\n");
    assert_int_equal(
        tournament_session_create(&file, place->roster, NULL, CPU_BASELINE, &problems, &why),
        ERR_INPUT);
    assert_int_equal(problems.count, 1);
    assert_non_null(strstr(why.text, "there is no file ./missing"));
    tournament_file_close(&file);
    assert_int_equal(tournament_file_open(&file, place->database, STORE_READ, CPU_BASELINE, &why),
                     ERR_INPUT);
    tournament_file_close(&file);
}

/* --- Checks --- */

static void an_estimate_counts_games_and_the_worst_takes_longer(void **state)
{
    const struct store_place *place = *state;
    struct roster roster = {0};
    struct note why;
    assert_int_equal(roster_check_read(place->roster, CPU_BASELINE, &roster, &problems, &why),
                     ERR_NONE);
    struct estimate estimate = estimate_tournament(&roster, NULL, 0);
    assert_int_equal(estimate.games, 6);
    assert_int_equal(estimate.slots, 2);
    assert_true(estimate.typical_s > 0 && estimate.worst_s > estimate.typical_s);
    assert_true(fabs(estimate.late_s[0] - estimate.worst_s) < 1e-6);
    roster.rules.judge.late_limit = 2;
    estimate = estimate_tournament(&roster, NULL, 0);
    double late_s = (double)(roster.rules.judge.limit_ns + roster.rules.judge.grace_ns) / 1e9;
    assert_true(fabs(estimate.late_game_s[1] - 2 * late_s) < 1e-6);
    /* Three pairings in two slots are four games in a row: two late moves of one side, one of the
     * other, and the start. */
    double all_s = 4 * (3 * late_s + (double)roster.rules.judge.startup_ns / 1e9);
    assert_true(fabs(estimate.late_s[1] - all_s) < 1e-6);
    roster_free(&roster);
}

static void an_edited_roster_is_compared_with_the_stored_one(void **state)
{
    const struct store_place *place = *state;
    struct tournament_file file = {0};
    char name[NAME_MAX + 1];
    struct note edits[4];
    create(place, &file);
    assert_int_equal(roster_change_find(file.store, &file.tournament, name, edits, 4), 0);
    char text[sizeof good_roster + 32];
    snprintf(text, sizeof text, "%s  days_late = 2 ; two\n", good_roster);
    write_roster(place, text);
    assert_int_equal(roster_change_find(file.store, &file.tournament, name, edits, 4), 1);
    assert_string_equal(name, "class.ini");
    assert_non_null(strstr(edits[0].text, "'days_late = 2' in [team 3] has no effect"));
    tournament_file_close(&file);
}

static void open_again(const struct store_place *place, struct tournament_file *file,
                       enum store_use use)
{
    struct note why = {""};
    tournament_file_close(file);
    if (tournament_file_open(file, place->database, use, CPU_BASELINE, &why)) {
        fail_msg("%s", why.text);
    }
}

/* A student of the team comes along; the letters of the others stay. */
static void a_team_enters_and_its_games_are_played(void **state)
{
    const struct store_place *place = *state;
    struct tournament_file file = {0};
    struct tournament_file reader = {0};
    char name[NAME_MAX + 1];
    struct note edits[4];
    struct note why = {""};
    int letters[2][ROSTER_MAX_TEAMS];
    create(place, &file);
    play(&file);
    pseudonym_order(store_roster(file.store), &file.roster, letters[0]);
    assert_int_equal(tournament_file_open(&reader, place->database, STORE_READ, CPU_BASELINE, &why),
                     ERR_NONE);
    assert_int_equal(late_entry_add(&file, NULL, "9", "late", CPU_BASELINE, &problems, &why),
                     ERR_INPUT);
    assert_non_null(strstr(why.text, "has no section [team 9]: add it first"));
    assert_int_equal(late_entry_add(&file, NULL, "2", "late", CPU_BASELINE, &problems, &why),
                     ERR_NEGATIVE);
    char text[sizeof good_roster + 200];
    snprintf(text, sizeof text,
             "%s[student 77]\nteam = 9\nemail = a@b\n[team 9] ; new\nname = Nine\nplayer = "
             "random:seed=9 ; its program\n",
             good_roster);
    write_roster(place, text);
    assert_int_equal(roster_change_find(file.store, &file.tournament, name, edits, 4), 3);
    assert_non_null(
        strstr(edits[2].text, "[team 9] does not take part; use: plum tournament enter"));
    if (late_entry_add(&file, NULL, "9", "late", CPU_BASELINE, &problems, &why)) {
        fail_msg("%s", why.text);
    }
    open_again(place, &file, STORE_CHANGE);
    assert_int_equal(roster_change_find(file.store, &file.tournament, name, edits, 4), 0);
    assert_int_equal(file.roster.team_count, 4);
    assert_string_equal(file.roster.teams[3].name, "Nine");
    assert_string_equal(file.roster.teams[3].player, "random:seed=9");
    assert_int_equal(file.roster.teams[3].entered_after, 3);
    assert_int_equal(file.roster.students[0].team, 3);
    assert_string_equal(file.roster.students[0].email, "a@b");
    assert_false(tournament_is_over(&file.tournament));
    play(&file);
    assert_int_equal(tournament_count(&file.tournament, GAME_PLAYED), 6 + 3 * 2);
    pseudonym_order(store_roster(file.store), &file.roster, letters[1]);
    assert_memory_equal(letters[0], letters[1], 3 * sizeof letters[0][0]);
    assert_int_equal(letters[1][3], 3);

    /* A program that had it open sees the team when it reads again. */
    struct roster roster = {0};
    struct tournament t = {0};
    assert_int_equal(tournament_file_load(reader.store, CPU_BASELINE, &roster, &t, &why), ERR_NONE);
    assert_int_equal(roster.team_count, 4);
    tournament_free(&t);
    roster_free(&roster);
    tournament_file_close(&reader);
    tournament_file_close(&file);
}

static void a_team_cannot_enter_where_it_would_not_play(void **state)
{
    static const struct {
        const char *format;
        const char *why;
    } rows[] = {{"knockout", "the bracket of a knockout is made at its start"},
                {"swiss", "the pairings of the last round, 4, are made"}};
    const struct store_place *place = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tournament_file file = {0};
        struct note why = {""};
        char text[sizeof good_roster + 200];
        snprintf(text, sizeof text, "%.12s\nqualification = no\nformat = %s%s", good_roster,
                 rows[i].format, good_roster + 12);
        write_roster(place, text);
        create(place, &file);
        play(&file);
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "[team 9]\nplayer = random\n");
        write_roster(place, text);
        assert_int_equal(late_entry_add(&file, NULL, "9", "late", CPU_BASELINE, &problems, &why),
                         ERR_NEGATIVE);
        assert_non_null(strstr(why.text, rows[i].why));
        tournament_file_remove(&file);
    }
}

static void the_program_of_a_late_team_must_exist(void **state)
{
    const struct store_place *place = *state;
    struct tournament_file file = {0};
    struct note why = {""};
    char text[sizeof good_roster + 200];
    create(place, &file);
    snprintf(text, sizeof text, "%s[team 9]\nplayer = ugi:./missing\n", good_roster);
    write_roster(place, text);
    assert_int_equal(late_entry_add(&file, NULL, "9", "late", CPU_BASELINE, &problems, &why),
                     ERR_INPUT);
    assert_non_null(strstr(why.text, "there is no file ./missing"));
    open_again(place, &file, STORE_CHANGE);
    assert_int_equal(file.roster.team_count, 3);
    tournament_file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_database_that_cannot_be_opened_without_memory_is_named,
                                        enter, leave),
        cmocka_unit_test_setup_teardown(every_shortage_of_memory_while_opening_has_a_sentence,
                                        enter, leave),
        cmocka_unit_test_setup_teardown(a_roster_becomes_a_database_next_to_it, enter, leave),
        cmocka_unit_test_setup_teardown(a_session_plays_every_game_and_the_file_has_them, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(a_game_that_was_set_aside_is_played_by_the_next_session,
                                        enter, leave),
        cmocka_unit_test_setup_teardown(problems_of_a_roster_are_returned_not_printed, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(a_program_that_is_missing_prevents_the_database, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(an_estimate_counts_games_and_the_worst_takes_longer, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(an_edited_roster_is_compared_with_the_stored_one, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(a_team_enters_and_its_games_are_played, enter, leave),
        cmocka_unit_test_setup_teardown(a_team_cannot_enter_where_it_would_not_play, enter, leave),
        cmocka_unit_test_setup_teardown(the_program_of_a_late_team_must_exist, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
