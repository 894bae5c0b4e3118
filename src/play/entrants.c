#include "play/entrants.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "play/command_words.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "course/program.h"

enum { MAX_LOG_BYTES = 4 << 20 }; /* of a build, as compiler.h limits its messages */

/* --- Missing files --- */

static void find_missing_in_command(const struct roster_team *team, const char *command,
                                    struct roster_problems *problems)
{
    struct command_words words;
    struct note missing;
    command_words_read(command, &words);
    for (size_t i = 0; i < words.count; i++) {
        if (command_words_is_missing(&words, i, &missing)) {
            roster_problems_add(problems, team->line, "team %s: %s", team->id, missing.text);
        }
    }
}

static void find_missing_of_team(const struct roster *roster, const struct roster_team *team,
                                 struct roster_problems *problems)
{
    struct player_spec spec;
    struct command_words sources;
    command_words_split(team->source, &sources);
    for (size_t i = 0; i < sources.count; i++) {
        if (access(sources.list[i], R_OK) != 0) {
            roster_problems_add(problems, team->line, "team %s: cannot read the source %.150s: %s",
                                team->id, sources.list[i], strerror(errno));
        }
    }
    if (team->player[0] && roster->game &&
        !player_spec_read(team->player, roster->game, &spec, NULL) &&
        player_spec_is_program(&spec)) {
        find_missing_in_command(team, spec.command, problems);
    }
}

void entrants_find_missing(const struct roster *roster, struct roster_problems *problems)
{
    const char *python = roster->rules.python;
    if (*python &&
        (strchr(python, '/') ? access(python, X_OK) != 0 : !command_words_is_in_path(python))) {
        roster_problems_add(problems, roster->python_line, "python: there is no program %.150s",
                            python);
    }
    for (int i = 0; i < roster_entrant_count(roster); i++) {
        find_missing_of_team(roster, &roster->teams[roster_entrant(roster, i)], problems);
    }
}

enum err entrants_refuse_missing(const struct roster *roster, int number, const char *path,
                                 const char *folder, struct roster_problems *problems,
                                 struct note *why)
{
    int back = -1;
    enum err err = folder_enter(folder, &back, why);
    if (!err && number < 0) {
        entrants_find_missing(roster, problems);
    } else if (!err) {
        find_missing_of_team(roster, &roster->teams[number], problems);
    }
    err = folder_return(back, err, why);
    if (!err && problems->count) {
        roster_problems_sum_up(problems, path, why);
        err = ERR_INPUT;
    }
    return err;
}

void entrants_find_missing_logs(const struct roster *roster, struct roster_problems *problems)
{
    for (int i = 0; i < roster->team_count; i++) {
        const struct roster_team *team = &roster->teams[i];
        if (team->build_log[0] && access(team->build_log, R_OK) != 0) {
            roster_problems_add(problems, team->line,
                                "team %s: cannot read the build_log %.150s: %s", team->id,
                                team->build_log, strerror(errno));
        }
    }
}

/* --- Programs --- */

struct build_query {
    int team;
    bool is_built;
};

static bool look_for_build(void *owner, const struct store_build *build)
{
    struct build_query *built = owner;
    built->is_built |= build->team == built->team && build->is_built;
    return true;
}

/* An earlier version of plum had the program itself in place of its folder. */
static enum err make_folders(const char *folder, const char *own, struct note *why)
{
    (void)unlink(own);
    enum err err = folder_make(folder, 0777, why);
    return err ? err : folder_make(own, 0777, why);
}

