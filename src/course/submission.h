/* submission: the submission of a team in a folder: which file is the program, in which language
 * and protocol, of which team, and whether the names are as the courses asked for.
 *
 * Named after the team: an agent `Team_N` or `Sample` that uses STcpClient (or FileClient), with
 * the team's number in `idTeam`. Comments count for nothing. Named after the student: `STUDENTID`
 * with a report `STUDENTID.pdf`. Files are only read; nothing is refused: a program under another
 * name is also found, and the name is noted.
 */
#ifndef COURSE_SUBMISSION_H
#define COURSE_SUBMISSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"
#include "course/team_numbers.h"

enum {
    SUBMISSION_MAX_SOURCES = 64,
    SUBMISSION_PATH_BYTES = 256,
    SUBMISSION_MAX_TEXT = 1 << 20, /* of a source that is looked into */
};

enum submission_language { SUBMISSION_NO_PROGRAM, SUBMISSION_PYTHON, SUBMISSION_COMPILED };

/* Unclear: the source shows signs of both protocols or of none. */
enum submission_protocol { SUBMISSION_UNCLEAR, SUBMISSION_TCP, SUBMISSION_FILES };

/* Paths are inside the folder; "" means that there is none. */
struct submission {
    enum submission_language language;
    char program[SUBMISSION_PATH_BYTES];                         /* the main file */
    char sources[SUBMISSION_MAX_SOURCES][SUBMISSION_PATH_BYTES]; /* compiled: all next to it */
    size_t source_count;
    enum submission_protocol protocol;
    struct team_numbers numbers; /* that the program may use for its team */
    bool has_wrong_name;         /* the program */
    char report[SUBMISSION_PATH_BYTES];
    bool has_wrong_report_name;
    char archive[SUBMISSION_PATH_BYTES]; /* the first that was not opened */
    size_t archive_count;
    char project[SUBMISSION_PATH_BYTES]; /* of Visual Studio */
    struct note others;  /* the other sources that could be the program, in a list */
    struct note skipped; /* sources that could not be looked into, in a list */
};

/* `name` is that of the file, folder or archive. `by_student`: files are named after the student.
 */
MUST_USE enum err submission_find(const char *folder, const char *name, bool by_student,
                                  struct submission *out, struct note *why);

/* What one source shows of the protocol that it speaks. */
MUST_USE enum err submission_protocol_of(const char *path, enum submission_protocol *out,
                                         struct note *why);

/* The number in "7", "Team_7", "hw2-team 7.zip"; -1: there is none, or what is there is not a
 * number ("Team_-5"). */
int submission_team_number(const char *name);

/* The name without known endings: "0816001" of "0816001.zip" and "0816001.tar.gz". At most
 * room - 1 bytes of it. */
void submission_stem(const char *name, char *out, size_t room);

/* The student's number in a name ("0816001" of "0816001_Ada.zip" and "hw3-0816001.zip"): at least
 * five digits, with up to two letters before them. False: there is none, and *out is the stem. */
bool submission_student(const char *name, char *out, size_t room);

/* By its name: .zip, .rar, .7z, .tar.gz, … */
bool submission_is_archive(const char *name);

/* By its name: .exe. */
bool submission_is_windows_program(const char *name);

/* By its name: Python, C or C++; with headers. */
bool submission_is_source(const char *name);
bool submission_is_code(const char *name);

/* "Python", "C", "C++"; "-" if the name is not that of a source. */
const char *submission_language_name(const char *program);

/* STcpClient and FileClient in any letter case: the courses' own files. */
bool submission_is_client(const char *name);

#endif
