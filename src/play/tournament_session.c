#include "play/tournament_session.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "play/sandbox_setup.h"
#include "play/tournament_source.h"
#include "base/cores.h"
#include "base/file.h"
#include "base/utf8.h"
#include "course/roster_change.h"
#include "tournament/qualification.h"

int tournament_session_concurrency(const struct roster *roster)
{
    int pairs = (cores_count() - 1) / 2;
    return roster->concurrency ? roster->concurrency : pairs > 1 ? pairs : 1;
}

/* --- A new database --- */

/* class.ini has class.db, any other name gets the ending. */
static void name_database(const char *roster, char out[PATH_MAX])
{
    size_t length = strlen(roster);
    bool is_ini = length > 4 && strcmp(roster + length - 4, ".ini") == 0;
    snprintf(out, PATH_MAX, "%.*s.db", (int)(is_ini ? length - 4 : length), roster);
}

static enum err find_folder(const char *roster, char out[PATH_MAX], char name[NAME_MAX + 1],
                            struct note *why)
{
    if (!realpath(roster, out)) {
        return note_fail(why, ERR_INPUT, "cannot read %.200s: %s", roster, strerror(errno));
    }
    char *slash = strrchr(out, '/');
    utf8_clean(slash + 1, name, NAME_MAX + 1);
    slash[slash == out] = '\0';
    return ERR_NONE;
}

static bool is_same_file(const char *path, const char *other_path)
{
    struct stat one;
    struct stat other;
    return stat(path, &one) == 0 && stat(other_path, &other) == 0 && one.st_ino == other.st_ino &&
           one.st_dev == other.st_dev;
}

static enum err refuse_roster(const char *roster, const char *database, struct note *why)
{
    if (is_same_file(roster, database)) {
        return note_fail(why, ERR_INPUT,
                         "--db %.200s: that is the roster; the database must be another file",
                         database);
    }
    return ERR_NONE;
}

enum err tournament_session_create(struct tournament_file *file, const char *path,
                                   const char *database, enum cpu_level cpu,
                                   struct roster_problems *problems, struct note *why)
{
    char usual[PATH_MAX];
    char folder[PATH_MAX];
    char name[NAME_MAX + 1];
    char *text = NULL;
    struct roster roster = {0};
    name_database(path, usual);
    database = database ? database : usual;
    enum err err = tournament_file_read_roster(path, cpu, &text, &roster, problems, why);
    if (err || (err = find_folder(path, folder, name, why)) ||
        (err = entrants_refuse_missing(&roster, -1, path, folder, problems, why)) ||
        (err = refuse_roster(path, database, why))) {
        goto out;
    }
    err = tournament_file_create(file, database, &roster, text, folder, name, cpu, why);
out:
    roster_free(&roster);
    free(text);
    return err;
}

/* --- A database that may be there already --- */

static bool is_database(const char *path)
{
    static const char magic[] = "SQLite format 3";
    size_t bytes = 0;
    char *head = file_read_head(path, sizeof magic, &bytes);
    bool is_one = head && bytes == sizeof magic && memcmp(head, magic, sizeof magic) == 0;
    free(head);
    return is_one;
}

void tournament_session_name_database(const char *path, const char *database,
                                      char out[TOURNAMENT_SESSION_PATH_BYTES])
{
    char usual[PATH_MAX];
    name_database(path, usual);
    snprintf(out, TOURNAMENT_SESSION_PATH_BYTES, "%s",
             database            ? database
             : is_database(path) ? path
                                 : usual);
}

bool tournament_session_find(const char *path, const char *database,
                             char out[TOURNAMENT_SESSION_PATH_BYTES])
{
    char usual[PATH_MAX];
    struct stat status;
    bool is_roster = !is_database(path);
    name_database(path, usual);
    snprintf(out, TOURNAMENT_SESSION_PATH_BYTES, "%s",
             !is_roster ? path
             : database ? database
                        : usual);
    if (is_roster && stat(out, &status) != 0) {
        out[0] = '\0';
    }
    return is_roster;
}

/* Opens the database of a roster. Another roster would be ignored in silence. The own file may be
 * edited: roster_change lists that. */
static enum err open_own(struct tournament_file *file, const char *roster, const char *database,
                         enum cpu_level cpu, struct note *why)
{
    char name[NAME_MAX + 1];
    char own[PATH_MAX];
    char *text = NULL;
    size_t bytes = 0;
    enum err err = tournament_file_open(file, database, STORE_CHANGE, cpu, why);
    if (err) {
        return err;
    }
    roster_change_path(file->store, name, own);
    if (is_same_file(roster, own)) {
        return ERR_NONE;
    }
    err = tournament_file_read_text(roster, &text, &bytes, why);
    if (!err && !roster_change_is_none(file->store, text)) {
        err = note_fail(why, ERR_INPUT,
                        "%.80s is the database of the roster %.120s, not of %.80s; choose another "
                        "with --db, or continue that tournament: plum tournament resume %.80s",
                        database, own, roster, database);
    }
    free(text);
    return err;
}

/* Looks without a lock: the tournament may be running. Also where the qualification was interrupted
 * before its first game ended. */
