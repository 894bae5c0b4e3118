#include "play/tournament_workers.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "play/speed.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/folder.h"
#include "base/hash.h"
#include "cluster/cluster_host.h"
#include "cluster/program_files.h"
#include "cluster/queue_server.h"
#include "cluster/queue_url.h"
#include "cluster/worker_file.h"
#include "sandbox/sandbox_folder.h"
#include "sandbox/sandbox_programs.h"

static const char own_worker[] = "worker"; /* the user of the file that a run writes */

/* --- Paths --- */

enum err tournament_workers_locate(struct tournament_workers *w, const char *database,
                                   struct note *why)
{
    char real[PATH_MAX];
    char folder[PATH_MAX];
    const char *slash = strrchr(database, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - database) + 1 : 1,
             slash ? database : ".");
    if (!realpath(folder, real)) {
        return note_fail(why, ERR_ENVIRONMENT, "%.200s: %s", folder, strerror(errno));
    }
    const char *name = slash ? slash + 1 : database;
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".db") == 0) {
        length -= 3;
    }
    if (strlen(real) + length > 2600) {
        return note_fail(why, ERR_INPUT, "the path %.200s is too long", real);
    }
    snprintf(w->folder, sizeof w->folder, "%.2600s/%.*s.queue", real, (int)length, name);
    snprintf(w->blobs, sizeof w->blobs, "%.2600s/%.*s.queue/blobs", real, (int)length, name);
    snprintf(w->worker_file, sizeof w->worker_file, "%.2600s/%.*s.worker", real, (int)length, name);
    return ERR_NONE;
}

/* --- Programs --- */

