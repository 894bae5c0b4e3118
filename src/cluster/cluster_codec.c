/* Each structure has one function that writes it or reads it, so that both agree. */
#include "cluster/cluster_codec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"

enum cluster_kind {
    KIND_HELLO = 1,
    KIND_WELCOME,
    KIND_JOB,
    KIND_RESULT,
    KIND_REPORT,
    KIND_FILES,
    KIND_PLIES,
};

/* Of thinking, and of what a sandbox refused: sums of them must not overflow. */
#define MOST_MS (INT64_C(1) << 40)
#define MOST_ATTEMPTS (INT64_C(1) << 40)

/* The analyzer does not see that `is_writing` never changes: it follows paths that write what was
 * not read yet. The fuzzer and the sanitizers run this file.
 * NOLINTBEGIN(clang-analyzer-core.NonNullParamChecker,clang-analyzer-unix.Malloc) */

/* Bytes that are written, or read. After a failure nothing changes any more. */
struct codec {
    bool is_writing;
    bool has_failed;
    uint8_t *data;
    size_t count; /* in it; when it is read: in all */
    size_t capacity;
    size_t at; /* when it is read */
};

/* --- Numbers and texts --- */

static void put(struct codec *c, const void *bytes, size_t count)
{
    if (c->has_failed || count > CLUSTER_MAX_BYTES - c->count) {
        c->has_failed = true;
        return;
    }
    if (c->count + count > c->capacity) {
        size_t larger = 2 * (c->count + count) + 256;
        uint8_t *moved = realloc(c->data, larger);
        if (!moved) {
            c->has_failed = true;
            return;
        }
        c->data = moved;
        c->capacity = larger;
    }
    memcpy(c->data + c->count, bytes, count);
    c->count += count;
}

static const uint8_t *get(struct codec *c, size_t count)
{
    if (c->has_failed || count > c->count - c->at) {
        c->has_failed = true;
        return NULL;
    }
    const uint8_t *bytes = c->data + c->at;
    c->at += count;
    return bytes;
}

static void code_word(struct codec *c, uint64_t *value, size_t size)
{
    uint8_t bytes[8];
    if (c->is_writing) {
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)(*value >> 8 * i);
        }
        put(c, bytes, size);
        return;
    }
    const uint8_t *from = get(c, size);
    uint64_t read = 0;
    for (size_t i = 0; from && i < size; i++) {
        read |= (uint64_t)from[i] << 8 * i;
    }
    *value = read;
}

static void code_long(struct codec *c, int64_t *value, int64_t low, int64_t high)
{
    uint64_t word = (uint64_t)*value;
    code_word(c, &word, 8);
    *value = (int64_t)word;
    if (*value < low || *value > high) {
        c->has_failed = true;
        *value = low;
    }
}

static void code_int(struct codec *c, int *value, int low, int high)
{
    uint64_t word = (uint32_t)*value;
    code_word(c, &word, 4);
    *value = (int)(int32_t)(uint32_t)word;
    if (*value < low || *value > high) {
        c->has_failed = true;
        *value = low;
    }
}

static void code_bool(struct codec *c, bool *value)
{
    uint64_t word = *value;
    code_word(c, &word, 1);
    c->has_failed |= word > 1;
    *value = word == 1;
}

static void code_count(struct codec *c, size_t *value, size_t most)
{
    uint64_t word = *value;
    code_word(c, &word, 4);
    if (word > most) {
        c->has_failed = true;
        word = 0;
    }
    *value = (size_t)word;
}

/* For small enumerations: code_enum(c, &it->kind, KINDS) */
#define code_enum(c, value, kinds)                          \
    do {                                                    \
        int code_enum_value = (int)*(value);                \
        code_int((c), &code_enum_value, 0, (int)(kinds)-1); \
        *(value) = (__typeof__(*(value)))code_enum_value;   \
    } while (0)