static bool is_not_paired(const char *database, enum cpu_level cpu)
{
    struct tournament_file file = {0};
    struct note ignored;
    bool is_so = is_database(database) &&
                 !tournament_file_open(&file, database, STORE_READ, cpu, &ignored) &&
                 file.tournament.pairing_count == 0;
    tournament_file_close(&file);
    return is_so;
}

enum err tournament_session_begin(struct tournament_file *file, const char *path,
                                  const char *database, enum cpu_level cpu, bool *is_new,
                                  struct roster_problems *problems, struct note *why)
{
    char usual[PATH_MAX];
    name_database(path, usual);
    problems->count = 0;
    *is_new = !is_not_paired(database ? database : usual, cpu);
    return *is_new ? tournament_session_create(file, path, database, cpu, problems, why)
                   : open_own(file, path, database ? database : usual, cpu, why);
}

enum err tournament_session_enter(struct tournament_file *file, const char *path,
                                  const char *database, enum cpu_level cpu, bool *is_new,
                                  struct roster_problems *problems, struct note *why)
{
    char found[TOURNAMENT_SESSION_PATH_BYTES];
    bool is_roster = tournament_session_find(path, database, found);
    problems->count = 0;
    *is_new = !found[0];
    if (!is_roster && database) {
        return note_fail(why, ERR_INPUT, "--db is for a roster; %.150s is a database", path);
    }
    return *is_new     ? tournament_session_create(file, path, database, cpu, problems, why)
           : is_roster ? open_own(file, path, found, cpu, why)
                       : tournament_file_open(file, found, STORE_CHANGE, cpu, why);
}

/* --- Before the first game --- */

/* Next to the roster and named after the database; a shell must be able to read it as one word. */
static void name_agents_folder(const struct store *store, char *out, size_t room)
{
    const char *path = store_path(store);
    const char *slash = strrchr(path, '/');
    snprintf(out, room, "./%.100s.agents", slash ? slash + 1 : path);
    for (char *at = out; *at; at++) {
        bool is_plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                        (*at >= '0' && *at <= '9') || strchr("./_-", *at);
        *at = is_plain ? *at : '_';
    }
}

static void warn_of_sharing(struct tournament_session *s, bool is_chosen)
{
    struct note sentence;
    if (s->entrants.has_thinkers && s->concurrency &&
        cores_are_shared(s->concurrency, 2, is_chosen, &sentence)) {
        s->on_warning(s->owner, sentence.text);
    }
}

static enum err prepare_sandbox(struct tournament_session *s, struct note *why)
{
    const struct roster *roster = &s->file->roster;
    struct sandbox_limits limits = sandbox_limits_default();
    struct sandbox_setup_player *players = calloc((size_t)s->entrants.count, sizeof *players);
    limits.memory_bytes = roster->rules.memory_bytes;
    if (!players) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d teams", s->entrants.count);
    }
    for (int i = 0; i < s->entrants.count; i++) {
        const struct entrant *entrant = &s->entrants.list[i];
        players[i].spec = entrant->can_play ? &entrant->spec : NULL;
        snprintf(players[i].name, sizeof players[i].name, "team %s", roster->teams[i].id);
    }
    struct sandbox_setup setup = {
        .mode = roster->rules.sandbox,
        .limits = &limits,
        .python = roster->rules.python,
        .players = players,
        .player_count = s->entrants.count,
        .neighbours = &s->neighbours,
        .is_probed = s->is_probed,
        .owner = s->owner,
        .on_remark = s->on_warning,
    };
    enum err err = sandbox_setup_prepare(&setup, &s->sandbox, why);
    free(players);
    return err;
}

/* With the database are its backups and the files of the queue, which contain secrets. Before the
 * current folder changes: the path of the database may be seen from it. */
static enum err reserve_folders(struct tournament_session *s, struct note *why)
{
    const struct store *store = s->file->store;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", store_path(store));
    char *slash = strrchr(folder, '/');
    if (slash) {
        slash[1] = '\0';
    }
    enum err err = sandbox_folder_add_own(&s->neighbours, slash ? folder : ".", why);
    return err ? err : sandbox_folder_add_own(&s->neighbours, store_folder(store), why);
}

static enum err open_workers(struct tournament_session *s, struct note *why)
{
    enum err err =
        tournament_workers_open(&s->workers, &s->wish, s->file, &s->entrants,
                                s->entrants.has_programs ? &s->sandbox : NULL, s->cpu, why);
    if (!err) {
        tournament_workers_announce(&s->workers, s->owner, s->on_warning);
    }
    return err;
}

static bool has_sources(const struct roster *roster)
{
    for (int i = 0; i < roster->team_count; i++) {
        if (roster->teams[i].source[0]) {
            return true;
        }
    }
    return false;
}

