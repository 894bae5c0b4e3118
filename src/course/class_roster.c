#include "course/class_roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/utf8.h"

enum err class_roster_init(struct class_roster *class, const char *title, size_t room,
                           struct note *why)
{
    class->teams = calloc(room, sizeof *class->teams);
    class->ids = calloc(room, sizeof *class->ids);
    if (!class->teams || !class->ids) {
        note_set(why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    utf8_clean(title, class->title, sizeof class->title);
    return ERR_NONE;
}

void class_roster_free(struct class_roster *class)
{
    free(class->ids);
    free(class->teams);
    *class = (struct class_roster){0};
}

const char *class_roster_state(const struct enrolment *team)
{
    return team->is_ready                            ? team->build_log[0] ? "built" : "ready"
           : team->language == SUBMISSION_NO_PROGRAM ? "no program"
                                                     : "does not compile";
}

/* --- Ids. --- */

static int find_id(const struct class_roster *class, const char *id)
{
    for (size_t i = 0; i < class->count; i++) {
        if (strcmp(class->ids[i].id, id) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* Two that claim the same may be one team's first and second try: a person must decide. */
static void remark_on_rival(struct class_roster *class, size_t index)
{
    struct enrolment *team = &class->teams[index];
    const struct team_id *id = &class->ids[index];
    const char *claim = team->claims.count ? team->claims.ids[0] : "";
    if (id->rival < 0) {
        if (id->is_free) {
            enrol_remark(team, "no team number is known: its id here is %s", id->id);
        }
        return;
    }
    struct enrolment *rival = &class->teams[id->rival];
    if (id->is_free) {
        enrol_remark(team, "also claims to be %s, as %s does: its id here is %s; keep one of them",
                     claim, rival->handed_in_as, id->id);
        enrol_remark(rival, "%s also claims to be %s: keep one of them", team->handed_in_as, claim);
        class->doubles++;
    } else {
        enrol_remark(team, "also claims to be %s, as %s does: its id here is %s, from its name",
                     claim, rival->handed_in_as, id->id);
    }
}

/* The number that a program sends must be its team's. */
static void remark_on_number(struct class_roster *class, size_t index)
{
    struct enrolment *team = &class->teams[index];
    char sent[ROSTER_ID_BYTES];
    snprintf(sent, sizeof sent, "%d", team->sent_team);
    if (!team->has_team || strcmp(sent, class->ids[index].id) == 0) {
        return;
    }
    int owner = team->sent_team < 0 ? -1 : find_id(class, sent);
    if (team->sent_team < 0) {
        enrol_remark(team, "its idTeam is -1: it was never set");
    } else if (owner >= 0) {
        enrol_remark(team, "its idTeam is %s: that is another team, %s", sent,
                     class->teams[owner].handed_in_as);
    } else {
        enrol_remark(team, "its idTeam is %s", sent);
    }
}

enum err class_roster_give_ids(struct class_roster *class, struct note *why)
{
    bool by_student = class->game->assignment.is_by_student;
    struct team_claims *claims = calloc(class->count ? class->count : 1, sizeof *claims);
    if (!claims) {
        note_set(why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    for (size_t i = 0; i < class->count; i++) {
        claims[i] = class->teams[i].claims;
    }
    enum err err = team_ids_give(claims, class->count, !by_student, class->ids, why);
    free(claims);
    for (size_t i = 0; !err && i < class->count; i++) {
        remark_on_rival(class, i);
        if (!by_student) {
            remark_on_number(class, i);
        }
    }
    return err;
}

/* --- The file. --- */

static void write_player(FILE *out, const struct class_roster *class, size_t index)
{
    const struct enrolment *team = &class->teams[index];
    if (team->source[0]) {
        fprintf(out, "source = %s\n", team->source);
        return;
    }
    if (class->game->assignment.is_by_student) {
        fprintf(out, "player = template:%s\n", team->command);
        return;
    }
    fprintf(out, "player = %s:", team->protocol == SUBMISSION_FILES ? "file" : "tcp");
    if (team->sent_team >= 0) {
        fprintf(out, "%d:%s\n", team->sent_team, team->command);
    } else {
        fprintf(out, "%s:%s\n", class->ids[index].id, team->command);
    }
}

/* These signs would begin a comment. */
static void write_name(FILE *out, const char *name)
{
    fputs("name = ", out);
    for (; *name; name++) {
        fputc(*name == ';' || *name == '#' ? '_' : *name, out);
    }
    fputc('\n', out);
}

static void write_team(FILE *out, const struct class_roster *class, size_t index)
{
    const struct enrolment *team = &class->teams[index];
    fprintf(out, "\n[team %s]\n", class->ids[index].id);
    if (!team->is_ready) {
        fprintf(out, "# %s\n", class_roster_state(team));
    }
    for (int i = 0; i < team->remark_count && i < ENROL_MAX_REMARKS; i++) {
        fprintf(out, "# %s\n", team->remarks[i].text);
    }
    write_name(out, *team->name ? team->name : class->ids[index].id);
    write_player(out, class, index);
    if (team->build_log[0]) {
        fprintf(out, "build_log = %s\n", team->build_log);
    }
    if (team->has_wrong_name) {
        fputs("wrong_name = yes\n", out);
    }
    if (team->lacks_report) {
        fputs("missing_report = yes\n", out);
    }
}

enum err class_roster_write(const struct class_roster *class, const char *path, struct note *why)
{
    struct atomic_file file;
    enum err err = atomic_file_open(&file, path, why);
    if (err) {
        return err;
    }
    fprintf(file.stream,
            "# Made by plum tournament init. Edit it freely; days_late, plagiarism and\n"
            "# withdrawn_after are yours to add to a team.\n"
            "[tournament]\nname = %s\ngame = %s\nformat = %s\nseed = 1\n",
            class->title, class->game->name,
            class->game->is_swiss ? "swiss" : "double-round-robin");
    for (size_t i = 0; i < class->count; i++) {
        write_team(file.stream, class, i);
    }
    return atomic_file_commit(&file, why);
}