static bool is_text(const char *text, size_t length)
{
    uint32_t character = 0;
    size_t at = 0;
    while (at < length) {
        size_t step = utf8_decode(text + at, &character);
        if (!step || !character) {
            return false;
        }
        at += step;
    }
    return true;
}

/* Into an array of `room` bytes. */
static void code_text(struct codec *c, char *text, size_t room)
{
    size_t length = c->is_writing ? strnlen(text, room - 1) : 0;
    code_count(c, &length, room - 1);
    if (c->is_writing) {
        put(c, text, length);
        return;
    }
    const uint8_t *from = get(c, length);
    text[0] = '\0';
    if (from) {
        memcpy(text, from, length);
        text[length] = '\0';
        c->has_failed |= !is_text(text, length);
    }
}

/* A text that is shown to a person: no control characters. */
static void code_line(struct codec *c, char *text, size_t room)
{
    char clean[NOTE_BYTES];
    room = room < sizeof clean ? room : sizeof clean;
    if (c->is_writing) {
        utf8_clean(text, clean, room);
        code_text(c, clean, room);
    } else {
        code_text(c, text, room);
        utf8_clean(text, clean, room);
        c->has_failed |= strcmp(text, clean) != 0;
    }
}

static void code_machine(struct codec *c, char machine[CLUSTER_WORD_BYTES])
{
    code_line(c, machine, CLUSTER_WORD_BYTES);
    c->has_failed |= !machine[0];
}

/* Allocated. */
static void code_string(struct codec *c, char **text)
{
    size_t length = c->is_writing ? strlen(*text) : 0;
    code_count(c, &length, CLUSTER_MAX_TEXT_BYTES);
    if (c->is_writing) {
        put(c, *text, length);
        return;
    }
    const uint8_t *from = get(c, length);
    *text = from ? malloc(length + 1) : NULL;
    if (!*text) {
        c->has_failed = true;
        return;
    }
    memcpy(*text, from, length);
    (*text)[length] = '\0';
    c->has_failed |= !is_text(*text, length);
}

/* Room for what is read; each item takes at least one byte, so that a message cannot ask for more
 * than its size allows. */
static void *make_items(struct codec *c, size_t count, size_t item_bytes)
{
    if (c->has_failed || count > c->count - c->at) {
        c->has_failed = true;
        return NULL;
    }
    void *items = calloc(count + 1, item_bytes);
    c->has_failed |= !items;
    return items;
}

/* --- Structures --- */

static void code_host(struct codec *c, struct cluster_host *host)
{
    code_line(c, host->version, sizeof host->version);
    code_line(c, host->libc, sizeof host->libc);
    code_line(c, host->python, sizeof host->python);
    code_bool(c, &host->has_namespaces);
}

static void code_hello(struct codec *c, struct cluster_hello *hello)
{
    code_machine(c, hello->machine);
    code_word(c, &hello->worker, 8);
    code_int(c, &hello->concurrency, 1, CLUSTER_MAX_CONCURRENCY);
    code_host(c, &hello->host);
    code_bool(c, &hello->is_ready);
    code_long(c, &hello->speed.processor, 0, CLUSTER_MAX_SPEED);
    code_long(c, &hello->speed.wall, 0, CLUSTER_MAX_SPEED);
}

static void code_terms(struct codec *c, struct cluster_terms *terms)
{
    code_text(c, terms->game, sizeof terms->game);
    code_text(c, terms->event, sizeof terms->event);
    code_text(c, terms->date, sizeof terms->date);
    code_bool(c, &terms->rules.judge.has_auction);
    code_long(c, &terms->rules.judge.limit_ns, 0, INT64_MAX);
    code_long(c, &terms->rules.judge.grace_ns, 0, INT64_MAX);
    code_long(c, &terms->rules.judge.hard_limit_ns, 0, INT64_MAX);
    code_long(c, &terms->rules.judge.game_limit_ns, 0, INT64_MAX);
    code_long(c, &terms->rules.judge.startup_ns, 0, INT64_MAX);
    code_int(c, &terms->rules.judge.late_limit, 0, INT32_MAX);
    code_bool(c, &terms->has_programs);
    code_bool(c, &terms->has_tcp);
    code_enum(c, &terms->rules.sandbox, SANDBOX_STRICT + 1);
    code_long(c, &terms->rules.memory_bytes, 0, INT64_MAX);
    code_text(c, terms->rules.python, sizeof terms->rules.python);
    code_bool(c, &terms->rules.violations_lose);
    code_bool(c, &terms->rules.ponder);
    code_int(c, &terms->lease_ms, 1, INT32_MAX);
    code_bool(c, &terms->rules.is_selfplay);
    code_int(c, &terms->rules.opening_plies, 0, CLUSTER_MAX_OPENING_PLIES);
}