static enum err take_program(const struct roster *roster, int number, const struct program *program,
                             struct store *store, struct entrant *out, struct note *why)
{
    const struct roster_team *team = &roster->teams[number];
    const struct store_build note = {number, program->is_ready, program->log};
    char id[ROSTER_ID_BYTES];
    char text[2 * PLAYER_TEXT_BYTES];
    enum err err = program->log ? store_save_build(store, &note, why) : ERR_NONE;
    out->can_play = program->is_ready;
    out->absence = program->absence;
    if (err || !out->can_play) {
        return err;
    }
    snprintf(id, sizeof id, "%d", team->id_team);
    program_write_player(roster->game, program->protocol, team->has_id_team ? id : team->id,
                         program->command, text, sizeof text);
    return player_spec_read(text, roster->game, &out->spec, why);
}

/* What another tournament left in the same folder may come from other sources, so that only what
 * the database knows of counts. */
static enum err read_source(const struct roster *roster, int number, const char *folder,
                            const struct compiler_options *compiler, struct store *store,
                            struct entrant *out, struct note *why)
{
    const struct roster_team *team = &roster->teams[number];
    struct command_words sources;
    char own[PLAYER_TEXT_BYTES / 2]; /* a folder of its own, so that no program sees another */
    char agent[PLAYER_TEXT_BYTES];
    struct build_query built = {number, false};
    struct program program = {.log = NULL};
    size_t bytes = 0;
    command_words_split(team->source, &sources);
    snprintf(own, sizeof own, "%s/%s", folder, team->id);
    snprintf(agent, sizeof agent, "%s/%s", own, team->id);
    enum err err = make_folders(folder, own, why);
    err = err ? err : store_each_build(store, look_for_build, &built, why);
    out->is_old_build = built.is_built && access(agent, X_OK) == 0;
    char *log = *team->build_log ? file_read_head(team->build_log, MAX_LOG_BYTES, &bytes) : NULL;
    const struct program_order order = {.sources = sources.list,
                                        .count = sources.count,
                                        .agent = agent,
                                        .is_built = out->is_old_build,
                                        .log = log,
                                        .compiler = compiler};
    err = err ? err : program_prepare(&order, &program, why);
    if (err == ERR_ENVIRONMENT || err == ERR_INTERRUPTED) {
        note_prefix(why, "team %s", team->id);
    }
    err = err ? err : take_program(roster, number, &program, store, out, why);
    (void)rmdir(own); /* empty unless a program was built */
    program_free(&program);
    free(log);
    return err;
}

/* Nothing was submitted that could be run. */
static enum err note_absence(const struct roster_team *team, int number, struct store *store,
                             struct entrant *out, struct note *why)
{
    struct store_build note = {number, false, team->no_program};
    note_set(&out->absence, "%s", team->no_program);
    return store_save_build(store, &note, why);
}

static void add_needs(struct entrants *entrants, const struct entrant *entrant)
{
    if (entrant->can_play) {
        entrants->has_programs |= player_spec_is_program(&entrant->spec);
        entrants->has_tcp |= entrant->spec.kind == PLAYER_TCP;
        entrants->has_thinkers |= entrant->spec.kind != PLAYER_RANDOM;
    }
}

enum err entrants_make(const struct roster *roster, const char *folder,
                       const struct compiler_options *compiler, struct store *store,
                       struct entrants *out, struct note *why)
{
    struct entrants entrants = {.count = roster->slot_count, .random = {.can_play = true}};
    enum err err = player_spec_read("random", roster->game, &entrants.random.spec, why);
    if (err) {
        return err;
    }
    entrants.list = calloc((size_t)roster->slot_count, sizeof *entrants.list);
    if (!entrants.list) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d teams", roster->team_count);
    }
    for (int i = 0; !err && i < roster_entrant_count(roster); i++) {
        int number = roster_entrant(roster, i);
        const struct roster_team *team = &roster->teams[number];
        struct entrant *entrant = &entrants.list[number];
        if (team->no_program[0]) {
            err = note_absence(team, number, store, entrant, why);
        } else if (team->source[0]) {
            err = read_source(roster, number, folder, compiler, store, entrant, why);
        } else {
            err = player_spec_read(team->player, roster->game, &entrant->spec, why);
            entrant->can_play = true;
        }
        add_needs(&entrants, entrant);
    }
    (void)rmdir(folder);
    if (err) {
        entrants_free(&entrants);
    } else {
        *out = entrants;
    }
    return err;
}

