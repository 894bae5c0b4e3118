#include "app/class_setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/match_runner.h"
#include "app/sandbox_setup.h"
#include "base/clock.h"
#include "base/folder.h"

/* --- Which protocol a program speaks: it is asked for its first move --- */

struct protocol_trial {
    const struct game *game;
    enum cpu_level cpu;
    const struct sandbox *sandbox;
    const char *python;  /* what runs programs in Python; NULL: python3 */
    const char *command; /* seen from the current folder */
    const char *team;    /* the number that the program sends, or has in the names of its files */
};

enum { PROGRAM, CHANCE }; /* the players of the match */

/* A program that answers at all answers at the start of a game. */
static const int64_t startup_ns = 10 * CLOCK_NS_PER_S;
static const int64_t limit_ns = 5 * CLOCK_NS_PER_S;

struct protocol_answer {
    bool has_answered; /* a move, be it a wrong one */
    bool is_over;      /* that, or a fault without one */
};

static void on_game_event(void *owner, const struct game_event *event)
{
    struct protocol_answer *answer = owner;
    if (answer->is_over) {
        return;
    }
    if (event->kind == GAME_EVENT_PLY) {
        answer->is_over =
            event->ply->was_asked && event->ply->side == event->judge->colour[PROGRAM];
        answer->has_answered = answer->is_over;
    } else if (event->kind == GAME_EVENT_FAULT) {
        answer->is_over = event->player == PROGRAM;
        answer->has_answered = answer->is_over && event->fault->kind == FAULT_INVALID;
    }
    if (answer->is_over) {
        match_stop(event->match);
    }
}

static enum err try_one(const struct protocol_trial *trial, enum submission_protocol protocol,
                        bool *has_answered, struct note *why)
{
    char text[PLAYER_TEXT_BYTES + 64];
    struct player_spec program;
    struct player_spec chance;
    struct protocol_answer answer = {0};
    struct match *match = NULL;
    snprintf(text, sizeof text, "%s:%s:%s", protocol == SUBMISSION_FILES ? "file" : "tcp",
             trial->team, trial->command);
    enum err err = player_spec_read(text, trial->game, &program, why);
    if (err || (err = player_spec_read("random", trial->game, &chance, why))) {
        return err;
    }
    const struct game_sink sink = {&answer, on_game_event};
    const struct match_runner_options options = {
        .match = {.rules = {.game = trial->game,
                            .limit_ns = limit_ns,
                            .grace_ns = 0,
                            .startup_ns = startup_ns,
                            .game_limit_ns = 3600 * CLOCK_NS_PER_S},
                  .games = 1,
                  .seed = 1,
                  .concurrency = 1},
        .specs = {[PROGRAM] = &program, [CHANCE] = &chance},
        .cpu_level = trial->cpu,
        .python = trial->python,
        .sandbox = trial->sandbox,
    };
    err = match_runner_run(&options, &sink, &match, why);
    if (match) {
        match_free(match);
    }
    if (err == ERR_INTERRUPTED && answer.is_over) {
        *why = (struct note){""};
        err = ERR_NONE;
    }
    *has_answered = !err && answer.has_answered;
    return err;
}

/* Tries the protocol of the game's assignment first, then the other one. SUBMISSION_UNCLEAR: it
 * answered in neither. ERR_ENVIRONMENT: it could not be tried; ERR_INTERRUPTED. */
static enum err try_protocols_of(const struct protocol_trial *trial, enum submission_protocol *out,
                                 struct note *why)
{
    bool files_first = trial->game->assignment.speaks_files;
    const enum submission_protocol order[] = {files_first ? SUBMISSION_FILES : SUBMISSION_TCP,
                                              files_first ? SUBMISSION_TCP : SUBMISSION_FILES};
    *out = SUBMISSION_UNCLEAR;
    for (int i = 0; i < 2; i++) {
        bool has_answered = false;
        enum err err = try_one(trial, order[i], &has_answered, why);
        if (err || has_answered) {
            *out = has_answered ? order[i] : *out;
            return err;
        }
    }
    return ERR_NONE;
}

/* --- Submissions --- */

static void make_plain(char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    for (; *name; name++) {
        *name = strchr(letters, *name) ? *name : '_';
    }
}

/* A name for a folder that none of the others has. */
static void make_folder_name(const struct class_setup *setup, const struct submission_entry *entry,
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
        while (i < setup->class.count && strcmp(setup->class.teams[i].folder, out) != 0) {
            i++;
        }
        if (i == setup->class.count) {
            return;
        }
        snprintf(out, room, "%.19s-%d", stem, number);
    }
}

static enum err prepare_teams(struct class_setup *setup, const struct sandbox *sandbox,
                              struct note *why)
{
    struct class_roster *class = &setup->class;
    const struct compiler_options compiler = {.sandbox = sandbox, .stop = setup->stop};
    const struct class_team_place place = {setup->submissions, setup->copies, setup->copies_name,
                                           class->game, &compiler};
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < setup->folder.count; i++) {
        char folder[ROSTER_ID_BYTES];
        make_folder_name(setup, &setup->folder.entries[i], folder, sizeof folder);
        err = class_team_prepare(&place, &setup->folder.entries[i], folder,
                                 &class->teams[class->count], why);
        if (!err) {
            class->count++;
        }
        err = atomic_load(setup->stop) ? ERR_INTERRUPTED : err;
    }
    return err;
}

