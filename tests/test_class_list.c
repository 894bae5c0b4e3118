/* Lists of participants as learning platforms export them, and the times in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/folder.h"
#include "course/class_list.h"
#include "course/hand_in_time.h"

static enum err read_list(const char *text, struct class_list *out, struct note *why)
{
    struct folder_scratch scratch;
    char path[FOLDER_SCRATCH_BYTES + 16];
    assert_int_equal(folder_scratch_make(&scratch, why), ERR_NONE);
    snprintf(path, sizeof path, "%s/list.csv", scratch.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    enum err err = class_list_read(path, out, why);
    folder_scratch_remove(&scratch);
    return err;
}

static void columns_are_known_by_their_headings(void **state)
{
    struct class_list list;
    struct note why;
    (void)state;
    assert_int_equal(
        read_list("\xef\xbb\xbfIdentifier,\"Full name\",\"ID number\",Email address,Status,Group,"
                  "\"Last modified (submission)\",Last modified (grade)\r\n"
                  "Participant 1234567,\"Lovelace, \"\"Ada\"\"\",0856701,ada@x.tw,Submitted,Team 7,"
                  "\"Sunday, 2 May 2021, 11:59 PM\",-\r\n"
                  "Participant 8,\"Two\nlines\",0856702,,,-,-,-\r\n\r\n",
                  &list, &why),
        ERR_NONE);
    assert_int_equal(list.count, 2);
    assert_true(list.has_teams && list.has_times);
    assert_string_equal(list.students[0].entry.id, "0856701");
    assert_string_equal(list.students[0].entry.name, "Lovelace, \"Ada\"");
    assert_string_equal(list.students[0].entry.team_id, "7");
    assert_string_equal(list.students[0].entry.email, "ada@x.tw");
    assert_string_equal(list.students[0].participant, "1234567");
    assert_true(list.students[0].has_time);
    assert_string_equal(list.students[1].entry.name, "Two lines");
    assert_string_equal(list.students[1].entry.team_id, "");
    assert_false(list.students[1].has_time);
    assert_ptr_equal(class_list_find(&list, "8", "", ""), &list.students[1]);
    assert_ptr_equal(class_list_find(&list, "", "0856701", ""), &list.students[0]);
    assert_null(class_list_find(&list, "9", "1", "nobody"));
    class_list_free(&list);
}

static void a_list_of_canvas_has_the_students_own_numbers(void **state)
{
    struct class_list list;
    struct note why;
    (void)state;
    assert_int_equal(
        read_list("Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
                  "Ada,4711,0856701,ada@x.tw,A\nTest,99,,t,A\n",
                  &list, &why),
        ERR_NONE);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.students[0].entry.id, "0856701");
    assert_string_equal(list.students[0].entry.identifier, "4711");
    assert_string_equal(list.students[0].entry.email, "ada@x.tw");
    assert_string_equal(list.students[1].entry.id, "99");
    assert_ptr_equal(class_list_find(&list, "", "4711", ""), &list.students[0]);
    class_list_free(&list);
}

/* The ids of the teams of a list's students, in its order: "1 2 - ". */
static void fill_teams(const char *roster, const char *text, char *out, size_t room)
{
    struct report_data data = {0};
    struct roster_problems problems = {0};
    struct class_list list;
    struct note why;
    assert_int_equal(roster_read(roster, strlen(roster), CPU_BASELINE, &data.roster, &problems),
                     ERR_NONE);
    assert_int_equal(read_list(text, &list, &why), ERR_NONE);
    assert_int_equal(class_list_fill(&data, &list, 0, &why), ERR_NONE);
    out[0] = '\0';
    for (int i = 0; i < data.roster.student_count; i++) {
        int team = data.roster.students[i].team;
        size_t used = strlen(out);
        snprintf(out + used, room - used, "%s ", team < 0 ? "-" : data.roster.teams[team].id);
    }
    roster_free(&data.roster);
    class_list_free(&list);
}

static void a_name_that_two_students_have_gives_none_of_them_a_team(void **state)
{
    static const char roster[] =
        "[tournament]\ngame = hop\n[team 1]\nname = Ada\nplayer = random\n[team 2]\nname = Ada\n"
        "player = random\n[team 3]\nname = Bo\nplayer = random\n[team 4]\nname = Cy\nplayer = "
        "random\n";
    static const char students[] =
        "[student 11]\nname = Ada\nteam = 1\n[student 12]\nname = Ada\nteam = 2\nemail = a@x\n"
        "[student 13]\nname = Bo\nteam = 4\n[student 14]\nname = Di\nidentifier = Participant 7\n"
        "team = 3\n";
    char both[1000];
    char teams[100];
    (void)state;
    fill_teams(roster, "ID,Name\n91,Ada\n92,Bo\n93,Cy\n94,CY\n", teams, sizeof teams);
    assert_string_equal(teams, "- 3 - - ");
    snprintf(both, sizeof both, "%s%s", roster, students);
    fill_teams(both,
               "ID,Name,Email,Identifier\n91,Ada,,\n12,Ada,,\n92,Ada,A@x,\n93,Bo,,\n94,X,,"
               "Participant 7\n95,Cy,,\n",
               teams, sizeof teams);
    assert_string_equal(teams, "- 2 2 4 3 4 ");
    fill_teams(both, "Student,ID,SIS User ID\nAda,501,12\nAda,502,11\nBo,503,\n", teams,
               sizeof teams);
    assert_string_equal(teams, "2 1 4 ");
}