static bool is_plain_path(const char *path)
{
    return *path && !path[strspn(path, "0123456789abcdefghijklmnopqrstuvwxyz"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./+,@%=")];
}

/* A word of a command as the worker sees it. False: it names a file that is not in the folder. */
static bool write_word(const char *word, bool is_first, const char *folder, const char *hash,
                       char *out, size_t room)
{
    char path[PATH_MAX];
    struct stat status;
    bool is_path = (is_first || strchr(word, '/')) && realpath(word, path) &&
                   stat(path, &status) == 0 && S_ISREG(status.st_mode);
    if (!is_path || sandbox_programs_is_of_system(path)) {
        snprintf(out, room, "%s", word);
        return true;
    }
    const char *inside = sandbox_folder_inside(path, folder);
    if (!inside || !is_plain_path(inside)) {
        return false;
    }
    snprintf(out, room, "./%s/%s", hash, inside);
    return true;
}

/* Paths lead into the folder of the program's hash. */
static enum err write_spec(const struct player_spec *spec, const char *folder, const char *hash,
                           char out[PLAYER_TEXT_BYTES], struct note *why)
{
    char text[2 * PLAYER_TEXT_BYTES];
    char word[PLAYER_TEXT_BYTES];
    char seen[PATH_MAX];
    size_t used = (size_t)(spec->command - spec->text);
    bool is_first = true;
    bool is_quoted = false;
    memcpy(text, spec->text, used);
    for (const char *at = spec->command; *at;) {
        size_t spaces = strspn(at, " \t");
        size_t length = strcspn(at + spaces, " \t");
        snprintf(word, sizeof word, "%.*s", (int)length, at + spaces);
        is_quoted |= strpbrk(word, "'\"\\") != NULL;
        snprintf(seen, sizeof seen, "%s", word);
        if (!is_quoted && length && !write_word(word, is_first, folder, hash, seen, sizeof seen)) {
            return note_fail(why, ERR_INPUT,
                             "workers cannot play '%.80s': %.80s is not in the folder of the "
                             "program, %.100s",
                             spec->text, word, folder);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%.*s%s", (int)spaces, at, seen);
        if (used >= PLAYER_TEXT_BYTES) {
            return note_fail(why, ERR_INPUT, "workers cannot play '%.80s': it is too long",
                             spec->text);
        }
        is_first &= !length;
        at += spaces + length;
    }
    text[used] = '\0';
    memcpy(out, text, used + 1);
    return ERR_NONE;
}

enum err tournament_workers_pack(const struct tournament_workers *w, const struct player_spec *spec,
                                 const char *python, const struct sandbox *sandbox,
                                 struct remote_program *out, struct note *why)
{
    struct player_command command;
    struct sandbox_folder shown = {0};
    enum err err = player_spec_command(spec, python, &command, why);
    if (err) {
        return err;
    }
    const struct sandbox_folder_rule rule =
        sandbox_folder_rule(sandbox->neighbours, command.text, command.folder);
    err = sandbox_folder_list(command.folder, command.text, &rule, &shown, why);
    err = err ? err : program_files_pack(command.folder, &shown, w->blobs, out->hash, why);
    err = err ? err : write_spec(spec, command.folder, out->hash, out->spec, why);
    sandbox_folder_free(&shown);
    return err;
}

static enum err pack_all(struct tournament_workers *w, const struct roster *roster,
                         const struct entrants *entrants, const struct sandbox *sandbox,
                         struct note *why)
{
    enum err err = ERR_NONE;
    w->programs = calloc((size_t)entrants->count + 1, sizeof *w->programs);
    if (!w->programs) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d teams", entrants->count);
    }
    for (int i = 0; !err && i < entrants->count; i++) {
        const struct entrant *entrant = &entrants->list[i];
        if (sandbox && entrant->can_play && player_spec_is_program(&entrant->spec)) {
            err = tournament_workers_pack(w, &entrant->spec, roster->rules.python, sandbox,
                                          &w->programs[i], why);
            if (err) {
                note_prefix(why, "team %s", roster->teams[i].id);
            }
        }
    }
    return err;
}

/* --- The coordinator --- */

/* Of the database: when it was created. */
static bool take_created(void *owner, const struct store_audit_entry *entry)
{
    int64_t *at_ms = owner;
    *at_ms = entry->at_ms;
    return strcmp(entry->what, "created") != 0;
}

static bool add_quarantine(void *owner, const struct store_machine *machine)
{
    struct tournament_workers *w = owner;
    if (!machine->quarantine) {
        return true;
    }
    struct cluster_quarantine *larger = array_reserve(w->quarantines, &w->quarantine_capacity,
                                                      w->quarantine_count + 1, sizeof *larger);
    if (!larger) {
        return false;
    }
    w->quarantines = larger;
    struct cluster_quarantine *added = &larger[w->quarantine_count++];
    snprintf(added->machine, sizeof added->machine, "%s", machine->name);
    note_set(&added->why, "%s", machine->quarantine);
    return true;
}

static struct cluster_terms terms_of(const struct roster *roster, const struct entrants *entrants,
                                     int lease_ms)
{
    struct cluster_terms terms = {
        .rules = roster->rules,
        .has_programs = entrants->has_programs,
        .has_tcp = entrants->has_tcp,
        .lease_ms = lease_ms,
    };
    snprintf(terms.game, sizeof terms.game, "%s", roster->game->name);
    snprintf(terms.event, sizeof terms.event, "%s", roster->name);
    clock_write_today(terms.date);
    return terms;
}

enum err tournament_workers_prepare(const struct tournament_workers *w,
                                    const struct tournament_workers_wish *wish,
                                    struct coordinator_options *options, struct note *why)
{
    struct queue_address worker;
    if (wish->url) {
        snprintf(options->address.url, sizeof options->address.url, "%s", wish->url);
        return queue_server_make_folder(w->folder, options->address.tournament, why);
    }
    options->has_server = true;
    snprintf(options->server.folder, sizeof options->server.folder, "%s", w->folder);
    enum err err = queue_server_prepare(&options->server, wish->address, &options->address, why);
    return err ? err : queue_server_user(&options->server, own_worker, &worker, why);
}

/* The server listens: its address is right, and can be given to workers. */
static enum err publish_address(struct tournament_workers *w,
                                const struct coordinator_options *options, struct note *why)
{
    struct queue_address worker = options->address;
    enum err err = ERR_NONE;
    if (options->has_server) {
        err = queue_server_save_address(&options->server, &w->address_change, why);
        err = err ? err : queue_server_user(&options->server, own_worker, &worker, why);
    }
    snprintf(w->place, sizeof w->place, "%s", queue_url_place(worker.url));
    return err ? err : worker_file_write(w->worker_file, &worker, why);
}

enum err tournament_workers_start(struct tournament_workers *w,
                                  const struct coordinator_options *options, struct note *why)
{
    enum err err = coordinator_open(&w->coordinator, options, why);
    return err ? err : publish_address(w, options, why);
}

void tournament_workers_announce(const struct tournament_workers *w, void *owner,
                                 void (*on_warning)(void *owner, const char *sentence))
{
    struct note sentence;
    if (w->address_change.text[0]) {
        on_warning(owner, w->address_change.text);
    }
    note_set(&sentence,
             "on each machine that shall play: plum worker %.220s (it connects to %.120s)",
             w->worker_file, w->place);
    on_warning(owner, sentence.text);
}

enum err tournament_workers_open(struct tournament_workers *w,
                                 const struct tournament_workers_wish *wish,
                                 const struct tournament_file *file,
                                 const struct entrants *entrants, const struct sandbox *sandbox,
                                 enum cpu_level cpu, struct note *why)
{
    const struct roster *roster = &file->roster;
    struct coordinator_options options = {
        .blobs = w->blobs,
        .cpu = cpu,
        .needed = cluster_host_make(wish->version, sandbox ? roster->rules.python : NULL,
                                    sandbox ? sandbox->features : 0),
        .terms = terms_of(roster, entrants, wish->lease_ms),
    };
    int64_t created_ms = 0;
    enum err err = queue_check_build(why);
    err = err ? err : store_each_audit_entry(file->store, take_created, &created_ms, why);
    options.stamp = hash_pair((uint64_t)created_ms, roster->seed);
    err = err ? err : store_each_machine(file->store, add_quarantine, w, why);
    options.quarantines = w->quarantines;
    options.quarantine_count = w->quarantine_count;
    options.slowest_percent = wish->slowest_percent;
    w->is_verifying = wish->verify_percent > 0;
    if (!err && wish->slowest_percent) {
        err = speed_measure(roster->game, &options.speed, why);
    }
    err = err ? err : tournament_workers_prepare(w, wish, &options, why);
    err = err ? err : pack_all(w, roster, entrants, sandbox, why);
    return err ? err : tournament_workers_start(w, &options, why);
}

void tournament_workers_report(const struct tournament_workers *w, void *owner,
                               void (*on_warning)(void *owner, const char *sentence))
{
    struct note sentence;
    if (!w->coordinator) {
        return;
    }
    struct coordinator_counts counts = coordinator_counts(w->coordinator);
    note_set(&sentence,
             "workers: results %lld, duplicates %lld, refused %lld; jobs begun again: after a "
             "worker was lost %lld, after the server lost them %lld",
             (long long)counts.results, (long long)counts.duplicates, (long long)counts.refused,
             (long long)counts.unfinished, (long long)counts.repeats);
    on_warning(owner, sentence.text);
    if (w->is_verifying) {
        note_set(&sentence,
                 "workers: pairings that two machines played: alike %lld, differently %lld; "
                 "without a second machine %lld",
                 (long long)counts.verified, (long long)counts.differing,
                 (long long)counts.unverified);
        on_warning(owner, sentence.text);
    }
}

void tournament_workers_close(struct tournament_workers *w, bool is_over)
{
    coordinator_close(w->coordinator, is_over);
    w->coordinator = NULL;
    free(w->programs);
    free(w->quarantines);
    w->programs = NULL;
    w->quarantines = NULL;
}

/* --- Worker files --- */

enum err tournament_workers_write_files(struct tournament_workers *w, const char *address,
                                        const char *folder, int count, struct note *why)
{
    struct queue_server server = {.folder = ""};
    struct queue_address own;
    const char *slash = strrchr(w->worker_file, '/');
    size_t stem = strlen(slash + 1) - strlen(".worker");
    snprintf(server.folder, sizeof server.folder, "%s", w->folder);
    enum err err = queue_server_prepare(&server, address, &own, why);
    err = err ? err : queue_server_save_address(&server, &w->address_change, why);
    err = err ? err : folder_make(folder, 0700, why);
    for (int i = 1; !err && i <= count; i++) {
        char name[QUEUE_SECRET_BYTES];
        char path[PATH_MAX];
        struct queue_address worker;
        snprintf(name, sizeof name, "worker-%d", i);
        snprintf(path, sizeof path, "%.3000s/%.*s-%d.worker", folder, (int)stem, slash + 1, i);
        err = queue_server_user(&server, name, &worker, why);
        err = err ? err : worker_file_write(path, &worker, why);
    }
    snprintf(w->place, sizeof w->place, "%s", queue_url_place(server.url));
    return err;
}