static void code_welcome(struct codec *c, struct cluster_welcome *welcome)
{
    code_bool(c, &welcome->is_refused);
    code_line(c, welcome->why.text, sizeof welcome->why.text);
    code_word(c, &welcome->conditions, 8);
    code_terms(c, &welcome->terms);
}

static void code_key(struct codec *c, struct cluster_key *key)
{
    struct tournament_work *work = &key->work;
    bool is_qualification = work->phase == PHASE_QUALIFICATION;
    code_word(c, &key->stamp, 8);
    code_bool(c, &is_qualification);
    work->phase = is_qualification ? PHASE_QUALIFICATION : PHASE_ROUNDS;
    code_int(c, &work->pairing, 0, INT32_MAX);
    code_int(c, &work->round, 0, ROSTER_MAX_ROUNDS);
    code_int(c, &work->team[0], 0, ROSTER_MAX_TEAMS);
    code_int(c, &work->team[1], is_qualification ? TOURNAMENT_RANDOM : 0, ROSTER_MAX_TEAMS);
    code_int(c, &work->first_game, 0, INT32_MAX - ROSTER_MAX_GAMES_PER_PAIRING);
    code_int(c, &work->from, 0, ROSTER_MAX_GAMES_PER_PAIRING - 1);
    code_int(c, &work->to, work->from + 1, ROSTER_MAX_GAMES_PER_PAIRING);
    for (int i = 0; !c->has_failed && i < work->to - work->from; i++) {
        code_int(c, &key->attempts[i], 0, INT32_MAX);
    }
}

/* "" or a hash */
static void code_hash(struct codec *c, char *hash)
{
    code_text(c, hash, CLUSTER_HASH_BYTES);
    c->has_failed |= hash[0] && !cluster_is_hash(hash);
}

static void code_player(struct codec *c, struct cluster_player *player)
{
    code_bool(c, &player->can_play);
    code_text(c, player->name, sizeof player->name);
    code_text(c, player->absence.text, sizeof player->absence.text);
    code_text(c, player->spec, sizeof player->spec);
    code_hash(c, player->program);
}

static void code_job(struct codec *c, struct cluster_job *job)
{
    code_key(c, &job->key);
    code_word(c, &job->conditions, 8);
    code_word(c, &job->seed, 8);
    code_text(c, job->round, sizeof job->round);
    code_line(c, job->avoid, sizeof job->avoid);
    code_player(c, &job->players[0]);
    code_player(c, &job->players[1]);
    code_text(c, job->start, sizeof job->start);
}

static void code_fault(struct codec *c, struct game_fault *fault)
{
    code_int(c, &fault->player, 0, 1);
    code_int(c, &fault->ply, 0, RECORD_MAX_PLIES);
    code_enum(c, &fault->kind, FAULT_KINDS);
    code_text(c, fault->why.text, sizeof fault->why.text);
    code_text(c, fault->position, sizeof fault->position);
    code_long(c, &fault->time_ms, -1, MOST_MS);
}

