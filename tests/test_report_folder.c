/* The page of a report, what it loads, and the folder that they are written to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/folder.h"
#include "report_support.h"
#include "report/report_csv.h"
#include "report/report_folder.h"
#include "report/report_parts.h"

/* --- Names. --- */

static void no_name_becomes_markup_in_the_page(void **state)
{
    (void)state;
    struct report_data data;
    report_support_open(&data, false);
    char *page = report_support_page(&data, false);
    assert_int_equal(report_support_count(page, "<script"), 3);
    assert_int_equal(report_support_count(page, "</script"), 3);
    assert_int_equal(report_support_count(page, "<i>Spring"), 0);
    assert_int_equal(report_support_count(page, "&lt;i&gt;Spring&lt;/i&gt; &amp; &quot;more&quot;"),
                     2);
    assert_true(report_support_count(page, "\\u003cscript\\u003ealert(1)") > 0);
    assert_true(report_support_count(page, "&lt;script&gt;alert(1)") > 0);
    assert_int_equal(report_support_count(page, "@DATA@"), 0);
    assert_int_equal(report_support_count(page, "http://") -
                         report_support_count(page, "http://www.w3.org/2000/svg"),
                     0);
    free(page);
    report_data_close(&data);
}

static void an_anonymous_report_contains_no_names(void **state)
{
    (void)state;
    struct report_data data;
    report_support_open(&data, true);
    char *texts[] = {report_support_page(&data, true),
                     report_support_json(&data, true),
                     report_support_parts(&data, true),
                     report_support_csv(report_csv_standings, &data, true),
                     report_support_csv(report_csv_games, &data, true),
                     report_support_csv(report_csv_faults, &data, true)};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(report_support_count(texts[i], "Unmistakable"), 0);
        assert_int_equal(report_support_count(texts[i], "alert(1)"), 0);
        assert_int_equal(report_support_count(texts[i], "anything"), 0); /* a fault's sentence */
        assert_int_equal(report_support_count(texts[i], "\"15\""), 0);
        assert_true(i == 5 || report_support_count(texts[i], "Team A") > 0);
        free(texts[i]);
    }
    bool is_seen[5] = {false};
    for (int i = 0; i < 5; i++) {
        char letter = data.teams[i].label[strlen("Team ")];
        assert_in_range(letter, 'A', 'E');
        assert_false(is_seen[letter - 'A']);
        is_seen[letter - 'A'] = true;
    }
    report_data_close(&data);
}

static void refused_attempts_are_in_the_order_of_the_letters(void **state)
{
    (void)state;
    struct report_data data;
    report_support_open(&data, true);
    for (int i = 0; i < 5; i++) {
        free(data.teams[i].violations);
        data.teams[i].violations = calloc(1, sizeof *data.teams[i].violations);
        data.teams[i].violations->count = 1;
    }
    char *text = report_support_json(&data, true);
    const char *at = strstr(text, "\"violations\"");
    for (char letter = 'A'; letter <= 'E'; letter++) {
        at = strstr(at, "\"Team ");
        assert_non_null(at);
        assert_int_equal(at[strlen("\"Team ")], letter);
        at++;
    }
    free(text);
    report_data_close(&data);
}

/* --- Rules. --- */

static void own_rules_are_shown_also_where_they_decided_nothing(void **state)
{
    (void)state;
    static const char points[] = "A win gives 3 points, a draw 1, a loss 0, each game of a bye 2. ";
    static const char order[] = "Teams with equal points are ordered by Won, Lot, in this order. ";
    struct report_data data;
    report_support_open(&data, false);
    for (int i = 1; i < 5; i++) {
        data.rows[i].decided_by = RANKING_POINTS;
    }
    char *page = report_support_page(&data, false);
    assert_int_equal(report_support_count(page, "A win gives "), 0);
    assert_int_equal(report_support_count(page, "are ordered by "), 0);
    free(page);
    data.roster.ranking.win = 3;
    data.roster.ranking.draw = 1;
    data.roster.ranking.bye = 2;
    data.roster.ranking.tie_break_count = 1;
    data.roster.ranking.tie_breaks[0] = RANKING_WINS;
    page = report_support_page(&data, false);
    assert_int_equal(report_support_count(page, points), 1);
    assert_int_equal(report_support_count(page, order), 1);
    free(page);
    report_data_close(&data);
}

/* --- Parts. --- */

