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
#include "course/intake.h"

/* A roster in the making. */
struct init {
    const struct game *game;
    const char *submissions;
    const char *roster;
    bool by_student;
    char copies[PATH_MAX];      /* the folder of copies, as we reach it */
    char copies_name[PATH_MAX]; /* as seen from the roster */
    struct enrolment *teams;
    char (*claims)[ROSTER_ID_BYTES]; /* whose each is by its own account */
    char (*ids)[ROSTER_ID_BYTES];
    size_t count;
    size_t doubles; /* that claim to be who another one is */
};

static const char id_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/* --- What was handed in. --- */

/* What systems and the course's own kit leave beside submissions. */
static bool is_known_litter(const char *name)
{
    return name[0] == '.' || strcmp(name, "__MACOSX") == 0 || strcmp(name, "Thumbs.db") == 0 ||
           strncasecmp(name, "STcpClient.", 11) == 0 || strncasecmp(name, "FileClient.", 11) == 0;
}

/* An archive that we cannot open and a link that we do not follow are somebody's submission all
 * the same. */
static int is_submission(const struct dirent *entry)
{
    static const char *const endings[] = {".py", ".c", ".cpp", ".cc", ".cxx", ".c++"};
    const char *dot = strrchr(entry->d_name, '.');
    if (is_known_litter(entry->d_name)) {
        return 0;
    }
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcasecmp(dot, endings[i]) == 0) {
            return 1;
        }
    }
    return submission_is_archive(entry->d_name) || entry->d_type == DT_DIR ||
           entry->d_type == DT_LNK;
}