static void headings_may_be_chinese_and_cells_split_by_semicolons(void **state)
{
    struct class_list list;
    struct note why;
    (void)state;
    assert_int_equal(
        read_list("姓名;學號;組別;繳交時間\n王小明;0856701;第12組;2021/5/2 08:00\n", &list, &why),
        ERR_NONE);
    assert_string_equal(list.students[0].entry.team_id, "12");
    assert_ptr_equal(class_list_find(&list, "", "", "王 小明"), &list.students[0]);
    class_list_free(&list);
    assert_int_equal(
        read_list("Surname\tFirst name\tUsername\nLi\tBo\tbo.li\nLi\tBo\tbo2\n", &list, &why),
        ERR_NONE);
    assert_string_equal(list.students[0].entry.name, "Bo Li");
    assert_null(class_list_find(&list, "", "", "Bo Li")); /* there are two */
    class_list_free(&list);
}

static void a_senseless_list_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *why;
    } cases[] = {
        {"", "the file is empty"},
        {"Name,Points\nAda,3\n", "no column with the ids of students"},
        {"ID number,Points\n1,3\n", "no column with the names"},
        {"ID number,Name\n1,Ada\n1,Bo\n", "line 3: duplicate student 1; the first is in line 2"},
        {"ID number,Name\n,Ada\n", "line 2: the student has no id"},
        {"ID,Name\n1,A\n\"2,B\n3,C\n", "line 3: a quotation mark is opened and never closed"},
        {"ID,Name,Team\n1,Wang, Ming,7\n", "line 2: 4 columns, but 3 headings"},
        {"ID number,ID number,Name\n1,2,A\n", "columns 1 and 2 have the same heading 'ID number'"},
        {"ID number,Name\n8.56701E+05,Ada\n", "line 2: the id 8.56701E+05 was changed by a spread"},
        {"ID,Name\n\n , \n", "no student after the headings"},
        {"ID number,Name,Hand-in time\n1,Ada,tomorrow\n", "line 2: 'tomorrow' is not a date"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct class_list list;
        struct note why = {""};
        assert_int_equal(read_list(cases[i].text, &list, &why), ERR_INPUT);
        assert_non_null(strstr(why.text, cases[i].why));
    }
}

static int64_t time_of(const char *text)
{
    int64_t time_s = -1;
    struct note why;
    return hand_in_time_read(text, &time_s, &why) ? -1 : time_s;
}

static void empty_cells_and_rows_are_not_students(void **state)
{
    struct class_list list;
    struct note why;
    (void)state;
    assert_int_equal(read_list("ID,Name\n1,A,,\n,,\n2\n", &list, &why), ERR_NONE);
    assert_int_equal(list.count, 2);
    class_list_free(&list);
}

static void line_ends_may_be_carriage_returns_and_a_line_may_name_the_separator(void **state)
{
    static const char *const texts[] = {
        "ID,Name,Team\r1,A,7\r2,\"B\rC\",8\r",
        "sep=;\r\nID;Name, all of it;Name;Team\r\n1;;A;7\r\n2;x,y,z;B C;8\r\n",
        "\"sep=|\"\nID|Name|Team\n1|A|7\n2|B C|8\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct class_list list;
        struct note why = {""};
        assert_int_equal(read_list(texts[i], &list, &why), ERR_NONE);
        assert_int_equal(list.count, 2);
        assert_string_equal(list.students[1].entry.name, "B C");
        assert_string_equal(list.students[1].entry.team_id, "8");
        assert_int_equal(list.students[1].entry.line, i == 0 ? 3 : 4);
        class_list_free(&list);
    }
}

static void times_are_read_as_people_write_them(void **state)
{
    static const char *const same[] = {
        "2021-05-02 23:59",       "2021/5/2 23:59:00",
        "2021-05-02T23:59:00",    "Sunday, 2 May 2021, 11:59 PM",
        "May 2, 2021 at 11:59pm", "2021年05月2日(日) 23:59",
        "2021年5月2日 下午11:59",
    };
    static const char *const wrong[] = {"",
                                        "soon",
                                        "2021-13-02 10:00",
                                        "3/4/2021 10:00",
                                        "2021-05-02 25:00",
                                        "12:30",
                                        "2021-02-31 10:00"};
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        assert_int_equal(time_of(same[i]), 1619999940);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(time_of(wrong[i]), -1);
    }
    assert_int_equal(time_of("25/5/2021 08:00"), time_of("2021-05-25 08:00"));
    assert_int_equal(time_of("2021-05-02 12:05 AM"), time_of("2021-05-02 00:05"));
    assert_int_equal(time_of("2021-05-02"), time_of("2021-05-02 23:59:59"));
}