static void code_game(struct codec *c, struct finished_game *game)
{
    code_int(c, &game->index, 0, ROSTER_MAX_GAMES_PER_PAIRING - 1);
    code_enum(c, &game->summary.outcome, OUTCOME_BOTH_LOST + 1);
    code_text(c, game->summary.reason, sizeof game->summary.reason);
    code_bool(c, &game->summary.is_forfeit);
    code_int(c, &game->summary.plies, 0, RECORD_MAX_PLIES);
    for (int i = 0; i < 2; i++) {
        code_enum(c, &game->summary.colour[i], SIDE_WHITE + 1);
        code_int(c, &game->summary.score[i], INT32_MIN, INT32_MAX);
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            code_int(c, &game->summary.faults[i][kind], 0, CLUSTER_MAX_FAULTS);
        }
        code_long(c, &game->summary.thinking_ms[i], 0, MOST_MS);
        code_long(c, &game->summary.slowest_ms[i], 0, MOST_MS);
    }
    code_long(c, &game->duration_ms, 0, MOST_MS);
    code_int(c, &game->again.count, 0, CLUSTER_MAX_AGAIN);
    code_text(c, game->again.why.text, sizeof game->again.why.text);
    code_string(c, &game->record);
    code_count(c, &game->fault_count, CLUSTER_MAX_FAULTS);
    if (!c->is_writing) {
        game->fault_list = make_items(c, game->fault_count, sizeof *game->fault_list);
    }
    for (size_t i = 0; !c->has_failed && i < game->fault_count; i++) {
        code_fault(c, &game->fault_list[i]);
    }
}

static void code_violation(struct codec *c, struct cluster_violation *violation)
{
    code_int(c, &violation->player, 0, 1);
    code_enum(c, &violation->violation.kind, VIOLATION_KINDS);
    code_long(c, &violation->violation.count, 0, MOST_ATTEMPTS);
    code_long(c, &violation->violation.first_ms, 0, MOST_MS);
    code_text(c, violation->violation.what, sizeof violation->violation.what);
}

static void code_result(struct codec *c, struct cluster_result *result)
{
    code_key(c, &result->key);
    code_machine(c, result->machine);
    code_line(c, result->sandbox, sizeof result->sandbox);
    size_t games = (size_t)(result->key.work.to - result->key.work.from);
    if (!c->is_writing) {
        result->games = make_items(c, games, sizeof *result->games);
    }
    for (size_t i = 0; !c->has_failed && i < games; i++) {
        code_game(c, &result->games[i]);
        c->has_failed |= result->games[i].index != result->key.work.from + (int)i;
    }
    code_count(c, &result->log_count, CLUSTER_MAX_LOGS);
    if (!c->is_writing) {
        result->logs = make_items(c, result->log_count, sizeof *result->logs);
    }
    for (size_t i = 0; !c->has_failed && i < result->log_count; i++) {
        code_int(c, &result->logs[i].player, 0, 1);
        code_string(c, &result->logs[i].text);
    }
    code_count(c, &result->violation_count, CLUSTER_MAX_VIOLATIONS);
    if (!c->is_writing) {
        result->violations = make_items(c, result->violation_count, sizeof *result->violations);
    }
    for (size_t i = 0; !c->has_failed && i < result->violation_count; i++) {
        code_violation(c, &result->violations[i]);
    }
}

static void code_report(struct codec *c, struct cluster_report *report)
{
    code_enum(c, &report->kind, CLUSTER_REPORT_KINDS);
    code_machine(c, report->machine);
    code_word(c, &report->worker, 8);
    if (report->kind != CLUSTER_LEAVING) {
        code_key(c, &report->key);
    }
    code_line(c, report->why.text, sizeof report->why.text);
}

static void code_plies(struct codec *c, struct cluster_plies *plies)
{
    code_word(c, &plies->worker, 8);
    code_key(c, &plies->key);
    code_int(c, &plies->index, 0, ROSTER_MAX_GAMES_PER_PAIRING - 1);
    code_int(c, &plies->black, 0, 1);
    code_line(c, plies->start, sizeof plies->start);
    code_int(c, &plies->first, 0, RECORD_MAX_PLIES);
    code_int(c, &plies->count, 0, CLUSTER_MAX_PLIES);
    for (int i = 0; !c->has_failed && i < plies->count; i++) {
        struct cluster_ply *ply = &plies->plies[i];
        code_line(c, ply->move, sizeof ply->move);
        code_bool(c, &ply->has_time);
        code_long(c, &ply->time_ns, 0, INT64_MAX);
        code_bool(c, &ply->has_fault);
        code_enum(c, &ply->fault, FAULT_KINDS);
    }
}