static int is_stray(const struct dirent *entry)
{
    return !is_known_litter(entry->d_name) && !is_submission(entry);
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

/* With only letters that an id may have. */
static void make_plain(char *name)
{
    for (; *name; name++) {
        *name = strchr(id_letters, *name) ? *name : '_';
    }
}

/* A name fit for a folder and an id that none of the others has. */
static void make_folder_name(const struct init *init, const char *name, char *out, size_t room)
{
    char stem[ROSTER_ID_BYTES - 12]; /* leaves room for a number */
    if (init->by_student) {
        submission_student(name, stem, sizeof stem);
    } else {
        submission_stem(name, stem, sizeof stem);
    }
    make_plain(stem);
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

/* Whose it is by its own account; "": it does not say. */
static void read_claim(const struct init *init, const struct enrolment *team, char *out)
{
    int number = team->named_team >= 0 ? team->named_team : team->sent_team;
    out[0] = '\0';
    if (init->by_student) {
        char student[ROSTER_ID_BYTES - 12];
        submission_student(team->handed_in_as, student, sizeof student);
        make_plain(student);
        snprintf(out, ROSTER_ID_BYTES, "%s", student);
    } else if (number >= 0) {
        snprintf(out, ROSTER_ID_BYTES, "%d", number);
    }
}

/* Whether it was handed in under just the name that the course asked for. */
static bool is_named_exactly(const struct init *init, size_t index)
{
    const char *name = init->teams[index].handed_in_as;
    const char *claim = init->claims[index];
    char stem[ROSTER_NAME_BYTES];
    submission_stem(name, stem, sizeof stem);
    if (init->by_student) {
        return intake_is_zip(name) && strcmp(stem, claim) == 0;
    }
    return strcmp(strncmp(stem, "Team_", 5) == 0 ? stem + 5 : stem, claim) == 0;
}

/* Of all that claim the same: the first that is named exactly so, or else the first. */
static size_t owner_of(const struct init *init, const char *claim)
{
    size_t owner = init->count;
    for (size_t i = 0; i < init->count; i++) {
        if (strcmp(init->claims[i], claim) == 0) {
            if (is_named_exactly(init, i)) {
                return i;
            }
            owner = owner < init->count ? owner : i;
        }
    }
    return owner;
}

static bool is_taken(const struct init *init, const char *id)
{
    for (size_t i = 0; i < init->count; i++) {
        if (strcmp(init->ids[i], id) == 0 || strcmp(init->claims[i], id) == 0) {
            return true;
        }
    }
    return false;
}

/* Gives it an id that nobody has or claims. */
static void give_free_id(struct init *init, size_t index)
{
    char id[ROSTER_ID_BYTES];
    int number = 1;
    for (size_t i = 0; i < init->count; i++) {
        const struct enrolment *team = &init->teams[i];
        number = team->named_team >= number ? team->named_team + 1 : number;
        number = team->sent_team >= number ? team->sent_team + 1 : number;
    }
    for (int next = init->by_student ? 2 : number;; next++) {
        if (init->by_student) {
            snprintf(id, sizeof id, "%.19s-%d", init->claims[index], next);
        } else {
            snprintf(id, sizeof id, "%d", next);
        }
        if (!is_taken(init, id)) {
            snprintf(init->ids[index], ROSTER_ID_BYTES, "%s", id);
            return;
        }
    }
}

/* Two that claim the same may be one team's first and second try: the roster's reader must know. */
static void settle_double(struct init *init, size_t index, size_t owner)
{
    struct enrolment *team = &init->teams[index];
    give_free_id(init, index);
    enrol_remark(team, "%s is %s's, too: this one is called %s; keep one of them",
                 init->claims[index], init->teams[owner].handed_in_as, init->ids[index]);
    enrol_remark(&init->teams[owner], "%s claims to be %s, too: keep one of them",
                 team->handed_in_as, init->claims[index]);
    init->doubles++;
}

static void give_ids(struct init *init)
{
    for (size_t i = 0; i < init->count; i++) {
        read_claim(init, &init->teams[i], init->claims[i]);
    }
    for (size_t i = 0; i < init->count; i++) {
        struct enrolment *team = &init->teams[i];
        size_t owner = owner_of(init, init->claims[i]);
        if (!init->claims[i][0]) {
            give_free_id(init, i);
            enrol_remark(team, "no team number is known: it is called %s", init->ids[i]);
        } else if (owner == i) {
            snprintf(init->ids[i], ROSTER_ID_BYTES, "%s", init->claims[i]);
        } else {
            settle_double(init, i, owner);
        }
    }
    for (size_t i = 0; !init->by_student && i < init->count; i++) {
        struct enrolment *team = &init->teams[i];
        char sent[ROSTER_ID_BYTES];
        snprintf(sent, sizeof sent, "%d", team->sent_team);
        if (team->sent_team >= 0 && strcmp(sent, init->ids[i]) != 0) {
            enrol_remark(team, "its idTeam is %d", team->sent_team);
        }
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
    if (team->source[0]) {
        fprintf(out, "source = %s\n", team->source);
        return;
    }
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
            name, init->game->name, init->game->is_swiss ? "swiss" : "double-round-robin");
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

/* A plain file of a submission that is itself a plain file: its report, its header. */
static bool is_companion(const struct init *init, const char *name)
{
    char stem[NAME_MAX + 1];
    size_t length = (size_t)(strrchr(name, '.') ? strrchr(name, '.') - name : 0);
    for (size_t i = 0; length && i < init->count; i++) {
        submission_stem(init->teams[i].handed_in_as, stem, sizeof stem);
        if (strlen(stem) == length && strncmp(stem, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Nothing that lies there is passed over without a word. */
static void print_strays(FILE *out, const struct init *init)
{
    struct dirent **entries = NULL;
    int count = scandir(init->submissions, &entries, is_stray, versionsort);
    const char *before = "Not taken for a submission: ";
    for (int i = 0; i < count; i++) {
        if (!is_companion(init, entries[i]->d_name)) {
            char name[NAME_MAX + 1];
            utf8_clean(entries[i]->d_name, name, sizeof name);
            fprintf(out, "%s%s", before, name);
            before = ", ";
        }
        free(entries[i]);
    }
    fputs(before[0] == ',' ? ".\n" : "", out);
    free(entries);
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
    printf("\n%zu team%s, %zu of them can play. What they handed in is copied to %s.\n",
           init->count, init->count == 1 ? "" : "s", ready, init->copies);
    print_strays(stdout, init);
    if (init->doubles) {
        puts("Some claim to be the same team: keep one of each in the roster.");
    }
    printf("Next: plum tournament check %s\n", init->roster);
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
    init->claims = calloc((size_t)count, sizeof *init->claims);
    init->ids = calloc((size_t)count, sizeof *init->ids);
    if (!init->teams || !init->claims || !init->ids) {
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
        print_strays(stderr, &init);
        err = print_json(&init, why);
    } else if (!err) {
        print_table(&init);
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    free(init.ids);
    free(init.claims);
    free(init.teams);
    return err;
}

const struct command cmd_tournament_init = {
    .name = "tournament init",
    .run = run,
    .summary = "make a roster from a folder of submissions",
    .operands = "GAME FOLDER",
    .required = "output",
    .details =
        "Each zip, folder or source in FOLDER is one team's; so is any other archive, but it\n"
        "is not opened. All is copied to a folder beside the roster (class.ini has\n"
        "class.files); plain files only, whatever is in a zip.\n"
        "C and C++ are built as 'plum build' does, with the compiler's messages in a\n"
        "build.log beside the program.\n"
        "\n"
        "A team's id is the number in the name (7, Team_7) or else idTeam in the source; in\n"
        "meichu it is the student's number that the name begins with, or else the name. Two\n"
        "that claim to be the same are both taken, and both are told so. A wrong file name, a\n"
        "missing report or a program that does not compile is noted in the roster, where 'plum\n"
        "tournament grade' finds it; that team takes part all the same.",
    .options = {{"output", "FILE", "the roster to write; -o for short"},
                {"json", NULL, "print what was found as JSON"}},
    .examples = {{"plum tournament init hop submissions -o class.ini", "a class of Hop agents"},
                 {"plum tournament init meichu handed-in -o spring.ini --json", "for a program"}},
};