static void parts_have_every_game_once_with_its_moves_and_once_for_each_team(void **state)
{
    (void)state;
    struct report_data data;
    report_support_open(&data, false);
    char *text = report_support_parts(&data, false);
    int players = 0;
    char place[32];
    for (int i = 1; i <= 5; i++) {
        snprintf(place, sizeof place, "team-%d.js\n", i);
        players += report_support_count(text, place);
    }
    assert_int_equal(players, 5);
    assert_int_equal(report_support_count(text, "games-1.js\n"), 1);
    assert_int_equal(report_support_count(text, "games-2.js\n"), 0);
    assert_int_equal(report_support_count(text, "cross-1.js\n"), 1);
    assert_int_equal(report_support_count(text, "\"number\":"), 3 * 12);
    assert_int_equal(report_support_count(text, "\"moves\":\"- "),
                     12); /* the board at the start is not repeated */
    assert_int_equal(report_support_count(text, "\"byes\":[]"), 5 - 3);
    assert_int_equal(report_support_count(text, "\"kind\":"), (int)data.fault_count);
    free(text);
    report_data_close(&data);
}

static void games_are_in_parts_of_a_hundred(void **state)
{
    (void)state;
    struct report_data data;
    report_support_open(&data, false);
    struct tournament_game *own = data.tournament.games;
    size_t own_count = data.tournament.game_count;
    size_t many = 2 * REPORT_PARTS_GAMES + 1;
    struct tournament_game *games = calloc(many, sizeof *games);
    for (size_t i = 0; i < many; i++) {
        games[i] = own[i % own_count];
        games[i].number = (int)i;
        games[i].status = GAME_PLANNED;
    }
    data.tournament.games = games;
    data.tournament.game_count = many;
    char *text = report_support_parts(&data, false);
    assert_int_equal(report_support_count(text, "games-3.js\n"), 1);
    assert_int_equal(report_support_count(text, "games-4.js\n"), 0);
    assert_int_equal(report_support_count(strstr(text, "games-3.js\n"), "\"number\":201,"), 1);
    assert_int_equal(report_support_count(strstr(text, "games-3.js\n"), "\"number\":"), 1);
    free(text);
    data.tournament.games = own;
    data.tournament.game_count = own_count;
    free(games);
    report_data_close(&data);
}

/* The page of 200 teams must be below 2 MB, however many games they play. */
static void the_page_grows_with_the_teams_and_not_with_the_games(void **state)
{
    (void)state;
    enum { MAX_BYTES_A_TEAM = 5000, MAX_BYTES_ALONE = 100000, FAULTS_ROOM = 20 * 200 };
    struct report_data data;
    report_support_open(&data, false);
    char *page = report_support_page(&data, false);
    size_t bytes = strlen(page);
    free(page);
    assert_true(bytes < MAX_BYTES_ALONE + 5 * MAX_BYTES_A_TEAM);
    /* The same teams, with a thousand times as many games in the same rounds. */
    struct tournament_game *own = data.tournament.games;
    struct report_fault *own_faults = data.faults;
    size_t own_count = data.tournament.game_count;
    size_t own_fault_count = data.fault_count;
    size_t many = 1000 * own_count;
    struct tournament_game *games = calloc(many, sizeof *games);
    struct report_fault *faults = calloc(1000 * own_fault_count, sizeof *faults);
    for (size_t i = 0; i < many; i++) {
        games[i] = own[i / 1000];
    }
    for (size_t i = 0; i < 1000 * own_fault_count; i++) {
        faults[i] = own_faults[i / 1000];
    }
    data.tournament.games = games;
    data.tournament.game_count = many;
    data.faults = faults;
    data.fault_count = 1000 * own_fault_count;
    page = report_support_page(&data, false);
    assert_true(strlen(page) < bytes + FAULTS_ROOM);
    free(page);
    data.tournament.games = own;
    data.tournament.game_count = own_count;
    data.faults = own_faults;
    data.fault_count = own_fault_count;
    free(games);
    free(faults);
    report_data_close(&data);
}

/* --- The folder. --- */

enum { PATH_BYTES = 2048 };
static char report_path[FOLDER_SCRATCH_BYTES + 16];

static void write_report(bool is_public)
{
    struct report_data data;
    struct note why = {""};
    report_support_open(&data, is_public);
    if (report_folder_write(report_path, &data, is_public, &why)) {
        fail_msg("%s", why.text);
    }
    report_data_close(&data);
}

/* Fails, since no file may be larger than that. */
static void break_off_report(rlim_t bytes)
{
    struct report_data data;
    struct note why = {""};
    struct rlimit limit;
    report_support_open(&data, true);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, limit.rlim_max}), 0);
    enum err err = report_folder_write(report_path, &data, true, &why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(err, ERR_ENVIRONMENT);
    assert_non_null(strstr(why.text, "File too large"));
    report_data_close(&data);
}

