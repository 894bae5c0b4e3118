#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/remove_tree.h"
#include "base/utf8.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/enrol.h"
#include "cli/interrupt.h"
#include "cli/json_out.h"

/* A roster in the making. */
struct init {
    const struct game *game;
    const char *submissions;
    const char *roster;
    bool by_student;
    char copies[PATH_MAX];      /* the folder of copies, as we reach it */
    char copies_name[PATH_MAX]; /* as seen from the roster */
    struct enrolment *teams;
    char (*ids)[ROSTER_ID_BYTES];
    size_t count;
};

static const char id_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/* --- What was handed in. --- */

static int is_submission(const struct dirent *entry)
{
    static const char *const endings[] = {".zip", ".py", ".c", ".cpp", ".cc", ".cxx", ".c++"};
    const char *dot = strrchr(entry->d_name, '.');
    if (entry->d_name[0] == '.' || strncasecmp(entry->d_name, "STcpClient.", 11) == 0 ||
        strncasecmp(entry->d_name, "FileClient.", 11) == 0) {
        return 0;
    }
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcasecmp(dot, endings[i]) == 0) {
            return 1;
        }
    }
    return entry->d_type == DT_DIR;
}

static enum err list_submissions(const char *folder, struct dirent ***out, int *count,
                                 struct note *why)
{
    *count = scandir(folder, out, is_submission, versionsort);
    if (*count < 0) {
        note_set(why, "cannot read %.150s: %s", folder, strerror(errno));
        *count = 0;
        return ERR_INPUT;
    }
    if (*count == 0) {
        note_set(why, "no submissions in %.150s: a folder, zip or source for each team", folder);
        return ERR_INPUT;
    }
    if (*count > ROSTER_MAX_TEAMS) {
        note_set(why, "more than %d submissions in %.150s", ROSTER_MAX_TEAMS, folder);
        return ERR_INPUT;
    }
    return ERR_NONE;
}

/* A name fit for a folder and an id that none of the others has. */
static void make_folder_name(const struct init *init, const char *name, char *out, size_t room)
{
    char stem[ROSTER_ID_BYTES - 12]; /* leaves room for a number */
    submission_stem(name, stem, sizeof stem);
    for (char *at = stem; *at; at++) {
        *at = strchr(id_letters, *at) ? *at : '_';
    }
    snprintf(out, room, "%s", *stem ? stem : "_");
    for (int number = 2; number <= ROSTER_MAX_TEAMS; number++) {
        size_t i = 0;
        while (i < init->count && strcmp(init->teams[i].folder, out) != 0) {
            i++;
        }
        if (i == init->count) {
            return;
        }
        snprintf(out, room, "%s-%d", stem, number);
    }
}

static enum err enrol_all(struct init *init, struct dirent *const *entries, int count,
                          struct note *why)
{
    const struct enrol_place place = {init->submissions, init->copies, init->copies_name,
                                      init->by_student};
    const atomic_bool *is_interrupted = interrupt_sets_flag();
    enum err err = ERR_NONE;
    for (int i = 0; !err && i < count; i++) {
        char folder[ROSTER_ID_BYTES];
        make_folder_name(init, entries[i]->d_name, folder, sizeof folder);
        err = enrol(&place, entries[i]->d_name, folder, &init->teams[init->count], why);
        if (!err) {
            init->count++;
        }
        err = *is_interrupted ? ERR_INTERRUPTED : err;
    }
    return err;
}

/* --- Ids. --- */

static bool is_taken(const struct init *init, const char *id, size_t before)
{
    for (size_t i = 0; i < before; i++) {
        if (strcmp(init->ids[i], id) == 0) {
            return true;
        }
    }
    return false;
}

/* Where two claim the same number, or none is known, one that nobody claims. */
static int free_number(const struct init *init)
{
    int number = 0;
    for (size_t i = 0; i < init->count; i++) {
        const struct enrolment *team = &init->teams[i];
        number = team->named_team > number ? team->named_team : number;
        number = team->sent_team > number ? team->sent_team : number;
    }
    return number + 1;
}

