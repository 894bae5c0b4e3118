/* class_members: a list of participants, put into a tournament that was played without it. */
#ifndef COURSE_CLASS_MEMBERS_H
#define COURSE_CLASS_MEMBERS_H

#include "course/class_list.h"
#include "report/book.h"

/* Takes the place of the roster's students, and gives teams their names and, with a deadline
 * (0: none), the days that they were late; what was noted in the audit log counts more. A student
 * belongs to the team that the list names, else to the one of the same id or name, else to the one
 * in the roster. ERR_ENVIRONMENT: no memory. */
MUST_USE enum err class_members_fill(struct book *book, const struct class_list *list,
                                     int64_t deadline_s, struct note *why);

#endif
