/* class_roster: the teams of a class on their way into a roster: their ids, and the file. */
#ifndef COURSE_CLASS_ROSTER_H
#define COURSE_CLASS_ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/note.h"
#include "course/class_list.h"
#include "course/class_team.h"
#include "course/team_ids.h"
#include "game/game.h"
#include "tournament/roster.h"

/* A zeroed struct with a game is an empty class. */
struct class_roster {
    const struct game *game;
    char title[ROSTER_NAME_BYTES];
    const char *python;                    /* for the roster, or NULL */
    const char *memory;                    /* likewise */
    const char *sandbox;                   /* likewise */
    char students_file[ROSTER_PATH_BYTES]; /* the copy of the list, from the roster; or "" */
    struct class_team *teams;
    struct team_id *ids;
    size_t count;
    size_t *order;  /* in which they are listed, from the time on when they have their ids */
    size_t doubles; /* that claim to be the same team as another one */
    struct class_list list;               /* of participants, or empty */
    int64_t deadline_s;                   /* since 1970; 0: not known */
    const struct class_student **senders; /* by team: who submitted it; NULL: not known */
    int *student_teams;                   /* by student of the list: an index, or -1 */
};

/* Makes room for that many teams; the count stays 0. */
MUST_USE enum err class_roster_init(struct class_roster *class, const char *title, size_t room,
                                    struct note *why);
void class_roster_free(struct class_roster *class);

/* After the last team: takes the list over. Before the ids are given, since the list may name the
 * team a person belongs to. */
MUST_USE enum err class_roster_take_list(struct class_roster *class, struct class_list *list,
                                         int64_t deadline_s, struct note *why);

/* The list or the names have another team's number than the code. After the list was taken. */
bool class_roster_names_other(const struct class_roster *class, size_t index);

/* After the last team: gives ids, and remarks on everything about them that a person should see. */
MUST_USE enum err class_roster_assign_ids(struct class_roster *class, struct note *why);

/* For a class of one team that is to be put into a roster: the team of that roster whose hand-in it
 * is, or -1: a new one. `wish` is the id that a person has given, or NULL. Gives it its id, with
 * the same remarks. ERR_NEGATIVE: it is not clear whose it is. */
MUST_USE enum err class_roster_find_place(struct class_roster *class, const struct roster *roster,
                                          const char *wish, int *team, struct note *why);

/* How many students of the list handed nothing in. */
size_t class_roster_absent(const struct class_roster *class);

/* "ready", "built", "no program", "does not compile", "syntax error". */
const char *class_roster_state(const struct class_team *team);

/* Whether it is known when it was handed in. */
bool class_roster_has_time(const struct class_roster *class, size_t index);

/* Lines of a team's section: the remarks as comments; the keys about its hand-in; these with its
 * name before them. Then those of a student's section. */
void class_roster_write_remarks(FILE *out, const struct class_roster *class, size_t index);
void class_roster_write_hand_in(FILE *out, const struct class_roster *class, size_t index);
void class_roster_write_team(FILE *out, const struct class_roster *class, size_t index);
void class_roster_write_student(FILE *out, const struct class_roster *class, size_t index);

/* The keys about a hand-in, with those about its time or without them, then NULL. */
enum { CLASS_ROSTER_HAND_IN_KEYS = 13 };
void class_roster_hand_in_keys(bool has_time, const char *out[CLASS_ROSTER_HAND_IN_KEYS]);

/* The whole file. */
MUST_USE enum err class_roster_write(const struct class_roster *class, const char *path,
                                     struct note *why);

#endif