static void put_file(const char *name, const char *text)
{
    char path[PATH_BYTES];
    assert_in_range(snprintf(path, sizeof path, "%s/%s", report_path, name), 1, sizeof path - 1);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static char *get_file(const char *name)
{
    char path[PATH_BYTES];
    size_t size = 0;
    assert_in_range(snprintf(path, sizeof path, "%s/%s", report_path, name), 1, sizeof path - 1);
    return file_read_head(path, 1 << 20, &size);
}

/* The names in a folder of the report that begin so, in one line, and how many there are. */
static int list_names(const char *folder, const char *start, char *out, size_t room)
{
    char path[PATH_BYTES];
    int count = 0;
    out[0] = '\0';
    assert_in_range(snprintf(path, sizeof path, "%s/%s", report_path, folder), 1, sizeof path - 1);
    DIR *entries = opendir(path);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strncmp(entry->d_name, start, strlen(start)) == 0 && entry->d_name[0] != '.') {
            snprintf(out + strlen(out), room - strlen(out), "%s%s", count ? " " : "",
                     entry->d_name);
            count++;
        }
    }
    closedir(entries);
    return count;
}

static void make_report_folder(void)
{
    struct note why;
    snprintf(report_path, sizeof report_path, "%s/report", report_support_folder());
    folder_remove(report_path);
    assert_int_equal(folder_make(report_path, 0755, &why), ERR_NONE);
}

static void a_new_report_removes_the_parts_of_the_old_one_and_nothing_else(void **state)
{
    (void)state;
    char names[512];
    char first[512];
    char path[600];
    struct note why;
    make_report_folder();
    put_file("notes.txt", "mine");
    write_report(false);
    assert_int_equal(list_names(".", "data-", first, sizeof first), 1);
    assert_int_equal(list_names(first, "", names, sizeof names), 5 + 1 + 1);
    write_report(false); /* the same again */
    assert_int_equal(list_names(".", "data-", names, sizeof names), 1);
    assert_string_equal(names, first);

    const char *const others[] = {"data-mine", "data-0123456789abcdef"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", others[i], "team-1.js");
        char folder[PATH_BYTES];
        snprintf(folder, sizeof folder, "%s/%s", report_path, others[i]);
        assert_int_equal(folder_make(folder, 0755, &why), ERR_NONE);
        put_file(path, "plumReport(1); // mine");
    }
    snprintf(path, sizeof path, "%s/mine.js", first);
    put_file(path, "mine");
    write_report(true); /* other parts */
    assert_int_equal(list_names(first, "", names, sizeof names), 1);
    assert_string_equal(names, "mine.js");
    assert_int_equal(list_names("data-mine", "", names, sizeof names), 1);
    assert_int_equal(list_names("data-0123456789abcdef", "", names, sizeof names), 1);
    char *text = get_file("notes.txt");
    assert_string_equal(text, "mine");
    free(text);
    assert_int_equal(list_names(".", "data-", names, sizeof names), 4);
    char *page = get_file("index.html");
    assert_null(strstr(page, first)); /* it names the new folder */
    free(page);
}

/* In the parts, the JSON and the page. */
static void an_interrupted_report_leaves_the_old_one_as_it_was(void **state)
{
    (void)state;
    static const char *const files[] = {"index.html", "report.json", "standings.csv", "games.csv"};
    char first[512];
    char names[512];
    char *old[4];
    make_report_folder();
    write_report(false);
    list_names(".", "data-", first, sizeof first);
    for (size_t i = 0; i < 4; i++) {
        old[i] = get_file(files[i]);
    }
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    const rlim_t sizes[] = {500, 8000, 25000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        break_off_report(sizes[i]);
        list_names(".", "plum-", names, sizeof names);
        assert_string_equal(names, "");
        assert_int_equal(list_names(first, "", names, sizeof names), 5 + 1 + 1);
        for (size_t k = 0; k < 4; k++) {
            char *now = get_file(files[k]);
            assert_string_equal(now, old[k]);
            free(now);
        }
    }
    signal(SIGXFSZ, handler);
    for (size_t i = 0; i < 4; i++) {
        free(old[i]);
    }
}

static void a_killed_writers_folder_is_removed_by_the_next_report(void **state)
{
    (void)state;
    char names[512];
    char path[PATH_BYTES];
    struct note why;
    make_report_folder();
    snprintf(path, sizeof path, "%s/plum-1-AbCdEf", report_path);
    assert_int_equal(folder_make(path, 0700, &why), ERR_NONE);
    put_file("plum-1-AbCdEf/team-1.js", REPORT_PARTS_HEAD "half");
    put_file("plum-1-AbCdEf/team-2.js", "");
    write_report(false);
    assert_int_equal(list_names(".", "plum-", names, sizeof names), 0);
}

