/* agent_submission: our agent as a student hands it in: a zip with the source, the course's client
 * and the report, under the names that the course asks for.
 *
 * Named after the student: ID.zip with ID.cpp and ID.pdf. Named after the team: Team_N.zip with
 * Team_N.cpp, the client with the number in idTeam, and Team_N.pdf.
 */
#ifndef COURSE_AGENT_SUBMISSION_H
#define COURSE_AGENT_SUBMISSION_H

#include <stddef.h>

#include "base/note.h"
#include "course/agent_source.h"

enum { AGENT_SUBMISSION_MAX_REPORT = 16 << 20 };

struct agent_submission {
    struct agent_source source; /* its team is the id */
    const char *report;         /* the path of a PDF */
    const char *folder;         /* is made if it does not exist */
};

/* Writes the zip; its path goes to `path`, and the names of the files in it to `files`. ERR_INPUT:
 * the id is wrong, there is no such agent, the report is not a PDF, or the zip exists; nothing was
 * written then. */
MUST_USE enum err agent_submission_write(const struct agent_submission *submission, char *path,
                                         size_t room, struct note *files, struct note *why);

#endif
