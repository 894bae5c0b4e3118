#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/match_args.h"
#include "cli/tournament_args.h"
#include "app/protocol_trial.h"
#include "course/class_roster.h"
#include "course/submission_folder.h"

/* A roster in the making. */
struct init {
    const char *submissions;
    const char *roster;
    enum cpu_level cpu;
    char copies[PATH_MAX];      /* the folder of copies, as we reach it */
    char copies_name[PATH_MAX]; /* as seen from the roster */
    struct submission_folder folder;
    struct class_list list;
    int64_t deadline_s; /* 0: not given */
    struct sandbox_limits limits;
    struct class_roster class;
};

/* --- What was handed in. --- */

static void make_plain(char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    for (; *name; name++) {
        *name = strchr(letters, *name) ? *name : '_';
    }
}

/* A name for a folder that none of the others has. */
static void make_folder_name(const struct init *init, const struct submission_entry *entry,
                             char *out, size_t room)
{
    char stem[NAME_MAX + 1];
    char student[NAME_MAX + 1];
    submission_stem(submission_entry_name(entry), stem, sizeof stem);
    if (submission_student(stem, student, sizeof student)) {
        strcpy(stem, student);
    } else if (entry->participant[0]) {
        snprintf(stem, sizeof stem, "%s", entry->participant);
    }
    stem[ROSTER_ID_BYTES - 12] = '\0'; /* leaves room for a number */
    make_plain(stem);
    snprintf(out, room, "%.19s", *stem && *stem != '.' ? stem : "_");
    for (int number = 2; number <= ROSTER_MAX_TEAMS; number++) {
        size_t i = 0;
        while (i < init->class.count && strcmp(init->class.teams[i].folder, out) != 0) {
            i++;
        }
        if (i == init->class.count) {
            return;
        }
        snprintf(out, room, "%.19s-%d", stem, number);
    }
}

static enum err prepare_teams(struct init *init, struct note *why)
{
    struct class_roster *class = &init->class;
    const atomic_bool *is_interrupted = interrupt_sets_flag();
    const struct class_team_place place = {init->submissions, init->copies, init->copies_name,
                                           class->game, is_interrupted};
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < init->folder.count; i++) {
        char folder[ROSTER_ID_BYTES];
        make_folder_name(init, &init->folder.entries[i], folder, sizeof folder);
        err = class_team_prepare(&place, &init->folder.entries[i], folder,
                                 &class->teams[class->count], why);
        if (!err) {
            class->count++;
        }
        err = *is_interrupted ? ERR_INTERRUPTED : err;
    }
    return err;
}

/* --- Protocols. --- */

static bool is_unclear(const struct init *init, size_t index)
{
    const struct class_team *team = &init->class.teams[index];
    return !init->class.game->assignment.is_by_student && team->is_ready &&
           team->protocol == SUBMISSION_UNCLEAR;
}

static enum err try_protocol(struct init *init, const struct sandbox *sandbox, size_t index,
                             struct note *why)
{
    struct class_roster *class = &init->class;
    struct class_team *team = &class->teams[index];
    char number[ROSTER_ID_BYTES];
    snprintf(number, sizeof number, "%d", team->sent_team);
    const struct protocol_trial trial = {.game = class->game,
                                         .cpu = init->cpu,
                                         .sandbox = sandbox,
                                         .python = class->python,
                                         .command = team->command,
                                         .team =
                                             team->sent_team >= 0 ? number : class->ids[index].id};
    enum err err = protocol_trial_run(&trial, &team->protocol, why);
    if (!err) {
        const char *found = team->protocol == SUBMISSION_FILES ? "it answers through files"
                            : team->protocol == SUBMISSION_TCP ? "it answers over TCP"
                                                               : "it answers in neither";
        class_team_remark(team, "files or TCP? The source does not say; tried: %s", found);
    }
    if (!err && team->protocol == SUBMISSION_UNCLEAR) {
        team->protocol = class->game->assignment.speaks_files ? SUBMISSION_FILES : SUBMISSION_TCP;
    }
    return err;
}

/* Where the source does not say which protocol it speaks, the program does. Its command is meant
 * from the folder of the roster. */
static enum err try_protocols(struct init *init, struct note *why)
{
    size_t unclear = 0;
    for (size_t i = 0; i < init->class.count; i++) {
        unclear += is_unclear(init, i);
    }
    if (!unclear) {
        return ERR_NONE;
    }
    char path[PATH_MAX];
    struct sandbox sandbox;
    struct note missing = {""};
    enum err err = sandbox_probe(SANDBOX_AUTO, &init->limits, NULL, &sandbox, &missing);
    if (err) {
        *why = missing;
        return err;
    }
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(path, sizeof path, "%s", init->roster);
    if (here < 0 || chdir(dirname(path)) != 0) {
        note_set(why, "cannot enter the folder of %.200s: %s", init->roster, strerror(errno));
        err = ERR_ENVIRONMENT;
    }
    for (size_t i = 0; !err && i < init->class.count; i++) {
        err = is_unclear(init, i) ? try_protocol(init, &sandbox, i, why) : ERR_NONE;
    }
    if (here >= 0 && fchdir(here) != 0 && !err) {
        note_set(why, "cannot return to the current folder: %s", strerror(errno));
        err = ERR_ENVIRONMENT;
    }
    if (here >= 0) {
        close(here);
    }
    return err;
}