static void give_numbers(struct init *init)
{
    int next = free_number(init);
    for (size_t i = 0; i < init->count; i++) {
        struct enrolment *team = &init->teams[i];
        int number = team->named_team >= 0 ? team->named_team : team->sent_team;
        snprintf(init->ids[i], ROSTER_ID_BYTES, "%d", number);
        if (number < 0 || is_taken(init, init->ids[i], i)) {
            enrol_remark(team, "%s: it is called %d",
                         number < 0 ? "no team number is known" : "its team number is taken", next);
            number = next++;
            snprintf(init->ids[i], ROSTER_ID_BYTES, "%d", number);
        }
        if (team->sent_team >= 0 && team->sent_team != number) {
            enrol_remark(team, "its idTeam is %d", team->sent_team);
        }
    }
}

static void give_ids(struct init *init)
{
    if (!init->by_student) {
        give_numbers(init);
        return;
    }
    for (size_t i = 0; i < init->count; i++) {
        snprintf(init->ids[i], ROSTER_ID_BYTES, "%s", init->teams[i].folder);
    }
}

/* --- The roster. --- */

static const char *state_of(const struct enrolment *team)
{
    return team->is_ready                            ? team->build_log[0] ? "built" : "ready"
           : team->language == SUBMISSION_NO_PROGRAM ? "no program"
                                                     : "does not compile";
}

static void write_player(FILE *out, const struct init *init, size_t index)
{
    const struct enrolment *team = &init->teams[index];
    if (init->by_student) {
        fprintf(out, "player = template:%s\n", team->command);
        return;
    }
    const char *protocol = team->speaks_files ? "file" : "tcp";
    fprintf(out, "player = %s:", protocol);
    if (team->sent_team >= 0) {
        fprintf(out, "%d:%s\n", team->sent_team, team->command);
    } else {
        fprintf(out, "%s:%s\n", init->ids[index], team->command);
    }
}

static void write_team(FILE *out, const struct init *init, size_t index)
{
    const struct enrolment *team = &init->teams[index];
    char stem[ROSTER_NAME_BYTES];
    submission_stem(team->handed_in_as, stem, sizeof stem);
    for (char *at = stem; *at; at++) {
        *at = *at == ';' || *at == '#' ? '_' : *at; /* they would begin a comment */
    }
    fprintf(out, "\n[team %s]\n", init->ids[index]);
    if (!team->is_ready) {
        fprintf(out, "# %s\n", state_of(team));
    }
    for (int i = 0; i < team->remark_count; i++) {
        fprintf(out, "# %s\n", team->remarks[i].text);
    }
    fprintf(out, "name = %s\n", stem);
    write_player(out, init, index);
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

static enum err write_roster(const struct init *init, struct note *why)
{
    struct atomic_file file;
    char folder[PATH_MAX];
    char name[ROSTER_NAME_BYTES];
    enum err err = atomic_file_open(&file, init->roster, why);
    if (err) {
        return err;
    }
    const char *title = realpath(init->submissions, folder) ? strrchr(folder, '/') + 1 : "";
    utf8_clean(*title ? title : init->game->name, name, sizeof name);
    fprintf(file.stream,
            "# Made by plum tournament init. Edit it freely; days_late, plagiarism and\n"
            "# withdrawn_after are yours to add to a team.\n"
            "[tournament]\nname = %s\ngame = %s\nformat = %s\nseed = 1\n",
            name, init->game->name, init->by_student ? "swiss" : "double-round-robin");
    for (size_t i = 0; i < init->count; i++) {
        write_team(file.stream, init, i);
    }
    return atomic_file_commit(&file, why);
}

/* --- What was found. --- */

static enum err print_json(const struct init *init, struct note *why)
{
    json_t *list = json_array();
    for (size_t i = 0; i < init->count; i++) {
        const struct enrolment *team = &init->teams[i];
        json_t *remarks = json_array();
        for (int k = 0; k < team->remark_count; k++) {
            remarks = json_out_append(remarks, json_string(team->remarks[k].text));
        }
        list = json_out_append(list, json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:o}", "team",
                                               init->ids[i], "submission", team->handed_in_as,
                                               "program", team->program, "state", state_of(team),
                                               "wrong_name", team->has_wrong_name, "missing_report",
                                               team->lacks_report, "remarks", remarks));
    }
    return json_out_take(list, why);
}

