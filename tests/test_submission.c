/* Submissions of students: malicious zips, and programs under all sorts of names. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include <zip.h>

#include "base/file.h"
#include "base/folder.h"
#include "course/submission_folder.h"
#include "course/intake.h"
#include "course/report_pages.h"
#include "course/submission.h"

enum { PATH_ROOM = FOLDER_SCRATCH_BYTES + 64 };

/* A folder with room for one submission and its copy. */
struct desk {
    struct folder_scratch scratch;
    char zip[PATH_ROOM];
    char copy[PATH_ROOM];
};

static int set_up(void **state)
{
    struct desk *desk = calloc(1, sizeof *desk);
    struct note why;
    assert_non_null(desk);
    assert_int_equal(folder_scratch_make(&desk->scratch, &why), ERR_NONE);
    snprintf(desk->zip, sizeof desk->zip, "%s/it.zip", desk->scratch.path);
    snprintf(desk->copy, sizeof desk->copy, "%s/copy", desk->scratch.path);
    assert_int_equal(mkdir(desk->copy, 0755), 0);
    *state = desk;
    return 0;
}

static int tear_down(void **state)
{
    struct desk *desk = *state;
    folder_scratch_remove(&desk->scratch);
    free(desk);
    return 0;
}

/* --- Zips. --- */

struct member {
    const char *name;
    const char *text;
    mode_t mode; /* 0: as any other file */
};

static void make_zip(const char *path, const struct member *members, size_t count)
{
    int error = 0;
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_EXCL, &error);
    assert_non_null(zip);
    for (size_t i = 0; i < count; i++) {
        zip_source_t *source = zip_source_buffer(zip, members[i].text, strlen(members[i].text), 0);
        zip_int64_t index = zip_file_add(zip, members[i].name, source, ZIP_FL_ENC_UTF_8);
        assert_true(index >= 0);
        if (members[i].mode) {
            assert_int_equal(zip_file_set_external_attributes(zip, (zip_uint64_t)index, 0,
                                                              ZIP_OPSYS_UNIX,
                                                              (zip_uint32_t)members[i].mode << 16),
                             0);
        }
    }
    assert_int_equal(zip_close(zip), 0);
}

#define MAKE_ZIP(desk, ...)                                     \
    make_zip((desk)->zip, (const struct member[]){__VA_ARGS__}, \
             sizeof((const struct member[]){__VA_ARGS__}) / sizeof(struct member))

