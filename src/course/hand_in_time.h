/* hand_in_time: when something was handed in, and how late that is.
 *
 * A time that names its zone ("Z", "UTC", "GMT", "+08:00") is a moment. One without a zone is local
 * time of this machine, as the clock of the organiser's computer shows it.
 */
#ifndef COURSE_HAND_IN_TIME_H
#define COURSE_HAND_IN_TIME_H

#include <stdint.h>

#include "base/note.h"

enum { HAND_IN_TIME_BYTES = 64 };

/* A date and time as platforms and people write them: "2021-05-02 23:59", "2021/5/2 23:59:30",
 * "Sunday, 2 May 2021, 11:59 PM", "2021年05月2日(日) 23:59", "25/5/2021 08:00",
 * "2021-05-02T15:59:00Z", "2021-05-02 23:59 +08:00". A day without a time is its end. Seconds since
 * 1970 in UTC. ERR_INPUT: it is something else, could mean two days, or names a zone by letters
 * other than UTC, of which there may be several. */
MUST_USE enum err hand_in_time_read(const char *text, int64_t *out_s, struct note *why);

/* In the zone of this machine: "2021-05-02 23:59:00 +0800 (CST)". */
void hand_in_time_write(int64_t time_s, char out[HAND_IN_TIME_BYTES]);

/* Days that have begun after the deadline; 0: it was in time. */
int hand_in_days_late(int64_t submitted_s, int64_t deadline_s);

#endif