/* --- What was found. --- */

static void print_json_team(struct json *json, const struct class_roster *class, size_t index)
{
    const struct class_team *team = &class->teams[index];
    json_begin_object(json, NULL);
    json_string(json, "team", class->ids[index].id);
    json_string(json, "submission", team->submitted_as);
    json_string(json, "program", team->program);
    json_string(json, "language", submission_language_name(team->program));
    json_string(json, "state", class_roster_state(team));
    json_bool(json, "wrong_name", team->has_wrong_name);
    json_bool(json, "missing_report", team->lacks_report);
    json_integer_or_null(json, "report_pages", team->report_pages >= 0, team->report_pages);
    json_begin_array(json, "remarks");
    for (int k = 0; k < team->remark_count && k < CLASS_TEAM_MAX_REMARKS; k++) {
        json_string(json, NULL, team->remarks[k].text);
    }
    json_end(json);
    json_end(json);
}

static void print_json(const struct init *init)
{
    struct json json = json_make(stdout, JSON_LINE);
    json_begin_array(&json, NULL);
    for (size_t i = 0; i < init->class.count; i++) {
        print_json_team(&json, &init->class, i);
    }
    json_end(&json);
    putchar('\n');
}

/* Nothing that is there is passed over without a line. */
static void print_strays(FILE *out, const struct init *init)
{
    for (size_t i = 0; i < init->folder.stray_count; i++) {
        fprintf(out, "%s%s%s", i ? ", " : "Not taken for a submission: ", init->folder.strays[i],
                i + 1 == init->folder.stray_count ? ".\n" : "");
    }
}

static int columns_of(const char *text)
{
    size_t columns = 0;
    utf8_fit(text, SIZE_MAX, &columns);
    return (int)columns;
}

static void print_cell(const char *text, int width)
{
    printf("%s%*s", text, width > columns_of(text) ? width - columns_of(text) + 1 : 1, "");
}

static void describe_report(const struct class_roster *class, const struct class_team *team,
                            char *out, size_t room)
{
    char pages[32] = "yes";
    if (team->report_pages >= 0) {
        snprintf(pages, sizeof pages, "%d page%s", team->report_pages,
                 team->report_pages == 1 ? "" : "s");
    }
    bool is_asked_for = class->game->assignment.max_report_pages;
    snprintf(out, room, "%s",
             team->has_wrong_report_name        ? "wrong name"
             : team->lacks_report               ? "missing"
             : is_asked_for && team->has_report ? pages
                                                : "-");
}

static void print_table(const struct init *init)
{
    const struct class_roster *class = &init->class;
    int file_width = 4;
    int team_width = 4;
    for (size_t i = 0; i < class->count; i++) {
        int file = columns_of(class->teams[i].submitted_as);
        int team = columns_of(class->ids[i].id);
        file_width = file > file_width ? file : file_width;
        team_width = team > team_width ? team : team_width;
    }
    print_cell("file", file_width);
    print_cell("team", team_width);
    printf("%-8s %-16s %-10s %s\n", "language", "built", "report", "look at");
    int indent = file_width + 1 + team_width + 1 + 8 + 1 + 16 + 1 + 10 + 1;
    for (size_t i = 0; i < class->count; i++) {
        const struct class_team *team = &class->teams[i];
        char report[32];
        describe_report(class, team, report, sizeof report);
        print_cell(team->submitted_as, file_width);
        print_cell(class->ids[i].id, team_width);
        printf("%-8s %-16s ", submission_language_name(team->program), class_roster_state(team));
        if (!team->remark_count) {
            printf("%s\n", report);
        }
        for (int k = 0; k < team->remark_count && k < CLASS_TEAM_MAX_REMARKS; k++) {
            if (k == 0) {
                print_cell(report, 10);
            }
            printf("%*s%s\n", k ? indent : 0, "", team->remarks[k].text);
        }
        if (team->remark_count > CLASS_TEAM_MAX_REMARKS) {
            printf("%*sand %d more\n", indent, "", team->remark_count - CLASS_TEAM_MAX_REMARKS);
        }
    }
}