static bool is_there(const struct desk *desk, const char *name)
{
    char path[PATH_ROOM + PATH_MAX];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", desk->copy, name);
    return lstat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static void expect_text(const struct desk *desk, const char *name, const char *text)
{
    char path[PATH_ROOM + PATH_MAX];
    char read[256];
    snprintf(path, sizeof path, "%s/%s", desk->copy, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    read[fread(read, 1, sizeof read - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(read, text);
}

static struct intake_result take(const struct desk *desk, const char *from, enum err expected)
{
    struct intake_result result;
    struct note why = {""};
    assert_int_equal(intake_copy(from, NULL, desk->copy, &result, &why), expected);
    assert_true((expected == ERR_NONE) == (why.text[0] == '\0'));
    return result;
}

static void a_zip_is_unpacked_with_its_folders(void **state)
{
    struct desk *desk = *state;
    MAKE_ZIP(desk, {"a.py", "one", 0}, {"src/deep/b.h", "two", 0}, {"src\\c.h", "three", 0},
             {"__MACOSX/a.py", "litter", 0}, {"src/._c.h", "litter", 0});
    struct intake_result result = take(desk, desk->zip, ERR_NONE);
    assert_int_equal(result.files, 3);
    assert_int_equal(result.left_out, 0);
    assert_int_equal(result.generated, 2);
    expect_text(desk, "a.py", "one");
    expect_text(desk, "src/deep/b.h", "two");
    expect_text(desk, "src/c.h", "three");
}

static void no_folder_has_the_name_of_a_file_that_is_made(void **state)
{
    struct desk *desk = *state;
    MAKE_ZIP(desk, {"build.log/a", "x", 0}, {"src/plum-agent/b", "x", 0},
             {"src/build.log", "y", 0});
    struct intake_result result = take(desk, desk->zip, ERR_NONE);
    assert_int_equal(result.left_out, 2);
    assert_int_equal(result.files, 1);
    assert_false(is_there(desk, "build.log"));
}

static void nothing_in_a_zip_gets_out_of_its_folder(void **state)
{
    struct desk *desk = *state;
    MAKE_ZIP(desk, {"../out", "x", 0}, {"a/../../out", "x", 0}, {"/tmp/plum-out", "x", 0},
             {"a//b", "x", 0}, {"..\\out", "x", 0}, {"./b", "x", 0}, {"c/..", "x", 0},
             {"...", "fine", 0}, {".//b", "x", 0});
    struct intake_result result = take(desk, desk->zip, ERR_NONE);
    assert_int_equal(result.left_out, 7);
    assert_non_null(strstr(result.reasons[0].text, "../out"));
    assert_int_equal(result.files, 2);
    assert_true(is_there(desk, "..."));
    assert_true(is_there(desk, "b"));
    assert_false(is_there(desk, "../out"));
    assert_int_not_equal(access("/tmp/plum-out", F_OK), 0);
}

static void links_in_a_zip_are_left_out(void **state)
{
    struct desk *desk = *state;
    MAKE_ZIP(desk, {"link", "/etc", S_IFLNK | 0777}, {"link/passwd", "x", 0},
             {"pipe", "x", S_IFIFO | 0644}, {"file", "x", S_IFREG | 0644});
    struct intake_result result = take(desk, desk->zip, ERR_NONE);
    assert_int_equal(result.left_out, 2);
    assert_true(is_there(desk, "file") && is_there(desk, "link/passwd"));
}

static void a_file_that_is_also_a_folder_is_taken_once(void **state)
{
    struct desk *desk = *state;
    MAKE_ZIP(desk, {"a", "first", 0}, {"a/b", "second", 0}, {"c/d", "third", 0}, {"c", "x", 0});
    struct intake_result result = take(desk, desk->zip, ERR_NONE);
    assert_int_equal(result.files, 2);
    assert_int_equal(result.left_out, 2);
    expect_text(desk, "a", "first");
}

static void a_zip_with_too_many_files_is_cut_off(void **state)
{
    struct desk *desk = *state;
    static char names[INTAKE_MAX_FILES + 1][12];
    static struct member members[INTAKE_MAX_FILES + 1];
    for (int i = 0; i <= INTAKE_MAX_FILES; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        members[i] = (struct member){names[i], "", 0};
    }
    make_zip(desk->zip, members, INTAKE_MAX_FILES + 1);
    assert_int_equal(take(desk, desk->zip, ERR_NEGATIVE).files, INTAKE_MAX_FILES);
}

static void a_bomb_does_not_go_off(void **state)
{
    struct desk *desk = *state;
    size_t size = (size_t)INTAKE_MAX_BYTES / 3;
    char *zeros = malloc(size + 1);
    assert_non_null(zeros);
    memset(zeros, '0', size);
    zeros[size] = '\0';
    MAKE_ZIP(desk, {"a", zeros, 0}, {"b", zeros, 0}, {"c", zeros, 0}, {"d", zeros, 0});
    free(zeros);
    assert_int_equal(take(desk, desk->zip, ERR_NEGATIVE).files, 3);
    assert_false(is_there(desk, "d"));
}

static void what_is_no_zip_is_refused_kindly(void **state)
{
    struct desk *desk = *state;
    FILE *file = fopen(desk->zip, "w");
    assert_non_null(file);
    fputs("PK\003\004 but nothing behind it", file);
    fclose(file);
    take(desk, desk->zip, ERR_NEGATIVE);
}

/* Adds to the byte that is `offset` after each place of `mark` in the zip. */
static void change_zip(const struct desk *desk, const char *mark, size_t offset, unsigned char add)
{
    size_t size = 0;
    int changed = 0;
    char *bytes = file_read_head(desk->zip, 1 << 20, &size);
    assert_non_null(bytes);
    for (char *at = bytes; (at = memmem(at, size - (size_t)(at - bytes), mark, strlen(mark)));
         at++) {
        at[offset] = (char)((unsigned char)at[offset] + add);
        changed++;
    }
    assert_true(changed > 0);
    assert_true(file_write(desk->zip, "w", bytes, size));
    free(bytes);
}

static void expect_refused_member(const struct desk *desk, const char *reason)
{
    struct intake_result result;
    struct note why = {""};
    assert_int_equal(intake_copy(desk->zip, NULL, desk->copy, &result, &why), ERR_NEGATIVE);
    assert_ptr_equal(strstr(why.text, "b.py"), why.text);
    assert_non_null(strstr(why.text, reason));
    assert_int_equal(result.files, 1);
    expect_text(desk, "a.py", "whole");
    assert_false(is_there(desk, "b.py"));
}

/* A text this short is stored as it is. */
static void a_member_with_another_checksum_is_not_copied(void **state)
{
    struct desk *desk = *state;
    MAKE_ZIP(desk, {"a.py", "whole", 0}, {"b.py", "rotten", 0});
    change_zip(desk, "rotten", 0, 1);
    expect_refused_member(desk, "is damaged or encrypted");
}

static void a_member_that_needs_a_password_is_named(void **state)
{
    enum { FLAGS_IN_LOCAL_HEADER = 6, FLAGS_IN_CENTRAL_HEADER = 8, IS_ENCRYPTED = 1 };
    struct desk *desk = *state;
    MAKE_ZIP(desk, {"a.py", "whole", 0}, {"b.py", "secret", 0});
    change_zip(desk, "wholePK\3\4", strlen("whole") + FLAGS_IN_LOCAL_HEADER, IS_ENCRYPTED);
    change_zip(desk, "a.pyPK\1\2", strlen("a.py") + FLAGS_IN_CENTRAL_HEADER, IS_ENCRYPTED);
    expect_refused_member(desk, "in the zip cannot be read");
}

/* --- Folders. --- */

static void put(const struct desk *desk, const char *name, const char *text)
{
    char path[PATH_ROOM + PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", desk->copy, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void links_in_a_folder_are_left_out(void **state)
{
    struct desk *desk = *state;
    char folder[PATH_ROOM], link[PATH_ROOM + 8];
    snprintf(folder, sizeof folder, "%s/given", desk->scratch.path);
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(mkdir(folder, 0755), 0);
    assert_int_equal(symlink("/etc/passwd", link), 0);
    struct intake_result result = take(desk, folder, ERR_NONE);
    assert_int_equal(result.files, 0);
    assert_int_equal(result.left_out, 1);
    assert_string_equal(result.reasons[0].text, "link: a link");
}

static void pipes_and_unprintable_names_in_a_folder_are_left_out(void **state)
{
    struct desk *desk = *state;
    char folder[PATH_ROOM], pipe[PATH_ROOM + 8], name[PATH_ROOM + 8];
    snprintf(folder, sizeof folder, "%s/given", desk->scratch.path);
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    snprintf(name, sizeof name, "%s/a\nb", folder);
    assert_int_equal(mkdir(folder, 0755), 0);
    assert_int_equal(mkfifo(pipe, 0644), 0);
    struct intake_result result = take(desk, folder, ERR_NONE);
    assert_int_equal(result.files, 0);
    assert_string_equal(result.reasons[0].text, "pipe: not a plain file");
    assert_int_equal(unlink(pipe), 0);
    assert_true(file_write(name, "w", "x", 1));
    result = take(desk, folder, ERR_NONE);
    assert_int_equal(result.files, 0);
    assert_non_null(strstr(result.reasons[0].text, ": control characters in the name"));
}

static void what_is_not_there_is_named(void **state)
{
    struct desk *desk = *state;
    struct intake_result result;
    struct note why = {""};
    assert_int_equal(intake_copy(desk->zip, NULL, desk->copy, &result, &why), ERR_ENVIRONMENT);
    assert_non_null(strstr(why.text, desk->zip));
}

static struct submission find(const struct desk *desk, const char *name, bool by_student)
{
    struct submission found;
    struct note why = {""};
    assert_int_equal(submission_find(desk->copy, name, by_student, &found, &why), ERR_NONE);
    assert_string_equal(why.text, ""); /* it would be printed */
    return found;
}

static void expect_certain(const struct submission *found, int number)
{
    assert_true(team_numbers_are_certain(&found->numbers));
    assert_int_equal(found->numbers.list[0], number);
}

static void a_source_that_is_not_a_text_is_skipped(void **state)
{
    struct desk *desk = *state;
    char path[PATH_ROOM + PATH_MAX];
    snprintf(path, sizeof path, "%s/Sample.py", desk->copy);
    assert_true(file_write(path, "w", "x = 1\0\n", 7));
    struct submission found = find(desk, "x", false);
    assert_string_equal(found.skipped.text, "Sample.py");
    assert_string_equal(found.program, "");
}

static void a_team_is_known_by_its_client(void **state)
{
    struct desk *desk = *state;
    put(desk, "Sample.py", "import STcpClient # idTeam = 99\n");
    put(desk, "STcpClient.py", "x_idTeam = 3\nidTeamless = 4\nidTeam = 12\n");
    struct submission found = find(desk, "some folder", false);
    expect_certain(&found, 12);
    assert_int_equal(found.language, SUBMISSION_PYTHON);
    assert_string_equal(found.program, "Sample.py");
    assert_false(found.has_wrong_name);
    assert_int_equal(found.protocol, SUBMISSION_TCP);
}

static void a_team_that_did_not_say_its_number_has_none(void **state)
{
    struct desk *desk = *state;
    put(desk, "STcpClient.h", "static int idTeam = -1;\nint x = idTeam;\n");
    put(desk, "Team_7.cpp", "#include \"STcpClient.h\"\nint main() { GetStep(); }");
    struct submission found = find(desk, "7", false);
    expect_certain(&found, -1);
    assert_int_equal(found.language, SUBMISSION_COMPILED);
    assert_false(found.has_wrong_name);
}

static void the_program_is_the_one_named_after_the_team(void **state)
{
    struct desk *desk = *state;
    put(desk, "Aaa.cpp", "int main() {}");
    put(desk, "Sample.cpp", "int main() {}");
    put(desk, "Team_8.cpp", "int main() {}");
    put(desk, "Team_7.cpp", "int main() {}");
    struct submission found = find(desk, "Team_7.zip", false);
    assert_string_equal(found.program, "Team_7.cpp");
    assert_int_equal(found.source_count, 4);
    assert_false(found.has_wrong_name);
    assert_string_equal(find(desk, "9", false).program, "Sample.cpp");
}

static void a_program_under_another_name_is_found_and_noted(void **state)
{
    struct desk *desk = *state;
    put(desk, "helper.py", "def f(): pass\n");
    put(desk, "really.py", "import FileClient as STcpClient\ndef GetStep(): pass\n");
    struct submission found = find(desk, "Team_7", false);
    assert_string_equal(found.program, "really.py");
    assert_true(found.has_wrong_name);
    assert_int_equal(found.protocol, SUBMISSION_FILES);
}

static void a_student_is_known_by_program_and_report(void **state)
{
    struct desk *desk = *state;
    put(desk, "0816001.cpp", "int main() {}");
    struct submission found = find(desk, "0816001.zip", true);
    assert_false(found.has_wrong_name);
    assert_string_equal(found.report, "");
    put(desk, "other.pdf", "%PDF");
    assert_true(find(desk, "0816001.zip", true).has_wrong_report_name);
    put(desk, "0816001.PDF", "%PDF");
    found = find(desk, "0816001.zip", true);
    assert_string_equal(found.report, "0816001.PDF");
    assert_false(found.has_wrong_name || found.has_wrong_report_name);
    found = find(desk, "0816002.zip", true);
    assert_true(found.has_wrong_name && found.has_wrong_report_name);
}

static void an_empty_submission_has_no_program(void **state)
{
    struct submission found = find(*state, "7", false);
    assert_int_equal(found.language, SUBMISSION_NO_PROGRAM);
    assert_string_equal(found.program, "");
}

static void numbers_are_read_from_names(void **state)
{
    (void)state;
    assert_int_equal(submission_team_number("7"), 7);
    assert_int_equal(submission_team_number("Team_12.cpp"), 12);
    assert_int_equal(submission_team_number("team 3.zip"), 3);
    assert_int_equal(submission_team_number("a/b/TEAM-4"), 4);
    assert_int_equal(submission_team_number("Team_9.tar.gz"), 9);
    assert_int_equal(submission_team_number("hw2_team7_final.zip"), 7);
    assert_int_equal(submission_team_number("\xe7\xac\xac"
                                            "12\xe7\xb5\x84.zip"),
                     12);
    assert_int_equal(submission_team_number("steam7.zip"), -1);
    assert_int_equal(submission_team_number("hw2.zip"), -1);
    assert_int_equal(submission_team_number("Team_x"), -1);
    assert_int_equal(submission_team_number("Team_-5"), -1);
    assert_int_equal(submission_team_number("Sample.py"), -1);
    assert_int_equal(submission_team_number("99999999999"), -1);
}

static void a_student_is_the_number_in_a_name(void **state)
{
    const struct {
        const char *name;
        const char *student;
    } cases[] = {{"0816001.zip", "0816001"},     {"0816001_\xe7\x8e\x8b.zip", "0816001"},
                 {"0816001.tar.gz", "0816001"},  {"0816001a.zip", "0816001a"},
                 {"hw3-0816001.zip", "0816001"}, {"A081234 final.zip", "A081234"},
                 {"agent.py", "agent"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char student[64];
        (void)submission_student(cases[i].name, student, sizeof student);
        assert_string_equal(student, cases[i].student);
    }
}

static void an_archive_in_a_submission_is_noted(void **state)
{
    struct desk *desk = *state;
    put(desk, "0816001.rar", "x");
    struct submission found = find(desk, "0816001_Ada.zip", true);
    assert_int_equal(found.language, SUBMISSION_NO_PROGRAM);
    assert_string_equal(found.archive, "0816001.rar");
    assert_int_equal(found.archive_count, 1);
    put(desk, "0816001.py", "x");
    assert_false(find(desk, "0816001_Ada.zip", true).has_wrong_name);
}

static void names_in_big5_are_read(void **state)
{
    struct desk *desk = *state;
    int error = 0;
    zip_t *zip = zip_open(desk->zip, ZIP_CREATE | ZIP_EXCL, &error);
    assert_non_null(zip);
    /* The first character of "report" in Big-5; the zip does not say which code it is in. */
    assert_true(
        zip_file_add(zip, "\xb3\xf8.py", zip_source_buffer(zip, "x", 1, 0), ZIP_FL_ENC_RAW) >= 0);
    assert_int_equal(zip_close(zip), 0);
    (void)take(desk, desk->zip, ERR_NONE);
    assert_true(is_there(desk, "\xe5\xa0\xb1.py"));
}

static void what_compilers_make_is_left_out_and_counted(void **state)
{
    struct desk *desk = *state;
    MAKE_ZIP(desk, {"P/P.sln", "x", 0}, {"P/P/Team_7.cpp", "x", 0}, {"P/.vs/P/v16/.suo", "x", 0},
             {"P/Debug/P.obj", "x", 0}, {"P/Debug/P.exe", "x", 0}, {"P/ipch/a", "x", 0});
    struct intake_result result = take(desk, desk->zip, ERR_NONE);
    assert_int_equal(result.files, 3);
    assert_int_equal(result.generated, 3);
    assert_string_equal(result.first_generated.text, "P/.vs/P/v16/.suo");
    struct submission found = find(desk, "7.zip", false);
    assert_string_equal(found.project, "P/P.sln");
    assert_true(is_there(desk, "P/Debug/P.exe"));
    assert_string_equal(found.program, "P/P/Team_7.cpp");
}

static void the_program_is_the_one_that_uses_the_client(void **state)
{
    struct desk *desk = *state;
    put(desk, "STcpClient.py", "idTeam = 7\n");
    put(desk, "Team_7.py", "print('a test')\nif __name__ == '__main__': pass\n");
    put(desk, "final.py", "import ai\nwhile True: ai.play()\n");
    put(desk, "ai.py", "import STcpClient\ndef GetStep(): pass\n");
    put(desk, "helper.py", "def f(): pass\n");
    struct submission found = find(desk, "Team_7", false);
    /* `ai.py` is a part of `final.py`. */
    assert_string_equal(found.program, "final.py");
    assert_string_equal(found.others.text, "Team_7.py");
    assert_int_equal(found.protocol, SUBMISSION_TCP);
    expect_certain(&found, 7);
}

static enum submission_protocol protocol_of(const struct desk *desk, const char *source)
{
    put(desk, "Team_7.py", source);
    return find(desk, "Team_7", false).protocol;
}

static void the_protocol_is_read_from_the_source(void **state)
{
    struct desk *desk = *state;
    static const char files[] =
        "me = 7\nopen('state_%d.txt' % me)\nopen('./move_%d.txt' % me, 'w')\n";
    static const char kinds[] = "def name(k): return k + '_7.txt'\nname('state')\nname(\"move\")\n";
    assert_int_equal(protocol_of(desk, files), SUBMISSION_FILES);
    assert_int_equal(protocol_of(desk, kinds), SUBMISSION_FILES);
    assert_int_equal(protocol_of(desk, "import FileClient as STcpClient\n"), SUBMISSION_FILES);
    assert_int_equal(protocol_of(desk, "# import FileClient\nimport STcpClient\n"), SUBMISSION_TCP);
    assert_int_equal(protocol_of(desk, "import socket\ns.connect(('localhost', 8888))\n"),
                     SUBMISSION_TCP);
    assert_int_equal(protocol_of(desk, "print('hello')\n"), SUBMISSION_UNCLEAR);
    assert_int_equal(protocol_of(desk, "import socket\nopen('state_7.txt')\nopen('move_7.txt')\n"),
                     SUBMISSION_UNCLEAR);
    assert_int_equal(protocol_of(desk, "best_state = 'state'\nlast_move_ = 1\n"),
                     SUBMISSION_UNCLEAR);
}

static void a_program_with_files_has_its_number_in_their_names(void **state)
{
    struct desk *desk = *state;
    put(desk, "agent.cpp",
        "std::ifstream in(\"state_12.txt\"); // not state_3.txt\n"
        "std::ofstream out(\"move_12.txt\");\n");
    struct submission found = find(desk, "x", false);
    expect_certain(&found, 12);
    put(desk, "agent.cpp",
        "const int TEAM_ID = 9;\nopen(\"state_\" + id); open(\"move_\" + id);\n");
    found = find(desk, "x", false);
    assert_int_equal(found.numbers.count, 1);
    assert_int_equal(found.numbers.list[0], 9);
    assert_false(team_numbers_are_certain(&found.numbers));
}

/* "7", "2 9" as found; with "?" after it they are not certain. */
static void expect_numbers(const struct desk *desk, const char *name, const char *source,
                           const char *expected)
{
    char text[128] = "";
    put(desk, name, source);
    struct submission found = find(desk, "x", false);
    for (size_t i = 0; i < found.numbers.count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%d", i ? " " : "", found.numbers.list[i]);
    }
    if (!team_numbers_are_certain(&found.numbers)) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "?");
    }
    if (strcmp(text, expected) != 0) {
        fail_msg("'%s' instead of '%s' in %s", text, expected, source);
    }
    put(desk, name, "");
}

static void the_number_is_read_from_code_only(void **state)
{
    struct desk *desk = *state;
    static const char *const python[][2] = {
        {"# idTeam = 2\nidTeam = 7\n", "7"},
        {"\"\"\"set idTeam = 2\n\"\"\"\nidTeam = 7\n", "7"},
        {"def f():\n    'idTeam = 2'\n    \"idTeam = 3\"\nidTeam = 7\n", "7"},
        {"print('idTeam = 2')\nidTeam = 7\n", "7?"},
        {"s = '''\nidTeam = 2\n'''\nidTeam = 7\n", "7?"},
        {"s = '\\'# idTeam = 3'\nidTeam: int = 7 # 8\n", "7?"},
        {"s = '#'; idTeam = 7; t = '#'\n", "7"},
        {"idTeam = 2\nidTeam = 9\n", "2 9?"},
        {"idTeam = -1\nidTeam = 9\n", "9?"},
        {"idTeam = 3 + 4\n", "?"},
        {"idTeam = 3\nidTeam += 4\n", "3?"},
        {"idTeam = int(sys.argv[1])\n", "?"},
        {"idTeam = 7\nidTeam = int(open('id.txt').read())\n", "7?"},
        {"if idTeam == 2: pass\nidTeam = 7\n", "7"},
        {"connect(idTeam=7)\n", "7"},
        {"connect(8, idTeam=7, port=8888)\n", "7"},
        {"port, idTeam = 8888, 7\n", "8888?"},
        {"idTeam = 7\nidTeam, port = 9, 8888\n", "7?"},
        {"idTeam = 7\nfor c.idTeam in (9,): pass\n", "7?"},
        {"a = f(\n'state_3.txt'\n)\nopen('state_7.txt')\nopen('move_7.txt')\n", "3 7?"},
        {"'''state_3.txt'''\nopen('state_7.txt')\nopen('move_7.txt')\n", "7"},
        {"n = 7\nopen(f'state_{n}.txt')\nopen(f'move_{n}.txt')\n", "?"},
    };
    static const char *const cpp[][2] = {
        {"/* idTeam = 2 */ // idTeam = 3 \\\n idTeam = 4\nint idTeam = 7;\n", "7"},
        {"#if 0\nint idTeam = 2;\n#if X\n#else\nit's\n#endif\n#else\nint idTeam{7};\n#endif\n",
         "7"},
        {"#if 1 // now\nint idTeam(7);\n#else\nint idTeam = 2;\n#endif\n", "7"},
        {"#ifdef A\nint idTeam = 2;\n#else\nint idTeam = 7;\n#endif\n", "2 7?"},
        {"char c = '\"'; int idTeam = 7; char d = '\"';\n", "7"},
        {"int n = 1'000; int idTeam = 7; int m = 2'000;\n", "7"},
        {"const char *s = R\"x(\n)\" idTeam = 2;\n)x\"; int idTeam = 7;\n", "7?"},
        {"#define idTeam 7\nint main() {}\n", "7"},
        {"int idTeam = 012;\n", "?"},
        {"int idTeam = 7; int next = ++idTeam;\n", "7?"},
        {"int idTeam = 7; int main() { idTeam--; }\n", "7?"},
        {"int idTeam = 7; int main() { std::cin >> idTeam; }\n", "7?"},
        {"int idTeam = 7; int main(int c, char **v) { idTeam = atoi(v[1]); }\n", "7?"},
        {"int idTeam = 7; int main() { scanf(\"%d\", &idTeam); }\n", "7?"},
    };
    for (size_t i = 0; i < sizeof python / sizeof python[0]; i++) {
        expect_numbers(desk, "agent.py", python[i][0], python[i][1]);
    }
    for (size_t i = 0; i < sizeof cpp / sizeof cpp[0]; i++) {
        expect_numbers(desk, "agent.cpp", cpp[i][0], cpp[i][1]);
    }
}

static void a_number_in_a_file_that_is_not_used_does_not_count(void **state)
{
    struct desk *desk = *state;
    put(desk, "STcpClient.py", "idTeam = 12\n");
    put(desk, "old.py", "import STcpClient\nSTcpClient.idTeam = 12\n");
    put(desk, "Sample.py", "import ai\ndef GetStep(): pass\n");
    put(desk, "ai.py", "import STcpClient\n");
    struct submission found = find(desk, "x", false);
    expect_certain(&found, 12);
    put(desk, "old.py", "import STcpClient\nSTcpClient.idTeam = 3\n");
    found = find(desk, "x", false);
    assert_int_equal(found.numbers.count, 1);
    assert_int_equal(found.numbers.list[0], 12);
    assert_false(team_numbers_are_certain(&found.numbers)); /* importlib may use it */
    put(desk, "ai.py", "import STcpClient\nSTcpClient.idTeam = 4\n");
    found = find(desk, "x", false);
    assert_int_equal(found.numbers.count, 2);
}

static void a_number_of_files_that_the_program_does_not_use_is_not_certain(void **state)
{
    struct desk *desk = *state;
    put(desk, "Sample.cpp", "int main() {}\n");
    put(desk, "other.cpp", "int idTeam = 12;\n");
    struct submission found = find(desk, "x", false);
    assert_false(team_numbers_are_certain(&found.numbers));
    assert_true(team_numbers_have(&found.numbers, 12));
}

static void comments_show_nothing_of_the_program(void **state)
{
    struct desk *desk = *state;
    put(desk, "a.py", "'''\nimport FileClient\n'''\nimport STcpClient\n");
    put(desk, "b.cpp", "/*\n#include \"FileClient.h\"\nint main() {}\nGetStep\n*/\n");
    struct submission found = find(desk, "x", false);
    assert_string_equal(found.program, "a.py");
    assert_int_equal(found.protocol, SUBMISSION_TCP);
    assert_string_equal(found.others.text, "");
}

/* --- Reports. --- */

static int pages_of(const struct desk *desk, const char *name)
{
    static const struct sandbox none;
    struct note why;
    return report_pages_count(desk->copy, name, &none, NULL, &why);
}

static void pages_of_office_documents_are_read(void **state)
{
    struct desk *desk = *state;
    char path[PATH_ROOM + 16];
    snprintf(path, sizeof path, "%s/a.docx", desk->copy);
    make_zip(path,
             &(struct member){"docProps/app.xml", "<Properties><Pages>6</Pages></Properties>", 0},
             1);
    assert_int_equal(pages_of(desk, "a.docx"), 6);
    snprintf(path, sizeof path, "%s/a.odt", desk->copy);
    make_zip(path, &(struct member){"meta.xml", "<m meta:page-count=\"3\"/>", 0}, 1);
    assert_int_equal(pages_of(desk, "a.odt"), 3);
    put(desk, "b.docx", "not a zip");
    assert_int_equal(pages_of(desk, "b.docx"), -1);
}

/* --- A platform's folder. --- */

static void the_prefix_of_a_platform_is_taken_off(void **state)
{
    struct desk *desk = *state;
    struct submission_folder list;
    struct note why;
    char folder[PATH_ROOM + 64];
    put(desk, "\xe7\x8e\x8b_1234567_assignsubmission_file_0856701.zip", "x");
    put(desk, "Bo_Li_22_assignsubmission_file_Team_8.py", "x");
    put(desk, "Bo_Li_22_assignsubmission_file_STcpClient.py", "x");
    put(desk, "Bo_Li_22_assignsubmission_onlinetext_onlinetext.html", "x");
    put(desk, "my_assignsubmission_file_x.zip", "x");
    put(desk, "notes.txt", "x");
    snprintf(folder, sizeof folder, "%s/Cy_3_assignsubmission_file_", desk->copy);
    assert_int_equal(mkdir(folder, 0755), 0);
    assert_int_equal(submission_folder_read(desk->copy, &list, &why), ERR_NONE);
    assert_int_equal(list.count, 4);
    assert_string_equal(submission_entry_name(&list.entries[0]), "Team_8.py");
    assert_string_equal(list.entries[0].person, "Bo_Li");
    assert_string_equal(list.entries[0].participant, "22");
    assert_int_equal(list.entries[0].part_count, 3);
    assert_string_equal(submission_entry_name(&list.entries[1]), "");
    assert_string_equal(list.entries[1].person, "Cy");
    assert_string_equal(submission_entry_name(&list.entries[2]), "my_assignsubmission_file_x.zip");
    assert_string_equal(list.entries[2].person, "");
    assert_string_equal(submission_entry_name(&list.entries[3]), "0856701.zip");
    assert_string_equal(list.entries[3].person, "\xe7\x8e\x8b");
    assert_int_equal(list.stray_count, 1);
    assert_string_equal(list.strays[0], "notes.txt");
    submission_folder_free(&list);
}

static void the_prefix_of_canvas_is_removed_where_all_files_have_it(void **state)
{
    struct desk *desk = *state;
    struct submission_folder list;
    struct note why;
    put(desk, "lovelaceada_4711_9001_Team_8.py", "x");
    put(desk, "lovelaceada_4711_9002_STcpClient.py", "x");
    put(desk, "lovelaceada_LATE_4712_9003_hw_1_2_x.zip", "x"); /* another person of that name */
    assert_int_equal(submission_folder_read(desk->copy, &list, &why), ERR_NONE);
    assert_int_equal(list.count, 3); /* one word before the numbers: the names of the students */
    assert_string_equal(list.entries[0].person, "");
    submission_folder_free(&list);
    put(desk, "\xe7\x8e\x8b_77_9004_0856701.zip", "x");
    assert_int_equal(submission_folder_read(desk->copy, &list, &why), ERR_NONE);
    assert_int_equal(list.count, 3);
    assert_string_equal(submission_entry_name(&list.entries[0]), "Team_8.py");
    assert_string_equal(list.entries[0].participant, "4711");
    assert_int_equal(list.entries[0].part_count, 2);
    assert_string_equal(submission_entry_name(&list.entries[1]), "hw_1_2_x.zip");
    assert_string_equal(list.entries[1].person, "lovelaceada");
    assert_string_equal(list.entries[1].participant, "4712");
    assert_string_equal(submission_entry_name(&list.entries[2]), "0856701.zip");
    submission_folder_free(&list);
    put(desk, "b_0856702_0856703_final.py", "x"); /* a group and its students */
    assert_int_equal(submission_folder_read(desk->copy, &list, &why), ERR_NONE);
    assert_int_equal(list.count, 5);
    submission_folder_free(&list);
}

#define DESK_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DESK_TEST(the_prefix_of_canvas_is_removed_where_all_files_have_it),
        DESK_TEST(a_zip_is_unpacked_with_its_folders),
        DESK_TEST(no_folder_has_the_name_of_a_file_that_is_made),
        DESK_TEST(nothing_in_a_zip_gets_out_of_its_folder),
        DESK_TEST(links_in_a_zip_are_left_out),
        DESK_TEST(a_file_that_is_also_a_folder_is_taken_once),
        DESK_TEST(a_zip_with_too_many_files_is_cut_off),
        DESK_TEST(a_bomb_does_not_go_off),
        DESK_TEST(what_is_no_zip_is_refused_kindly),
        DESK_TEST(a_member_with_another_checksum_is_not_copied),
        DESK_TEST(a_member_that_needs_a_password_is_named),
        DESK_TEST(links_in_a_folder_are_left_out),
        DESK_TEST(pipes_and_unprintable_names_in_a_folder_are_left_out),
        DESK_TEST(what_is_not_there_is_named),
        DESK_TEST(a_team_is_known_by_its_client),
        DESK_TEST(a_source_that_is_not_a_text_is_skipped),
        DESK_TEST(a_team_that_did_not_say_its_number_has_none),
        DESK_TEST(the_program_is_the_one_named_after_the_team),
        DESK_TEST(a_program_under_another_name_is_found_and_noted),
        DESK_TEST(a_student_is_known_by_program_and_report),
        DESK_TEST(an_empty_submission_has_no_program),
        DESK_TEST(an_archive_in_a_submission_is_noted),
        DESK_TEST(names_in_big5_are_read),
        DESK_TEST(what_compilers_make_is_left_out_and_counted),
        DESK_TEST(the_program_is_the_one_that_uses_the_client),
        DESK_TEST(the_protocol_is_read_from_the_source),
        DESK_TEST(a_program_with_files_has_its_number_in_their_names),
        DESK_TEST(the_number_is_read_from_code_only),
        DESK_TEST(a_number_in_a_file_that_is_not_used_does_not_count),
        DESK_TEST(a_number_of_files_that_the_program_does_not_use_is_not_certain),
        DESK_TEST(comments_show_nothing_of_the_program),
        DESK_TEST(pages_of_office_documents_are_read),
        DESK_TEST(the_prefix_of_a_platform_is_taken_off),
        cmocka_unit_test(numbers_are_read_from_names),
        cmocka_unit_test(a_student_is_the_number_in_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