/* --- Protocols --- */

static bool is_unclear(const struct class_setup *setup, size_t index)
{
    const struct class_team *team = &setup->class.teams[index];
    return !setup->class.game->assignment.is_by_student && team->is_ready &&
           team->protocol == SUBMISSION_UNCLEAR;
}

static enum err try_protocol(struct class_setup *setup, const struct sandbox *sandbox, size_t index,
                             struct note *why)
{
    struct class_roster *class = &setup->class;
    struct class_team *team = &class->teams[index];
    char number[ROSTER_ID_BYTES];
    snprintf(number, sizeof number, "%d", team->sent_team);
    const struct protocol_trial trial = {.game = class->game,
                                         .cpu = setup->cpu,
                                         .sandbox = sandbox,
                                         .python = class->python,
                                         .command = team->command,
                                         .team =
                                             team->sent_team >= 0 ? number : class->ids[index].id};
    enum err err = try_protocols_of(&trial, &team->protocol, why);
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

/* If the source does not show the protocol, the program is asked. Its command starts in the folder
 * of the roster. */
static enum err try_protocols(struct class_setup *setup, struct sandbox sandbox, struct note *why)
{
    int back = -1;
    sandbox.limits = setup->limits;
    enum err err = folder_enter_of(setup->roster, &back, why);
    for (size_t i = 0; !err && i < setup->class.count; i++) {
        err = is_unclear(setup, i) ? try_protocol(setup, &sandbox, i, why) : ERR_NONE;
    }
    return folder_return(back, err, why);
}

/* --- Files --- */

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* "class.ini" has its copies in "class.files" next to it. */
static enum err choose_places(struct class_setup *setup, struct note *why)
{
    const char *slash = strrchr(setup->roster, '/');
    const char *base = slash ? slash + 1 : setup->roster;
    const char *dot = strrchr(base, '.');
    int stem = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    int folder = (int)(base - setup->roster);
    int length = snprintf(setup->copies_name, sizeof setup->copies_name, "%.*s.files", stem, base);
    make_plain(setup->copies_name);
    length += snprintf(setup->copies, sizeof setup->copies, "%.*s%s", folder, setup->roster,
                       setup->copies_name);
    if (length >= NAME_MAX) {
        return note_fail(why, ERR_INPUT, "the name of the roster is too long");
    }
    const char *in_the_way = exists(setup->roster)   ? setup->roster
                             : exists(setup->copies) ? setup->copies
                                                     : NULL;
    if (in_the_way) {
        return note_fail(why, ERR_INPUT,
                         "%.150s exists already: remove it or choose another roster", in_the_way);
    }
    return ERR_NONE;
}

static enum err fill(struct class_setup *setup, struct note *why)
{
    char folder[PATH_MAX];
    struct sandbox sandbox;
    struct class_roster *class = &setup->class;
    if (setup->folder.count > ROSTER_MAX_TEAMS) {
        return note_fail(why, ERR_INPUT, "more than %d submissions in %.150s", ROSTER_MAX_TEAMS,
                         setup->submissions);
    }
    const char *title = realpath(setup->submissions, folder) ? strrchr(folder, '/') + 1 : "";
    enum err err =
        class_roster_init(class, *title ? title : class->game->name, setup->folder.count, why);
    if (!err) {
        err = sandbox_setup_for_compilers(setup->sandbox, setup->owner, setup->on_remark, &sandbox,
                                          why);
    }
    if (err) {
        return err;
    }
    if (mkdir(setup->copies, 0755) != 0) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot make the folder %.150s: %s", setup->copies,
                         strerror(errno));
    }
    if ((err = prepare_teams(setup, &sandbox, why))) {
        goto out;
    }
    if (setup->list.count &&
        (err = class_roster_take_list(class, &setup->list, setup->deadline_s, why))) {
        goto out;
    }
    if ((err = class_roster_assign_ids(class, why)) || (err = try_protocols(setup, sandbox, why))) {
        goto out;
    }
    err = class_roster_write(class, setup->roster, why);
out:
    if (err) {
        folder_remove(setup->copies);
    }
    if (err == ERR_INTERRUPTED) {
        note_set(why, "interrupted: no roster was written; run the same command again");
    }
    return err;
}

enum err class_setup_run(struct class_setup *setup, struct note *why)
{
    enum err err = choose_places(setup, why);
    err = err ? err : submission_folder_read(setup->submissions, &setup->folder, why);
    return err ? err : fill(setup, why);
}

void class_setup_free(struct class_setup *setup)
{
    class_list_free(&setup->list);
    class_roster_free(&setup->class);
    submission_folder_free(&setup->folder);
}