static enum err make_entrants(struct tournament_session *s, struct note *why)
{
    struct store *store = s->file->store;
    const struct roster *roster = &s->file->roster;
    char agents[128];
    enum err err = ERR_NONE;
    if (has_sources(roster)) {
        err = sandbox_setup_for_compilers(roster->rules.sandbox, s->owner, s->on_warning,
                                          &s->sandbox, why);
        s->is_probed = !err;
    }
    if (err) {
        return err;
    }
    const struct compiler_options compiler = {.sandbox = &s->sandbox, .stop = s->stop};
    name_agents_folder(store, agents, sizeof agents);
    err = entrants_make(roster, agents, &compiler, store, &s->entrants, why);
    for (int i = 0; !err && i < roster->team_count; i++) {
        tournament_set_absent(&s->file->tournament, i, !s->entrants.list[i].can_play);
    }
    return err ? err
               : entrants_save_hashes(roster, &s->entrants, store, s->owner, s->on_remark, why);
}

enum err tournament_session_prepare(struct tournament_session *s, struct roster_problems *problems,
                                    struct note *why)
{
    struct store *store = s->file->store;
    const struct roster *roster = &s->file->roster;
    const char *folder = store_folder(store);
    bool is_chosen = s->concurrency || roster->concurrency;
    bool has_workers = s->wish.address || s->wish.url;
    if (!s->concurrency && !has_workers) {
        s->concurrency = tournament_session_concurrency(roster);
    }
    enum err err = reserve_folders(s, why);
    err = err || !has_workers
              ? err
              : tournament_workers_locate(&s->workers, store_path(s->file->store), why);
    if (err) {
        return err;
    }
    if (chdir(folder)) {
        return note_fail(why, ERR_ENVIRONMENT, "the roster's folder %.200s: %s", folder,
                         strerror(errno));
    }
    problems->count = 0;
    entrants_find_missing(roster, problems);
    if (problems->count) {
        roster_problems_sum_up(problems, store_path(store), why);
        return ERR_INPUT;
    }
    err = make_entrants(s, why);
    if (err) {
        return err;
    }
    warn_of_sharing(s, is_chosen);
    err = prepare_sandbox(s, why);
    if (!err && has_workers) {
        err = open_workers(s, why);
    }
    return !err && atomic_load(s->stop) ? ERR_INTERRUPTED : err;
}

/* --- The games --- */

static struct tournament_source_options source_options(const struct tournament_session *s,
                                                       bool is_qualification_only)
{
    return (struct tournament_source_options){
        .store = s->file->store,
        .roster = &s->file->roster,
        .entrants = &s->entrants,
        .cpu_level = s->cpu,
        .sandbox = s->entrants.has_programs ? &s->sandbox : NULL,
        .concurrency = s->concurrency,
        .coordinator = s->workers.coordinator,
        .programs = s->workers.programs,
        .verify_percent = s->wish.verify_percent,
        .is_qualification_only = is_qualification_only,
        .owner = s->owner,
        .on_tick = s->on_tick,
        .on_remark = s->on_remark,
    };
}

/* The end becomes an entry of the audit log, and what was stored is read again. That the
 * qualification is over has its entry already. */
static enum err note_end(struct tournament_session *s, enum err err, bool is_qualification_only,
                         struct note *why)
{
    struct store *store = s->file->store;
    const struct tournament *t = &s->file->tournament;
    size_t played = tournament_count(t, GAME_PLAYED) + tournament_voided(t);
    struct note unwritten;
    enum err noted = ERR_NONE;
    if (err || !is_qualification_only) {
        noted = store_audit(store, err ? "stopped" : "finished", "", &unwritten);
    }
    if (!noted) {
        noted = err ? store_confirm(store, &unwritten) : store_verify(store, played, &unwritten);
    }
    if (noted) {
        *why = unwritten;
    }
    return noted ? noted : err;
}

static enum err play(struct tournament_session *s, bool is_qualification_only, struct note *why)
{
    const struct tournament_source_options options = source_options(s, is_qualification_only);
    enum err err = tournament_source_play(&options, &s->file->tournament, why);
    return err && err != ERR_INTERRUPTED ? err : note_end(s, err, is_qualification_only, why);
}

/* If any of its games are left, they are played next. */
static enum err begin_qualification(struct tournament_session *s, struct note *why)
{
    struct tournament *t = &s->file->tournament;
    int due = qualification_begin(t);
    if (!due) {
        return ERR_NONE;
    }
    const struct estimate estimate =
        estimate_qualification(t->roster, due, s->concurrency ? s->concurrency : 1);
    s->on_qualification(s->owner, &estimate);
    return store_audit(s->file->store, "qualify", "", why);
}

enum err tournament_session_qualify(struct tournament_session *s, struct note *why)
{
    enum err err = begin_qualification(s, why);
    return err || !s->file->tournament.qualifying_games ? err : play(s, true, why);
}

enum err tournament_session_play(struct tournament_session *s, struct note *why)
{
    enum err err = store_audit(s->file->store, "run", "", why);
    if (!err && qualification_is_on(&s->file->tournament)) {
        err = begin_qualification(s, why);
    }
    return err ? err : play(s, false, why);
}

void tournament_session_free(struct tournament_session *s)
{
    tournament_workers_report(&s->workers, s->owner, s->on_warning);
    tournament_workers_close(&s->workers, tournament_is_over(&s->file->tournament));
    entrants_free(&s->entrants);
    sandbox_folder_free_neighbours(&s->neighbours);
}