/* It becomes the name of a file below a folder of programs. */
static bool is_inside(const char *path)
{
    for (const char *at = path; *at;) {
        size_t length = strcspn(at, "/");
        if (length == 0 || (length == 1 && at[0] == '.') || (length == 2 && !memcmp(at, "..", 2))) {
            return false;
        }
        at += length;
        at += *at == '/';
    }
    return *path && path[strlen(path) - 1] != '/';
}

static void code_files(struct codec *c, struct cluster_files *files)
{
    code_count(c, &files->count, CLUSTER_MAX_FILES);
    if (!c->is_writing) {
        files->list = make_items(c, files->count, sizeof *files->list);
    }
    for (size_t i = 0; !c->has_failed && i < files->count; i++) {
        struct cluster_file *file = &files->list[i];
        code_text(c, file->path, sizeof file->path);
        code_hash(c, file->hash);
        code_long(c, &file->bytes, 0, CLUSTER_MAX_FILE_BYTES);
        code_bool(c, &file->is_executable);
        c->has_failed |= !is_inside(file->path) || !file->hash[0];
    }
}

/* --- Messages --- */

static void code_head(struct codec *c, enum cluster_kind kind)
{
    int format = CLUSTER_FORMAT;
    int number = (int)kind;
    code_int(c, &format, CLUSTER_FORMAT, CLUSTER_FORMAT);
    code_int(c, &number, number, number);
}

static enum err end_writing(struct codec *c, struct cluster_bytes *out)
{
    if (c->has_failed) {
        free(c->data);
        return ERR_ENVIRONMENT;
    }
    *out = (struct cluster_bytes){c->data, c->count};
    return ERR_NONE;
}

static struct codec begin_reading(const void *data, size_t count)
{
    /* It is only read. */
    return (struct codec){.data = (uint8_t *)(uintptr_t)data,
                          .count = count,
                          .has_failed = count > CLUSTER_MAX_BYTES};
}

static enum err end_reading(const struct codec *c, const char *what, struct note *why)
{
    if (c->has_failed || c->at != c->count) {
        return note_fail(why, ERR_INPUT, "a malformed %s, or one of another version of plum", what);
    }
    return ERR_NONE;
}

uint64_t cluster_conditions(const struct cluster_terms *terms, const char *version)
{
    struct cluster_terms lasting = *terms;
    struct codec c = {.is_writing = true};
    lasting.lease_ms = 1;
    lasting.date[0] = '\0';
    code_terms(&c, &lasting);
    uint64_t hash = hash_bytes(HASH_SEED, version, strlen(version));
    hash = c.has_failed ? 0 : hash_bytes(hash, c.data, c.count);
    free(c.data);
    return hash;
}

bool cluster_is_hash(const char *text)
{
    return strlen(text) == CLUSTER_HASH_BYTES - 1 &&
           strspn(text, "0123456789abcdef") == strlen(text);
}

void cluster_job_name(const struct cluster_job *job, char out[CLUSTER_NAME_BYTES])
{
    struct cluster_job lasting = *job;
    struct codec c = {.is_writing = true};
    lasting.avoid[0] = '\0';
    code_job(&c, &lasting);
    uint64_t hash = c.has_failed ? 0 : hash_bytes(HASH_SEED, c.data, c.count);
    free(c.data);
    snprintf(out, CLUSTER_NAME_BYTES, "%016" PRIx64, hash);
}

