/* class_team: turns the submission of one team into a player of a tournament.
 *
 * It is copied into a folder of its own, a single zip in it is opened, the program is found, and
 * built if it is C or C++; the compiler's messages are kept there as build.log. No submission is
 * refused: what is wrong becomes a remark, and where there is nothing to run, the reason takes the
 * place of a player.
 */
#ifndef COURSE_CLASS_TEAM_H
#define COURSE_CLASS_TEAM_H

#include <stdbool.h>

#include "base/note.h"
#include "course/compiler.h"
#include "course/submission_folder.h"
#include "course/submission.h"
#include "course/team_ids.h"
#include "game/game.h"
#include "player/player_spec.h"
#include "tournament/roster.h"

enum { CLASS_TEAM_MAX_REMARKS = 16 };

struct class_team {
    char submitted_as[ROSTER_NAME_BYTES]; /* the file, folder or zip as it is called there */
    char name[ROSTER_NAME_BYTES];         /* a name for the team: the person's, or of the file */
    char person[SUBMISSION_PERSON_BYTES]; /* known to the platform, or "" */
    char participant[ROSTER_ID_BYTES];    /* likewise */
    char folder[ROSTER_ID_BYTES];         /* its copy, below the folder of all copies */
    struct team_claims claims;            /* whose it is by its names */
    struct team_claims student_claims;    /* likewise: teams have numbers, these are students' */
    enum submission_language language;
    char program[SUBMISSION_PATH_BYTES]; /* as they named it; "": there is none */
    bool is_ready;                       /* there is something to run */
    struct team_numbers numbers;         /* that its code has for its team */
    bool has_number;                     /* it is known which one the program uses: */
    int number;                          /* that one; -1: it was never set */
    bool has_wrong_number;               /* and that is not its id */
    enum submission_protocol protocol;
    char no_program[ROSTER_NAME_BYTES];  /* why there is nothing to run; or "" */
    char wrong_files[ROSTER_NAME_BYTES]; /* whose names are wrong, or "" */
    char files[ROSTER_NAME_BYTES];       /* some of what was handed in */
    char other[PLAYER_TEXT_BYTES];       /* a source in an other_language, seen from the roster's
                                            folder, where there is no program; or "" */
    bool has_wrong_name;                 /* the program's, the report's or the archive's */
    bool has_wrong_report_name;
    bool has_report;
    bool lacks_report; /* one was asked for */
    int report_pages;  /* -1: not known */
    int days_late;
    char command[PLAYER_TEXT_BYTES];   /* seen from the roster's folder; "": there is a source */
    char source[PLAYER_TEXT_BYTES];    /* likewise, of a program that does not compile */
    char build_log[ROSTER_PATH_BYTES]; /* likewise; "": nothing was built */
    struct note remarks[CLASS_TEAM_MAX_REMARKS];
    int remark_count; /* those past the last are counted only */
};

/* Where things are. The current folder is the roster's. */
struct class_team_place {
    const char *submissions; /* the folder of all submissions: absolute */
    const char *copies;      /* a folder to copy into */
    const struct game *game;
    const struct compiler_options *compiler;
};

/* `folder` is a new name in the folder of the copies. ERR_ENVIRONMENT and ERR_INTERRUPTED only. */
MUST_USE enum err class_team_prepare(const struct class_team_place *place,
                                     const struct submission_entry *entry, const char *folder,
                                     struct class_team *out, struct note *why);

/* It is known that the program uses this one. */
void class_team_take_number(struct class_team *team, int number);

void class_team_remark(struct class_team *team, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
