/* enrol: what one team handed in becomes a player of a tournament.
 *
 * It is copied into a folder of ours, looked at, and built if it is C or C++; the compiler's
 * messages stay there as build.log. Nothing about it is refused: what is wrong is remarked on, and
 * where there is nothing to run, a program that says so takes its place and loses.
 */
#ifndef CLI_ENROL_H
#define CLI_ENROL_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"
#include "player/spec.h"
#include "course/submission.h"
#include "tournament/roster.h"

enum { ENROL_MAX_REMARKS = 8 };

struct enrolment {
    char handed_in_as[ROSTER_NAME_BYTES]; /* the file, folder or zip */
    char folder[ROSTER_ID_BYTES];         /* its copy, below the folder of all copies */
    enum submission_language language;
    char program[SUBMISSION_PATH_BYTES]; /* as they named it; "": there is none */
    bool is_ready;                       /* there is something to run */
    int named_team; /* from the name of what was handed in, or of its program */
    int sent_team;  /* idTeam */
    bool speaks_files;
    bool has_wrong_name;
    bool lacks_report;
    char command[PLAYER_TEXT_BYTES];   /* seen from the roster's folder; "": there is a source */
    char source[PLAYER_TEXT_BYTES];    /* likewise, of a program that does not compile */
    char build_log[ROSTER_PATH_BYTES]; /* likewise; "": nothing was built */
    struct note remarks[ENROL_MAX_REMARKS];
    int remark_count;
};

/* Where things are. */
struct enrol_place {
    const char *submissions; /* the folder of all that was handed in */
    const char *copies;      /* a folder to copy into, as we reach it */
    const char *copies_name; /* likewise, as seen from the roster's folder */
    bool by_student;         /* MeiChu's names and protocol */
};

/* `name` is in the folder of submissions, `folder` a new name in that of the copies.
 * ERR_ENVIRONMENT and ERR_INTERRUPTED only. */
MUST_USE enum err enrol(const struct enrol_place *place, const char *name, const char *folder,
                        struct enrolment *out, struct note *why);

void enrol_remark(struct enrolment *enrolment, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
