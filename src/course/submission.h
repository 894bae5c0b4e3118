/* submission: what a team handed in, as found in a folder: which file is the program, in which
 * language, whose it is, and whether the names are as the courses asked for.
 *
 * Hop and Reversi: an agent `Team_N` or `Sample` that uses STcpClient (or FileClient), with the
 * team's number in `idTeam`. MeiChu: `STUDENTID` with a report `STUDENTID.pdf`. Files are only
 * read; nothing is refused: a program under another name is found too, and the name is noted.
 */
#ifndef COURSE_SUBMISSION_H
#define COURSE_SUBMISSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/note.h"

enum {
    SUBMISSION_MAX_SOURCES = 64,
    SUBMISSION_PATH_BYTES = 256,
    SUBMISSION_MAX_TEXT = 1 << 20, /* of a source that is looked into */
};

enum submission_language { SUBMISSION_NO_PROGRAM, SUBMISSION_PYTHON, SUBMISSION_COMPILED };

/* Paths are inside the folder. */
struct submission {
    enum submission_language language;
    char program[SUBMISSION_PATH_BYTES];                         /* the main file */
    char sources[SUBMISSION_MAX_SOURCES][SUBMISSION_PATH_BYTES]; /* compiled: all beside it */
    size_t source_count;
    int team;                            /* from idTeam; -1: it does not say */
    bool speaks_files;                   /* FileClient in place of STcpClient */
    bool has_wrong_name;                 /* the program's or the report's */
    bool has_report;                     /* any PDF */
    char archive[SUBMISSION_PATH_BYTES]; /* one that lies in it unopened; "": there is none */
};

/* `handed_in_as` is the name of the file, folder or zip. `by_student`: MeiChu's names. */
MUST_USE enum err submission_find(const char *folder, const char *handed_in_as, bool by_student,
                                  struct submission *out, struct note *why);

/* The number in "7", "Team_7", "team-7.zip"; -1: there is none, or what is there is no number
 * ("Team_-5"). */
int submission_team_number(const char *name);

/* The name without known endings: "0816001" of "0816001.zip" and "0816001.tar.gz". At most
 * room - 1 bytes of it. */
void submission_stem(const char *name, char *out, size_t room);

/* Whose it is by MeiChu's names: the number that the stem begins with, since course sites put more
 * behind it ("0816001_Ada.zip"), or else all of the stem. */
void submission_student(const char *name, char *out, size_t room);

/* By its name: .zip, .rar, .7z, .tar.gz, … */
bool submission_is_archive(const char *name);

#endif