bool cluster_key_equal(const struct cluster_key *one, const struct cluster_key *other)
{
    const struct tournament_work *a = &one->work;
    const struct tournament_work *b = &other->work;
    return one->stamp == other->stamp && a->phase == b->phase && a->pairing == b->pairing &&
           a->round == b->round && a->team[0] == b->team[0] && a->team[1] == b->team[1] &&
           a->first_game == b->first_game && a->from == b->from && a->to == b->to &&
           memcmp(one->attempts, other->attempts,
                  (size_t)(a->to - a->from) * sizeof one->attempts[0]) == 0;
}

void cluster_result_free(struct cluster_result *result)
{
    for (int i = 0; result->games && i < result->key.work.to - result->key.work.from; i++) {
        finished_game_free(&result->games[i]);
    }
    for (size_t i = 0; result->logs && i < result->log_count; i++) {
        free(result->logs[i].text);
    }
    free(result->games);
    free(result->logs);
    free(result->violations);
    *result = (struct cluster_result){0};
}

void cluster_files_free(struct cluster_files *files)
{
    free(files->list);
    *files = (struct cluster_files){0};
}

/* A message without allocated parts. */
#define MESSAGE(name, kind, what)                                                               \
    enum err cluster_write_##name(const struct cluster_##name *name, struct cluster_bytes *out) \
    {                                                                                           \
        struct codec c = {.is_writing = true};                                                  \
        struct cluster_##name copy = *name;                                                     \
        code_head(&c, kind);                                                                    \
        code_##name(&c, &copy);                                                                 \
        return end_writing(&c, out);                                                            \
    }                                                                                           \
    enum err cluster_read_##name(const void *data, size_t count, struct cluster_##name *out,    \
                                 struct note *why)                                              \
    {                                                                                           \
        struct codec c = begin_reading(data, count);                                            \
        struct cluster_##name read = {0};                                                       \
        code_head(&c, kind);                                                                    \
        code_##name(&c, &read);                                                                 \
        enum err err = end_reading(&c, what, why);                                              \
        if (!err) {                                                                             \
            *out = read;                                                                        \
        }                                                                                       \
        return err;                                                                             \
    }

MESSAGE(hello, KIND_HELLO, "greeting of a worker")
MESSAGE(welcome, KIND_WELCOME, "answer to a worker")
MESSAGE(job, KIND_JOB, "job")
MESSAGE(report, KIND_REPORT, "report of a worker")
MESSAGE(plies, KIND_PLIES, "list of plies")

enum err cluster_write_result(const struct cluster_result *result, struct cluster_bytes *out)
{
    struct codec c = {.is_writing = true};
    struct cluster_result copy = *result; /* its games are not changed by writing */
    code_head(&c, KIND_RESULT);
    code_result(&c, &copy);
    return end_writing(&c, out);
}

enum err cluster_read_result(const void *data, size_t count, struct cluster_result *out,
                             struct note *why)
{
    struct codec c = begin_reading(data, count);
    struct cluster_result read = {0};
    code_head(&c, KIND_RESULT);
    code_result(&c, &read);
    enum err err = end_reading(&c, "result", why);
    if (err) {
        cluster_result_free(&read);
    } else {
        *out = read;
    }
    return err;
}

enum err cluster_write_files(const struct cluster_files *files, struct cluster_bytes *out)
{
    struct codec c = {.is_writing = true};
    struct cluster_files copy = *files;
    code_head(&c, KIND_FILES);
    code_files(&c, &copy);
    return end_writing(&c, out);
}

enum err cluster_read_files(const void *data, size_t count, struct cluster_files *out,
                            struct note *why)
{
    struct codec c = begin_reading(data, count);
    struct cluster_files read = {0};
    code_head(&c, KIND_FILES);
    code_files(&c, &read);
    enum err err = end_reading(&c, "list of files", why);
    if (err) {
        cluster_files_free(&read);
    } else {
        *out = read;
    }
    return err;
}

/* NOLINTEND(clang-analyzer-core.NonNullParamChecker,clang-analyzer-unix.Malloc) */