static void print_summary(const struct init *init)
{
    const struct class_roster *class = &init->class;
    size_t ready = 0;
    for (size_t i = 0; i < class->count; i++) {
        ready += class->teams[i].is_ready;
    }
    print_table(init);
    printf("\n%zu team%s, %zu of them can play. What they handed in is copied to %s.\n",
           class->count, class->count == 1 ? "" : "s", ready, init->copies);
    print_strays(stdout, init);
    if (class->list.count) {
        printf("%zu student%s in the list, %zu of them without a hand-in.\n", class->list.count,
               class->list.count == 1 ? "" : "s", class_roster_absent(class));
    }
    if (class->doubles) {
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

/* "class.ini" has its copies in "class.files" next to it. */
static enum err choose_places(struct init *init, struct note *why)
{
    const char *slash = strrchr(init->roster, '/');
    const char *base = slash ? slash + 1 : init->roster;
    const char *dot = strrchr(base, '.');
    int stem = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    int folder = (int)(base - init->roster);
    int length = snprintf(init->copies_name, sizeof init->copies_name, "%.*s.files", stem, base);
    make_plain(init->copies_name);
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

static enum err fill(struct init *init, struct note *why)
{
    char folder[PATH_MAX];
    struct class_roster *class = &init->class;
    if (init->folder.count > ROSTER_MAX_TEAMS) {
        note_set(why, "more than %d submissions in %.150s", ROSTER_MAX_TEAMS, init->submissions);
        return ERR_INPUT;
    }
    const char *title = realpath(init->submissions, folder) ? strrchr(folder, '/') + 1 : "";
    enum err err =
        class_roster_init(class, *title ? title : class->game->name, init->folder.count, why);
    if (err) {
        return err;
    }
    if (mkdir(init->copies, 0755) != 0) {
        note_set(why, "cannot make the folder %.150s: %s", init->copies, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    err = prepare_teams(init, why);
    if (!err && init->list.count) {
        err = class_roster_take_list(class, &init->list, init->deadline_s, why);
    }
    if (!err) {
        err = class_roster_assign_ids(class, why);
    }
    if (!err) {
        err = try_protocols(init, why);
    }
    if (!err) {
        err = class_roster_write(class, init->roster, why);
    }
    if (err) {
        folder_remove(init->copies);
    }
    if (err == ERR_INTERRUPTED) {
        note_set(why, "interrupted: no roster was written; run the same command again");
    }
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    struct init init = {
        .submissions = args->values[1], .roster = args_option(args, "output"), .cpu = args->cpu};
    enum err err = args_game(args, &init.class.game, why);
    if (!err && !init.roster) {
        note_set(why, "-o ROSTER is missing: the file to write, as in -o class.ini");
        err = ERR_INPUT;
    }
    if (!err) {
        err = match_args_programs(args, &init.limits, &init.class.python, why);
        init.class.memory = args_option(args, "memory");
    }
    if (!err) {
        err = tournament_args_class(args, &init.list, &init.deadline_s, why);
    }
    if (!err) {
        err = choose_places(&init, why);
    }
    if (!err) {
        err = submission_folder_read(init.submissions, &init.folder, why);
    }
    if (!err) {
        err = fill(&init, why);
    }
    if (!err && args_option(args, "json")) {
        print_strays(stderr, &init);
        print_json(&init);
    } else if (!err) {
        print_summary(&init);
    }
    class_list_free(&init.list);
    class_roster_free(&init.class);
    submission_folder_free(&init.folder);
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
        "is not opened. Prefixes of a learning platform are taken off\n"
        "(NAME_1234567_assignsubmission_file_), and a lone zip in a folder is opened. All is\n"
        "copied to a folder next to the roster (class.ini has class.files); plain files only,\n"
        "whatever is in a zip. C and C++ are built as 'plum build' does, with the compiler's\n"
        "messages in a build.log next to the program.\n"
        "\n"
        "A team's id is idTeam in the source, if only this hand-in claims it, else the number in\n"
        "the name (7, Team_7), else a free one; in @auction@ it is the student's number in the\n"
        "name of the program, else of the inner archive, else of the outer. A table at the end\n"
        "lists what was found and what to look at. The protocol is read from the source; where\n"
        "it stays unclear, the program is started and asked for a move in both. A wrong file name, "
        "a missing report or a\n"
        "program that does not compile is noted in the roster, where 'plum tournament grade'\n"
        "finds it; that team takes part all the same.\n"
        "\n"
        "--students reads the list of participants as a platform exports it; its columns are\n"
        "known by their headings (ID number, Full name, Group, Identifier, Last modified\n"
        "(submission), and others). It gives teams their members and names, and with\n"
        "--deadline the days that they were late. Students who handed in nothing are in the\n"
        "roster as well.",
    .options = {{"output", "FILE", "the roster to write; -o for short"},
                {"students", "FILE", "the platform's list of participants, a CSV file"},
                {"deadline", "TIME", "hand-ins after it are late, as in '2021-05-02 23:59'"},
                {"python", "PROGRAM", "for the roster: what runs agents in Python (python3)"},
                {"memory", "SIZE", "for the roster: what a program may use, as in 8G (2G)"},
                {"json", NULL, "print what was found as JSON"}},
    .examples =
        {{"plum tournament init @game@ submissions -o class.ini", "a class of agents"},
         {"plum tournament init @game@ in -o c.ini --students s.csv --deadline '2021-05-02 23:59'",
          "with names, groups and days late"},
         {"plum tournament init @auction@ handed-in -o spring.ini --json", "for a program"}},
};
