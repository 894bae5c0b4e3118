/* enrol: what one team handed in becomes a player of a tournament.
 *
 * It is copied into a folder of ours, a lone zip in it is opened, it is looked at, and built if it
 * is C or C++; the compiler's messages stay there as build.log. Nothing about it is refused: what
 * is wrong is remarked on, and where there is nothing to run, a program that says so takes its
 * place and loses.
 */
#ifndef COURSE_ENROL_H
#define COURSE_ENROL_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"
#include "course/handed_in.h"
#include "course/submission.h"
#include "course/team_ids.h"
#include "game/game.h"
#include "player/spec.h"
#include "tournament/roster.h"

enum { ENROL_MAX_REMARKS = 16 };

struct enrolment {
    char handed_in_as[ROSTER_NAME_BYTES]; /* the file, folder or zip as it is called there */
    char name[ROSTER_NAME_BYTES];         /* a name for the team: the person's, or of the file */
    char person[HANDED_IN_PERSON_BYTES];  /* known to the platform, or "" */
    char participant[ROSTER_ID_BYTES];    /* likewise */
    char folder[ROSTER_ID_BYTES];         /* its copy, below the folder of all copies */
    struct team_claims claims;            /* whose it is by its own account */
    enum submission_language language;
    char program[SUBMISSION_PATH_BYTES]; /* as they named it; "": there is none */
    bool is_ready;                       /* there is something to run */
    bool has_team;                       /* there is an idTeam */
    int sent_team;                       /* its value, or -1 */
    bool has_wrong_team;                 /* and that is not its id */
    enum submission_protocol protocol;
    bool has_wrong_name; /* the program's, the report's or the archive's */
    bool has_wrong_report_name;
    bool has_report;
    bool lacks_report; /* one was asked for */
    int report_pages;  /* -1: not known */
    int days_late;
    char command[PLAYER_TEXT_BYTES];   /* seen from the roster's folder; "": there is a source */
    char source[PLAYER_TEXT_BYTES];    /* likewise, of a program that does not compile */
    char build_log[ROSTER_PATH_BYTES]; /* likewise; "": nothing was built */
    struct note remarks[ENROL_MAX_REMARKS];
    int remark_count; /* those past the last are counted only */
};

/* Where things are. */
struct enrol_place {
    const char *submissions; /* the folder of all that was handed in */
    const char *copies;      /* a folder to copy into, as we reach it */
    const char *copies_name; /* likewise, as seen from the roster's folder */
    const struct game *game;
};

/* `folder` is a new name in the folder of the copies. ERR_ENVIRONMENT only. */
MUST_USE enum err enrol(const struct enrol_place *place, const struct handed_in *hand_in,
                        const char *folder, struct enrolment *out, struct note *why);

void enrol_remark(struct enrolment *enrolment, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