static void print_table(const struct init *init)
{
    size_t ready = 0;
    printf("%-12s %-24s %s\n", "team", "program", "state");
    for (size_t i = 0; i < init->count; i++) {
        const struct enrolment *team = &init->teams[i];
        printf("%-12s %-24s %s\n", init->ids[i], *team->program ? team->program : "-",
               state_of(team));
        for (int k = 0; k < team->remark_count; k++) {
            printf("%-12s %s\n", "", team->remarks[k].text);
        }
        ready += team->is_ready;
    }
    printf("\n%zu team%s, %zu of them can play. What they handed in is copied to %s.\n"
           "Next: plum tournament check %s\n",
           init->count, init->count == 1 ? "" : "s", ready, init->copies, init->roster);
}

/* --- The command. --- */

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* "class.ini" has its copies in "class.files" beside it. */
static enum err choose_places(struct init *init, struct note *why)
{
    const char *slash = strrchr(init->roster, '/');
    const char *base = slash ? slash + 1 : init->roster;
    const char *dot = strrchr(base, '.');
    int stem = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    int folder = (int)(base - init->roster);
    int length = snprintf(init->copies_name, sizeof init->copies_name, "%.*s.files", stem, base);
    for (char *at = init->copies_name; *at; at++) {
        *at = strchr(id_letters, *at) || *at == '.' ? *at : '_';
    }
    length += snprintf(init->copies, sizeof init->copies, "%.*s%s", folder, init->roster,
                       init->copies_name);
    if (length >= NAME_MAX) {
        note_set(why, "the name of the roster is too long");
        return ERR_INPUT;
    }
    const char *in_the_way = exists(init->roster)   ? init->roster
                             : exists(init->copies) ? init->copies
                                                    : NULL;
    if (in_the_way) {
        note_set(why, "%.150s exists already: remove it or choose another roster", in_the_way);
        return ERR_INPUT;
    }
    return ERR_NONE;
}

static enum err fill(struct init *init, struct dirent *const *entries, int count, struct note *why)
{
    init->teams = calloc((size_t)count, sizeof *init->teams);
    init->ids = calloc((size_t)count, sizeof *init->ids);
    if (!init->teams || !init->ids) {
        note_set(why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    if (mkdir(init->copies, 0755) != 0) {
        note_set(why, "cannot make the folder %.150s: %s", init->copies, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    enum err err = enrol_all(init, entries, count, why);
    if (!err) {
        give_ids(init);
        err = write_roster(init, why);
    }
    if (err) {
        remove_tree(init->copies);
    }
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    struct init init = {.submissions = args->values[1], .roster = args_option(args, "output")};
    struct dirent **entries = NULL;
    int count = 0;
    enum err err = args_game(args, &init.game, why);
    if (!err && !init.roster) {
        note_set(why, "-o ROSTER is missing: the file to write, as in -o class.ini");
        err = ERR_INPUT;
    }
    if (err) {
        return err;
    }
    init.by_student = init.game->auction != NULL;
    err = choose_places(&init, why);
    if (!err) {
        err = list_submissions(init.submissions, &entries, &count, why);
    }
    if (!err) {
        err = fill(&init, entries, count, why);
    }
    if (!err && args_option(args, "json")) {
        err = print_json(&init, why);
    } else if (!err) {
        print_table(&init);
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    free(init.ids);
    free(init.teams);
    return err;
}

const struct command cmd_tournament_init = {
    .name = "tournament init",
    .run = run,
    .summary = "make a roster from a folder of submissions",
    .operands = "GAME FOLDER",
    .details =
        "Each zip, folder or source in FOLDER is one team's. It is copied to a folder beside\n"
        "the roster (class.ini has class.files); plain files only, whatever is in a zip.\n"
        "C and C++ are built as 'plum build' does, with the compiler's messages in a\n"
        "build.log beside the program.\n"
        "\n"
        "A team's id is the number in the name (7, Team_7) or else idTeam in the source; in\n"
        "meichu it is the name itself, the student's number. A wrong file name, a missing\n"
        "report or a program that does not compile is noted in the roster, where 'plum\n"
        "tournament grade' finds it; that team takes part all the same.",
    .options = {{"output", "FILE", "the roster to write; -o for short"},
                {"json", NULL, "print what was found as JSON"}},
    .examples = {{"plum tournament init hop submissions -o class.ini", "a class of Hop agents"},
                 {"plum tournament init meichu handed-in -o spring.ini --json", "for a program"}},
};
