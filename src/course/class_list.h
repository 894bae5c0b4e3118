/* class_list: the participants of a course, as a learning platform exports them.
 *
 * A CSV file (comma, semicolon or tab; UTF-8, UTF-16 or Big-5). Its columns are known by their
 * headings, in English or Chinese: "ID number", "Full name" (or "First name" and "Surname"),
 * "Group", "Last modified (submission)", "Identifier", "Email address", in any order; others are
 * ignored.
 */
#ifndef COURSE_CLASS_LIST_H
#define COURSE_CLASS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "report/report_data.h"
#include "tournament/roster.h"

enum { CLASS_LIST_MAX_BYTES = 8 << 20, CLASS_LIST_MAX_COLUMNS = 200 };

struct class_student {
    struct roster_student entry;       /* `team_id` and `line` are those of the list */
    char participant[ROSTER_ID_BYTES]; /* the number in the platform's identifier, or "" */
    bool has_time;                     /* the time of the submission is known: */
    int64_t submitted_s;               /* seconds since 1970 */
};

struct class_list {
    struct class_student *students;
    size_t count;
    char *text;          /* of the file, in UTF-8; cells point into it */
    const char **cells;  /* a row of headings, then one for each student */
    size_t column_count; /* in each row */
    bool has_teams;      /* there is such a column */
    bool has_times;      /* likewise */
};

/* ERR_INPUT: it cannot be read, or a column that is needed is missing; ERR_ENVIRONMENT: no memory.
 */
MUST_USE enum err class_list_read(const char *path, struct class_list *out, struct note *why);
void class_list_free(struct class_list *list);

/* The column whose heading is the first possible one of a list: lower case, the likeliest first,
 * each between bars: "|full name|name|". -1: there is none. */
int class_list_column(const struct class_list *list, const char *known);

/* What is written in a student's row. */
const char *class_list_cell(const struct class_list *list, size_t student, int column);

/* The student with that number of the platform, that id (or with it as that number), or that name
 * if only one has it; any may be "". NULL: there is none. */
const struct class_student *class_list_find(const struct class_list *list, const char *participant,
                                            const char *id, const char *name);

/* The students of a roster as a list without times. ERR_ENVIRONMENT: no memory. */
MUST_USE enum err class_list_of_roster(const struct roster *roster, struct class_list *out,
                                       struct note *why);

/* Students for whom the list names no team get the one that they have in the roster. */
void class_list_take_teams(struct class_list *list, const struct roster *roster);

/* Puts the list into a tournament that was played without it: replaces the roster's students, and
 * sets the teams' names and, with a deadline (0: none), when they were handed in and their days
 * late; a ruling in the audit log has priority. A student belongs to the team that the list names,
 * else to the one of the same id, else to that of the same student in the roster, by id, platform's
 * number or e-mail; else to that of the same name, if only one has it. ERR_ENVIRONMENT: no memory.
 */
MUST_USE enum err class_list_fill(struct report_data *data, const struct class_list *list,
                                  int64_t deadline_s, struct note *why);

#endif