void entrants_free(struct entrants *entrants)
{
    free(entrants->list);
    *entrants = (struct entrants){0};
}

const struct entrant *entrants_find(const struct entrants *entrants, int team)
{
    return team == TOURNAMENT_RANDOM ? &entrants->random : &entrants->list[team];
}

/* --- Changed files --- */

/* The files that the source or the command of a team names. */
static void files_of(const struct roster *roster, const struct roster_team *team,
                     struct command_words *out)
{
    struct player_spec spec;
    size_t count = 0;
    command_words_split(team->source, out);
    if (team->source[0] || player_spec_read(team->player, roster->game, &spec, NULL) ||
        !player_spec_is_program(&spec)) {
        return;
    }
    command_words_read(spec.command, out);
    for (size_t i = 0; i < out->count; i++) {
        if (command_words_is_file(out->list[i])) {
            out->list[count++] = out->list[i];
        }
    }
    out->count = count;
}

/* False: not a file that can be read. */
static bool hash_file(const char *path, uint64_t *out)
{
    unsigned char room[1 << 14];
    struct stat status;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) {
        return false;
    }
    uint64_t hash = HASH_SEED;
    for (size_t bytes; (bytes = fread(room, 1, sizeof room, file)) > 0;) {
        hash = hash_bytes(hash, room, bytes);
    }
    bool is_read = !ferror(file);
    fclose(file);
    *out = hash;
    return is_read;
}

enum err entrants_save_hashes(const struct roster *roster, const struct entrants *entrants,
                              struct store *store, void *owner,
                              void (*on_change)(void *owner, const char *sentence),
                              struct note *why)
{
    enum err err = ERR_NONE;
    for (int i = 0; !err && i < roster_entrant_count(roster); i++) {
        int number = roster_entrant(roster, i);
        const struct roster_team *team = &roster->teams[number];
        struct command_words files;
        files_of(roster, team, &files);
        for (size_t j = 0; !err && j < files.count; j++) {
            const char *path = files.list[j];
            uint64_t hash = 0;
            bool has_changed = false;
            if (hash_file(path, &hash)) {
                err =
                    store_save_program_hash(store, number, path, (int64_t)hash, &has_changed, why);
            }
            bool is_old_build = entrants->list[number].is_old_build;
            bool is_interpreted = !team->source[0] || command_words_is_python(path);
            if (!err && has_changed && (is_interpreted || is_old_build)) {
                struct note sentence;
                note_set(&sentence, "team %s: %.150s has changed since it was played last%s",
                         team->id, path,
                         is_interpreted ? "" : "; what was built of it before plays on");
                on_change(owner, sentence.text);
            }
        }
    }
    return err;
}

enum err entrants_explain_unchanged(const struct roster *roster, int number, struct store *store,
                                    struct note *sentence, struct note *why)
{
    const struct roster_team *team = &roster->teams[number];
    struct command_words files;
    size_t same = 0;
    int back = -1;
    files_of(roster, team, &files);
    note_set(sentence, "%s", "");
    enum err err = folder_enter(store_folder(store), &back, why);
    for (size_t i = 0; !err && i < files.count; i++) {
        const char *path = files.list[i];
        uint64_t hash = 0;
        bool is_same = false;
        if (hash_file(path, &hash)) {
            err = store_compare_program_hash(store, number, path, (int64_t)hash, &is_same, why);
        }
        same += is_same;
    }
    err = folder_return(back, err, why);
    if (!err && files.count && same == files.count) {
        note_set(sentence,
                 "team %s: %.150s has not changed since it was played last; it is the file that "
                 "the roster names",
                 team->id, files.list[files.count - 1]);
    }
    return err;
}