static void a_foreign_folder_with_such_a_name_stays(void **state)
{
    (void)state;
    char names[512];
    char path[PATH_BYTES];
    struct note why;
    make_report_folder();
    snprintf(path, sizeof path, "%s/plum-1-AbCdEf", report_path);
    assert_int_equal(folder_make(path, 0700, &why), ERR_NONE);
    put_file("plum-1-AbCdEf/notes.txt", "mine");
    put_file("plum-1-AbCdEf/empty.js", "");
    write_report(false);
    assert_int_equal(list_names("plum-1-AbCdEf", "", names, sizeof names), 2);
}

static void a_lost_or_damaged_part_is_written_again(void **state)
{
    (void)state;
    char first[512];
    char names[512];
    char path[PATH_BYTES];
    char lost[PATH_BYTES];
    make_report_folder();
    write_report(false);
    list_names(".", "data-", first, sizeof first);
    snprintf(path, sizeof path, "%s/team-1.js", first);
    char *whole = get_file(path);
    put_file(path, "");
    snprintf(lost, sizeof lost, "%s/%s/team-2.js", report_path, first);
    assert_int_equal(remove(lost), 0);
    write_report(false);
    assert_int_equal(list_names(first, "", names, sizeof names), 5 + 1 + 1);
    char *again = get_file(path);
    assert_string_equal(again, whole);
    free(again);
    free(whole);
    assert_int_equal(list_names(".", "plum-", names, sizeof names), 0);
}

static pid_t start_writer(bool is_public)
{
    pid_t child = fork();
    if (child == 0) {
        struct report_data data;
        struct note why = {""};
        report_support_open(&data, is_public);
        _exit(report_folder_write(report_path, &data, is_public, &why) != ERR_NONE);
    }
    assert_true(child > 0);
    return child;
}

static void two_writers_at_once_leave_one_whole_report(void **state)
{
    (void)state;
    make_report_folder();
    for (int i = 0; i < 10; i++) {
        pid_t writers[] = {start_writer(false), start_writer(true)};
        for (int k = 0; k < 2; k++) {
            int status = -1;
            assert_int_equal(waitpid(writers[k], &status, 0), writers[k]);
            assert_int_equal(status, 0);
        }
        char folder[512];
        char names[512];
        assert_int_equal(list_names(".", "data-", folder, sizeof folder), 1);
        assert_int_equal(list_names(folder, "", names, sizeof names), 5 + 1 + 1);
        char *page = get_file("index.html");
        char *json = get_file("report.json");
        assert_non_null(strstr(page, folder));
        assert_int_equal(strstr(page, "Unmistakable") != NULL,
                         strstr(json, "Unmistakable") != NULL);
        free(page);
        free(json);
    }
}

static void no_name_is_in_the_name_of_a_file(void **state)
{
    (void)state;
    char first[512];
    char names[512];
    make_report_folder();
    write_report(true);
    list_names(".", "data-", first, sizeof first);
    assert_int_equal(list_names(first, "", names, sizeof names), 7);
    for (char *rest = NULL, *name = strtok_r(names, " ", &rest); name;
         name = strtok_r(NULL, " ", &rest)) {
        int number = 0;
        int end = 0;
        assert_int_equal(sscanf(strchr(name, '-'), "-%d.js%n", &number, &end), 1);
        assert_in_range(number, 1, 5); /* a place, or a piece of the list of games */
        assert_int_equal(end, strlen(strchr(name, '-')));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_name_becomes_markup_in_the_page),
        cmocka_unit_test(an_anonymous_report_contains_no_names),
        cmocka_unit_test(refused_attempts_are_in_the_order_of_the_letters),
        cmocka_unit_test(own_rules_are_shown_also_where_they_decided_nothing),
        cmocka_unit_test(parts_have_every_game_once_with_its_moves_and_once_for_each_team),
        cmocka_unit_test(games_are_in_parts_of_a_hundred),
        cmocka_unit_test(the_page_grows_with_the_teams_and_not_with_the_games),
        cmocka_unit_test(a_new_report_removes_the_parts_of_the_old_one_and_nothing_else),
        cmocka_unit_test(an_interrupted_report_leaves_the_old_one_as_it_was),
        cmocka_unit_test(a_killed_writers_folder_is_removed_by_the_next_report),
        cmocka_unit_test(a_foreign_folder_with_such_a_name_stays),
        cmocka_unit_test(a_lost_or_damaged_part_is_written_again),
        cmocka_unit_test(two_writers_at_once_leave_one_whole_report),
        cmocka_unit_test(no_name_is_in_the_name_of_a_file),
    };
    return cmocka_run_group_tests(tests, report_support_set_up, report_support_tear_down);
}
