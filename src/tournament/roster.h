/* roster: the teams of a tournament and its rules: an INI file.
 *
 *     [tournament]
 *     game = NAME
 *     format = swiss
 *
 *     [team 7]
 *     name = The Frogs
 *     player = tcp:7:./Team_7
 *
 *     [student 0856701]
 *     name = Ada
 *     team = 7
 *
 * The whole file is checked at once, so that a person can correct all mistakes together. This
 * module touches no file: play/entrants finds out whether those that the roster names exist. Their
 * paths start at the folder of the roster.
 *
 * Long because each key of the file has its field here.
 */
#ifndef TOURNAMENT_ROSTER_H
#define TOURNAMENT_ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/note.h"
#include "game/game.h"
#include "player/player_spec.h"
#include "tournament/deduction_list.h"
#include "tournament/pairing_rules.h"
#include "tournament/ranking.h"

enum {
    ROSTER_MAX_TEAMS = RANKING_MAX_TEAMS,
    ROSTER_MAX_BYTES = 4 * 1024 * 1024,
    ROSTER_MAX_ROUNDS = 1000,
    ROSTER_MAX_GAMES_PER_PAIRING = 100,
    ROSTER_MAX_PROBLEMS = 100, /* listed; more are only counted */
    ROSTER_ID_BYTES = 32,      /* with the final NUL, as below */
    ROSTER_NAME_BYTES = 128,
    ROSTER_PATH_BYTES = 512,
    ROSTER_TIME_BYTES = 64,
    ROSTER_MAX_REFERENCES = 10,
    ROSTER_MAX_STUDENTS = 5000,
    ROSTER_MAX_REPORT_PAGES = 99999,
};

enum roster_format { ROSTER_DOUBLE_ROUND_ROBIN, ROSTER_SWISS, ROSTER_GAUNTLET, ROSTER_KNOCKOUT };

struct roster_team {
    char id[ROSTER_ID_BYTES]; /* letters, digits, '_', '-', '.': fit for a file's name */
    char name[ROSTER_NAME_BYTES];
    char player[PLAYER_TEXT_BYTES]; /* as player/player_spec.h reads it; "": it has a source */
    char source[PLAYER_TEXT_BYTES]; /* C, C++ or Python files with spaces between them, or "" */
    char
        build_log[ROSTER_PATH_BYTES]; /* a file in which the compiler's messages were kept, or "" */
    int line;                         /* of its section */

    /* For grading. */
    int days_late;
    char handed_in[ROSTER_TIME_BYTES]; /* when, with the zone: for a person; "": not known */
    int withdrawn_after;               /* plays this many rounds only; -1: all */
    int entered_after; /* entered when this many rounds were paired; -1: takes part from the start
                        */
    bool is_plagiarism;
    bool has_wrong_name;
    char wrong_files[ROSTER_NAME_BYTES]; /* if so: their names, or "" */
    char files[ROSTER_NAME_BYTES];       /* what was handed in without a report, or "" */
    char no_program[ROSTER_NAME_BYTES];  /* why there is nothing to run; "": it plays */
    bool lacks_report;
    int report_pages; /* 0: not known */
    bool has_id_team; /* it is known what the program sends as its team's number: */
    int id_team;      /* that number; -1: it was never set */
};

/* A person, with the marks of the team; without a team there are none. */
struct roster_student {
    char id[ROSTER_ID_BYTES];
    char name[ROSTER_NAME_BYTES];
    char email[ROSTER_NAME_BYTES];      /* or "" */
    char identifier[ROSTER_NAME_BYTES]; /* the learning platform's own, or "" */
    int team;                           /* its number; -1: nothing was handed in */
    char team_id[ROSTER_ID_BYTES];      /* as written, or "" */
    int line;
};

/* Teams are numbered from 0 in the order of the file. Reference opponents are numbered down from
 * ROSTER_MAX_TEAMS - 1, so that their numbers do not change when a team enters later. Only `teams`
 * contains them: team_count does not count them. A zeroed struct has none. */
struct roster {
    char name[ROSTER_NAME_BYTES];
    const struct game *game;
    enum roster_format format;
    int rounds; /* of this format with these teams */
    int games_per_pairing;
    struct ranking_rules ranking; /* points, and the order of the tie-breaks */
    struct pairing_rules rules;
    char students_file[ROSTER_PATH_BYTES]; /* the platform's list of participants, or "" */
    char deadline[ROSTER_TIME_BYTES];      /* of the hand-ins, with the zone: for a person; or "" */
    uint64_t seed;
    bool has_qualification;        /* every team plays against random first */
    bool refuses_late;             /* late_hand_ins = refuse: a late team does not play */
    bool accepts_late;             /* late_hand_ins = play: whatever the assignment says */
    bool has_penalties;            /* it says what the marks lose: */
    double penalties[DEDUCTIONS];  /* in percent */
    bool keeps_disqualified_games; /* disqualified_games = keep */
    int python_line;
    int concurrency;           /* 0: what the cores allow */
    struct roster_team *teams; /* slot_count of them, those between teams and references unused */
    int team_count;
    int starter_count;    /* teams that take part from the start; the others follow them */
    size_t starter_bytes; /* of the text before the first of the others */
    int reference_count;
    int slot_count;                  /* the least that is above every number */
    struct roster_student *students; /* in the order of the file */
    int student_count;
};

/* What is wrong, one sentence each, in the order of the file; each names its line. */
struct roster_problems {
    struct note list[ROSTER_MAX_PROBLEMS];
    int lines[ROSTER_MAX_PROBLEMS];
    int count; /* all of them, also those that are not listed */
};

/* Those of one line stay in the order in which they were added. */
void roster_problems_add(struct roster_problems *problems, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void roster_problems_sort(struct roster_problems *problems);

/* For a person: the only problem with the file's name, or how many there are in it. */
void roster_problems_sum_up(const struct roster_problems *problems, const char *path,
                            struct note *why);

/* Reads a whole file's text. ERR_INPUT: *problems lists the reasons, and *out is untouched. */
MUST_USE enum err roster_read(const char *text, size_t bytes, enum cpu_level cpu,
                              struct roster *out, struct roster_problems *problems);

/* The same, but *out is set in any case, to what could be read, so that a caller can look for more
 * problems: there may be no game, and teams that cannot play. */
MUST_USE enum err roster_read_anyway(const char *text, size_t bytes, enum cpu_level cpu,
                                     struct roster *out, struct roster_problems *problems);

void roster_free(struct roster *roster);

/* Teams, then references: how many there are, and the number of one of them, counted from 0. */
int roster_entrant_count(const struct roster *roster);
int roster_entrant(const struct roster *roster, int index);
bool roster_is_reference(const struct roster *roster, int team);

/* The number of a team or reference; -1: none has that id. */
int roster_find(const struct roster *roster, const char *id);

/* NULL: there is none of that id. */
const struct roster_student *roster_find_student(const struct roster *roster, const char *id);

/* Whether the team was handed in late where that is not accepted: it does not play. */
bool roster_refuses(const struct roster *roster, int team);

/* How many teams play: all but those. */
int roster_playing_count(const struct roster *roster);

/* Adds a problem for a team whose id the tables use for another player. The databases of older
 * versions may have one. */
void roster_check_ids(const struct roster *roster, struct roster_problems *problems);

/* "double-round-robin", "swiss", "gauntlet", "knockout". */
const char *roster_format_name(enum roster_format format);

#endif