static void use_zone(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

static void a_zone_of_a_time_counts(void **state)
{
    static const char *const same[] = {
        "2021-05-02T23:59:00Z",
        "2021-05-02T23:59:00.000Z",
        "2021-05-02 23:59 UTC",
        "2021-05-02 23:59:00 GMT",
        "2021-05-02T23:59+00:00",
        "2021-05-03 07:59 +08:00",
        "2021-05-03T07:59+0800",
        "2021-05-03 07:59 (UTC+8)",
        "Mon May 03 2021 07:59:00 GMT+0800 (CST)",
        "2021-05-02 18:59 -05:00",
        ("2021-05-02 18:59 \xe2\x88\x92"
         "5"),
        "Sunday, 2 May 2021, 11:59 PM GMT",
        "2021-05-03 05:29:00 +0530 (IST)",
        "2021-05-02 18:59:00 UTC–5",
        "Sunday, 2 May 2021, 11:59\u202fPM GMT",
        "2021-05-03 07:59 GMT+8 (台北標準時間)",
    };
    /* Letters of which there are several zones; a zone before the time; no zone at all. */
    static const char *const wrong[] = {
        "2021-05-02 23:59 CST",        "GMT 2021-05-02 23:59",     "2021-05-02 23:59 +99:00",
        "2021-05-02 23:59 +123",       "2021-05-02 11:59 p.m.",    "2021-05-02 23:59+",
        "2021-05-02 23:59 世界標準時", "2021-05-02 23:59 ＋08:00", "2021-05-02 23:59 ＵＴＣ"};
    static const char *const zones[] = {"UTC", "CST-8", "EST5EDT,M3.2.0,M11.1.0"};
    char text[HAND_IN_TIME_BYTES];
    (void)state;
    for (size_t zone = 0; zone < sizeof zones / sizeof zones[0]; zone++) {
        use_zone(zones[zone]);
        for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
            assert_int_equal(time_of(same[i]), 1619999940);
        }
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            assert_int_equal(time_of(wrong[i]), -1);
        }
        hand_in_time_write(1619999940, text);
        assert_int_equal(time_of(text), 1619999940);
    }
    assert_int_equal(time_of("2021-05-03Z"), time_of("2021-05-03 23:59:59 UTC"));
    use_zone("CST-8");
    assert_int_equal(time_of("2021-05-03 07:59"), 1619999940);
    assert_int_equal(time_of("2021年5月3日(一) 上午7時59分"), 1619999940);
    assert_int_equal(time_of("2021年5月2日（星期日） 下午 11:59"), time_of("2021-05-02 23:59"));
    hand_in_time_write(1619999940, text);
    assert_string_equal(text, "2021-05-03 07:59:00 +0800 (CST)");
    use_zone("UTC");
}

static void a_hand_in_after_a_deadline_in_another_zone_is_late(void **state)
{
    struct class_list list;
    struct note why;
    (void)state;
    use_zone("CST-8");
    assert_int_equal(
        read_list("ID,Name,Submitted at\n1,A,2021-05-02T16:00:00Z\n2,B,2021-05-02T15:00:00Z\n",
                  &list, &why),
        ERR_NONE);
    int64_t deadline_s = time_of("2021-05-02 23:59");
    assert_int_equal(hand_in_days_late(list.students[0].submitted_s, deadline_s), 1);
    assert_int_equal(hand_in_days_late(list.students[1].submitted_s, deadline_s), 0);
    class_list_free(&list);
    use_zone("UTC");
}

static void a_day_late_begins_with_its_first_second(void **state)
{
    (void)state;
    assert_int_equal(hand_in_days_late(99, 100), 0);
    assert_int_equal(hand_in_days_late(100, 100), 0);
    assert_int_equal(hand_in_days_late(101, 100), 1);
    assert_int_equal(hand_in_days_late(100 + 86400, 100), 1);
    assert_int_equal(hand_in_days_late(101 + 86400, 100), 2);
}

int main(void)
{
    use_zone("UTC");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_known_by_their_headings),
        cmocka_unit_test(a_list_of_canvas_has_the_students_own_numbers),
        cmocka_unit_test(a_name_that_two_students_have_gives_none_of_them_a_team),
        cmocka_unit_test(headings_may_be_chinese_and_cells_split_by_semicolons),
        cmocka_unit_test(a_senseless_list_is_refused),
        cmocka_unit_test(empty_cells_and_rows_are_not_students),
        cmocka_unit_test(line_ends_may_be_carriage_returns_and_a_line_may_name_the_separator),
        cmocka_unit_test(times_are_read_as_people_write_them),
        cmocka_unit_test(a_zone_of_a_time_counts),
        cmocka_unit_test(a_hand_in_after_a_deadline_in_another_zone_is_late),
        cmocka_unit_test(a_day_late_begins_with_its_first_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
